// A node of a chain with two token transfers in each block, in a process of its own. It returns at most 10,000 logs
// at a time, and each log has the time of its block if the node is started with "times".
import { createServer } from 'node:http';

const [, , blocks, times] = process.argv;
const PER_BLOCK = 2;
const MOST = 10_000;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (value) => value.toString(16).padStart(64, '0');
const hex = (value) => `0x${value.toString(16)}`;

function logsOf(block) {
	return Array.from({ length: PER_BLOCK }, (_, index) => ({
		address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
		topics: [TRANSFER, `0x${word(block + 1)}`, `0x${word(index + 1)}`],
		data: `0x${word(block * 1_000_003)}`,
		blockNumber: hex(block),
		blockHash: `0x${word(block + 7)}`,
		...(times && { blockTimestamp: hex(1_700_000_000 + block * 12) }),
		transactionHash: `0x${word(block * PER_BLOCK + index)}`,
		transactionIndex: hex(index),
		logIndex: hex(index),
		removed: false,
	}));
}

function answer({ method, params: [first] }) {
	if (method === 'eth_getBlockByNumber') return { result: { number: hex(blocks - 1) } };
	if (method === 'eth_getBlockByHash') {
		const number = Number(first) - 7;
		const hashes = Array.from({ length: 150 }, (_, index) => `0x${word(number * 200 + index)}`);
		const timestamp = hex(1_700_000_000 + number * 12);
		return { result: { number: hex(number), hash: first, timestamp, transactions: hashes } };
	}
	const at = (block) => (block === 'latest' ? blocks - 1 : Number(block));
	const [from, to] = [at(first.fromBlock), at(first.toBlock)];
	if ((to - from + 1) * PER_BLOCK > MOST) {
		const until = hex(from + MOST / PER_BLOCK - 1);
		const message = `query returned more than ${MOST} results. Try with this block range [${hex(from)}, ${until}].`;
		return { error: { code: -32005, message } };
	}
	return {
		result: Array.from({ length: to - from + 1 }, (_, index) => logsOf(from + index)).flat(),
	};
}

const server = createServer(async (request, response) => {
	let text = '';
	for await (const chunk of request) text += chunk;
	const body = JSON.parse(text);
	const reply = (call) => ({ jsonrpc: '2.0', id: call.id, ...answer(call) });
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body)));
}).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on('end', () => process.exit()).resume();
