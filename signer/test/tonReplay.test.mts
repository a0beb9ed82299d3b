import { Address, beginCell, Cell, comment, loadMessage, storeStateInit } from '@ton/core';
import { isLongRing } from '../../test/harness/ring.mts';
import { setClock } from './support/clock.mts';
import { readWorst, signTransfers } from './support/ton.mts';
import { TonLedger } from './support/tonLedger.mts';
import { readTonSentence } from './support/tonSentence.mts';
import {
	buildWalletData,
	formatWallet,
	KEY_WALLETS,
	type KeyWallet,
} from './support/tonWallets.mts';

const NOW = '2026-11-24T12:00:00Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;
const VALID_UNTIL = NOW_SECONDS + 86_400;

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const COIN = 10n ** 9n;
/** What each wallet has. */
const BALANCE = COIN / 2n;
const SEQNO = 7;

/** It has no code, so that it bounces. */
const RECEIVER = new Address(0, Buffer.alloc(32, 1));
const IN_MASTERCHAIN = new Address(-1, Buffer.alloc(32, 2));

const toBase64 = (cell: Cell) => cell.toBoc().toString('base64');

/** Cells below each other like the branches of a tree, all different. */
function growTree(depth: number, prefix = 1): Cell {
	const builder = beginCell().storeUint(prefix, 32);
	if (depth > 0)
		for (let at = 0; at < 4; at++) builder.storeRef(growTree(depth - 1, 4 * prefix + at));
	return builder.endCell();
}

const LARGE = toBase64(growTree(5));
const STATE_INIT = toBase64(
	beginCell()
		.store(storeStateInit({ code: comment('code'), data: comment('data') }))
		.endCell(),
);
const SPECIAL = toBase64(
	beginCell()
		.store(
			storeStateInit({ splitDepth: 31, special: { tick: true, tock: true }, code: Cell.EMPTY }),
		)
		.endCell(),
);

const message = (change: object = {}) => ({
	to: RECEIVER.toRawString(),
	amount: '0',
	bounce: true,
	body: null,
	stateInit: null,
	...change,
});

const TOO_MUCH = { amount: String(2n * BALANCE) };

/** Messages of which none can be carried out as it is asked for. */
const FAILING: Readonly<Record<string, (own: string, most: number) => readonly object[]>> = {
	'too few coins': () => [message(TOO_MUCH)],
	'too few coins for the fee': () => [message({ amount: String(BALANCE) })],
	'nothing to the wallet itself': (own) => [message({ to: own })],
	'a receiver that bounces': () => [message({ amount: '100000000' })],
	'as many messages as there may be': (_, most) => Array.from({ length: most }, () => message()),
	'several messages, each with too few coins': (_, most) =>
		Array.from({ length: Math.min(most, 4) }, () => message(TOO_MUCH)),
	'a state init of another address': () => [message({ stateInit: STATE_INIT })],
	'a state init of the masterchain': () => [
		message({ to: IN_MASTERCHAIN.toRawString(), stateInit: SPECIAL }),
	],
	'a body of more than a thousand cells': () => [message({ body: LARGE })],
};

/** All that the signer may be asked to sign for. */
const NAMES = Object.keys(KEY_WALLETS) as readonly KeyWallet[];
const KINDS = ['v3r2', 'v4r2', 'v5r1'] as const;
const kindOf = (name: KeyWallet) => KINDS.find((kind) => name.startsWith(kind))!;
const MOST_MESSAGES = { v3r2: 4, v4r2: 4, v5r1: 255 } as const;

/** The modes that wallets use; the long ring tries all that fit into a byte. */
const USUAL_MODES = [0, 1, 2, 3, 130];
const MODES = isLongRing ? Array.from({ length: 256 }, (_, mode) => mode) : USUAL_MODES;
/** These modes are tried with all messages, the others with one each. */
const FULL_MODES = isLongRing ? [0, 1, 2, 3] : [3];

function listTransfers(name: KeyWallet) {
	const own = KEY_WALLETS[name].address.toRawString();
	const all = Object.entries(FAILING);
	return MODES.flatMap((sendMode) => {
		const tried = FULL_MODES.includes(sendMode) ? all : [all[sendMode % all.length]!];
		return tried.map(([way, build]) => ({
			way: `mode ${sendMode}, ${way}`,
			transfer: {
				from: formatWallet(name),
				walletType: null,
				walletId: null,
				seqno: SEQNO,
				validUntil: VALID_UNTIL,
				sendMode,
				messages: build(own, MOST_MESSAGES[kindOf(name)]),
			},
		}));
	});
}

/** All wallets of the key, one transfer after the other signed for each of the same number. */
function createLedger(): TonLedger {
	const ledger = new TonLedger(NOW_SECONDS);
	for (const name of NAMES)
		ledger.addWallet(KEY_WALLETS[name], { balance: BALANCE, data: buildWalletData(name, SEQNO) });
	ledger.addOther(RECEIVER);
	return ledger;
}

const ledger = createLedger();

describe.each(['v3r2', 'v4r2', 'v5r1', 'v5r1Test'] as const)('%s', (name) => {
	test('what is signed is taken once, whatever its mode and however it fails, and by no other wallet of the key', async () => {
		setClock(NOW);
		const asked = listTransfers(name);
		const rules = {
			walletType: kindOf(name),
			maxAmount: 'unlimited',
			maxFee: '1000000',
			contracts: '*',
		};
		const signed = await signTransfers(
			asked.map(({ transfer }) => transfer),
			{ rules },
		);
		const { others } = readTonSentence(await readWorst(rules));
		/** How often a wallet may take it: another one of the key does only where the sentence says so. */
		const mostOf = (other: KeyWallet) => {
			if (other === name) return 1;
			const takes = others.filter(({ names }) => names.test(other));
			return takes.some(({ isOnce }) => !isOnce) ? Infinity : takes.length;
		};
		const found: unknown[] = [];
		let count = 0;
		for (const [at, { signedMessage }] of signed.entries()) {
			if (typeof signedMessage !== 'string') continue;
			count++;
			const { body } = loadMessage(Cell.fromBase64(signedMessage).beginParse());
			for (const other of NAMES) {
				const present = ledger.copy();
				const { taken } = await present.postAgain(body, KEY_WALLETS[other], VALID_UNTIL);
				if (taken > mostOf(other)) found.push([asked[at]?.way, other, taken]);
			}
		}
		expect(found).toEqual([]);
		expect(count).toBeGreaterThanOrEqual(USUAL_MODES.length);
	});
});
