import type { ServerWritableStream } from '@grpc/grpc-js';
import { inTime } from '../support/inTime.mts';
import { callOf, createLyingServer, status } from '../support/lyingServer.mts';

let early: number;

/** Answers once, and reports that the time is over when a little of it is left. */
function answerAndEnd(call: ServerWritableStream<Buffer, Buffer>): void {
	call.write(Buffer.of(8, 5));
	const left = Number(call.getDeadline()) - Date.now();
	setTimeout(() => call.emit('error', status(4, 'too late')), left - early);
}

const service = createLyingServer({ streams: { '/t.S/Stream': answerAndEnd } });

const streamFor = async (timeout: number) =>
	(await service.run({ ...callOf('Stream'), options: { timeout } })).json;

test('a service whose clock is a little ahead ends a stream in time', async () => {
	early = 30;
	const found = await inTime(streamFor, ([first]) => first?.n !== undefined);
	expect(found).toEqual([expect.objectContaining({ n: '5' })]);
});

test('a service that says long before that the time is over has broken the stream off', async () => {
	early = 59_900;
	const reported = {
		error: 'too late',
		message: expect.stringContaining('after 1 message had arrived'),
	};
	expect(await streamFor(60_000)).toMatchObject([{ n: '5' }, reported]);
});
