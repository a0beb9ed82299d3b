import type { IDataObject } from 'n8n-workflow';
import {
	concat,
	encodeAbiParameters,
	encodeEventTopics,
	erc20Abi,
	getAddress,
	padHex,
	parseAbi,
	toHex,
	type Hex,
} from 'viem';
import { EvmRpc } from '../../../../nodes/EvmRpc/EvmRpc.node';
import { takeRows } from '../../../harness/caseCount.mts';
import { runNode } from '../../../harness/engine.mts';
import { createFakeNode, type Answer, type Call } from '../../../harness/fakeNode.mts';
import { ALLOWED_UNITS, measureLeastGap } from '../../../harness/loopGap.mts';

const node = createFakeNode();

/** Sets the node's answers. Each account has enough coins. */
const setAnswers = (answers: Readonly<Record<string, Answer>>) =>
	node.setAnswers({ eth_getBalance: () => toHex(10n ** 18n), ...answers });

const FROM = getAddress(`0x${'1'.repeat(40)}`);
const TO = getAddress(`0x${'2'.repeat(40)}`);
const TOKEN = getAddress(`0x${'3'.repeat(40)}`);
const FALSE_TOKEN = getAddress(`0x${'4'.repeat(40)}`);
const COINS = `0x${'e'.repeat(40)}`;

const CALL = { from: FROM, to: TOKEN, data: '0xa9059cbb' };

async function run(transaction: object = CALL, more: IDataObject = {}) {
	const { items, error } = await runNode({
		node: new EvmRpc(),
		parameters: {
			resource: 'transaction',
			operation: 'simulate',
			transaction: JSON.stringify(transaction),
			...more,
		},
		credentials: node.credentials,
	});
	return items[0]?.json ?? error;
}

/** Answers a call like a token that gives neither a symbol nor decimals. */
const eth_call: Answer = () => '0x';

const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);

function transferLog(address: string, from: Hex, to: Hex, value: bigint) {
	const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } });
	return { address, topics, data: word(value) };
}

interface Simulated {
	readonly to?: string;
	readonly data: string;
	readonly from?: string;
}

const DONE = { status: '0x1', gasUsed: '0x5208', returnData: '0x', logs: [] };

/** Returns the simulated calls in a request of the method eth_simulateV1. */
const callsOf = ({ params: [payload] }: Call) =>
	(payload as { blockStateCalls: Array<{ calls: Simulated[] }> }).blockStateCalls[0]!.calls;

const isRead = ({ from }: Simulated) => from !== FROM.toLowerCase();

/**
 * Unpacks a call by which the operation reads a token: the first word is the address of the token, and the rest is
 * the data for the token.
 */
const toQuestion = ({ data }: Simulated): Simulated => ({
	to: `0x${data.slice(26, 66)}`,
	data: `0x${data.slice(66)}`,
});

/**
 * Creates answers to eth_simulateV1: the simulated transaction writes the given logs, and `read` answers the calls
 * that read from tokens.
 */
function simulating(
	logs: unknown,
	read: (asked: Simulated, isBefore: boolean) => string | undefined = () => undefined,
): Answer {
	return (call) => {
		const calls = callsOf(call);
		const at = calls.findIndex((one) => !isRead(one));
		const results = calls.map((one, index) => {
			if (!isRead(one)) return { ...DONE, logs };
			const returnData = read(toQuestion(one), index < at);
			return returnData === undefined ? { ...DONE, status: '0x0' } : { ...DONE, returnData };
		});
		return [{ number: '0x1', calls: results }];
	};
}

const refuse =
	(code: number, message: string): Answer =>
	() => {
		throw { code, message };
	};

const TRACE = { type: 'CALL', from: FROM, to: TO, value: '0x7', gasUsed: '0x5208' };
const COIN_CALL = { from: FROM, to: TO, value: '7 wei' };

describe('the other method is asked where a node', () => {
	test.each([
		['does not know it', -32601, 'the method eth_simulateV1 does not exist/is not available'],
		['does not support it', -32004, 'Method not supported'],
		['takes it for no request', -32600, 'Invalid request'],
		['says so in words', -32000, 'method eth_simulateV1 is not allowed on your plan'],
		['has it, and it breaks', -32603, 'method handler crashed'],
	])('%s', async (_how, code, message) => {
		setAnswers({ eth_simulateV1: refuse(code, message), debug_traceCall: () => TRACE });
		expect(await run(COIN_CALL)).toEqual({
			success: true,
			revertReason: null,
			gasUsed: 21_000,
			changes: [
				{ ...COIN_CHANGE, account: FROM, value: '-7', amount: '-0.000000000000000007' },
				{ ...COIN_CHANGE, account: TO, value: '7', amount: '0.000000000000000007' },
			],
			approvals: [],
			events: [],
			by: 'debug_traceCall',
		});
	});

	test('cannot be paid: it fails, as with the better method', async () => {
		const asked = {
			...COIN_CALL,
			gas: 21_000,
			maxFeePerGas: '2 wei',
			maxPriorityFeePerGas: '0 wei',
		};
		const answerWith = (coins: number) =>
			setAnswers({
				eth_simulateV1: refuse(-32601, 'Method not found'),
				debug_traceCall: () => TRACE,
				eth_getBalance: () => toHex(coins),
			});
		answerWith(42_006);
		expect(await run(asked)).toMatchObject({
			success: false,
			revertReason: expect.stringContaining('it has 42006 wei, and 42007 are wanted'),
			changes: [],
		});
		answerWith(42_007);
		expect(await run(asked)).toMatchObject({ success: true });
	});

	test.each([
		['refused', refuse(-32000, 'missing trie node')],
		['unknown', refuse(-32601, 'the method eth_getBalance does not exist')],
		['null', () => null],
		['no quantity', () => 'rich'],
		['below 0', () => '-0x1'],
	])('says nothing of the coins that it wants (%s): it fails', async (_how, eth_getBalance) => {
		const unread = simulating([], () => undefined);
		const untraced = refuse(-32601, 'Method not found');
		for (const eth_simulateV1 of [untraced, unread]) {
			setAnswers({ eth_call, eth_simulateV1, debug_traceCall: () => TRACE, eth_getBalance });
			expect(await run(COIN_CALL)).toMatchObject({
				message: expect.stringMatching(/missing trie node|does not exist|a balance/),
			});
			// A simulation without a gas price succeeds even if the account has no coins.
			expect(await run()).toMatchObject({ success: true });
		}
	});

	const COIN_CHANGE = { kind: 'coin', token: null, symbol: null, decimals: 18, id: null };

	test('refuses a deployment', async () => {
		const trace = { ...TRACE, type: 'CREATE' };
		setAnswers({
			eth_simulateV1: refuse(-32602, 'missing keys: ["to"]'),
			debug_traceCall: () => trace,
		});
		const item = await run({ from: FROM, data: '0x60', value: '7', nonce: 5 });
		expect(item).toMatchObject({ success: true, by: 'debug_traceCall' });
		const asked = node.calls.find(({ method }) => method === 'debug_traceCall');
		expect(asked?.params[2]).toMatchObject({
			stateOverrides: { [FROM.toLowerCase()]: { nonce: '0x5' } },
		});
	});

	test('one with neither says so in words', async () => {
		setAnswers({
			eth_simulateV1: refuse(-32601, 'Method not found'),
			debug_traceCall: refuse(-32601, 'Method not found'),
		});
		expect(await run()).toMatchObject({
			message: 'The chain node cannot simulate a transaction',
			description: expect.stringContaining('neither eth_simulateV1 nor debug_traceCall'),
		});
	});
});

describe('what would not be carried out is an item', () => {
	test.each([
		['too few funds', -38014, 'insufficient funds for gas * price + value'],
		['too few funds, of anvil', -32003, 'Insufficient funds for gas * price + value'],
		['too little gas', -32000, 'intrinsic gas too low: have 1, want 21000'],
		['more gas than a block has', -38015, 'block gas limit reached'],
	])('%s', async (_what, code, message) => {
		setAnswers({ eth_simulateV1: refuse(code, message) });
		expect(await run()).toEqual({
			success: false,
			revertReason: message,
			gasUsed: null,
			changes: [],
			approvals: [],
			events: [],
			by: 'eth_simulateV1',
		});
	});

	const error = (data: string) => ({ error: { code: 3, message: 'execution reverted', data } });
	const CUSTOM = '0x8baa579f00000000000000000000000000000000000000000000000000000000000000aa';
	const WORDS =
		'0x08c379a00000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000d6e6f7420746865206f776e657200000000000000000000000000000000000000';
	const PANIC = `0x4e487b71${'11'.padStart(64, '0')}`;

	test.each([
		['words', error(WORDS), 'not the owner'],
		['a panic', error(PANIC), 'panic 0x11 (arithmetic overflow or underflow)'],
		['an error that no ABI names', error(CUSTOM), CUSTOM],
		['data in another place', { returnData: WORDS, error: { message: 'failed' } }, 'not the owner'],
		['nothing', { error: { message: 'out of gas' } }, 'out of gas'],
		['no error at all', {}, 'The chain node gave no reason'],
	])('a revert with %s', async (_with, failed, reason) => {
		const result = { ...DONE, status: '0x0', gasUsed: '0x6000', ...failed };
		setAnswers({ eth_simulateV1: () => [{ calls: [result] }] });
		const item = await run();
		expect(item).toMatchObject({ success: false, revertReason: reason, gasUsed: 24_576 });
	});
});

test('a request that a node does not take is a failure, whatever it names', async () => {
	const words = 'invalid argument 0: json: cannot unmarshal maxFeePerGas';
	setAnswers({ eth_simulateV1: refuse(-32602, words) });
	expect(await run()).toMatchObject({ message: words });
});

test('a transaction of another chain is refused', async () => {
	setAnswers({ eth_call, eth_simulateV1: simulating([]) });
	expect(await run({ ...CALL, chainId: '0x5' })).toMatchObject({
		message: 'The transaction is for chain 5, but the chain node belongs to chain 1',
	});
});

describe('changes', () => {
	const BALANCE_OF = '0x70a08231';
	/** Answers like a token whose accounts have the given balances before and after the transaction. */
	const balances =
		(of: string, found: Readonly<Record<string, readonly [bigint, bigint]>>) =>
		({ to, data }: Simulated, isBefore: boolean) => {
			if (to !== of.toLowerCase() || !data.startsWith(BALANCE_OF)) return undefined;
			const account = getAddress(`0x${data.slice(-40)}`);
			const [before, after] = found[account] ?? [0n, 0n];
			return word(isBefore ? before : after);
		};
	const changesOf = (item: unknown) =>
		(item as { changes: IDataObject[] }).changes.map(({ account, token, value }) => [
			account,
			token,
			value,
		]);

	test('follow the balances, whatever the events say', async () => {
		const logs = [transferLog(TOKEN, FROM, TO, 100n)];
		const found = { [FROM]: [100n, 0n], [TO]: [5n, 104n] } as const;
		setAnswers({ eth_call, eth_simulateV1: simulating(logs, balances(TOKEN, found)) });
		const item = await run();
		expect(changesOf(item)).toEqual([
			[FROM, TOKEN, '-100'],
			[TO, TOKEN, '99'],
		]);
		expect(item).toMatchObject({
			events: [{ contract: TOKEN, event: 'Transfer', args: { from: FROM, to: TO, value: '100' } }],
		});
	});

	test.each([
		['none', undefined],
		['empty', '0x'],
		['too short', '0x01'],
		['too long', `${word(1n)}00`],
		['no hex', `0x${'z'.repeat(64)}`],
	])('follow the events where a balance is %s', async (_what, returned) => {
		const logs = [transferLog(TOKEN, FROM, TO, 100n)];
		setAnswers({ eth_call, eth_simulateV1: simulating(logs, () => returned) });
		expect(changesOf(await run())).toEqual([
			[FROM, TOKEN, '-100'],
			[TO, TOKEN, '100'],
		]);
	});

	test('a false token lies about itself only, also where it spoils a simulation', async () => {
		const logs = [transferLog(FALSE_TOKEN, FROM, TO, 9n), transferLog(TOKEN, FROM, TO, 100n)];
		const found = { [FROM]: [100n, 0n], [TO]: [0n, 50n] } as const;
		const honest = simulating(logs, balances(TOKEN, found));
		setAnswers({
			eth_call,
			eth_simulateV1: (call, client) => {
				const isSpoilt = callsOf(call).some(
					(one) => isRead(one) && toQuestion(one).to === FALSE_TOKEN.toLowerCase(),
				);
				if (isSpoilt) throw { code: -32000, message: 'RPC gas cap reached' };
				return honest(call, client);
			},
		});
		expect(changesOf(await run())).toEqual([
			[FROM, FALSE_TOKEN, '-9'],
			[TO, FALSE_TOKEN, '9'],
			[FROM, TOKEN, '-100'],
			[TO, TOKEN, '50'],
		]);
	});

	test('have logs that a node leaves out beside those of coins', async () => {
		const logs = [transferLog(TOKEN, FROM, TO, 100n)];
		const found = { [FROM]: [100n, 0n], [TO]: [0n, 100n] } as const;
		const [full, empty] = [simulating(logs, balances(TOKEN, found)), simulating([])];
		setAnswers({
			eth_call,
			eth_simulateV1: (call, client) => {
				const { traceTransfers } = call.params[0] as { traceTransfers: boolean };
				return (traceTransfers ? empty : full)(call, client);
			},
		});
		expect(changesOf(await run())).toHaveLength(2);
	});

	test('have the own coins of a transaction where a node does not log them', async () => {
		setAnswers({ eth_call, eth_simulateV1: simulating([]) });
		expect(changesOf(await run(COIN_CALL))).toEqual([
			[FROM, null, '-7'],
			[TO, null, '7'],
		]);
	});

	test('of coins are no event, and no token', async () => {
		const logs = [transferLog(COINS, FROM, TO, 7n)];
		setAnswers({ eth_call, eth_simulateV1: simulating(logs) });
		const item = await run(COIN_CALL);
		expect(changesOf(item)).toHaveLength(2);
		expect(item).toMatchObject({ events: [] });
	});
});

describe('two simulations of one transaction', () => {
	const [first, second] = [transferLog(TOKEN, FROM, TO, 1n), transferLog(TOKEN, FROM, TO, 2n)];
	const differing =
		(alone: object[], beside: object[]): Answer =>
		(call, client) =>
			simulating(callsOf(call).length === 1 ? alone : beside)(call, client);

	test.each([
		['none', [first], []],
		['another', [first], [second]],
		['fewer', [first, second], [second]],
		['another order', [first, second], [second, first]],
		['other data', [first], [{ ...first, data: word(9n) }]],
		['another contract', [first], [{ ...first, address: FALSE_TOKEN }]],
	])('fail in words where the second has %s of the events', async (_what, alone, beside) => {
		setAnswers({ eth_call, eth_simulateV1: differing(alone, beside) });
		expect(await run()).toMatchObject({
			message: 'Two simulations of the transaction gave different events',
		});
	});

	test('are of one block and one price, and the fee is no change', async () => {
		const BASE = 7n;
		const gasPrice = toHex(BASE + 2n);
		setAnswers({
			eth_call,
			eth_getBlockByNumber: () => ({ number: '0xa', baseFeePerGas: toHex(BASE) }),
			eth_simulateV1: simulating([], ({ to, data }, isBefore) => {
				if (data !== '0x' || to !== FROM.toLowerCase()) return word(0n);
				return word(isBefore ? 1_000_000n : 1_000_000n - 21_000n * (BASE + 2n));
			}),
		});
		const prices = { maxFeePerGas: toHex(40n), maxPriorityFeePerGas: '0x2' };
		expect(await run({ ...CALL, ...prices })).toMatchObject({ success: true, changes: [] });
		const asked = node.calls.filter(({ method }) => method === 'eth_simulateV1');
		expect(asked).toHaveLength(2);
		for (const call of asked) {
			expect(call.params[1]).toBe('0xa');
			expect(callsOf(call).find((one) => !isRead(one))).toMatchObject({ gasPrice });
			expect(call.params[0]).toMatchObject({
				blockStateCalls: [{ blockOverrides: { baseFeePerGas: toHex(BASE) } }],
			});
		}
	});

	test('where the node takes another fee, the moves decide about coins', async () => {
		setAnswers({
			eth_call,
			debug_traceCall: refuse(-32601, 'Method not found'),
			eth_simulateV1: simulating([transferLog(COINS, FROM, TO, 7n)], ({ to }, isBefore) => {
				if (to === FROM.toLowerCase())
					return word(isBefore ? 1_000_000n : 1_000_000n - 7n - 30_000n);
				return word(isBefore || to !== TO.toLowerCase() ? 0n : 7n);
			}),
		});
		expect(await run({ ...COIN_CALL, gasPrice: '0x2' })).toMatchObject({
			changes: [
				{ account: FROM, value: '-7' },
				{ account: TO, value: '7' },
			],
		});
	});
});

describe('approvals of a contract like Permit2', () => {
	const PERMIT2 = getAddress('0x000000000022D473030F116dDEE9F6B43aC78BA3');
	const abi = parseAbi([
		'event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)',
		'event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)',
		'event Lockdown(address indexed owner, address token, address spender)',
		'event NonceInvalidation(address indexed owner, address indexed token, address indexed spender, uint48 newNonce, uint48 oldNonce)',
	]);
	const WHOSE = { owner: FROM, token: TOKEN, spender: TO };
	type Name = (typeof abi)[number]['name'];
	const log = (eventName: Name, words: readonly bigint[], address: Hex = PERMIT2) => {
		const indexed = eventName === 'Lockdown' ? { owner: FROM } : WHOSE;
		const topics = encodeEventTopics({ abi, eventName, args: indexed });
		return { address, topics, data: concat(words.map(word)) };
	};
	const END = 2n ** 31n;
	const ISO_END = '2038-01-19T03:14:08.000Z';
	const LOCKDOWN = log('Lockdown', [BigInt(TOKEN), BigInt(TO)]);
	const APPROVAL = log('Approval', [7n, END]);
	const INVALIDATION = log('NonceInvalidation', [2n, 1n]);
	const held = {
		...{ token: TOKEN, owner: FROM, spender: TO, isUnlimited: false, contract: PERMIT2 },
	};

	test.each([
		['Approval', [APPROVAL], { value: '7', expiration: ISO_END }],
		['Permit', [log('Permit', [8n, END, 0n])], { value: '8', expiration: ISO_END }],
		['Lockdown', [LOCKDOWN], { value: '0', expiration: null }],
		['Lockdown after Approval', [APPROVAL, LOCKDOWN], { value: '0', expiration: null }],
		['NonceInvalidation', [INVALIDATION], { value: null, expiration: null }],
		['both', [APPROVAL, INVALIDATION], { value: '7', expiration: ISO_END }],
		['no end', [log('Approval', [2n ** 160n - 1n, END])], { isUnlimited: true }],
		['an end that no clock has', [log('Approval', [7n, 2n ** 48n - 1n])], { expiration: null }],
	])('follow the events where it gives no answer: %s', async (_what, logs, expected) => {
		setAnswers({ eth_call, eth_simulateV1: simulating(logs) });
		const { approvals } = (await run()) as IDataObject;
		expect(approvals).toEqual([expect.objectContaining({ ...held, ...expected })]);
	});

	test('follow what it answers afterwards', async () => {
		const read = ({ to, data }: Simulated, isBefore: boolean) => {
			const args = encodeAbiParameters(
				[{ type: 'address' }, { type: 'address' }, { type: 'address' }],
				[FROM, TOKEN, TO],
			);
			if (to !== PERMIT2.toLowerCase() || data !== `0x927da105${args.slice(2)}`) return undefined;
			return concat([isBefore ? 0n : 9n, END, 4n].map(word));
		};
		setAnswers({ eth_call, eth_simulateV1: simulating([INVALIDATION], read) });
		const { approvals } = (await run()) as IDataObject;
		expect(approvals).toEqual([{ ...held, value: '9', amount: null, expiration: ISO_END }]);
	});

	test('of a false one hide none of another one', async () => {
		const logs = [APPROVAL, log('Approval', [0n, END], FALSE_TOKEN)];
		setAnswers({ eth_call, eth_simulateV1: simulating(logs) });
		const { approvals } = (await run()) as IDataObject;
		expect(approvals).toMatchObject([
			{ contract: PERMIT2, value: '7' },
			{ contract: FALSE_TOKEN, value: '0' },
		]);
	});
});

describe('a node that answers something else', () => {
	const block = (calls: unknown) => () => [{ calls }];
	const LOG = transferLog(TOKEN, FROM, TO, 1n);
	test.each([
		['null', () => null],
		['text', () => 'simulated'],
		['no blocks', () => []],
		['two blocks', () => [{ calls: [DONE] }, { calls: [DONE] }]],
		['no calls', block(undefined)],
		['too few calls', block([])],
		['too many calls', block([DONE, DONE])],
		['a call that is none', block(['done'])],
		['no status', block([{ ...DONE, status: undefined }])],
		['another status', block([{ ...DONE, status: '0x2' }])],
		['no logs', block([{ ...DONE, logs: undefined }])],
		['logs that are none', block([{ ...DONE, logs: { 0: LOG } }])],
		['a log without an address', block([{ ...DONE, logs: [{ ...LOG, address: null }] }])],
		['a log of another address', block([{ ...DONE, logs: [{ ...LOG, address: '0x12' }] }])],
		['topics that are none', block([{ ...DONE, logs: [{ ...LOG, topics: 'Transfer' }] }])],
		['five topics', block([{ ...DONE, logs: [{ ...LOG, topics: Array(5).fill(LOG.topics[0]) }] }])],
		['a topic that is none', block([{ ...DONE, logs: [{ ...LOG, topics: ['0x1'] }] }])],
		['data that is none', block([{ ...DONE, logs: [{ ...LOG, data: 'none' }] }])],
		[
			'coins that do not fit',
			block([{ ...DONE, logs: [{ ...LOG, address: COINS, data: `0x${'f'.repeat(66)}` }] }]),
		],
	])('eth_simulateV1: %s', async (_what, answer) => {
		setAnswers({ eth_simulateV1: answer });
		expect(await run()).toMatchObject({
			message: expect.stringMatching(/^The service did not answer with /),
		});
	});

	test.each([
		['null', null],
		['no type', { from: FROM }],
		['calls that are none', { ...TRACE, calls: 'many' }],
		['a call that is none', { ...TRACE, calls: [7] }],
		['a value that does not fit', { ...TRACE, value: `0x1${'0'.repeat(64)}` }],
		['a value below 0', { ...TRACE, value: '-0x1' }],
		['value for nobody', { ...TRACE, to: null }],
		['logs that are none', { ...TRACE, logs: [null] }],
	])('debug_traceCall: %s', async (_what, trace) => {
		setAnswers({
			eth_simulateV1: refuse(-32601, 'Method not found'),
			debug_traceCall: () => trace,
		});
		expect(await run(COIN_CALL)).toMatchObject({
			message: expect.stringMatching(/^The service did not answer with /),
		});
	});
});

describe('what holds n8n up for no quarter of a second:', () => {
	const many = (count: number, build: (at: number) => object) =>
		Array.from({ length: count }, (_, at) => build(at));
	const account = (at: number): Hex => `0x${(at + 1).toString(16).padStart(40, '5')}`;

	const log = transferLog(TOKEN, FROM, TO, 1n);
	const logTo = (receiver: Hex) => ({
		...log,
		topics: [...log.topics.slice(0, 2), padHex(receiver)],
	});
	const largeLogs: ReadonlyArray<[what: string, build: () => object[]]> = [
		['coins', () => many(2500, (at) => ({ ...logTo(account(at)), address: COINS }))],
		['logs of one token', () => many(2500, (at) => logTo(account(at)))],
		['logs of many tokens', () => many(4_900, (at) => ({ ...log, address: account(at) }))],
		[
			'one log with much data',
			() => [{ address: TOKEN, topics: [], data: `0x${'00'.repeat(500_000)}` }],
		],
	];

	test.each(takeRows(largeLogs, 3))('%s', async (_what, build) => {
		setAnswers({ eth_call, eth_simulateV1: simulating(build()) });
		const gap = await measureLeastGap(async () => {
			expect(await run()).toMatchObject({ success: true });
		});
		expect(gap).toBeLessThan(ALLOWED_UNITS);
	});

	test('calls within calls', async () => {
		let trace: object = { ...TRACE, value: '0x1' };
		for (let depth = 0; depth < 1000; depth++)
			trace = { ...TRACE, value: '0x1', calls: [trace, { ...TRACE, logs: [] }] };
		setAnswers({
			eth_simulateV1: refuse(-32601, 'Method not found'),
			debug_traceCall: () => trace,
		});
		const gap = await measureLeastGap(async () => {
			expect(await run(COIN_CALL)).toMatchObject({ success: true, by: 'debug_traceCall' });
		});
		expect(gap).toBeLessThan(ALLOWED_UNITS);
	});

	test('more events than are read are refused', async () => {
		const logs = many(5_001, (at) => ({ ...log, address: account(at) }));
		setAnswers({ eth_call, eth_simulateV1: simulating(logs) });
		expect(await run()).toMatchObject({
			message: 'The transaction has 5001 events and transfers of coins, but at most 5000 are read',
		});
	});
});

describe('a transaction that cannot be one', () => {
	test.each([
		['text', 'no JSON'],
		['a list', []],
		['nobody who sends', { to: TO }],
		['nothing to do', { from: FROM }],
		['an empty receiver', { from: FROM, to: '' }],
		['another address', { from: '0x12', to: TO }],
		['half a byte', { from: FROM, to: TO, data: '0x1' }],
		['a value below 0', { from: FROM, to: TO, value: '-1' }],
		['a key that nobody knows', { from: FROM, to: TO, authorizationList: [] }],
	])('%s is refused, and nothing is asked', async (_what, transaction) => {
		expect(await run(transaction as object)).toMatchObject({
			message: expect.stringMatching(/^'Transaction' must be /),
		});
		expect(node.calls).toEqual([]);
	});

	test('may be the whole item of Prepare', async () => {
		setAnswers({ eth_call, eth_simulateV1: simulating([]) });
		const transaction = { type: '0x2', chainId: '0x1', nonce: '0x5', gas: '0x5208', ...COIN_CALL };
		const item = { transaction: { ...transaction, maxFeePerGas: toHex(5) }, summary: 'Send …' };
		expect(await run(item)).toMatchObject({ success: true });
		const [asked] = callsOf(node.calls.find(({ method }) => method === 'eth_simulateV1')!);
		expect(asked).toEqual({
			from: FROM.toLowerCase(),
			to: TO.toLowerCase(),
			value: '0x7',
			data: '0x',
			gas: '0x5208',
			gasPrice: '0x5',
		});
	});
});
