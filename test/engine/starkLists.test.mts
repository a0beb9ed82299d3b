import type { INodeParameters } from 'n8n-workflow';
import { Stark } from '../../nodes/Stark/Stark.node';
import { StarkTrigger } from '../../nodes/StarkTrigger/StarkTrigger.node';
import { runManually, runNode } from '../harness/engine.mts';
import { listOf } from '../harness/lists.mts';
import { createStarkChain, HI_CALLDATA } from '../harness/starkChain.mts';

/** These tests check the list of a contract's events, in the node and in the trigger. */

const { sandbox, contractOf, sendCalls } = createStarkChain();
const everything = () => contractOf('everything');

const NODES = { action: new Stark(), trigger: new StarkTrigger() };

async function listed(
	parameters: INodeParameters,
	filter?: string,
	which: keyof typeof NODES = 'action',
) {
	const node = NODES[which];
	const form = {
		node,
		parameters: { authentication: 'token', ...parameters },
		credentials: sandbox.credentials.token,
	};
	return await listOf(node.methods.listSearch.starkEvents, form, filter);
}

const abiOf = (...events: ReadonlyArray<readonly [name: string, members?: object[]]>) =>
	JSON.stringify(
		events.map(([name, members = []]) => ({ type: 'event', name, kind: 'struct', members })),
	);

describe('the events to choose from', () => {
	test.each(['action', 'trigger'] as const)(
		'are those of the contract, in the %s',
		async (which) => {
			const found = await listed({ contract: everything() }, '', which);
			expect(found).toContainEqual({
				name: expect.stringMatching(/^Plain\(id: \w+( key)?, note: ByteArray( key)?\)$/),
				value: 'Plain',
			});
			expect(await listed({ contract: everything() }, ' renam', which)).toHaveLength(1);
		},
	);

	test('are asked for at the path of the form, and with its prefix', async () => {
		await listed({ contract: everything(), options: { path: '/rpc', methodPrefix: 'juno' } }).catch(
			() => {},
		);
		const [asked] = (await sandbox.record()).slice(-1);
		expect(asked).toMatchObject({ path: '/rpc', body: { method: 'juno_getClassAt' } });
	});

	test('of an ABI that is given need no chain', async () => {
		const before = (await sandbox.record()).length;
		expect(await listed({ abi: abiOf(['a::One'], ['b::Two']) })).toEqual([
			{ name: 'One()', value: 'One' },
			{ name: 'Two()', value: 'Two' },
		]);
		expect(await sandbox.record()).toHaveLength(before);
	});

	test('need a contract, and say so', async () => {
		await expect(listed({ contract: '' })).rejects.toThrow(/^'Contract' or 'ABI' is required/);
		await expect(listed({ contract: '0x5' })).rejects.toThrow(/^There is no contract at 0x/);
	});

	test('may be called anything, and be many', async () => {
		const evil = abiOf(['=x'], [`\u202e${'y'.repeat(900)}`], ['z\n\u0000z']);
		const found = await listed({ abi: evil });
		expect(found.map(({ name }) => name)).toEqual([
			expect.stringMatching(/^\?y{149}…$/),
			expect.stringMatching(/^z \?z\(\)$/),
		]);
		const many = Array.from({ length: 4000 }, (_, index) => [`E${index}`] as const);
		expect(await listed({ abi: abiOf(...many) })).toHaveLength(500);
	});

	test('are missing with a sentence, and without the token', async () => {
		await sandbox.fault({ times: -1, do: { echo: true } });
		const failure = await listed({ contract: everything() }).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(Error);
		expect(String(failure)).not.toContain(sandbox.authToken);
	});
});

/** Workflows that were saved when the field was still a text field contain only the name. */
describe.each([
	['from the list', { __rl: true, mode: 'list', value: 'Plain', cachedResultName: 'Plain(…)' }],
	['by its name', { __rl: true, mode: 'name', value: 'Plain' }],
	['as it was stored before', 'Plain'],
])('an event that was given %s', (_how, given) => {
	beforeEach(async () => {
		const emitted = { to: everything(), function: 'emit_plain' };
		await sendCalls({ ...emitted, calldata: ['0x9', ...HI_CALLDATA] });
	});

	test('is found', async () => {
		const { items, error } = await runNode({
			node: new Stark(),
			parameters: {
				resource: 'event',
				operation: 'getAll',
				contract: everything(),
				event: given,
				fromBlock: '0',
			},
			credentials: sandbox.credentials.token,
		});
		expect(error?.message).toBeUndefined();
		expect(items.map(({ json }) => json.event)).toContain('Plain');
		expect(new Set(items.map(({ json }) => json.event)).size).toBe(1);
	});

	test('starts a workflow', async () => {
		const { items, error } = await runManually({
			node: new StarkTrigger(),
			parameters: { contract: everything(), eventName: given },
			credentials: sandbox.credentials.token,
		});
		expect(error?.message).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ event: 'Plain' });
	});
});
