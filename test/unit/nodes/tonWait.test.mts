import { beginCell } from '@ton/core';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { createShared } from '../../../nodes/core/operation/results';
import { wait } from '../../../nodes/Ton/transaction/wait';
import {
	DONE,
	failedWith,
	failureOf,
	FakeTon,
	freezeTime,
	friendlyOf,
	hashOf,
	messageRow,
	rawOf,
	type Row,
	runTon,
	toHex,
	transactionRow,
} from '../support/tonService.mts';

const [WALLET, OWN_JETTONS, THEIR_JETTONS, PAYEE] = ['a', 'b', 'c', 'd'].map(rawOf) as [
	string,
	string,
	string,
	string,
];
const HASH = hashOf('from outside');
const PLAIN = hashOf('plain');
const at = (account: string) => `At ${friendlyOf(account, true)}`;

/** Wallet → own jetton wallet → that of the receiver → receiver, one block each. */
function createTransfer(descriptions: Readonly<Record<string, Row>> = {}): Row[] {
	const accounts = [WALLET, OWN_JETTONS, THEIR_JETTONS, PAYEE];
	const opcodes = [0, 0x0f8a7ea5, 0x178d4519, 0x7362d09c];
	const body = (index: number) =>
		beginCell()
			.storeUint(opcodes[index] ?? 0, 32)
			.endCell();
	const message = (index: number) =>
		index === 0
			? messageRow(null, WALLET, null, { hash: PLAIN, hash_norm: HASH })
			: messageRow(accounts[index - 1] ?? '', accounts[index] ?? '', body(index));
	return accounts.map((account, index) =>
		transactionRow(account, index + 1, {
			in_msg: message(index),
			out_msgs: [
				...(index < 3 ? [message(index + 1)] : []),
				...(index === 1 ? [messageRow(account, null)] : []),
			],
			description: descriptions[account] ?? DONE,
		}),
	);
}

/** Waits where one more transaction is final each second. */
async function waiting(rows: readonly Row[], given: Row = {}, ton = new FakeTon()) {
	const waits: number[] = [];
	const work = runTon(wait, { messageHash: HASH, ...given }, ton, {
		shared: createShared(),
		wait: async (milliseconds) => {
			waits.push(milliseconds);
			jest.setSystemTime(Date.now() + milliseconds);
			ton.transactions = rows.slice(0, waits.length - 1);
			await Promise.resolve();
		},
	});
	return {
		ton,
		waits,
		found: await work.catch(async (failure) => await failureOf(Promise.reject(failure))),
	};
}

freezeTime();

test('a transfer is complete when all that it set off is', async () => {
	const { found, waits, ton } = await waiting(createTransfer());
	expect(found).toEqual([
		{
			messageHash: toHex(HASH),
			transactionHash: toHex(hashOf(`${WALLET} 1`)),
			success: true,
			exitCode: 0,
			fee: '0.0084',
			reason: null,
			timestamp: '2026-01-01T00:00:01.000Z',
			lt: '1',
		},
	]);
	expect(waits).toEqual([0, 1000, 1000, 1000, 1000]);
	// Known values are not read again.
	expect(ton.count('transactionsByMessage')).toBe(1 + 2 + 2 + 2 + 1);
});

test('the hash may be the plain one, in hex or base64', async () => {
	for (const messageHash of [PLAIN, toHex(PLAIN), toHex(HASH)])
		expect((await waiting(createTransfer(), { messageHash })).found).toMatchObject([
			{ messageHash: toHex(HASH) },
		]);
});

test.each<[string, Row, string]>([
	[
		THEIR_JETTONS,
		failedWith(707),
		`${at(THEIR_JETTONS)}: the contract ended with exit code 707 (the sender is no wallet of this jetton)`,
	],
	[
		OWN_JETTONS,
		failedWith(706),
		`${at(OWN_JETTONS)}: the contract ended with exit code 706 (the jettons do not suffice)`,
	],
	[
		PAYEE,
		{ compute_ph: { skipped: true, reason: 'no_state' }, bounce: { type: 'ok' } },
		`${at(PAYEE)}: the message was sent back`,
	],
	[
		WALLET,
		{ ...DONE, action: { success: true, skipped_actions: 1 } },
		`${at(WALLET)}: a message could not be paid for, and was left out`,
	],
	[WALLET, { ...failedWith(137) }, `${at(WALLET)}: the contract ended with exit code 137`],
])('a failure at %s says where and why', async (account, description, reason) => {
	const { found } = await waiting(createTransfer({ [account]: description }));
	expect(found).toMatchObject([{ success: false, reason }]);
});

/** The wallet pays, the receiver fails, and sends the coins back to `receiver`. */
function createBounce(receiver: string, description: Row): Row[] {
	const payment = messageRow(WALLET, PAYEE);
	const back = messageRow(PAYEE, receiver, null, { bounced: true, hash: hashOf('back') });
	return [
		transactionRow(WALLET, 1, {
			in_msg: messageRow(null, WALLET, null, { hash: PLAIN, hash_norm: HASH }),
			out_msgs: [payment],
		}),
		transactionRow(PAYEE, 2, { in_msg: payment, out_msgs: [back], description }),
		transactionRow(receiver, 3, { in_msg: back }),
	];
}

test.each<[string, Row, string]>([
	[
		'no code',
		{ compute_ph: { skipped: true, reason: 'no_state' }, bounce: { type: 'ok' } },
		'the message was sent back',
	],
	[
		'a contract that fails',
		{ ...failedWith(65535), bounce: { type: 'ok' } },
		'the contract ended with exit code 65535',
	],
])('coins that came back from %s are reported', async (_, description, words) => {
	const { found } = await waiting(createBounce(WALLET, description));
	const [{ success, reason }] = found as [Row];
	expect([success, reason]).toEqual([
		false,
		expect.stringMatching(`^${at(PAYEE)}: ${words}.*, and the coins came back$`),
	]);
	const elsewhere = await waiting(createBounce(OWN_JETTONS, description));
	expect(elsewhere.found).toMatchObject([{ reason: expect.not.stringMatching(/came back/) }]);
});

test('the first of several failures is the one that counts', async () => {
	const { found } = await waiting(
		createTransfer({ [THEIR_JETTONS]: failedWith(707), [PAYEE]: failedWith(9) }),
	);
	expect(found).toMatchObject([{ reason: expect.stringMatching(/exit code 707/) }]);
});

test('what arrives at an account without code, or without gas for more, has not failed', async () => {
	const { found } = await waiting(
		createTransfer({ [PAYEE]: { aborted: true, compute_ph: { skipped: true, reason: 'no_gas' } } }),
	);
	expect(found).toMatchObject([{ success: true, reason: null }]);
});

test.each<[number, RegExp]>([
	[0, /^The message is not in a block after 3 s/],
	[
		2,
		/^The wallet has sent the transfer, but not all of it is carried out after 3 s. 2 transactions are in blocks/,
	],
])('when the time is over it says how far it came (%p)', async (count, words) => {
	expect((await waiting(createTransfer().slice(0, count), { waitFor: 3 })).found).toMatch(words);
});

test('a service that stumbles is asked again, but not for ever', async () => {
	const stumble = (times: number) => {
		const ton = new FakeTon();
		ton.changes.transactionsByMessage = (answer, _query, count) => {
			if (count < times) throw new RequestFailure('out of order');
			return answer;
		};
		return ton;
	};
	expect((await waiting(createTransfer(), {}, stumble(10))).found).toHaveLength(1);
	expect((await waiting(createTransfer(), {}, stumble(50))).found).toBe('out of order');
});

test.each<[string, (rows: readonly Row[]) => unknown, RegExp]>([
	[
		'another transaction',
		() => [transactionRow(WALLET, 9)],
		/the transaction of the message that was asked for/,
	],
	[
		'what is not final yet',
		(rows) => rows.map((row) => ({ ...row, finality: 'pending' })),
		/is not in a block/,
	],
	[
		'cells that are none',
		(rows) =>
			rows.map((row) => ({
				...row,
				in_msg: { ...(row.in_msg as Row), message_content: { body: '!' } },
			})),
		/Its in_msg\.message_content\.body must be/,
	],
])('%s never completes a transfer', async (_, change, words) => {
	const ton = new FakeTon();
	ton.changes.transactionsByMessage = ({ transactions }) => ({
		transactions: change(transactions as Row[]),
	});
	expect((await waiting(createTransfer(), { waitFor: 5 }, ton)).found).toMatch(words);
});
