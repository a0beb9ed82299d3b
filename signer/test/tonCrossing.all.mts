import { Address, toNano } from '@ton/core';
import { catching, InvalidInput } from '../../nodes/core';
import { signTonTransfer } from '../nodes/core/tonSigner';
import { computeHighestTonFee } from '../rules/tonFee';
import { parseTonRules } from '../rules/tonRules';
import { setClock } from './support/clock.mts';
import { readBody, takeOften, wrap, writeAccount } from './support/tonMachine.mts';
import { buildTransfer, KEY, type Asked, type Message } from './support/tonTransfers.mts';
import { buildWalletData, KEY_WALLETS, type KeyWallet } from './support/tonWallets.mts';

const NOW = '2026-11-24T12:00:00Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;
const PLACE = { seqno: 7, validUntil: NOW_SECONDS + 86_400 };

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const STRANGER = new Address(0, Buffer.alloc(32, 9));

/**
 * Signs a transfer for the wallet `name`, and sends the signed message to the wallet `holder` of the same key. Both
 * have the same seqno. The holder has 1 TON, and owes a month of storage fees.
 */
async function giveTo(
	holder: KeyWallet,
	name: KeyWallet,
	asked: Omit<Asked, 'name' | 'seqno' | 'validUntil'>,
) {
	const rules = parseTonRules({
		maxAmount: 'unlimited',
		maxFee: '9',
		walletType: name.slice(0, 4),
	});
	const transfer = buildTransfer({ name, ...PLACE, ...asked });
	const { signedMessage } = signTonTransfer(rules, KEY, transfer);
	const wallet = KEY_WALLETS[holder];
	const account = writeAccount(wallet, {
		coins: toNano('1'),
		data: buildWalletData(holder, PLACE.seqno),
		paidUntil: NOW_SECONDS - 2_592_000,
	});
	const found = await takeOften(account, wrap(readBody(signedMessage), wallet), {
		now: NOW_SECONDS,
		most: 5,
	});
	const bound = computeHighestTonFee(rules.walletType, transfer);
	return { ...found, bound, sent: asked.messages.reduce((sum, { amount }) => sum + amount, 0n) };
}

const pay = (amount: bigint): Message => ({ to: STRANGER, amount });
const LISTS: ReadonlyArray<readonly Message[]> = [
	[pay(1n)],
	[pay(toNano('0.1')), pay(toNano('0.2'))],
	[pay(toNano('2'))],
	[pay(1n), pay(2n), pay(3n), pay(toNano('5'))],
];
const MODES = [0, 1, 2, 3, 130, 131];
const asks = LISTS.flatMap((messages) => MODES.map((sendMode) => ({ messages, sendMode })));

test('no other wallet takes a signature for the fifth version, and that takes none of theirs', async () => {
	const older = ['v3r1', 'v3r2', 'v4r2'] as const;
	const pairs: ReadonlyArray<readonly [holder: KeyWallet, name: KeyWallet]> = [
		...[...older, 'v5r1Test' as const].map((one) => [one, 'v5r1'] as const),
		...[...older, 'v5r1' as const].map((one) => [one, 'v5r1Test'] as const),
		['v5r1', 'v3r2'],
		['v5r1', 'v4r2'],
		['v5r1Test', 'v3r2'],
		['v5r1Test', 'v4r2'],
	];
	for (const [holder, name] of pairs) {
		for (const ask of asks.slice(0, 3)) expect((await giveTo(holder, name, ask)).times).toBe(0);
	}
});

test('a v3r1 takes a signature for v3r2 once, at the same cost', async () => {
	for (const ask of asks) {
		const { times, charged, bound } = await giveTo('v3r1', 'v3r2', ask);
		expect(times).toBe(1);
		expect(charged).toBeLessThanOrEqual(bound);
	}
});

test('a v4r2 takes a signature for v3r2 once, sends nothing, and pays no more than the fee', async () => {
	for (const ask of asks) {
		const { times, lost, bound } = await giveTo('v4r2', 'v3r2', ask);
		expect(times).toBe(1);
		expect(lost).toBeLessThanOrEqual(bound);
	}
});

test('the v3 wallets are burned by signatures for v4r2, as the sentence says', async () => {
	for (const holder of ['v3r1', 'v3r2'] as const) {
		const messages = [pay(toNano('2'))];
		const { times, lost } = await giveTo(holder, 'v4r2', { messages, sendMode: 3 });
		expect(times).toBe(5);
		expect(lost).toBeGreaterThan(toNano('0.01'));
	}
});

test('wallets of lower seqnos get no more signatures than the budget has numbers', async () => {
	const budget = { dailyTransactions: '1', firstNonce: '7', firstDay: NOW.slice(0, 10) };
	const rules = parseTonRules({ maxAmount: '0.1', walletType: 'v5r1', ...budget });
	const attempt = (seqno: number) => () =>
		signTonTransfer(
			rules,
			KEY,
			buildTransfer({ name: 'v5r1Test', ...PLACE, seqno, sendMode: 3, messages: [pay(1n)] }),
		);
	const signed = Array.from({ length: 9 }, (_, seqno) => attempt(seqno)).filter(
		(one) => !(catching(InvalidInput, one) instanceof InvalidInput),
	);
	expect(signed).toHaveLength(1);
});
