import assert from 'node:assert/strict';
import type { NodeCases } from './case.mts';
import { MARKED_STARK, STARK_ABI, STARK_ESTIMATE } from './marked.mts';

const SENDER = '0x143fe26927dd6a302522ea1cd6a821ab06b3753194acee38d88a85c93b3cbc6';
const INVOKE_TRANSACTION = {
	type: 'INVOKE',
	max_fee: '0x28ed6103d0000',
	version: '0x1',
	signature: ['0x1'],
	sender_address: SENDER,
	calldata: ['0x1', '0x2'],
	nonce: '0x5',
};

export const l2Simulate: NodeCases = {
	node: 'l2Simulate',
	accesses: ['token', 'basicAuth'],
	cases: [
		{
			resource: 'simulation',
			operation: 'simulate',
			parameters: () => ({ transactions: JSON.stringify([INVOKE_TRANSACTION]) }),
			check: (items) => {
				assert.equal(items.length, 1);
				assert.match(JSON.stringify(items[0]?.fee_estimation), /"overall_fee":"0x/);
			},
			faults: [
				{
					travels: 'batched',
					asks: {
						blockBy: 'tag',
						blockTag: 'latest',
						inputMode: 'json',
						transactions: '={{ ({ type: "INVOKE", sender_address: "0x" + $json.mark }) }}',
					},
					answer: [{ transaction_trace: {}, fee_estimation: {} }],
				},
			],
		},
		{
			resource: 'simulation',
			operation: 'simulate',
			about: 'of fields, as n8n stores a collection of them, at a block',
			parameters: () => ({
				blockBy: 'number',
				blockNumber: '650000',
				inputMode: 'fields',
				simulationFlags: ['SKIP_VALIDATE'],
				transactionFields: { transaction: [{ senderAddress: SENDER, calldata: '0xdead, 0x1' }] },
			}),
			check: ([item]) => assert.match(JSON.stringify(item), /insufficient balance/),
		},
		{
			resource: 'simulation',
			operation: 'simulate',
			about: 'of calls by the names of functions, for a sender without a signature',
			parameters: ({ stark: { account, receiver, token } }) => ({
				inputMode: 'calls',
				senderAddress: account,
				calls: JSON.stringify([
					{ contract: token, function: 'transfer', arguments: { recipient: receiver, amount: 5 } },
				]),
			}),
			check: ([item]) => {
				const { success, feeUnit, calls } = item ?? {};
				assert.deepEqual([success, feeUnit], [true, 'STRK']);
				assert.match(JSON.stringify(calls), /"function":"transfer"/);
			},
			faults: [
				{
					about: 'of calls',
					travels: 'batched',
					asks: {
						inputMode: 'calls',
						senderAddress: MARKED_STARK,
						calls: JSON.stringify([{ contract: '0x1', function: 'get_value', arguments: [] }]),
					},
					answer: [{ transaction_trace: {}, fee_estimation: STARK_ESTIMATE }],
					others: {
						l2_getClassAt: { sierra_program: [], entry_points_by_type: {}, abi: STARK_ABI },
						l2_getNonce: '0x1',
						l2_specVersion: '0.8.0',
						l2_estimateFee: [STARK_ESTIMATE],
					},
				},
			],
		},
	],
};
