import { Address, beginCell, Cell, fromNano, internal, SendMode, toNano } from '@ton/core';
import { parseTransfer } from '../../../nodes/core/ton/transfer';
import { prepare } from '../../../nodes/Ton/transaction/prepare/prepare';
import { SEED_SECONDS } from '../../../sandbox/apis/ton/chainState.mts';
import { getJettonWalletAddress } from '../../../sandbox/apis/ton/contracts.mts';
import { alice, bob, signTransfer } from '../../../sandbox/apis/ton/keys.mts';
import { collection, seedJetton, seedNft } from '../../../sandbox/apis/ton/seed.mts';
import { freezeTime, sign, TonIndex } from '../support/tonChain.mts';
import {
	bocOf,
	commentCell,
	failureOf,
	friendlyOf,
	rawOf,
	type Row,
	runTon,
	upperRaw,
} from '../support/tonService.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const PAYEE = rawOf('e');
const CONTRACT = upperRaw(collection);
const MASTER = upperRaw(seedJetton);
const JETTON_WALLET = upperRaw(getJettonWalletAddress(seedJetton, alice.v5r1.address));
const NFT = upperRaw(seedNft);
const FROM = alice.v5r1.address.toString({ bounceable: false });
/** The NFT belongs to another wallet of the same person. */
const NFT_OWNER = alice.v4r2.address.toString();

interface Prepared {
	readonly transfer: {
		readonly walletType: string | null;
		readonly seqno: number;
		readonly sendMode: number;
		readonly validUntil: number;
		readonly messages: ReadonlyArray<Readonly<Record<string, unknown>>>;
	};
	readonly fee: string | null;
	readonly maxCost: string;
	readonly summary: string;
}

/** Reads how many coins the wallet has. */
async function readCoins(ton: TonIndex): Promise<bigint> {
	const account = (await ton.ledger()).getAccount(alice.v5r1.address.toRawString());
	return account?.account?.storage.balance.coins ?? 0n;
}

const POOR_COINS = 2_600_000n;

/** Sets the wallet's balance to less than a fee, as if it had paid the rest to somebody. */
async function drain(ton: TonIndex): Promise<void> {
	const ledger = await ton.ledger();
	const raw = alice.v5r1.address.toRawString();
	const { account, ...position } = ledger.getAccount(raw)!;
	const storage = { ...account!.storage, balance: { coins: POOR_COINS } };
	ledger.setAccount(raw, { ...position, account: { ...account!, storage } });
}

/** Prepares several items side by side, as a run does, and returns the outcome of each item. */
async function prepareAll(items: readonly Row[], ton = new TonIndex()) {
	const shared = createShared();
	return await Promise.all(
		items.map(async (item) => {
			const work = runTon(prepare, { from: FROM, ...item }, ton, { shared });
			return await work.then(
				([made]) => made as unknown as Prepared,
				(failure: Error) => failure.message,
			);
		}),
	);
}

async function prepareOne(given: Row, ton = new TonIndex()): Promise<Prepared> {
	const [made] = await prepareAll([given], ton);
	if (typeof made !== 'object') throw new Error(made);
	return made;
}

const refusalOf = async (given: Row, ton = new TonIndex()) =>
	await failureOf(runTon(prepare, { from: FROM, ...given }, ton));

const cell = (bag: unknown) => Cell.fromBase64(String(bag));
const pay = { to: PAYEE, amount: '1.5' };
const payJettons = { kind: 'jettonTransfer', jetton: MASTER, to: PAYEE, amount: '25.5' };

freezeTime();

test('a payment of coins is what a signer takes, and costs what is said', async () => {
	const ton = new TonIndex();
	const made = await prepareOne({ ...pay, comment: 'Invoice 42' }, ton);
	const to = friendlyOf(PAYEE, false);
	const says = `Send 1.5 TON to ${to} with the comment "Invoice 42"`;
	const before = await readCoins(ton);
	const body = commentCell('Invoice 42');
	const message = internal({ to: Address.parse(to), value: '1.5', bounce: false, body });
	await (await ton.ledger()).send((await sign('v5r1', { seqno: 1, messages: [message] })).cell);
	const cost = before - (await readCoins(ton));
	const fee = fromNano(cost - toNano('1.5'));
	expect(made).toEqual({
		transfer: {
			from: FROM,
			walletType: 'v5r1',
			seqno: 1,
			validUntil: SEED_SECONDS + 300,
			sendMode: 3,
			messages: [
				{
					to,
					amount: '1500000000',
					bounce: false,
					stateInit: null,
					says: `${says}.`,
					body: bocOf(body),
				},
			],
		},
		fee,
		maxCost: fromNano(cost),
		summary: `${says}, for a fee of about ${fee} TON, at a cost of at most ${fromNano(cost)} TON, seqno 1, valid until 2026-01-15T10:05:00.000Z.`,
	});
	expect(parseTransfer(made.transfer)).toMatchObject({ seqno: 1, walletType: 'v5r1' });
});

test.each(['v3r2', 'v4r2', 'v5r1'] as const)(
	'what is estimated for a wallet %s is what the foreign library would send, but for the signature',
	async (type) => {
		const ton = new TonIndex();
		await prepareOne({ ...pay, from: alice[type].address.toString(), comment: 'x' }, ton);
		const { body } = ton.asked.find(({ method }) => method === 'estimateFee') ?? {};
		const foreign = await signTransfer(alice, type, {
			seqno: 1,
			timeout: 2 ** 32 - 1,
			sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
			messages: [
				internal({ to: Address.parse(PAYEE), value: '1.5', bounce: false, body: commentCell('x') }),
			],
		});
		const unsigned = (one: Cell) => {
			const slice = one.beginParse();
			if (type !== 'v5r1') return slice.skip(512).asCell().hash().toString('hex');
			const builder = beginCell().storeBits(slice.loadBits(slice.remainingBits - 512));
			while (slice.remainingRefs > 0) builder.storeRef(slice.loadRef());
			return builder.endCell().hash().toString('hex');
		};
		expect(unsigned(cell(body?.body))).toBe(unsigned(foreign));
		expect(body).toMatchObject({ ignore_chksig: true });
	},
);

test('items of one wallet follow each other, whatever form its address has; one that fails takes no seqno', async () => {
	const ton = new TonIndex();
	const made = await prepareAll(
		[
			pay,
			{ ...pay, to: CONTRACT },
			{ ...pay, amount: '1000' },
			{ ...pay, options: { seqno: 99 } },
			{ ...pay, from: alice.v5r1.address.toRawString() },
		],
		ton,
	);
	expect(made.map((one) => (typeof one === 'string' ? one : one.transfer.seqno))).toEqual([
		1,
		2,
		expect.stringMatching(` 1000\\.00\\d+ TON .* ${fromNano(await readCoins(ton))} TON `),
		99,
		3,
	]);
	expect(made[1]).toMatchObject({
		transfer: { messages: [{ bounce: true, to: friendlyOf(CONTRACT, true) }] },
	});
});

test('the word all takes what is left, and leaves nothing to the next', async () => {
	const ton = new TonIndex();
	const coins = await readCoins(ton);
	const items = [pay, { ...pay, amount: ' All ' }, { ...pay, amount: '0' }];
	const made = await prepareAll(items, ton);
	const left = coins - toNano((made[0] as Prepared).maxCost);
	expect(made[1]).toMatchObject({
		transfer: { sendMode: 130, seqno: 2, messages: [{ amount: String(left) }] },
		maxCost: fromNano(left),
		summary: expect.stringMatching(/^Send all coins to UQ/),
	});
	expect(made[2]).toMatch(/ TON .* TON /);
	const poor = new TonIndex();
	await drain(poor);
	expect(await readCoins(poor)).toBe(POOR_COINS);
	expect(await refusalOf({ ...pay, amount: 'all' }, poor)).toMatch(/ TON .* TON /);
});

test('a wallet that is not deployed has no kind and no fee, and keeps something for it', async () => {
	const ton = new TonIndex();
	const made = await prepareOne({ ...pay, from: bob.v4r2.address.toString() }, ton);
	expect(made).toMatchObject({ transfer: { walletType: null, seqno: 0 }, fee: null });
	expect(Number(made.maxCost)).toBeGreaterThan(1.506);
	expect(Number(made.maxCost)).toBeLessThan(1.6);
	expect(ton.count('estimateFee')).toBe(0);
});

test('the fee is null where the service can not say it, and other failures stay failures', async () => {
	const ton = new TonIndex();
	const { RequestFailure } = await import('../../../nodes/core/errors/requestFailure');
	ton.changes.estimateFee = () => {
		throw new RequestFailure('exit code 33', { httpCode: 500, maybeExecuted: true });
	};
	expect(await prepareOne(pay, ton)).toMatchObject({ fee: null });
	ton.changes.estimateFee = () => {
		throw new RequestFailure('no access', { httpCode: 401 });
	};
	expect(await refusalOf(pay, ton)).toBe('no access');
});

test('jettons leave the own jetton wallet', async () => {
	const made = await prepareOne({ ...payJettons, comment: 'June' });
	const [message] = made.transfer.messages;
	expect(message).toMatchObject({
		to: friendlyOf(JETTON_WALLET, true),
		amount: '50000000',
		bounce: true,
		says: `Send 25.5 of the jetton ${friendlyOf(MASTER, true)} ("SBD", 6 decimals) to ${friendlyOf(PAYEE, false)} with the comment "June", with 0.05 TON along.`,
	});
	const body = cell(message?.body).beginParse();
	expect(body.loadUint(32)).toBe(0x0f8a7ea5);
	body.loadUintBig(64);
	expect(body.loadCoins()).toBe(25_500_000n);
	expect(upperRaw(body.loadAddress())).toBe(PAYEE);
	expect(body.loadAddress().equals(alice.v5r1.address)).toBe(true);
	expect(body.loadBit()).toBe(false);
	expect(body.loadCoins()).toBe(1n);
	expect(body.loadMaybeRef()?.equals(commentCell('June'))).toBe(true);
	expect(made.maxCost).toBe(fromNano(toNano('0.05') + toNano(made.fee ?? '')));
});

test('jettons of several items have to suffice together', async () => {
	const half = { ...payJettons, amount: '500.5' };
	const made = await prepareAll([half, half, { ...half, amount: '499.5' }]);
	expect(made.map((one) => (typeof one === 'string' ? one : one.transfer.seqno))).toEqual([
		1,
		'The jettons do not suffice: 1001 are needed, 1000 are there',
		2,
	]);
});

test('an NFT is passed on by its owner', async () => {
	const given = { kind: 'nftTransfer', address: NFT, to: PAYEE };
	const made = await prepareOne({ ...given, from: NFT_OWNER });
	const [message] = made.transfer.messages;
	expect(message).toMatchObject({ to: friendlyOf(NFT, true), amount: '50000000', bounce: true });
	const body = cell(message?.body).beginParse();
	expect(body.loadUint(32)).toBe(0x5fcc3d14);
	body.loadUintBig(64);
	expect(upperRaw(body.loadAddress())).toBe(PAYEE);
	expect(await refusalOf(given)).toMatch(/belongs to UQ.*and not to the sender/);
	expect(await refusalOf({ ...given, address: CONTRACT })).toMatch(/^There is no NFT at EQ/);
});

test('several payments are one transfer, of coins and jettons', async () => {
	const payments = [
		{ to: PAYEE, amount: 1 },
		{ to: CONTRACT, amount: '0.5', comment: 'b' },
		{ to: PAYEE, amount: '2', jetton: MASTER },
	];
	const made = await prepareOne({ kind: 'several', paymentsBy: 'json', payments });
	expect(made.transfer.messages.map(({ to, amount }) => [to, amount])).toEqual([
		[friendlyOf(PAYEE, false), '1000000000'],
		[friendlyOf(CONTRACT, true), '500000000'],
		[friendlyOf(JETTON_WALLET, true), '50000000'],
	]);
	expect(made.maxCost).toBe(fromNano(toNano('1.55') + toNano(made.fee ?? '')));
	const list = JSON.stringify(Array.from({ length: 5 }, () => ({ to: PAYEE, amount: '0.1' })));
	expect(await prepareOne({ kind: 'several', paymentsBy: 'json', payments: list })).toHaveProperty(
		'fee',
	);
	const older = {
		kind: 'several',
		paymentsBy: 'json',
		payments: list,
		from: alice.v4r2.address.toString(),
	};
	expect(await refusalOf(older)).toMatch(
		/^'Payments' must hold at most 4 payments for a wallet of kind v4r2; got 5/,
	);
});

test('several payments are given in rows, too', async () => {
	const payments = [
		{ to: PAYEE, amount: '1' },
		{ to: CONTRACT, amount: '0.5', comment: 'b' },
		{ to: PAYEE, amount: '2', jetton: MASTER },
	];
	const inRows = await prepareOne({ kind: 'several', paymentFields: { payment: payments } });
	const asJson = await prepareOne({ kind: 'several', paymentsBy: 'json', payments });
	// The messages are compared without their bodies, because each transfer of jettons has a random number in its
	// body.
	const [rows, json] = [inRows, asJson].map(({ transfer }) =>
		transfer.messages.map(({ to, amount, says }) => [to, amount, says]),
	);
	expect(rows).toEqual(json);
	expect(rows).toHaveLength(3);
});

test("a message of one's own deploys what its address is the hash of", async () => {
	const { init, address } = bob.v4r2;
	const state = beginCell()
		.storeUint(0, 2)
		.storeMaybeRef(init.code)
		.storeMaybeRef(init.data)
		.storeBit(false)
		.endCell();
	const given = {
		kind: 'message',
		amount: '0.1',
		stateInit: bocOf(state),
		body: bocOf(commentCell('hi')),
	};
	const made = await prepareOne({ ...given, to: address.toString() });
	const [message] = made.transfer.messages;
	expect(message).toMatchObject({
		bounce: true,
		amount: '100000000',
		says: expect.stringMatching(/with the body [0-9a-f]{8}… and the code to deploy it/),
	});
	expect(cell(message?.stateInit).equals(state)).toBe(true);
	expect(await refusalOf({ ...given, to: PAYEE })).toMatch(
		/^'State Init' must belong to the account in 'To'/,
	);
});

test.each<[string, Row, RegExp]>([
	['a comment that is no text', { ...pay, comment: '\ud800' }, /^'Comment' must be/],
	[
		'coins with too many decimals',
		{ ...pay, amount: '0.0000000001' },
		/^'Amount' must be an amount with at most 9 decimals/,
	],
	[
		'more coins than a message can name',
		{ ...pay, amount: `1${'0'.repeat(40)}` },
		/^'Amount' must be an amount below 2\^120/,
	],
	[
		'an address with a wrong letter',
		{ ...pay, to: `${FROM.slice(0, -1)}!` },
		/^'To' must be an address/,
	],
	[
		'jettons for the jetton itself',
		{ ...payJettons, to: MASTER },
		/^'To' must be another address than the token's own contract/,
	],
	[
		'gas that what is handed on takes',
		{ ...payJettons, forwardAmount: '0.05' },
		/^'Gas' must be at least 0\.06 TON/,
	],
	[
		'no payments',
		{ kind: 'several', paymentsBy: 'json', payments: '[]' },
		/^'Payments' must be a list of 1 to 255 payments/,
	],
	[
		'no rows',
		{ kind: 'several', paymentFields: {} },
		/^'Payments' must be a list of 1 to 255 payments/,
	],
	[
		'a row with too many digits',
		{ kind: 'several', paymentFields: { payment: [{ to: PAYEE, amount: '1.0000000001' }] } },
		/^'Payments > Payment 1 > Amount' must be/,
	],
	[
		'a row for nobody',
		{ kind: 'several', paymentFields: { payment: [{ to: '', amount: '1' }] } },
		/^'Payments > Payment 1 > To' is required/,
	],
	[
		'a payment of nothing',
		{ kind: 'several', paymentsBy: 'json', payments: [{ to: PAYEE }] },
		/'amount' of payment 1 is/,
	],
	[
		'a payment with another key',
		{ kind: 'several', paymentsBy: 'json', payments: [{ ...pay, memo: 'x' }] },
		/payment 1 has no keys other than to/,
	],
	['a body that is none', { ...pay, kind: 'message', body: 'AAAA' }, /^'Body' must be/],
	[
		'a state that is none',
		{ ...pay, kind: 'message', stateInit: bocOf(commentCell('x'.repeat(9))) },
		/^'State Init' must be/,
	],
])('%s is refused before anything is asked', async (_, given, words) => {
	const ton = new TonIndex();
	expect(await refusalOf(given, ton)).toMatch(words);
	expect(ton.asked.filter(({ method }) => method !== 'accountStates')).toEqual([]);
});

const freeze = (ton: TonIndex) => {
	ton.changes.accountStates = ({ accounts }) => ({
		accounts: (accounts as Row[]).map((one) => ({ ...one, status: 'frozen' })),
	});
};

/** Creates another jetton. Returns the parameters with which the payment uses it. */
async function createJetton(ton: TonIndex, content: Readonly<Record<string, string>>) {
	const { address } = await (await ton.act()).createJetton({ content });
	return { jetton: address };
}

type Change = (ton: TonIndex) => void | Promise<Row>;

test.each<[string, Row, RegExp, Change?]>([
	[
		'a receiver that would bounce',
		{ ...pay, options: { bounce: true } },
		/^The coins would come back: no contract is deployed at UQ/,
	],
	['an unknown jetton', { ...payJettons, jetton: CONTRACT }, /^There is no jetton at EQ/],
	[
		'a jetton without decimals',
		payJettons,
		/^'Amount' must be an amount of a jetton that reports its decimals/,
		async (ton) => await createJetton(ton, { symbol: 'X' }),
	],
	[
		'jettons of which there are none',
		payJettons,
		/^The jettons do not suffice: 25\.5 are needed, 0 are there/,
		async (ton) => await createJetton(ton, { symbol: 'X', decimals: '6' }),
	],
	[
		'a contract that is no wallet',
		{ ...pay, from: CONTRACT },
		/is no wallet of a known kind.*v3r2, v4r2, v5r1/,
	],
	['a wallet with nothing', { ...pay, from: rawOf('9') }, / 1\.5.* TON .* 0 TON /],
	['a frozen wallet', pay, /is frozen/, freeze],
])('%s is refused', async (_, given, words, change = () => {}) => {
	const ton = new TonIndex();
	expect(await refusalOf({ ...given, ...(await change(ton)) }, ton)).toMatch(words);
});
