import type { INodeParameters } from 'n8n-workflow';
import { oddCall as call, createOddServer } from '../support/oddService.mts';

let received: Buffer = Buffer.alloc(0);
let reply: Uint8Array | undefined;

const echo = (request: Buffer) => {
	received = request;
	return reply ?? request;
};
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

test('types that only an Any names are asked for, in requests and in answers', async () => {
	const content = {
		'@type': 'type.googleapis.com/odd.v1.Hidden',
		secretNumber: '18446744073709551615',
	};
	const { json } = await run(call('Echo', { content }));
	expect(json).toEqual([{ snakeCaseName: '', content }]);
	expect(received.toString('latin1')).toContain('odd.v1.Hidden');
	reply = Buffer.from(received);
	expect((await run(call('Echo', {}))).json).toEqual([{ snakeCaseName: '', content }]);
});

test('an Any of a well-known type needs no asking', async () => {
	const content = { '@type': 'type.googleapis.com/google.protobuf.Duration', value: '1.500s' };
	expect((await run(call('Echo', { content }))).json).toEqual([{ snakeCaseName: '', content }]);
});

test('an Any of an unknown type is named in a request, and kept in an answer', async () => {
	const content = { '@type': 'type.googleapis.com/odd.v1.Nope' };
	expect((await run(call('Echo', { content }))).message).toBe(
		"'Request' does not fit odd.v1.Holder: content.@type names odd.v1.Nope, a type that is not described",
	);
	const name = 'x/odd.v1.Nope';
	reply = Buffer.from(
		`\x12${String.fromCharCode(name.length + 2)}\x0a${String.fromCharCode(name.length)}${name}`,
	);
	expect((await run(call('Echo', {}))).json).toEqual([
		{ snakeCaseName: '', content: { '@type': name, value: '' } },
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

test('a description with a file missing is said to be that', async () => {
	const { error } = await run({ operation: 'describe', service: 'odd.v1.LostService' });
	expect(error?.message).toBe('The service describes itself incompletely');
	expect(error?.description).toMatch(/nowhere\.proto/);
});
