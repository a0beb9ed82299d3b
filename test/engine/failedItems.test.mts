import type { INodeParameters } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode } from '../harness/engine.mts';
import { createFakeNode, buildHash, numberToHex, type Answer } from '../harness/fakeNode.mts';

/** An item with a failed call sends nothing more, even if it does not end the run. */

const node = createFakeNode();

const run = async (parameters: INodeParameters) =>
	await runNode({
		node: new EvmRpc(),
		parameters,
		credentials: node.credentials,
		onError: 'continueRegularOutput',
	});

const count = (method: string) => node.calls.filter((call) => call.method === method).length;

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const word = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;

/** A transfer of another token in each of these logs. */
const transfers =
	(amount: number): Answer =>
	() =>
		Array.from({ length: amount }, (_, at) => ({
			address: `0x${at.toString(16).padStart(40, 'c')}`,
			topics: [TRANSFER, word(1), word(2)],
			data: word(7),
			blockNumber: numberToHex(5),
			blockHash: buildHash(5),
			transactionHash: buildHash(at),
			logIndex: numberToHex(at),
		}));

const refuse =
	(error: object): Answer =>
	() => {
		throw error;
	};

test('when one token of a list meets a used-up quota, the others are not asked', async () => {
	let asked = 0;
	const quota = refuse({ code: -32000, message: 'monthly quota exceeded' });
	node.setAnswers({
		eth_getLogs: transfers(3000),
		eth_call: (call, client) => (++asked === 10 ? quota(call, client) : word(6)),
	});
	const { items } = await run({
		resource: 'token',
		operation: 'getTransfers',
		returnAll: true,
		fromBlock: '1',
		toBlock: '9',
	});
	expect(items[0]?.json).toMatchObject({ error: 'monthly quota exceeded' });
	await new Promise((resolve) => setTimeout(resolve, 200));
	expect(count('eth_call')).toBeLessThanOrEqual(500);
});

test('when the run is over, nothing waits to be sent again', async () => {
	node.setAnswers({
		eth_gasPrice: refuse({ code: -32000, message: 'no price' }),
		eth_feeHistory: refuse({ code: -32005, message: 'slow', data: { try_again_in: '100ms' } }),
	});
	const { items } = await run({ resource: 'fee', operation: 'get' });
	expect(items[0]?.json).toMatchObject({ error: 'no price' });
	const before = count('eth_feeHistory');
	await new Promise((resolve) => setTimeout(resolve, 500));
	expect(count('eth_feeHistory')).toBe(before);
});
