import { beginCell, Address, type Cell } from '@ton/core';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readMadePayments } from '../../../nodes/core/ton/madePayments';
import { createContext } from '../support/chains.mts';
import {
	commentCell,
	FakeTon,
	failureOf,
	hashOf,
	jettonWalletRow,
	messageRow,
	rawOf,
	toHex,
	transactionRow,
	type Row,
} from '../support/tonService.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const wallet = rawOf('a');
const shop = rawOf('b');
const master = rawOf('c');
const jettonWallet = rawOf('d');
const START = 1_767_225_600_000;

const read = async (ton: FakeTon, since = START, other = ton.call) =>
	await readMadePayments(createContext(other, { shared: createShared() }), wallet.toLowerCase(), {
		since,
		tokens: [master.toLowerCase()],
	});

/** Builds a transaction of the wallet with a payment for each of the bodies. */
const paying = (lt: number, bodies: ReadonlyArray<Cell | null>, more: Row = {}) =>
	transactionRow(wallet, lt, {
		in_msg: messageRow(null, wallet, null, { hash: hashOf(`external ${lt}`) }),
		out_msgs: bodies.map((body, at) =>
			messageRow(wallet, shop, body, { hash: hashOf(`message ${lt} ${at}`) }),
		),
		...more,
	});

const state = (lt: number): Row => ({ address: wallet, last_transaction_lt: String(lt) });

function listing(...rows: readonly Row[]): FakeTon {
	const ton = new FakeTon();
	ton.transactions = [...rows];
	ton.accounts.push(state(rows.length));
	return ton;
}

/** Answers with waiting transactions, or like an index that does not know this method. */
const withWaiting =
	(ton: FakeTon, rows?: readonly Row[]): FakeTon['call'] =>
	async (request) => {
		if (!request.path.includes('pendingTransactions')) return await ton.call(request);
		if (!rows) throw new RequestFailure('Not Found', { httpCode: 404 });
		return await Promise.resolve({ transactions: rows, address_book: {} });
	};

const readAll = async (ton: FakeTon, since = START) => await read(ton, since, withWaiting(ton));

test('coins are paid with their comment, and a body that asks for something pays nothing', async () => {
	const call = beginCell().storeUint(0x12345678, 32).storeUint(0, 64).endCell();
	const ton = listing(paying(1, [commentCell('order 7'), null, commentCell(''), call]));
	const hash = toHex(hashOf(`${wallet} 1`));
	const paid = {
		hash,
		to: shop.toLowerCase(),
		token: null,
		value: 1_500_000_000n,
		time: START + 1000,
	};
	expect(await readAll(ton)).toEqual({
		since: START,
		payments: ['order 7', null, null].map((comment) => ({ ...paid, comment })),
	});
});

test('what waits is there, until its message is carried out', async () => {
	const ton = listing(paying(1, [commentCell('one')]));
	const waiting = paying(2, [commentCell('two')], { emulated: true, finality: 'pending' });
	const found = await read(
		ton,
		START,
		withWaiting(ton, [paying(1, [commentCell('one')]), waiting]),
	);
	expect(found.payments.map(({ comment }) => comment)).toEqual(['one', 'two']);
	expect(found.payments[1]?.hash).toBe(toHex(hashOf('external 2')));
});

test('jettons count until their own wallet refuses them or takes them back', async () => {
	const order = (amount: bigint) =>
		beginCell()
			.storeUint(0x0f8a7ea5, 32)
			.storeUint(amount, 64)
			.storeCoins(amount)
			.storeAddress(Address.parse(shop))
			.storeAddress(Address.parse(wallet))
			.storeMaybeRef(null)
			.storeCoins(1n)
			.storeMaybeRef(commentCell('jettons'))
			.endCell();
	const messageOf = (amount: bigint) =>
		messageRow(wallet, jettonWallet, order(amount), { hash: hashOf(`order ${amount}`) });
	const orders = [1n, 2n, 3n, 4n].map(messageOf);
	const back = beginCell()
		.storeUint(0xffffffff, 32)
		.storeUint(0x178d4519, 32)
		.storeUint(3n, 64)
		.storeCoins(3n)
		.endCell();
	const ton = listing(paying(1, [], { out_msgs: orders }));
	ton.jettonWallets = [jettonWalletRow(jettonWallet, wallet, master)];
	ton.transactions.push(
		transactionRow(jettonWallet, 1, { in_msg: orders[0] }),
		transactionRow(jettonWallet, 2, {
			in_msg: orders[1],
			description: {
				type: 'ord',
				aborted: true,
				compute_ph: { skipped: false, success: false, exit_code: 47 },
			},
		}),
		transactionRow(jettonWallet, 3, { in_msg: orders[2] }),
		transactionRow(jettonWallet, 4, {
			in_msg: messageRow(rawOf('f'), jettonWallet, back, { bounced: true }),
		}),
	);
	const { payments } = await readAll(ton);
	// The first payment was carried out, and the last payment is not complete yet.
	expect(payments.map(({ value }) => value)).toEqual([1n, 4n]);
	expect(payments[0]).toMatchObject({
		to: shop.toLowerCase(),
		token: master.toLowerCase(),
		comment: 'jettons',
		hash: toHex(hashOf(`${wallet} 1`)),
	});
});

test('of a busy wallet the newest are read, with the time from which on they are complete', async () => {
	const ton = listing(
		...Array.from({ length: 3000 }, (_, at) => paying(at + 1, [commentCell(String(at))])),
	);
	const found = await readAll(ton);
	expect(found.payments).toHaveLength(1000);
	expect(found.since).toBe(START + 2001 * 1000);
	expect(Math.min(...found.payments.map(({ time }) => time))).toBe(found.since);
	expect(ton.asked.length).toBeLessThan(8);
});

test('a list that lacks the last transaction of the account is a failure, unless that is an older one', async () => {
	const ton = listing(paying(1, []), paying(2, []));
	expect((await readAll(ton, START + 60_000)).payments).toEqual([]);
	ton.accounts[0] = state(3);
	for (const since of [START, START + 60_000])
		expect(await failureOf(readAll(ton, since))).toMatch(/does not list the last transaction/);
});

/** Lets the index begin with a block that is some seconds later than the time of the tests. */
function beginIndex(ton: FakeTon, seconds: number, startLt?: number): FakeTon {
	const first = { gen_utime: String(START / 1000 + seconds), start_lt: startLt?.toString() };
	ton.changes.masterchainInfo = (answer) => ({ ...answer, first });
	return ton;
}

test('an index that begins later than the account knows its payments from then on', async () => {
	const ton = beginIndex(listing(paying(50, [commentCell('one')])), 40, 45);
	ton.accounts[0] = state(50);
	const found = await readAll(ton);
	expect(found.payments.map(({ comment }) => comment)).toEqual(['one']);
	expect(found.since).toBe(START + 40_000);
	expect((await readAll(ton, START + 45_000)).since).toBe(START + 45_000);
});

test('the last transaction of the account may be older than all of the index', async () => {
	const empty = () => {
		const ton = new FakeTon();
		ton.accounts.push(state(7));
		return ton;
	};
	const ton = beginIndex(empty(), 60, 100);
	expect(await readAll(ton)).toEqual({ payments: [], since: START + 60_000 });
	for (const other of [beginIndex(empty(), 60), beginIndex(empty(), 60, 7), empty()])
		expect(await failureOf(readAll(other))).toMatch(/does not list the last transaction/);
});

test.each([null, 7, {}, { gen_utime: 'now' }])(
	'an index whose first block is %j is asked all the same',
	async (first) => {
		const ton = listing(paying(1, [commentCell('one')]));
		ton.changes.masterchainInfo = (answer) => ({ ...answer, first });
		expect(await readAll(ton)).toMatchObject({ since: START, payments: [{ comment: 'one' }] });
	},
);

test.each<[string, (row: Row) => Row, RegExp]>([
	['without a hash', (row) => ({ ...row, hash: undefined }), /hash must be/],
	['without messages', (row) => ({ ...row, out_msgs: 7 }), /out_msgs must be a list/],
	['of somebody else', (row) => ({ ...row, account: shop }), /account must be/],
	['with a gap', (row) => ({ ...row, prev_trans_hash: hashOf('other') }), /is incomplete\./],
	[
		'with an amount that is none',
		(row) => ({ ...row, out_msgs: [messageRow(wallet, shop, null, { value: '-1' })] }),
		/value must be/,
	],
])('a transaction %s is a failure', async (_, change, message) => {
	const ton = listing(paying(1, []), paying(2, []), paying(3, []));
	ton.changes.transactions = ({ transactions, ...answer }) => ({
		...answer,
		transactions: (transactions as Row[]).map((row, at) => (at === 1 ? change(row) : row)),
	});
	expect(await failureOf(readAll(ton))).toMatch(message);
});

test('an index that cannot be reached is a failure', async () => {
	const ton = listing(paying(1, []));
	const lost = async () =>
		await Promise.reject(new RequestFailure('lost', { retry: { because: 'lost' } }));
	expect(await failureOf(read(ton, START, lost))).toBe('lost');
});
