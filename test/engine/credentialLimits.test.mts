import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { WitnessWallet } from '../../nodes/WitnessWallet/WitnessWallet.node';
import { runNode } from '../harness/engine.mts';
import {
	answerCalls,
	createTestServer,
	getCalls,
	sendJson,
	startServer,
} from '../harness/server.mts';

/** These tests check the limits of requests that are set in the credential of a chain node. */

const BALANCE = {
	resource: 'account',
	operation: 'getBalance',
	address: `={{ "0x" + String($json.item).padStart(40, "0") }}`,
};

let refusals = 0;

const server = createTestServer((received, response) => {
	if (refusals-- > 0) sendJson(response, 503, {});
	else answerCalls(received, response, () => ({ result: '0x1' }));
});

beforeEach(() => {
	refusals = 0;
});

async function readBalances(
	limits: ICredentialDataDecryptedObject,
	options: INodeParameters = {},
	count = 1,
) {
	const { chainNodeTokenApi } = server.credentials.token;
	const begun = performance.now();
	const { items } = await runNode({
		node: new EvmRpc(),
		parameters: { ...BALANCE, options },
		credentials: { chainNodeTokenApi: { ...chainNodeTokenApi, ...limits } },
		items: Array.from({ length: count }, (_, item) => ({ json: { item } })),
		onError: 'continueRegularOutput',
	});
	return {
		milliseconds: performance.now() - begun,
		errors: items.flatMap(({ json }) => json.error ?? []),
		batches: server.received.map((one) => getCalls(one).length),
	};
}

test('they hold for every operation', async () => {
	const limits = { setLimits: true, batchSize: 2, maxCallsPerSecond: 3 };
	const { milliseconds, errors, batches } = await readBalances(limits, {}, 5);
	expect(errors).toEqual([]);
	expect(batches.every((calls) => calls <= 2)).toBe(true);
	expect(milliseconds).toBeGreaterThanOrEqual(1000);
});

test('they count only while they are switched on', async () => {
	const limits = { batchSize: 1, timeout: -1, maxCallsPerSecond: 0.01 };
	expect((await readBalances({ setLimits: false, ...limits }, {}, 3)).batches).toEqual([3]);
	server.received.length = 0;
	expect((await readBalances(limits, {}, 3)).batches).toEqual([3]);
});

test.each(['true', true])('an expression may switch them on by %j', async (setLimits) => {
	expect((await readBalances({ setLimits, batchSize: 1 }, {}, 2)).batches).toEqual([1, 1]);
});

test('an option that the workflow stores counts before them', async () => {
	const never = { setLimits: true, maxRetries: 0 };
	refusals = 1;
	expect((await readBalances(never)).errors).toHaveLength(1);
	refusals = 1;
	expect((await readBalances(never, { maxRetries: 1 })).errors).toEqual([]);
});

test('a field that is empty, or that the credential lacks, is as usual', async () => {
	const { errors, batches } = await readBalances({ setLimits: true, batchSize: '' }, {}, 3);
	expect([errors, batches]).toEqual([[], [3]]);
});

test.each([
	['Set Limits', 'setLimits', 'yes', 'true or false; got "yes"'],
	['Batch Size', 'batchSize', 0, 'a whole number, 1 to 1000; got 0'],
	['Concurrency', 'concurrency', [], 'a whole number, 1 to 100; got []'],
	['Concurrency', 'concurrency', 101, 'a whole number, 1 to 100; got 101'],
	['Max Calls per Second', 'maxCallsPerSecond', -1, '0 or a number from 0.01 to 10000; got -1'],
	['Max Retries', 'maxRetries', 2.5, 'a whole number, 0 to 20; got 2.5'],
	['Max Wait', 'maxWait', 'long', 'a whole number, 0 to 86400; got "long"'],
	['Timeout', 'timeout', -1, 'a whole number, 1 to 3600000; got -1'],
])('%s is refused by its name where it is out of bounds', async (label, name, given, wanted) => {
	const { errors } = await readBalances({ setLimits: true, [name]: given });
	expect(errors).toEqual([`'${label} of the credential' must be ${wanted}`]);
	expect(server.received).toEqual([]);
});

test.each([
	[0, 10],
	[2, 2],
])('a Concurrency of %i lets %i requests go at once', async (concurrency, most) => {
	let highest = 0;
	let release = () => {};
	const allArrived = new Promise<void>((resolve) => (release = resolve));
	const busy = await startServer(async (_, response) => {
		highest = Math.max(highest, busy.open());
		if (highest === most) release();
		await allArrived;
		sendJson(response, 200, { block: 1 });
	});
	const { chainNodeTokenApi } = busy.credentials.token;
	const { error } = await runNode({
		node: new WitnessWallet(),
		parameters: { resource: 'api', operation: 'request', path: 'wallet/getnowblock', body: '' },
		credentials: { chainNodeTokenApi: { ...chainNodeTokenApi, setLimits: true, concurrency } },
		items: Array.from({ length: 30 }, () => ({ json: {} })),
	});
	await busy.stop();
	expect(error?.message).toBeUndefined();
	expect(highest).toBe(most);
});
