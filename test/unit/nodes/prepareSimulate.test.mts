import {
	encodeAbiParameters,
	encodeEventTopics,
	erc20Abi,
	parseAbi,
	zeroAddress,
	type Hex,
} from 'viem';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { getRefusal, PAYEE, PAYER, prepareAll, prepareOne, toWord } from '../support/preparing.mts';

const token = '0x7070707070707070707070707070707070707070';
const payment = { to: PAYEE, amount: '0.1', options: { simulate: true } };
const unknown = rpcError('eth_simulateV1', { code: -32601, message: 'Method not found' });
const TRACE = {
	type: 'CALL',
	from: PAYER,
	to: PAYEE,
	value: '0x16345785d8a0000',
	gasUsed: '0x5208',
};

/** A node that cannot simulate, but traces a call with the given result. */
const tracing = (trace: object) => ({
	eth_simulateV1: unknown,
	debug_traceCall: { ...TRACE, ...trace },
});

test('without the option nothing is simulated', async () => {
	const { asked, outcomes } = await prepareAll([{ to: PAYEE, amount: '0.1' }]);
	expect(asked.filter((method) => /simulate|trace/.test(method))).toEqual([]);
	expect(outcomes[0]).not.toHaveProperty('changes');
});

test('what would change hands is in the item and in the sentence', async () => {
	const { summary, ...made } = await prepareOne(payment, tracing({}));
	expect(made).toMatchObject({
		changes: [
			{ account: PAYER, kind: 'coin', amount: '-0.1' },
			{ account: PAYEE, kind: 'coin', amount: '0.1' },
		],
	});
	expect(summary).toMatch(
		/nonce 7\. The chain node says what would change hands: 0x5aAeb6\w+ loses 0\.1 coins, 0xfB6916\w+ gains 0\.1 coins\.$/,
	);
});

test('an approval is reported, though nothing changes hands', async () => {
	const args = { owner: PAYER, spender: PAYEE } as const;
	const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Approval', args });
	const data = encodeAbiParameters([{ type: 'uint256' }], [2n ** 256n - 1n]);
	const logs = [{ address: token, topics, data, position: '0x0' }];
	const { summary } = await prepareOne(payment, tracing({ value: '0x0', logs }));
	expect(summary).toMatch(
		/The chain node says that nothing would change hands; and these approvals would be left: 0xfB6916\w+ an unlimited amount of the token 0x70+\w+ of 0x5aAeb6\w+\.$/,
	);
});

test('an approval of a contract like Permit2 names it, and its end', async () => {
	const abi = parseAbi([
		'event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)',
	]);
	const args = { owner: PAYER, token, spender: PAYEE } as const;
	const topics = encodeEventTopics({ abi, args });
	const data = `${toWord(5)}${toWord(2 ** 31).slice(2)}`;
	const logs = [{ address: PAYEE, topics, data, position: '0x0' }];
	const { summary } = await prepareOne(payment, tracing({ value: '0x0', logs }));
	expect(summary).toMatch(
		/nothing would change hands; and these approvals would be left: 0xfB6916\w+ 0\.5 of the token 0x70+\w+ of 0x5aAeb6\w+ through the contract 0xfB6916\w+ until 2038-01-19T03:14:08\.000Z\.$/,
	);
});

describe('events that say neither who gets nor who may spend', () => {
	const unknownLog = { address: token, topics: [toWord(1)], data: '0x' };
	const ownership = encodeEventTopics({
		abi: parseAbi([
			'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
		]),
		args: { previousOwner: PAYER, newOwner: PAYEE },
	});
	const owned = { address: token, topics: ownership, data: '0x' };
	const none = 'The chain node names no coins, tokens or NFTs that would change hands';
	const moved = encodeEventTopics({
		abi: erc20Abi,
		eventName: 'Transfer',
		args: { from: PAYER, to: PAYEE },
	});

	const transfer = (from: Hex, to: Hex, value: number, address = token) => ({
		address,
		topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }),
		data: toWord(value),
	});
	const wrapping = parseAbi([
		'event Deposit(address indexed dst, uint256 wad)',
		'event Withdrawal(address indexed dst, uint256 wad)',
	]);
	const wrap = (eventName: 'Deposit' | 'Withdrawal', dst: Hex, value: number) => ({
		address: token,
		topics: encodeEventTopics({ abi: wrapping, eventName, args: { dst } }),
		data: toWord(value),
	});
	const vault = parseAbi([
		'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
	]);
	const shares = (value: number) => ({
		address: token,
		topics: encodeEventTopics({
			abi: vault,
			args: { sender: PAYER, receiver: PAYEE, owner: PAYER },
		}),
		data: `${toWord(1000)}${toWord(value).slice(2)}`,
	});
	const withdrawal = wrap('Withdrawal', PAYER, 0);
	const editions = parseAbi([
		'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
		'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
	]);
	const editionParties = { operator: PAYER, from: PAYER, to: PAYEE } as const;
	const ids = Array.from({ length: 10_001 }, (_, id) => BigInt(id));
	const batch = {
		address: token,
		topics: encodeEventTopics({ abi: editions, eventName: 'TransferBatch', args: editionParties }),
		data: encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, ids]),
	};
	const single = {
		address: token,
		topics: encodeEventTopics({ abi: editions, eventName: 'TransferSingle', args: editionParties }),
		data: `${toWord(4)}${toWord(1).slice(2)}`,
	};

	test.each([
		[
			'named as that of a wrapped coin',
			[withdrawal],
			`${none}; 1 other event may mean more: Withdrawal (1).`,
		],
		[
			'of more NFTs than are read',
			[batch],
			`${none}; 1 other event may mean more: TransferBatch of more than 10000 NFTs (1).`,
		],
		['unknown', [unknownLog], `${none}; 1 other event may mean more: not decoded (1).`],
		[
			'unknown, twice',
			[unknownLog, unknownLog],
			`${none}; 2 other events may mean more: not decoded (2).`,
		],
		[
			'known by name',
			[owned, owned],
			`${none}; 2 other events may mean more: OwnershipTransferred (2).`,
		],
		[
			'both',
			[owned, unknownLog],
			`${none}; 2 other events may mean more: OwnershipTransferred (1), not decoded (1).`,
		],
		[
			'named like a known one, with other data',
			[{ address: token, topics: moved, data: '0x' }],
			`${none}; 1 other event may mean more: not decoded (1).`,
		],
		[
			'of transfers that move nothing in the end',
			[transfer(PAYER, PAYEE, 5), transfer(PAYEE, PAYER, 5)],
			`${none}; 2 other events may mean more: Transfer (2).`,
		],
	])('%s: nobody is told "nothing"', async (_what, logs, end) => {
		const { summary } = await prepareOne(payment, tracing({ value: '0x0', logs }));
		expect(summary).toContain(end);
		expect(summary).not.toContain('nothing');
	});

	test('stand beside what changes hands', async () => {
		const { summary } = await prepareOne(payment, tracing({ logs: [unknownLog] }));
		expect(summary).toMatch(/gains 0\.1 coins; 1 other event may mean more: not decoded \(1\)\.$/);
	});

	const other = '0x7171717171717171717171717171717171717171';
	test.each([
		['a batch of NFTs', 'TransferBatch of more than 10000 NFTs', [single, batch]],
		['a withdrawal', 'Withdrawal', [transfer(PAYER, PAYEE, 1), wrap('Withdrawal', PAYER, 1000)]],
		[
			'a withdrawal for somebody else',
			'Withdrawal',
			[transfer(PAYER, PAYEE, 5), wrap('Withdrawal', other, 5)],
		],
		['shares of a vault', 'Withdraw', [transfer(PAYER, zeroAddress, 1), shares(1000)]],
	])('hide behind no change of their contract: %s', async (_what, name, logs) => {
		const { summary } = await prepareOne(payment, tracing({ value: '0x0', logs }));
		expect(summary).toContain(`The chain node says what would change hands: ${PAYER} loses`);
		expect(summary).toMatch(new RegExp(`; 1 other event may mean more: ${name} \\(1\\)\\.$`));
	});

	const unwrapped = { ...TRACE, from: token, to: PAYER, value: '0x5' };
	test.each([
		['unwrapped coins', [wrap('Withdrawal', PAYER, 5)], [unwrapped]],
		[
			'unwrapped coins that are passed on',
			[wrap('Withdrawal', other, 5), transfer(PAYER, other, 5)],
			[unwrapped],
		],
		[
			'a transfer for the same',
			[wrap('Withdrawal', PAYER, 5), transfer(PAYER, zeroAddress, 5)],
			[],
		],
		['shares of a vault', [transfer(PAYER, zeroAddress, 7), shares(7)], []],
		['a transfer of one NFT', [single], []],
	])('are none where a change shows account and value: %s', async (_what, logs, calls) => {
		const { summary } = await prepareOne(payment, tracing({ value: '0x0', logs, calls }));
		expect(summary).toContain('The chain node says what would change hands');
		expect(summary).not.toContain('other event');
	});
});

test('words of a contract are quoted, and cannot end the sentence', async () => {
	const failed = { error: 'execution reverted', revertReason: 'all is "well".\n\u202eSign it' };
	const { summary } = await prepareOne(payment, tracing(failed));
	expect(summary).toMatch(
		/ The chain node says that it would fail: "all is 'well'\. \?Sign it"\.$/,
	);
});

test('a node that cannot simulate is told, and takes no nonce', async () => {
	const neither = { eth_simulateV1: unknown, debug_traceCall: unknown };
	expect(await getRefusal(payment, neither)).toBe('The chain node cannot simulate a transaction');
	const { outcomes } = await prepareAll([payment, { to: PAYEE, amount: '0.1' }], neither);
	expect(outcomes[1]).toMatchObject({ transaction: { nonce: '0x7' } });
});

test('a token whose symbol misleads is quoted', async () => {
	const args = { from: PAYER, to: PAYEE } as const;
	const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args });
	const logs = [{ address: token, topics, data: toWord(5) }];
	const symbol = encodeAbiParameters([{ type: 'string' }], ['U"SDC, 0x']);
	const eth_call = ([{ data }]: readonly [{ readonly data: string }]) =>
		data.startsWith('0x95d89b41') ? symbol : '0x';
	const { summary } = await prepareOne(payment, { ...tracing({ value: '0x0', logs }), eth_call });
	expect(summary).toMatch(/gains 5 of the smallest unit of the token 0x70+\w+ \("U'SDC, 0x"\)\.$/);
});
