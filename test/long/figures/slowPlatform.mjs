// This process receives uploads over a slow link. Its argument is the speed of the link in megabytes a second.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const bytesPerMs = Number(process.argv[2]) * 1000;

const server = createServer(async (request, response) => {
	const begun = performance.now();
	let taken = 0;
	for await (const piece of request) {
		taken += piece.length;
		const ahead = begun + taken / bytesPerMs - performance.now();
		if (ahead > 1) await sleep(ahead);
	}
	response.setHeader('content-type', 'application/json');
	response.end(
		JSON.stringify({
			id: 'PIN-1',
			cid: 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
		}),
	);
});

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on('end', () => process.exit()).resume();
