import fc from 'fast-check';
import { Address, beginCell, Cell } from '@ton/core';
import {
	formatCursors,
	parseCursors,
	readNewsOfAccounts,
	readPresentCursors,
	type AccountCursors,
	type FollowedAccount,
} from '../../../nodes/core/ton/accountNews';
import { readTransactions } from '../../../nodes/core/ton/accountTransactions';
import { followCoins, followJettons } from '../../../nodes/core/ton/paymentEvents';
import { ANY_AMOUNT } from '../support/anyAmount.mts';
import { parseTonAccount, type TonAccount } from '../../../nodes/core/ton/address';
import type { RestReader } from '../../../nodes/core/chain/reader';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import {
	bocOf,
	commentCell,
	FakeTon,
	messageRow,
	rawOf,
	transactionRow,
	upperRaw,
	type Row,
} from '../support/tonService.mts';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

fc.configureGlobal({ seed: getSeed(20261124) });

const ACCOUNTS = [rawOf('a'), rawOf('b'), rawOf('c')];
const LONG = Date.now() + 600_000;

/** The payments of an account, in their order on the chain. A null is a transaction that is no payment. */
type History = ReadonlyArray<string | null>;

function buildRows(account: string, history: History): Row[] {
	return history.map((comment, index) => {
		const body = comment === null ? null : commentCell(comment);
		return transactionRow(account, index + 1, {
			in_msg: messageRow(rawOf('e'), account, body, {
				...(comment === null && { value: '0' }),
				hash: Buffer.from(`${account.slice(2, 20)}${String(index).padStart(14, '0')}`).toString(
					'base64',
				),
			}),
		});
	});
}

type Follow = (
	service: RestReader,
	wanted: { addresses: readonly TonAccount[]; direction: 'in' },
) => readonly FollowedAccount[] | Promise<readonly FollowedAccount[]>;

const followAnyCoins: Follow = (service, wanted) =>
	followCoins(service, { ...wanted, minAmount: 0n });

/** Creates a watcher that starts anew for each poll, with the state that it stored before. */
function createWatcher(ton: FakeTon, addresses: readonly string[], follow = followAnyCoins) {
	const wanted = {
		addresses: addresses.map((one) => parseTonAccount(one)),
		direction: 'in',
	} as const;
	let stored: string | undefined;
	const seen = new Map<string, unknown[]>(addresses.map((one) => [friendly(one), []]));
	const service = (): RestReader => ({ call: ton.call, shared: createShared() });
	return {
		seen,
		poll: async () => {
			const accounts = await follow(service(), wanted);
			if (stored === undefined) {
				stored = store(await readPresentCursors(service(), accounts));
				return undefined;
			}
			const cursors = parseCursors(JSON.parse(stored)) as AccountCursors;
			const news = await readNewsOfAccounts(service(), accounts, cursors, LONG);
			stored = store(news.cursors);
			for (const { json } of news.events) seen.get(String(json.to))?.push(json.comment);
			return news.failure;
		},
	};
}

const store = (cursors: AccountCursors) => JSON.stringify(formatCursors(cursors));
const friendly = (raw: string) => Address.parse(raw).toString();

const anyHistory = fc.array(fc.option(fc.string({ minLength: 1, maxLength: 12 })), {
	maxLength: 40,
});
/**
 * What happens between two polls: the service shows a larger share of each account's history, and something may go
 * wrong.
 */
const anyStep = fc.record({
	shares: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
	trouble: fc.constantFrom('none', 'none', 'none', 'down', 'behind', 'pending', 'gap'),
});

/** Shows at least the given shares of the histories, in percent. Rows that were shown before stay visible. */
function showMore(
	ton: FakeTon,
	histories: ReadonlyArray<readonly Row[]>,
	shown: number[],
	shares: readonly number[],
): void {
	histories.forEach((rows, index) => {
		const count = Math.floor((rows.length * (shares[index] ?? 0)) / 100);
		shown[index] = Math.max(shown[index] ?? 0, count);
	});
	ton.transactions = histories.flatMap((rows, index) => rows.slice(0, shown[index]));
}

test('whatever the service lags, repeats or fails: each payment once and in order', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.tuple(anyHistory, anyHistory, anyHistory),
			fc.array(anyStep, { minLength: 1, maxLength: 8 }),
			async (histories, steps) => {
				const ton = new FakeTon();
				const all = histories.map((history, index) => buildRows(ACCOUNTS[index] ?? '', history));
				const shown = [0, 0, 0];
				const watcher = createWatcher(ton, ACCOUNTS);
				const begun: number[] = [];
				for (const { shares, trouble } of [...steps, LAST_STEP]) {
					showMore(ton, all, shown, shares);
					makeTrouble(ton, trouble);
					const failure = await watcher.poll().catch((error: unknown) => error);
					if (failure !== undefined) expect(failure).toBeInstanceOf(RequestFailure);
					if (trouble !== 'none' && begun.length === 0 && failure !== undefined) continue;
					if (begun.length === 0) begun.push(...countShown(trouble, shown));
				}
				histories.forEach((history, index) => {
					const wanted = history.slice(begun[index]).filter((one) => one !== null);
					expect(watcher.seen.get(friendly(ACCOUNTS[index] ?? ''))).toEqual(wanted);
				});
			},
		),
		{ numRuns: getCaseCount(60) },
	);
});

const LAST_STEP = { shares: [100, 100, 100], trouble: 'none' } as const;

/**
 * Returns how many events of each history were visible when the watcher began. If the trouble is `behind` or `pending`,
 * the newest event of each history was not visible yet.
 */
function countShown(trouble: string, shown: readonly number[]): number[] {
	return trouble === 'behind' || trouble === 'pending'
		? shown.map((count) => Math.max(0, count - 1))
		: [...shown];
}

function makeTrouble(ton: FakeTon, trouble: string): void {
	ton.changes.transactions = (answer) => {
		const rows = answer.transactions as Row[];
		if (trouble === 'down') throw new RequestFailure('The service is down');
		if (trouble === 'gap')
			return { ...answer, transactions: rows.filter((_, index) => index !== 1) };
		const newest = Math.max(...rows.map(({ lt }) => Number(lt)));
		const known = ton.transactions.filter(({ account }) => account === rows[0]?.account);
		const isNewest = (row: Row) => Number(row.lt) === newest && newest === known.length;
		if (trouble === 'behind')
			return { ...answer, transactions: rows.filter((row) => !isNewest(row)) };
		if (trouble !== 'pending') return answer;
		return {
			...answer,
			transactions: rows.map((row) => (isNewest(row) ? { ...row, finality: 'pending' } : row)),
		};
	};
}

test('pages that repeat end the reading, and the next poll goes on', async () => {
	const [account = ''] = ACCOUNTS;
	const ton = new FakeTon();
	const watcher = createWatcher(ton, [account]);
	await watcher.poll();
	ton.transactions = buildRows(
		account,
		Array.from({ length: 600 }, (_, index) => `${index}`),
	);
	ton.changes.transactions = (answer, _query, count) =>
		count > 1 ? { ...answer, transactions: ton.transactions.slice(0, 500) } : answer;
	expect(await watcher.poll()).toBeUndefined();
	expect(watcher.seen.get(friendly(account))).toHaveLength(500);
	delete ton.changes.transactions;
	expect(await watcher.poll()).toBeUndefined();
	expect(watcher.seen.get(friendly(account))).toHaveLength(600);
});

const NO_HASH = Buffer.alloc(32).toString('base64');

/**
 * Builds the history of an account that is deleted after the third transaction, and exists again from the fourth on.
 */
function buildTwoLives(account: string): Row[] {
	return buildRows(account, ['one', 'two', 'three', 'four', 'five']).map((row, index) => ({
		...row,
		end_status: index === 2 ? 'nonexist' : 'active',
		...(index === 3 && { prev_trans_hash: NO_HASH }),
	}));
}

test.each([0, 1, 2, 3, 4])(
	'an account that was deleted and comes anew is followed, polled after %i transactions',
	async (shown) => {
		const [account = ''] = ACCOUNTS;
		const ton = new FakeTon();
		const watcher = createWatcher(ton, [account]);
		await watcher.poll();
		const rows = buildTwoLives(account);
		for (const count of [shown, rows.length]) {
			ton.transactions = rows.slice(0, count);
			expect(await watcher.poll()).toBeUndefined();
		}
		expect(watcher.seen.get(friendly(account))).toEqual(['one', 'two', 'three', 'four', 'five']);
	},
);

test('the transactions of both lives of an account are listed', async () => {
	const [account = ''] = ACCOUNTS;
	const ton = new FakeTon();
	ton.transactions = buildTwoLives(account);
	const service = { call: ton.call, shared: createShared() };
	const found: bigint[] = [];
	for await (const { transaction } of readTransactions(service, parseTonAccount(account), {}))
		found.push(transaction.lt);
	expect(found).toEqual([5n, 4n, 3n, 2n, 1n]);
});

test.each([
	['the first', 0, []],
	['the one that deletes the account', 2, ['one', 'two']],
])('without %s transaction, nothing after it counts until it is there', async (_, left, seen) => {
	const [account = ''] = ACCOUNTS;
	const ton = new FakeTon();
	const watcher = createWatcher(ton, [account]);
	await watcher.poll();
	const rows = buildTwoLives(account);
	ton.transactions = rows.filter((_row, index) => index !== left);
	expect(await watcher.poll()).toMatchObject({
		description: expect.stringContaining(
			'The prev_trans_hash of the next transaction must be',
		) as string,
	});
	expect(watcher.seen.get(friendly(account))).toEqual(seen);
	ton.transactions = rows;
	expect(await watcher.poll()).toBeUndefined();
	expect(watcher.seen.get(friendly(account))).toHaveLength(5);
});

describe('a service that is past what was read, and does not have it any more', () => {
	const [account = ''] = ACCOUNTS;
	const HOUR = 3600;

	/** Reads three payments, and then lets an hour pass on the chain of the service. */
	async function watchUntilLost() {
		const ton = new FakeTon();
		const watcher = createWatcher(ton, [account]);
		await watcher.poll();
		const rows = buildRows(account, ['one', 'two', 'three', 'four']);
		ton.transactions = rows.slice(0, 3);
		await watcher.poll();
		ton.changes.masterchainInfo = () => ({
			last: { seqno: 2, gen_utime: String(Number(rows[2]?.now) + HOUR) },
		});
		return { ton, watcher, rows };
	}

	test('reports nothing twice when an empty list is full again', async () => {
		const { ton, watcher, rows } = await watchUntilLost();
		ton.transactions = [];
		expect(await watcher.poll()).toMatchObject({
			message: expect.stringMatching(/^The service does not have the transaction/) as string,
		});
		ton.transactions = rows;
		expect(await watcher.poll()).toBeUndefined();
		expect(watcher.seen.get(friendly(account))).toEqual(['one', 'two', 'three', 'four']);
	});

	test('serves another chain, which is followed from its present', async () => {
		const { ton, watcher } = await watchUntilLost();
		const others = buildRows(account, ['1', '2', '3', '4', '5']).map((row) => ({
			...row,
			hash: Buffer.from(String(row.lt).padStart(32, 'x')).toString('base64'),
			prev_trans_hash: null,
		}));
		ton.transactions = others.slice(0, 4);
		expect(await watcher.poll()).toBeUndefined();
		ton.transactions = others;
		expect(await watcher.poll()).toBeUndefined();
		expect(watcher.seen.get(friendly(account))).toEqual(['one', 'two', 'three', '5']);
	});
});

const MASTER = rawOf('d');
const JETTON_WALLETS = ACCOUNTS.map((_, index) => rawOf(String(index + 1)));

/** Builds the rows of jetton payments that the wallet of an account received. */
function buildReceipts(account: string, wallet: string, comments: readonly string[]): Row[] {
	return comments.map((comment, index) => {
		const body = beginCell()
			.storeUint(0x178d4519, 32)
			.storeUint(index, 64)
			.storeCoins(1)
			.storeAddress(Address.parse(rawOf('e')))
			.storeAddress(Address.parse(account))
			.storeCoins(1)
			.storeMaybeRef(commentCell(comment))
			.endCell();
		return transactionRow(wallet, index + 1, { in_msg: messageRow(rawOf('e'), wallet, body) });
	});
}

/** Answers for the jetton's master contract, which computes the address of each account's jetton wallet. */
function answerWalletAddress(_query: unknown, body: Row): unknown {
	const [{ value } = { value: '' }] = body.stack as ReadonlyArray<{ readonly value: string }>;
	const owner = upperRaw(Cell.fromBase64(value).beginParse().loadAddress());
	const wallet = Address.parse(JETTON_WALLETS[ACCOUNTS.indexOf(owner)] ?? '');
	const cell = beginCell().storeAddress(wallet).endCell();
	return { exit_code: 0, gas_used: 1, stack: [{ type: 'slice', value: bocOf(cell) }] };
}

/**
 * What happens between two polls: the index lists only some wallets, and shows only a share of each wallet's payments.
 */
const anyListing = fc.record({
	hidden: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
	shares: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
});

test('whatever jetton wallets the index leaves out of its list: each payment once, and none of before', async () => {
	const histories = fc.array(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 10 });
	await fc.assert(
		fc.asyncProperty(
			fc.tuple(histories, histories, histories),
			fc.array(anyListing, { minLength: 1, maxLength: 6 }),
			async (comments, steps) => {
				const ton = new FakeTon();
				ton.answerMethod = answerWalletAddress;
				const watcher = createWatcher(ton, ACCOUNTS, async (service, wanted) => {
					const jettons = [parseTonAccount(MASTER)];
					return await followJettons(service, { ...wanted, jettons, least: ANY_AMOUNT });
				});
				const all = comments.map((one, index) =>
					buildReceipts(ACCOUNTS[index] ?? '', JETTON_WALLETS[index] ?? '', one),
				);
				const shown = [0, 0, 0];
				const begun: number[] = [];
				for (const { hidden, shares } of [...steps, LAST_LISTING]) {
					showMore(ton, all, shown, shares);
					ton.jettonWallets = ACCOUNTS.flatMap((owner, index) =>
						hidden[index]
							? []
							: { address: JETTON_WALLETS[index], owner, jetton: MASTER, balance: '0' },
					);
					expect(await watcher.poll()).toBeUndefined();
					if (begun.length === 0) begun.push(...shown);
				}
				comments.forEach((history, index) => {
					const seen = watcher.seen.get(friendly(ACCOUNTS[index] ?? ''));
					expect(seen).toEqual(history.slice(begun[index]));
				});
			},
		),
		{ numRuns: getCaseCount(60) },
	);
});

const LAST_LISTING = { hidden: [true, false, true], shares: [100, 100, 100] } as const;

test.each([
	['does not know the method', { exit_code: 11, gas_used: 1, stack: [] }],
	['gives no address', { exit_code: 0, gas_used: 1, stack: [{ type: 'num', value: '0x1' }] }],
])('a master that %s is no jetton', async (_, answer) => {
	const ton = new FakeTon();
	ton.answerMethod = () => answer;
	const service = { call: ton.call, shared: createShared() };
	const [addresses, jettons] = [[rawOf('a')], [MASTER]].map((all) =>
		all.map((one) => parseTonAccount(one)),
	) as [TonAccount[], TonAccount[]];
	await expect(
		followJettons(service, { addresses, jettons, direction: 'in', least: ANY_AMOUNT }),
	).rejects.toThrow(`There is no jetton at ${friendly(MASTER)}`);
});

test.each([
	['an lt that goes back', { lt: '1' }],
	['another account', { account: rawOf('d') }],
	[
		'an amount that is a float',
		{ in_msg: messageRow(rawOf('e'), rawOf('a'), null, { value: '1.5' }) },
	],
	['a hash that is none', { hash: 'x' }],
])('%s is refused, and what came before it is reported', async (_name, change) => {
	const [account = ''] = ACCOUNTS;
	const ton = new FakeTon();
	const watcher = createWatcher(ton, [account]);
	await watcher.poll();
	const rows = buildRows(account, ['one', 'two', 'three']);
	ton.transactions = rows;
	ton.changes.transactions = (answer) => ({
		...answer,
		transactions: (answer.transactions as Row[]).map((row) =>
			row.lt === '3' ? { ...row, ...change } : row,
		),
	});
	expect(await watcher.poll()).toBeInstanceOf(RequestFailure);
	expect(watcher.seen.get(friendly(account))).toEqual(['one', 'two']);
	delete ton.changes.transactions;
	await watcher.poll();
	expect(watcher.seen.get(friendly(account))).toEqual(['one', 'two', 'three']);
});

test.each([
	[undefined],
	[null],
	[[]],
	[{ a: { lt: 'x', hash: null, time: 1 } }],
	[{ a: { lt: '1', hash: '1', time: 1 } }],
])('stored data that is no cursor counts as none: %j', (stored) => {
	expect(parseCursors(stored)).toBeUndefined();
});
