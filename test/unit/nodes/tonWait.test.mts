import { Address, beginCell, fromNano, internal, SendMode, storeOutList, toNano } from '@ton/core';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { wait } from '../../../nodes/Ton/transaction/transaction';
import {
	buildJettonTransfer,
	getJettonWalletAddress,
} from '../../../sandbox/apis/ton/contracts.mts';
import { alice, bob, giver } from '../../../sandbox/apis/ton/keys.mts';
import { seedJetton } from '../../../sandbox/apis/ton/seed.mts';
import { freezeTime, sign, TonIndex, wrap } from '../support/tonChain.mts';
import { failureOf, hashOf, rawOf, type Row, runTon, toHex } from '../support/tonService.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const WALLET = alice.v4r2.address;
const OWN_JETTONS = getJettonWalletAddress(seedJetton, WALLET);
const THEIR_JETTONS = getJettonWalletAddress(seedJetton, bob.v4r2.address);
/** Two accounts without transactions. */
const [NOBODY, OTHER] = ['e', 'f'].map((digit) => Address.parse(rawOf(digit))) as [
	Address,
	Address,
];
const at = (account: Address, bounceable = true) => `At ${account.toString({ bounceable })}`;

/**
 * The message of a jetton payment. It goes from the sender's jetton wallet to the receiver's and then to the
 * receiver, and unused coins return to the sender.
 */
const payJettons = (amount = 5n, to = bob.v4r2.address) =>
	internal({
		to: OWN_JETTONS,
		value: toNano('0.1'),
		body: buildJettonTransfer({ amount, to, response: WALLET, forward: 1n, payload: null }),
	});
const payCoins = (to: Address, coins = '0.5', bounce = true) =>
	internal({ to, value: toNano(coins), bounce });

interface Sending {
	readonly message?: Awaited<ReturnType<typeof sign>>;
	readonly given?: (hashes: { readonly plain: string; readonly hash: string }) => Row;
	/** The number of messages that arrive before the chain stops. */
	readonly steps?: number;
	readonly ton?: TonIndex;
}

const signPayment = async (...messages: Array<ReturnType<typeof internal>>) =>
	await sign('v4r2', { seqno: 1, messages });

/** Waits for a transfer on a chain where another message arrives each second. */
async function waiting({
	message,
	given = () => ({}),
	steps = Infinity,
	ton = new TonIndex(),
}: Sending = {}) {
	const { cell, hash, plainHash: plain } = message ?? (await signPayment(payJettons()));
	const ledger = await ton.ledger();
	const before = ledger.rows.length;
	await ledger.send(cell, { hold: true });
	const waits: number[] = [];
	const work = runTon(wait, { messageHash: hash, ...given({ plain, hash }) }, ton, {
		shared: createShared(),
		wait: async (milliseconds) => {
			waits.push(milliseconds);
			jest.setSystemTime(Date.now() + milliseconds);
			if (waits.length > 1 && waits.length <= steps + 1) await ledger.step(1);
		},
	});
	const found = await work.catch(async (failure) => await failureOf(Promise.reject(failure)));
	return { ton, waits, hash, found, rows: ledger.rows.slice(before) };
}

/** Creates a chain on which all messages to the given accounts fail. */
async function failing(...accounts: ReadonlyArray<readonly [Address, number]>): Promise<TonIndex> {
	const ton = new TonIndex();
	const { makeFail } = await ton.act();
	for (const [address, exitCode] of accounts)
		await makeFail({ address: address.toRawString(), exitCode });
	return ton;
}

freezeTime();

test('a transfer is complete when all that it set off is', async () => {
	const { found, waits, ton, hash, rows } = await waiting();
	const accounts = [WALLET, OWN_JETTONS, THEIR_JETTONS, bob.v4r2.address, WALLET];
	expect(rows.map(({ account }) => account)).toEqual(accounts.map((one) => one.toRawString()));
	const [first] = rows;
	expect(found).toEqual([
		{
			messageHash: hash,
			transactionHash: toHex(first?.hash ?? ''),
			success: true,
			exitCode: 0,
			fee: fromNano(rows.reduce((sum, { transaction }) => sum + transaction.totalFees.coins, 0n)),
			reason: null,
			timestamp: '2026-01-15T10:00:01.000Z',
			lt: String(first?.transaction.lt),
		},
	]);
	expect(waits).toEqual([0, 1000, 1000, 1000, 1000, 1000]);
	// Transactions that were read before are not asked for again.
	expect(ton.count('transactionsByMessage')).toBe(1 + 2 + 2 + 3 + 3 + 1);
});

test('a log, which goes nowhere, is not waited for', async () => {
	const dest = null;
	const log = {
		info: { type: 'external-out', createdAt: 0, createdLt: 0n, dest },
		body: beginCell().endCell(),
	} as const;
	const message = await sign('v4r2', { seqno: 1, messages: [log, payCoins(giver.v3r2.address)] });
	const { found, rows } = await waiting({ message });
	expect(rows.map(({ transaction }) => transaction.outMessagesCount)).toEqual([2, 0]);
	expect(found).toMatchObject([{ success: true }]);
});

test('the hash may be the plain one, in hex or base64', async () => {
	const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
	for (const give of [
		({ plain }: { plain: string }) => plain,
		({ plain }: { plain: string }) => base64(plain),
		({ hash }: { hash: string }) => base64(hash),
	]) {
		const { found, hash } = await waiting({
			given: (hashes) => ({ messageHash: give({ ...hashes }) }),
		});
		expect(found).toMatchObject([{ messageHash: hash }]);
	}
});

/**
 * The library `@ton/ton` adds the send mode IGNORE_ERRORS, which the wallet requires. To test a transfer without it,
 * this function builds the transfer once more.
 */
async function signWithoutIgnoringErrors() {
	const foreign = await alice.v5r1.createTransfer({
		seqno: 1,
		signer: alice.signer,
		sendMode: SendMode.IGNORE_ERRORS,
		timeout: 2 ** 32 - 1,
		messages: [payCoins(OTHER)],
	});
	const actions = storeOutList([
		{ type: 'sendMsg', mode: SendMode.PAY_GAS_SEPARATELY, outMsg: payCoins(OTHER) },
	]);
	const unsigned = beginCell()
		.storeBits(foreign.beginParse().loadBits(128))
		.storeMaybeRef(beginCell().store(actions).endCell())
		.storeBit(false);
	const signature = await alice.signer(unsigned.endCell());
	return wrap(alice.v5r1, unsigned.storeBuffer(signature).endCell());
}

test.each<[string, () => Promise<Sending>, string]>([
	[
		"the receiver's jetton wallet",
		async () => ({ ton: await failing([THEIR_JETTONS, 707]) }),
		`${at(THEIR_JETTONS)}: the contract ended with exit code 707 (the sender is no wallet of this jetton)`,
	],
	[
		'the own jetton wallet',
		async () => ({ message: await signPayment(payJettons(10n ** 15n)) }),
		`${at(OWN_JETTONS)}: the contract ended with exit code 706 (the jettons do not suffice), and the coins came back`,
	],
	[
		'an account without code',
		async () => ({ message: await signPayment(payCoins(NOBODY)) }),
		`${at(NOBODY, false)}: the message was sent back, and the coins came back`,
	],
	[
		'a contract that fails',
		async () => ({ message: await signPayment(payCoins(OTHER)), ton: await failing([OTHER, 77]) }),
		`${at(OTHER)}: the contract ended with exit code 77, and the coins came back`,
	],
	[
		'the wallet, whose coins do not suffice',
		async () => ({ message: await signPayment(payCoins(OTHER, '1000000')) }),
		`${at(WALLET, false)}: a message could not be paid for, and was left out`,
	],
	[
		'the wallet, which takes no such mode',
		async () => ({ message: await signWithoutIgnoringErrors() }),
		`${at(alice.v5r1.address, false)}: the contract ended with exit code 137 (the send mode does not ignore errors, which the wallet wants)`,
	],
])('a failure at %s says where and why', async (_, prepare, reason) => {
	const { found } = await waiting(await prepare());
	expect(found).toMatchObject([{ success: false, reason }]);
});

test('the first of several failures is the one that counts', async () => {
	const message = await signPayment(
		payCoins(NOBODY, '0.5', false),
		payCoins(OTHER),
		payCoins(THEIR_JETTONS),
	);
	const ton = await failing([THEIR_JETTONS, 707], [OTHER, 9]);
	const { found } = await waiting({ message, ton });
	expect(found).toMatchObject([{ reason: expect.stringMatching(/exit code 9\b/) }]);
});

test.each([
	['coins', 'an account without code', payCoins(NOBODY, '0.5', false), 'no-state'],
	['a notice', 'an account without gas for more', payJettons(), 'no-gas'],
])('%s that arrived at %s have not failed', async (_, _where, message, reason) => {
	const { found, rows } = await waiting({ message: await signPayment(message) });
	const [skipped] = rows
		.map(({ transaction }) => transaction.description)
		.filter((one) => one.type === 'generic' && one.aborted);
	expect(skipped).toMatchObject({ computePhase: { type: 'skipped', reason } });
	expect(found).toMatchObject([{ success: true, reason: null }]);
});

test.each<[number, RegExp]>([
	[0, /^The message is not in a block after 3 s/],
	[
		2,
		/^The wallet has sent the transfer, but not all of it is carried out after 3 s. Transactions of the transfer that are on the chain so far: 2\./,
	],
])('when the time is over it says how far it came (%p)', async (steps, words) => {
	expect((await waiting({ steps, given: () => ({ waitFor: 3 }) })).found).toMatch(words);
});

test('a service that stumbles is asked again, but not for ever', async () => {
	const stumble = (times: number) => {
		const ton = new TonIndex();
		ton.changes.transactionsByMessage = (answer, _query, count) => {
			if (count < times) throw new RequestFailure('out of order');
			return answer;
		};
		return ton;
	};
	expect((await waiting({ ton: stumble(10) })).found).toHaveLength(1);
	expect((await waiting({ ton: stumble(50) })).found).toBe('out of order');
});

test.each<[string, (row: Row) => Row, RegExp]>([
	[
		'another transaction',
		(row) => ({
			...row,
			in_msg: { ...(row.in_msg as Row), hash: hashOf(1), hash_norm: hashOf(2) },
		}),
		/the transaction of the message that was asked for/,
	],
	['what is not final yet', (row) => ({ ...row, finality: 'pending' }), /is not in a block/],
	[
		'cells that are none',
		(row) => ({ ...row, in_msg: { ...(row.in_msg as Row), message_content: { body: '!' } } }),
		/Its in_msg\.message_content\.body must be/,
	],
])('%s never completes a transfer', async (_, change, words) => {
	const ton = new TonIndex();
	ton.changes.transactionsByMessage = ({ transactions }) => ({
		transactions: (transactions as Row[]).map(change),
	});
	expect((await waiting({ ton, given: () => ({ waitFor: 5 }) })).found).toMatch(words);
});
