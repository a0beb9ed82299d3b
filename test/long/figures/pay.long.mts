import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { Pay } from '../../../signer/nodes/Pay/Pay.node';
import { Signer } from '../../../signer/nodes/Signer/Signer.node';
import { credentialTypes } from '../../../signer/test/support/signerNode.mts';
import { runNode } from '../../harness/engine.mts';
import { figure } from '../../harness/figure.mts';
import { createSandbox, TEST_ADDRESS } from '../../harness/sandbox.mts';

const PAYMENTS = 100;
const LATENCY_MS = 25;

const sandbox = createSandbox({ chain: true });

async function run(node: INodeType, parameters: INodeParameters, items: readonly IDataObject[]) {
	const done = await runNode({
		node,
		parameters,
		credentials: { ...sandbox.credentials.token, ...sandbox.credentials.signerKey },
		credentialTypes,
		items: items.map((json) => ({ json })),
	});
	if (done.error) throw done.error;
	return done.items.map(({ json }) => json);
}

/** Lists receivers that were never paid before. */
let rounds = 0;
const listReceivers = () => {
	const round = (++rounds).toString(16).padStart(20, 'b');
	return Array.from({ length: PAYMENTS }, (_, at) => ({
		to: `0x${round}${(at + 1).toString(16).padStart(20, '0')}`,
	}));
};

const inSteps = async () => {
	const transaction = { resource: 'transaction' };
	const paying = { from: TEST_ADDRESS, to: '={{ $json.to }}', amount: '0.000001' };
	const prepared = await run(
		new EvmRpc(),
		{ ...transaction, operation: 'prepare', ...paying },
		listReceivers(),
	);
	const signing = {
		authentication: 'key',
		operation: 'sign',
		transaction: '={{ $json.transaction }}',
	};
	const signed = await run(new Signer(), { ...transaction, ...signing }, prepared);
	const sending = { operation: 'send', signedTransaction: '={{ $json.signedTransaction }}' };
	const sent = await run(new EvmRpc(), { ...transaction, ...sending }, signed);
	const waiting = { operation: 'wait', transactionHash: '={{ $json.transactionHash }}' };
	const done = await run(new EvmRpc(), { ...transaction, ...waiting }, sent);
	return done.filter(({ status }) => status === 'success').length;
};

const inOneStep = (options: INodeParameters) => async () => {
	const coins = { to: '={{ $json.to }}', amount: '0.000001' };
	const paying = { operation: 'pay', chain: 'evm', ...coins, options };
	const done = await run(new Pay(), { authentication: 'token', ...paying }, listReceivers());
	return done.filter(({ status }) => status === 'confirmed').length;
};

async function time(pay: () => Promise<number>): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < 3; round++) {
		const begun = performance.now();
		expect(await pay()).toBe(PAYMENTS);
		times.push((performance.now() - begun) / 1000);
	}
	return Math.min(...times);
}

test('payments in one step and in four', async () => {
	await sandbox.control('PUT', '/latency', { ms: LATENCY_MS, room: 'node' });
	const steps = await time(inSteps);
	const unguarded = await time(inOneStep({ guard: 0 }));
	const guarded = await time(inOneStep({}));
	figure(
		`${PAYMENTS} payments of coins, each answer after ${LATENCY_MS} ms: Prepare, Sign, Send and Wait ${steps.toFixed(2)} s; Chain Pay ${unguarded.toFixed(2)} s without Guard, ${guarded.toFixed(2)} s with it, after ${7 * PAYMENTS} payments of the last minutes`,
	);
});
