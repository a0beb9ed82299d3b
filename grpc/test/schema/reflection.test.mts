import type { INodeParameters } from 'n8n-workflow';
import { oddCall as call, createOddServer } from '../support/oddService.mts';

let reply: Uint8Array | undefined;

const echo = (request: Buffer) => reply ?? request;
const server = createOddServer({ Echo: echo, Old: echo });
beforeEach(() => {
	reply = undefined;
});

const run = async (parameters: INodeParameters) => await server.run(parameters);

test('imports are asked for, and names for JSON are made', async () => {
	const { json } = await run(call('Echo', { snakeCaseName: 'a' }));
	expect(json).toEqual([{ snakeCaseName: 'a' }]);
	expect((await run(call('Echo', { snake_case_name: 'b' }))).json).toEqual([
		{ snakeCaseName: 'b' },
	]);
});

test('an answer that is no such message is a failure', async () => {
	reply = Buffer.from([0x0a, 0xff]);
	const { error } = await run(call('Echo', {}));
	expect(error?.message).toMatch(/^The answer does not fit odd\.v1\.Holder/);
	expect(error?.description).toMatch(/may still have been carried out/);
});

test('fields that an old message requires are required, and described so', async () => {
	expect((await run(call('Old', { note: 'a' }))).message).toMatch(
		/^'Request' does not fit odd\.v1\.Old: name is required$/,
	);
	expect((await run(call('Old', { name: 'a' }))).json).toEqual([{ name: 'a' }]);
	const { json } = await run({ operation: 'describe', service: 'odd.v1.OddService' });
	expect(json[1]).toMatchObject({
		request: {
			fields: [
				{ name: 'name', required: true },
				{ name: 'note', optional: true },
			],
		},
	});
});

test('a description with a file missing is reported as that', async () => {
	const { error } = await run({ operation: 'describe', service: 'odd.v1.LostService' });
	expect(error?.message).toBe('The service describes itself incompletely');
	expect(error?.description).toMatch(/nowhere\.proto/);
});
