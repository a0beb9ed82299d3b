import { Address, Cell, comment, loadShardAccount, toNano } from '@ton/core';
import { signTonTransfer } from '../nodes/core/tonSigner';
import { parseTonRules } from '../rules/tonRules';
import { describeWorstCase } from '../rules/worstCase';
import { setClock } from './support/clock.mts';
import { readBody, take, wrap, writeAccount } from './support/tonMachine.mts';
import { buildTransfer, KEY } from './support/tonTransfers.mts';
import { buildWalletData, KEY_WALLETS, type KeyWallet } from './support/tonWallets.mts';

const NOW = '2026-11-24T12:00:00Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;
const SEQNO = 7;

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const KINDS = ['v3r2', 'v4r2', 'v5r1'] as const;
const STRANGER = new Address(0, Buffer.alloc(32, 9));
const MAX_FEE = '0.05';

const rulesOf = (walletType: KeyWallet) =>
	parseTonRules({
		walletType,
		maxAmount: '0.1',
		maxFee: MAX_FEE,
		dailyTransactions: '1',
		firstNonce: String(SEQNO),
		firstDay: NOW.slice(0, 10),
	});

/** Signs a payment of 0 coins with a long comment, in the message that costs the wallet most. */
function sign(name: KeyWallet, characters: number): Cell {
	const messages = [{ to: STRANGER, amount: 0n, body: comment('x'.repeat(characters)) }];
	const place = { seqno: SEQNO, sendMode: 3, validUntil: NOW_SECONDS + 86_400 };
	const transfer = buildTransfer({ name, ...place, messages });
	const { signedMessage } = signTonTransfer(rulesOf(name), KEY, transfer);
	return wrap(readBody(signedMessage), KEY_WALLETS[name]);
}

const hold = (name: KeyWallet, coins: bigint) =>
	writeAccount(KEY_WALLETS[name], {
		coins,
		data: buildWalletData(name, SEQNO),
		paidUntil: NOW_SECONDS,
	});

/** Whether the wallet still has its first seqno, so that it accepts the message again. */
function keepsSeqno(name: KeyWallet, account: string): boolean {
	const { state } = loadShardAccount(Cell.fromBase64(account).beginParse()).account!.storage;
	const data = state.type === 'active' ? state.state.data : undefined;
	return data?.equals(buildWalletData(name, SEQNO)) ?? false;
}

const SHORT = 0;
const LONG = 5_000;

/** Finds the highest balance that the message burns as fees without a change of the seqno, to within 100 nanocoins. */
async function findBurned(name: KeyWallet, message: Cell): Promise<bigint> {
	let [burned, enough] = [0n, toNano(MAX_FEE)];
	while (enough - burned > 100n) {
		const middle = (burned + enough) / 2n;
		const taken = await take(hold(name, middle), message, NOW_SECONDS);
		if (taken && !keepsSeqno(name, taken.account)) enough = middle;
		else burned = middle;
	}
	return burned;
}

test.each(KINDS)(
	'a balance of %s below Max Fee burns as often as somebody fills it up, and the sentence says so',
	async (name) => {
		for (const characters of [SHORT, LONG]) {
			const message = sign(name, characters);
			const coins = await findBurned(name, message);
			const taken = await take(hold(name, coins), message, NOW_SECONDS);
			expect(taken && keepsSeqno(name, taken.account)).toBe(true);
			expect(taken?.lost).toBeGreaterThan(coins - 1_000n);
			expect(coins).toBeLessThan(toNano(MAX_FEE));
		}
		const most = `burn the whole balance of any of these wallets on fees, whenever it is below ${MAX_FEE}`;
		expect(describeWorstCase(rulesOf(name))).toContain(most);
	},
);

test.each(KINDS)('a balance of %s of Max Fee is not burned by any message', async (name) => {
	for (const characters of [SHORT, 1_000, LONG]) {
		const taken = await take(hold(name, toNano(MAX_FEE)), sign(name, characters), NOW_SECONDS);
		expect(taken && keepsSeqno(name, taken.account)).toBe(false);
	}
});
