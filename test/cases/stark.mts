import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { parseEther } from 'viem';
import type { NodeCases, Scene } from './case.mts';
import { MARKED_STARK, STARK_ABI, STARK_ESTIMATE } from './marked.mts';
import { answerAsStarkNode } from './starkAnswers.mts';

const FELT_PATTERN = /^0x[0-9a-f]{64}$/;
const EVENT = {
	from_address: '0x1',
	keys: ['0x2'],
	data: [],
	block_number: 1,
	block_hash: '0x3',
	transaction_hash: '0x4',
};

const CLASS = { sierra_program: [], entry_points_by_type: {}, abi: STARK_ABI };

const describeMember = (name: string, kind: string) => ({ name, type: 'core::felt252', kind });

/**
 * The class of a token whose event Transfer has the sender and the receiver as keys, like indexed arguments on EVM
 * chains.
 */
const TOKEN_CLASS = {
	...CLASS,
	abi: JSON.stringify([
		{
			type: 'event',
			name: 'Transfer',
			kind: 'struct',
			members: [
				describeMember('from', 'key'),
				describeMember('to', 'key'),
				describeMember('low', 'data'),
				describeMember('high', 'data'),
			],
		},
		{
			type: 'event',
			name: 'Event',
			kind: 'enum',
			variants: [{ name: 'Transfer', type: 'Transfer', kind: 'nested' }],
		},
	]),
};

/** 5 of this token. */
const TRANSFER = {
	...EVENT,
	keys: ['0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9', '0x1', '0x2'],
	data: ['0x5', '0x0'],
};

const BLOCK = { status: 'ACCEPTED_ON_L2', block_number: 1, transactions: [] };

/** The status of a transaction that succeeded. The receipt has the same fields. */
const EXECUTED = {
	finality_status: 'ACCEPTED_ON_L2',
	execution_status: 'SUCCEEDED',
	actual_fee: { amount: '0x1', unit: 'FRI' },
	block_hash: '0x2',
	block_number: 1,
	events: [],
};

/** Answers with a transaction that has the requested hash, whatever hash is asked for. */
const answerWithTransaction = ({ json }: { readonly json: unknown }) => {
	const [transaction_hash] = (json as { readonly params: readonly unknown[] }).params;
	return { ...EXECUTED, transaction_hash };
};

/** A signed transaction. The account in it does not matter. */
const SIGNED = {
	type: 'INVOKE',
	version: '0x3',
	sender_address: 'MARK',
	calldata: ['0x0'],
	nonce: '0x1',
	tip: '0x0',
	resource_bounds: {
		l1_gas: { max_amount: '0x1', max_price_per_unit: '0x1' },
		l2_gas: { max_amount: '0x1', max_price_per_unit: '0x1' },
		l1_data_gas: { max_amount: '0x1', max_price_per_unit: '0x1' },
	},
	paymaster_data: [],
	account_deployment_data: [],
	nonce_data_availability_mode: 'L1',
	fee_data_availability_mode: 'L1',
	signature: ['0x1', '0x2'],
};

const payOnce = ({ stark: { account, receiver, token } }: Scene) => ({
	from: account,
	token,
	to: receiver,
	amount: '0.5',
});

const isFelt = (value: unknown) => assert.match(String(value), FELT_PATTERN);
const only = (items: readonly IDataObject[]) => {
	assert.equal(items.length, 1);
	return items[0] ?? {};
};

export const stark: NodeCases = {
	node: 'stark',
	accesses: ['token', 'basicAuth'],
	cases: [
		{
			resource: 'account',
			operation: 'get',
			parameters: ({ stark: { account } }) => ({ address: account }),
			check: (items) => {
				const { classHash, nonce, isDeployed } = only(items);
				isFelt(classHash);
				assert.deepEqual([typeof nonce, isDeployed], ['number', true]);
			},
			faults: [
				{
					travels: 'batched',
					asks: { address: MARKED_STARK, block: 'latest' },
					answer: '0x1',
				},
			],
		},
		{
			resource: 'account',
			operation: 'getBalance',
			parameters: ({ stark: { account } }) => ({ address: account }),
			check: (items) => {
				const { symbol, decimals, value, amount } = only(items);
				assert.deepEqual([symbol, decimals], ['STRK', 18]);
				assert.equal(String(value), String(parseEther(String(amount))));
				assert.ok(BigInt(String(value)) > 0n);
			},
			shown: { given: {}, outcome: { value: '999987500000000000000', amount: '999.9875' } },
			faults: [
				{
					travels: 'batched',
					asks: { address: MARKED_STARK, block: 'latest' },
					answer: ['0x1', '0x0'],
				},
			],
		},
		{
			resource: 'block',
			operation: 'get',
			parameters: () => ({ block: '0' }),
			check: (items) => {
				const { number, hash, status } = only(items);
				assert.equal(number, 0);
				isFelt(hash);
				assert.match(String(status), /^acceptedOnL[12]$/);
			},
			faults: [{ travels: 'batched', asks: { block: MARKED_STARK }, answer: BLOCK }],
		},
		{
			resource: 'contract',
			operation: 'call',
			noSchema: 'the contract decides what it returns',
			parameters: ({ stark: { contract } }) => ({
				contract,
				function: 'echo_many',
				argumentsBy: 'json',
				arguments: '[1, "two", "3"]',
			}),
			check: (items) => assert.deepEqual(items, [{ result: [1, 'two', '3'] }]),
			faults: [
				{
					travels: 'batched',
					asks: { contract: MARKED_STARK, function: 'get_value', abi: STARK_ABI },
					answer: ['0x5'],
				},
			],
		},
		{
			resource: 'contract',
			operation: 'describe',
			parameters: ({ stark: { token } }) => ({ contract: token }),
			check: (items) => {
				const names = items.map(({ name }) => name);
				assert.ok(names.includes('transfer') && names.includes('Transfer'));
			},
			faults: [{ travels: 'batched', asks: { contract: MARKED_STARK }, answer: CLASS }],
		},
		{
			resource: 'event',
			operation: 'getAll',
			noSchema: 'the contract decides what its events hold',
			parameters: ({ stark: { contract } }) => ({
				contract,
				event: 'Plain',
				fromBlock: 'earliest',
			}),
			check: (items) => {
				const [{ event, args, blockHash } = {}] = items;
				assert.deepEqual({ event, args }, { event: 'Plain', args: { id: '7', note: 'hi' } });
				isFelt(blockHash);
			},
			faults: [
				{
					travels: 'batched',
					asks: {
						contract: '0x1',
						keys: '={{ [["0x2", "0x" + $json.mark]] }}',
						fromBlock: 1,
						toBlock: 2,
						simplify: false,
					},
					answer: { events: [EVENT] },
				},
			],
		},
		{
			resource: 'token',
			operation: 'get',
			parameters: ({ stark: { token } }) => ({ token }),
			check: (items) => {
				const { symbol, decimals } = only(items);
				assert.deepEqual([symbol, decimals], ['LONG', 6]);
			},
			faults: [
				{
					travels: 'batched',
					asks: { token: MARKED_STARK },
					answer: ['0x5'],
				},
			],
		},
		{
			resource: 'token',
			operation: 'getBalance',
			parameters: ({ stark: { token, receiver } }) => ({ token, owner: receiver }),
			check: (items) => {
				const { symbol, amount } = only(items);
				assert.equal(symbol, 'LONG');
				assert.ok(Number(amount) >= 1002.5);
			},
			faults: [
				{
					travels: 'batched',
					asks: { token: MARKED_STARK, owner: '0x1' },
					answer: ['0x5', '0x0'],
				},
			],
		},
		{
			resource: 'token',
			operation: 'getTransfers',
			parameters: ({ stark: { token, receiver } }) => ({
				tokens: token,
				accounts: receiver,
				direction: 'to',
				fromBlock: 'earliest',
			}),
			check: (items, { stark: { account } }) => {
				const [{ from, amount } = {}] = items;
				assert.equal(BigInt(String(from)), BigInt(account));
				assert.equal(amount, '2.5');
			},
			faults: [
				{
					travels: 'batched',
					asks: {
						accounts: '={{ "0x1, 0x" + $json.mark + "0".repeat(8) }}',
						direction: 'from',
						tokens: '0x1',
						fromBlock: 1,
						toBlock: 2,
					},
					answer: { events: [TRANSFER] },
					others: { l2_getClassAt: TOKEN_CLASS, l2_call: ['0x6'] },
				},
			],
		},
		{
			resource: 'transaction',
			operation: 'get',
			parameters: ({ stark: { transactionHash } }) => ({ transactionHash }),
			check: (items) => {
				const { status, success, feeUnit } = only(items);
				assert.match(String(status), /^acceptedOnL[12]$/);
				assert.deepEqual([success, feeUnit], [true, 'STRK']);
			},
			faults: [
				{
					travels: 'batched',
					asks: { transactionHash: MARKED_STARK },
					answerTo: answerWithTransaction,
				},
			],
		},
		{
			resource: 'transaction',
			operation: 'prepare',
			parameters: payOnce,
			check: (items) => {
				const { transaction, calls, maxCost, summary } = only(items);
				assert.equal((transaction as IDataObject).version, '0x3');
				assert.match(String(summary), /^Send 0\.5 of the token 0x\w+ \("LONG", 6 decimals\) to 0x/);
				assert.equal((calls as string[]).length, 1);
				assert.ok(Number(maxCost) > 0);
			},
			faults: [
				{
					travels: 'batched',
					asks: {
						from: MARKED_STARK,
						kind: 'contractFunction',
						contract: '0x1',
						abi: STARK_ABI,
						function: 'get_value',
					},
					answer: ['0x64', '0x0'],
					others: {
						l2_chainId: '0x1',
						l2_estimateFee: [STARK_ESTIMATE],
						l2_getClassAt: CLASS,
						l2_getNonce: '0x1',
						l2_specVersion: '0.8.0',
					},
				},
			],
		},
		{
			resource: 'transaction',
			operation: 'prepare',
			about: 'of several calls',
			parameters: ({ stark: { account, receiver, token } }) => ({
				from: account,
				kind: 'calls',
				callFields: {
					call: ['approve', 'transfer'].map((name) => ({
						contract: token,
						function: name,
						arguments: JSON.stringify([receiver, '5']),
					})),
				},
			}),
			check: (items) => {
				const { calls } = only(items);
				assert.equal((calls as string[]).length, 2);
			},
		},
		{
			resource: 'transaction',
			operation: 'prepare',
			about: 'of a function with arguments from the form',
			parameters: ({ stark: { account, contract } }) => ({
				from: account,
				kind: 'contractFunction',
				contract,
				function: 'emit_many',
				argumentsBy: 'fields',
				argumentFields: { mappingMode: 'defineBelow', value: { count: '3' }, schema: [] },
			}),
			check: (items) => {
				const { calls } = only(items);
				assert.match(String(calls), /emit_many/);
			},
		},
		{
			resource: 'transaction',
			operation: 'send',
			parameters: async (scene) => {
				const preparing = { resource: 'transaction', operation: 'prepare', ...payOnce(scene) };
				const { transaction } = await scene.first('stark', preparing);
				return { transaction: scene.stark.sign(transaction) };
			},
			check: (items) => {
				const { result, transactionHash, wasKnown } = only(items);
				isFelt(transactionHash);
				assert.deepEqual([result, wasKnown], [transactionHash, false]);
			},
			shown: { given: { transaction: '{{ $json.transaction }}' } },
			faults: [
				{
					travels: 'onceOverRpc',
					asks: {
						transaction: `={{ ${JSON.stringify(SIGNED, null, 1)} }}`.replace(
							'"MARK"',
							'"0x" + $json.mark',
						),
					},
					answerTo: answerAsStarkNode,
				},
			],
		},
		{
			resource: 'transaction',
			operation: 'wait',
			parameters: ({ stark: { transactionHash } }) => ({ transactionHash }),
			check: (items) => assert.equal(only(items).success, true),
			faults: [
				{
					travels: 'batched',
					asks: { transactionHash: MARKED_STARK, waitFor: 1 },
					answerTo: answerWithTransaction,
				},
			],
		},
		{
			resource: 'rpc',
			operation: 'request',
			noSchema: 'the method decides what it returns',
			parameters: () => ({ method: 'starknet_chainId' }),
			check: (items) => assert.match(String(only(items).result), /^0x534e5f/),
			faults: [
				{
					travels: 'batched',
					asks: { method: 'starknet_getNonce', params: `={{ ["latest", "0x" + $json.mark] }}` },
					answer: '0x1',
				},
				{
					about: 'a method that may spend',
					travels: 'onceOverRpc',
					asks: { method: 'starknet_addSomething', params: `={{ ["0x" + $json.mark] }}` },
					answer: '0x1',
				},
			],
		},
	],
};
