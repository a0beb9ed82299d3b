import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Trace } from '../../nodes/Trace/Trace.node';
import { deployContract } from '../harness/contract.mts';
import { runNode } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox({ chain: true });
let forger: Awaited<ReturnType<typeof deployContract>>;
let payee: string;
let first: number;

beforeAll(async () => {
	forger = await deployContract(sandbox, 'Forger');
	payee = String(((await sandbox.chain('eth_accounts')) as string[])[7]);
	first = Number(await sandbox.chain('eth_blockNumber')) + 1;
	for (const method of ['payAndRevert', 'payAndRevertWithin', 'pay']) {
		const data = forger.data(`${method}(address)`, BigInt(payee));
		const gas = '0x7a120';
		await sandbox.mined({ from: forger.owner, to: forger.address, value: '0x5', data, gas });
	}
	await sandbox.mined({ from: forger.owner, to: payee, value: '0x6' });
});

async function payments(parameters: INodeParameters = {}) {
	const { items, error } = await runNode({
		node: new Trace(),
		parameters: {
			operation: 'filter',
			fromBlock: String(first),
			toAddress: payee,
			returnAll: true,
			options: { showReverted: true },
			...parameters,
		},
		credentials: sandbox.credentials.token,
	});
	expect(error).toBeUndefined();
	return items.map(({ json }) => json);
}

const reported = (items: readonly IDataObject[]) =>
	items.map(({ value, reverted }) => [value, reverted]);

const asked = async () =>
	(await sandbox.record())
		.flatMap(({ body }) => [body].flat() as IDataObject[])
		.filter(({ method }) => method === 'trace_transaction').length;

test('on request, each trace says whether what it did was undone', async () => {
	expect(reported(await payments())).toEqual([
		['5', true],
		['5', true],
		['5', false],
		['6', false],
	]);
	// The trace of a transaction itself has no call above it.
	expect(await asked()).toBe(3);
});

test('otherwise nothing is asked, and nothing is said', async () => {
	for (const parameters of [{ options: {} }, { simplify: false }]) {
		const items = await payments(parameters);
		expect(items.filter((item) => 'reverted' in item)).toEqual([]);
	}
	expect(await asked()).toBe(0);
});

test('what a node does not return is null', async () => {
	await sandbox.fault({
		rpcMethod: 'trace_transaction',
		times: -1,
		do: { patch: { result: null } },
	});
	expect(reported(await payments())).toEqual([
		['5', null],
		['5', null],
		['5', null],
		['6', false],
	]);
});
