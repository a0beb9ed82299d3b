import { callOf, startLyingServer } from '../support/lyingServer.mts';

test('a stream that holds too much ends with a sentence', async () => {
	const head = Buffer.from([0x1a, 0x80, 0x80, 0x80, 0x1e]);
	const message = Buffer.concat([head, Buffer.alloc(0x1e * 2 ** 21)]);
	const server = await startLyingServer({
		streams: {
			'/t.S/Stream': async (call) => {
				while (!call.cancelled) {
					if (!call.write(message)) await new Promise((resolve) => call.once('drain', resolve));
				}
			},
		},
	});
	const { message: reported, description } = await server.run(
		callOf('Stream', {}, { maxMessages: 1000, timeout: 3_600_000 }),
	);
	expect(reported).toBe('The stream is larger than 256 MB');
	expect(description).toMatch(
		/^Only 4 messages fit\. Lower the option 'Max Messages'\..*carried out/,
	);
	server.stop();
});
