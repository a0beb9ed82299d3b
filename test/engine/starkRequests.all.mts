import type { INodeParameters, INodeType } from 'n8n-workflow';
import { L2Simulate } from '../../nodes/L2Simulate/L2Simulate.node';
import { Stark } from '../../nodes/Stark/Stark.node';
import { StarkTrigger } from '../../nodes/StarkTrigger/StarkTrigger.node';
import { signPreparedInvoke, type PreparedInvoke } from '../cases/starkSigning.mts';
import { runNode } from '../harness/engine.mts';
import { createPollingWorkflow } from '../harness/poll.mts';
import { createStarkChain, padFelt } from '../harness/starkChain.mts';
import { findTypeProblems, TYPED_VERSIONS, type Exchange } from '../sandbox/support/starkTypes.mts';

const { sandbox, account, accountOf, addBlocks, contractOf, send, set } = createStarkChain();

async function run(node: INodeType, parameters: INodeParameters) {
	const { items, error } = await runNode({
		node,
		parameters,
		credentials: sandbox.credentials.token,
	});
	expect(error?.message).toBeUndefined();
	return items.map(({ json }) => json);
}

const ask = async (resource: string, operation: string, parameters: INodeParameters) =>
	await run(new Stark(), { resource, operation, ...parameters });

/** Lists the requests that the nodes have sent, without the requests of the test itself. */
async function listSent(): Promise<Exchange[]> {
	const bodies = (await sandbox.record()).flatMap(({ body }) => [body].flat());
	const calls = bodies as ReadonlyArray<{ readonly method?: string; readonly params?: unknown }>;
	return calls.flatMap(({ method = '', params }) => {
		const [, name] = /^l2_(\w+)$/.exec(method) ?? [];
		return name === undefined ? [] : [{ method: name, part: 'params', value: params } as const];
	});
}

const paying = () => ({
	from: padFelt(accountOf(0)),
	token: padFelt(contractOf('newToken')),
	to: padFelt(accountOf(1)),
	amount: '2.5',
});

async function payOnce() {
	const [item] = await ask('transaction', 'prepare', { ...paying(), options: { tip: '5' } });
	const { signed } = signPreparedInvoke(
		item?.transaction as unknown as PreparedInvoke,
		account(0).privateKey,
	);
	const given = { ...(JSON.parse(signed) as object), maxCost: '1', summary: 'Send', calls: [] };
	const [sent] = await ask('transaction', 'send', { transaction: JSON.stringify(given) });
	const transactionHash = String(sent?.transactionHash);
	await ask('transaction', 'get', { transactionHash });
	await ask('transaction', 'get', { transactionHash, simplify: false });
	await ask('transaction', 'wait', { transactionHash });
}

async function simulateAll() {
	const simulate = async (parameters: INodeParameters) =>
		await run(new L2Simulate(), { operation: 'simulate', ...parameters });
	const call = { contract: padFelt(contractOf('newToken')), function: 'transfer' };
	const args = [padFelt(accountOf(1)), '1'];
	const senderAddress = padFelt(accountOf(0));
	const calls = JSON.stringify([{ ...call, arguments: args }]);
	await simulate({ inputMode: 'calls', senderAddress, calls });
	await simulate({
		inputMode: 'fields',
		simulationFlags: ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
		transactionFields: {
			transaction: [{ version: '0x3', senderAddress, calldata: padFelt('0x0') }],
		},
	});
}

async function readAll() {
	const token = padFelt(contractOf('newToken'));
	const contract = padFelt(contractOf('everything'));
	await ask('account', 'get', { address: padFelt(accountOf(0)), block: 'pending' });
	const [block] = await ask('block', 'get', { block: 'latest' });
	await ask('block', 'get', { block: String(block?.hash) });
	await ask('token', 'get', { token });
	await ask('token', 'getBalance', { token, owner: padFelt(accountOf(0)) });
	const accounts = [accountOf(0), accountOf(1)].map(padFelt).join();
	await ask('token', 'getTransfers', { tokens: token, accounts, fromBlock: 'earliest' });
	await ask('contract', 'describe', { contract: padFelt(contractOf('oldToken')) });
	const keys = `[null, "${padFelt('0x1')}"]`;
	await ask('event', 'getAll', { contract, event: 'Plain', keys, fromBlock: 'earliest' });
	const watched = { contract, eventName: 'Plain', keys };
	const workflow = createPollingWorkflow({
		node: new StarkTrigger(),
		parameters: watched,
		credentials: sandbox.credentials.token,
	});
	await workflow.activate();
	await send(contract, 'emit_many', '0x2');
	expect((await workflow.poll()).items).toHaveLength(1);
}

test.each(TYPED_VERSIONS)('all that is sent to a node of %s is of its types', async (version) => {
	await set({ version });
	await addBlocks(2);
	await simulateAll();
	await readAll();
	// The nodes prepare transactions only if the API of the chain node has version 0.8 or newer.
	if (version !== '0.7') await payOnce();
	const sent = await listSent();
	const methods = new Set(sent.map(({ method }) => method));
	for (const method of ['call', 'getEvents', 'getNonce', 'simulateTransactions', 'estimateFee'])
		expect(methods).toContain(method);
	expect(methods.has('addInvokeTransaction')).toBe(version !== '0.7');
	expect(findTypeProblems(version, sent)).toEqual([]);
});
