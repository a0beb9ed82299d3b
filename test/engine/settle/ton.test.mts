import { Address, beginCell, comment, internal, toNano, type MessageRelaxed } from '@ton/core';
import type { PaymentOutcome, SignedPayment } from '../../../nodes/core/chain/ownPayment';
import { restOperation } from '../../../nodes/core/protocols/rest';
import { connectRest } from '../../../nodes/core/protocols/rest';
import { parseSignedPayment, settlePayment } from '../../../nodes/core/ton/settle';
import { readSignedPayment } from '../../../nodes/core/ton/signedPayment';
import { takeRows } from '../../harness/caseCount.mts';
import { given, runFunction } from '../../harness/functionNode.mts';
import {
	KINDS,
	openTon,
	openWallets,
	signTransfer,
	wrap,
	type Kind,
} from '../../sandbox/support/tonClient.mts';

const ton = openTon();
const SHOP = `0:${'d1'.repeat(32)}`;
const alice = () => openWallets(ton.chain().people.alice);
const accountOf = (kind: Kind) => ton.chain().people.alice[kind];

const operation = restOperation({
	name: 'Settle',
	action: 'Settle',
	description: 'Settle',
	waits: true,
	fields: [given],
	async *run(p, context) {
		const { signed, seconds, isRead } = p.given as Record<string, unknown>;
		const message = parseSignedPayment(signed);
		yield isRead
			? formatPayment(await readSignedPayment(context, message))
			: await settlePayment(context, message, { seconds: Number(seconds) });
	},
});

const formatPayment = ({ value, ...rest }: SignedPayment) => ({ ...rest, value: String(value) });

async function perform(json: object) {
	const items = [json as Record<string, never>];
	const { items: found, error } = await runFunction(
		operation,
		connectRest,
		ton.sandbox.credentials.token,
		items,
	);
	expect(error?.message).toBeUndefined();
	return found[0]?.json;
}

const settle = async (signed: string, seconds = 20) =>
	(await perform({ signed, seconds })) as unknown as PaymentOutcome;

async function seqnoOf(kind: Kind): Promise<number> {
	const { json } = await ton.get('walletInformation', { address: accountOf(kind) });
	return Number(json.seqno ?? 0);
}

interface Signing {
	readonly kind?: Kind;
	readonly seqno?: number;
	readonly timeout?: number;
}

async function sign(messages: MessageRelaxed[], more: Signing = {}): Promise<string> {
	const { kind = 'v4r2', seqno = await seqnoOf(kind), timeout } = more;
	return wrap(
		Address.parse(accountOf(kind)),
		signTransfer(alice(), kind, { seqno, messages, ...(timeout && { timeout }) }),
	);
}

const pay = (more: { to?: string; value?: string; words?: string; bounce?: boolean } = {}) =>
	internal({
		to: Address.parse(more.to ?? SHOP),
		value: toNano(more.value ?? '0.25'),
		bounce: more.bounce ?? false,
		...(more.words !== undefined && { body: comment(more.words) }),
	});

async function payJettons(to: string, amount: bigint): Promise<MessageRelaxed> {
	const owner_address = accountOf('v4r2');
	const [own] = await ton.list('jetton/wallets', 'jetton_wallets', {
		owner_address,
		jetton_address: ton.chain().jetton,
	});
	const body = beginCell()
		.storeUint(0x0f8a7ea5, 32)
		.storeUint(7, 64)
		.storeCoins(amount)
		.storeAddress(Address.parse(to))
		.storeAddress(Address.parse(owner_address))
		.storeMaybeRef(null)
		.storeCoins(toNano('0.01'))
		.storeMaybeRef(comment('order 7'));
	return internal({
		to: Address.parse(String(own?.address)),
		value: toNano('0.08'),
		body: body.endCell(),
	});
}

const balanceOf = async (address: string) => {
	const [row] = await ton.list('accountStates', 'accounts', { address });
	return BigInt(String(row?.balance ?? 0));
};
const jettonsOf = async (owner_address: string) => {
	const query = { owner_address, jetton_address: ton.chain().jetton };
	const [row] = await ton.list('jetton/wallets', 'jetton_wallets', query);
	return BigInt(String(row?.balance ?? 0));
};

const sendings = async () =>
	(await ton.sandbox.record()).filter(({ path }) => path.endsWith('/message')).length;

/** Reads the last transfer of a wallet from the chain itself. */
async function lastOf(kind: Kind) {
	const rows = await ton.list('transactions', 'transactions', {
		account: accountOf(kind),
		sort: 'desc',
	});
	const row = rows.find((one) => (one.in_msg as { source: unknown }).source === null);
	return {
		transactionHash: Buffer.from(String(row?.hash), 'base64').toString('hex'),
		blockNumber: row?.mc_block_seqno,
		timestamp: new Date(Number(row?.now) * 1000).toISOString(),
	};
}

describe('a payment is confirmed, and paid once,', () => {
	test.each(takeRows(KINDS, 2))('from a wallet %s', async (kind) => {
		const before = await balanceOf(SHOP);
		const [held, signed] = [await balanceOf(accountOf(kind)), await sign([pay()], { kind })];
		const outcome = await settle(signed);
		expect(outcome).toMatchObject({ status: 'confirmed', reason: null, ...(await lastOf(kind)) });
		const paid = (await balanceOf(SHOP)) - before;
		expect(paid).toBeGreaterThan(toNano('0.24'));
		const cost = held - (await balanceOf(accountOf(kind))) - toNano('0.25');
		expect(Number(cost - toNano(outcome.fee ?? '')) / 1e9).toBeCloseTo(0, 3);
	});

	test('when its answer is lost, and settled again', async () => {
		await ton.sandbox.fault({ path: '/message$', times: 1, do: { reset: 'after' } });
		const [before, seqno] = [await balanceOf(SHOP), await seqnoOf('v4r2')];
		const signed = await sign([pay()]);
		const outcome = await settle(signed, 60);
		expect(outcome).toMatchObject({ status: 'confirmed' });
		expect(await settle(signed)).toEqual(outcome);
		expect(await seqnoOf('v4r2')).toBe(seqno + 1);
		expect((await balanceOf(SHOP)) - before).toBeLessThanOrEqual(toNano('0.25'));
	});

	test('by three runs at once', async () => {
		const before = await balanceOf(SHOP);
		const signed = await sign([pay()]);
		const all = await Promise.all([1, 2, 3].map(async () => await settle(signed)));
		expect(all).toEqual(Array(3).fill(all[0]));
		expect(all[0]).toMatchObject({ status: 'confirmed' });
		expect((await balanceOf(SHOP)) - before).toBeLessThanOrEqual(toNano('0.25'));
	});

	test('in jettons, though the receiver fails over the notification', async () => {
		const before = await jettonsOf(SHOP);
		await ton.control('fail', { address: SHOP, exitCode: 99 });
		const outcome = await settle(await sign([await payJettons(SHOP, 5n)]));
		expect(outcome).toMatchObject({ status: 'confirmed', ...(await lastOf('v4r2')) });
		expect((await jettonsOf(SHOP)) - before).toBe(5n);
	});
});

describe('a payment has failed', () => {
	test('once its coins came back', async () => {
		const nobody = `0:${'ef'.repeat(32)}`;
		const outcome = await settle(await sign([pay({ to: nobody, bounce: true })]));
		expect(outcome).toMatchObject({ status: 'failed', ...(await lastOf('v4r2')) });
		expect(outcome.reason).toMatch(/the coins came back$/);
	});

	test('once it could not be paid for', async () => {
		const outcome = await settle(await sign([pay({ value: '999999999' })]));
		expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringMatching(/left out/) });
	});

	test("once its jettons did not get into the receiver's jetton wallet", async () => {
		const to = accountOf('v3r2');
		await settle(await sign([await payJettons(to, 1n)]));
		const query = { owner_address: to, jetton_address: ton.chain().jetton };
		const [wallet] = await ton.list('jetton/wallets', 'jetton_wallets', query);
		await ton.control('fail', { address: String(wallet?.address), exitCode: 77 });
		const before = await jettonsOf(accountOf('v4r2'));
		const outcome = await settle(await sign([await payJettons(to, 5n)]));
		expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('77') });
		expect(await jettonsOf(accountOf('v4r2'))).toBe(before);
	});

	test('once another transfer has its seqno', async () => {
		const seqno = await seqnoOf('v4r2');
		const [signed, other] = [await sign([pay()]), await sign([pay({ value: '0.1' })])];
		await ton.post('message', { boc: other });
		const { transactionHash } = await lastOf('v4r2');
		expect(await settle(signed)).toEqual({
			status: 'failed',
			transactionHash: null,
			fee: null,
			blockNumber: null,
			timestamp: null,
			reason: expect.stringMatching(
				new RegExp(
					`^Another transfer of the wallet came first, with the same number \\(seqno\\) ${seqno}: transaction ${transactionHash}\\. That transfer sends 0\\.1 TON to \\S+\\. This payment can never be carried out\\.$`,
				),
			),
		});
	}, 120_000);

	test('once another transfer that sent nothing has its seqno', async () => {
		const [signed, other] = [await sign([pay()]), await sign([pay({ value: '999999999' })])];
		await ton.post('message', { boc: other });
		const { transactionHash } = await lastOf('v4r2');
		expect(await settle(signed)).toMatchObject({
			status: 'failed',
			reason: expect.stringContaining(
				`transaction ${transactionHash}. That transfer sent nothing: its message could not be paid for`,
			),
		});
	}, 120_000);

	test('once it has expired, and not while the chain may have it', async () => {
		const { now } = await ton.describe();
		await ton.sandbox.fault({ path: '/message$', times: -1, do: { status: 401, body: {} } });
		const signed = await sign([pay()], { timeout: now + 1000 });
		expect(await settle(signed, 1)).toMatchObject({ status: 'unknown', transactionHash: null });
		await ton.control('time', { seconds: 850 });
		expect(await settle(signed, 1)).toMatchObject({ status: 'unknown' });
		await ton.control('time', { seconds: 300 });
		// The service's clock alone does not decide that a transfer has expired: n8n's clock must agree.
		expect(await settle(signed, 1)).toMatchObject({
			status: 'unknown',
			hint: expect.stringMatching(
				/^The time of the service is \d+ seconds ahead of the clock of n8n/,
			),
		});
		const readClock = Date.now;
		jest.spyOn(Date, 'now').mockImplementation(() => readClock() + 1_150_000);
		expect(await settle(signed, 1)).toMatchObject({
			status: 'failed',
			reason: expect.stringMatching(/has expired.*It can never be carried out\.$/),
		});
	}, 240_000);

	afterEach(() => void jest.restoreAllMocks());
});

describe('nobody knows yet what becomes of a payment', () => {
	test('that waits for its block, or is not carried out to its end', async () => {
		await ton.configure({ hold: true });
		const signed = await sign([pay()]);
		expect(await settle(signed, 1)).toMatchObject({ status: 'unknown', transactionHash: null });
		await ton.control('step', { messages: 1 });
		const begun = await settle(signed, 1);
		expect(begun).toMatchObject({ status: 'unknown', fee: null, blockNumber: null });
		expect(begun.reason).toMatch(/not all of it is carried out.*run Finish/);
		expect(begun.transactionHash).toBe((await lastOf('v4r2')).transactionHash);
		await ton.configure({ hold: false });
		await ton.control('step', { messages: 10 });
		expect(await settle(signed)).toMatchObject({ status: 'confirmed' });
		expect(await sendings()).toBeGreaterThan(0);
	}, 120_000);

	test('that has expired, of a wallet that is not there', async () => {
		const { now } = await ton.describe();
		const wallets = openWallets({ ...ton.chain().people.alice, secret: '77'.repeat(32) });
		const body = signTransfer(wallets, 'v4r2', { seqno: 3, messages: [pay()], timeout: now - 900 });
		const outcome = await settle(wrap(wallets.v4r2.address, body), 1);
		expect(outcome).toMatchObject({ status: 'unknown' });
	}, 120_000);
});

describe('what is paid is read from the bytes', () => {
	const read = async (signed: string) => await perform({ signed, isRead: true });
	const friendly = (raw: string, bounceable: boolean) =>
		Address.parse(raw).toString({ bounceable });

	test.each(takeRows(KINDS, 2))('of a wallet %s', async (kind) => {
		const [signed, from] = [await sign([pay({ words: 'order 7' })], { kind }), accountOf(kind)];
		expect(await read(signed)).toMatchObject({
			from: friendly(from, false),
			token: null,
			value: String(toNano('0.25')),
			comment: 'order 7',
			symbol: 'TON',
			decimals: 9,
		});
		expect(Address.parse(String((await read(signed))?.to)).toRawString()).toBe(SHOP);
		for (const messages of [
			[pay(), pay()],
			[internal({ to: SHOP, value: 1n, body: beginCell().storeUint(5, 32).endCell() })],
		])
			expect(await read(await sign(messages, { kind }))).toMatchObject({ to: null, value: 'null' });
	});

	test('in jettons', async () => {
		expect(await read(await sign([await payJettons(SHOP, 5n)]))).toMatchObject({
			token: friendly(ton.chain().jetton, true),
			value: '5',
			comment: 'order 7',
			decimals: expect.any(Number),
			symbol: expect.any(String),
		});
	});
});
