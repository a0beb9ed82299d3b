import {
	Address,
	beginCell,
	Cell,
	comment,
	Dictionary,
	internal,
	storeStateInit,
	toNano,
	type DictionaryValue,
	type SimpleLibrary,
	type StateInit,
} from '@ton/core';
import type { WalletContractV4 } from '@ton/ton';
import { takeRows } from '../../test/harness/caseCount.mts';
import { signTonTransfer } from '../nodes/core/tonSigner';
import { parseTonRules } from '../rules/tonRules';
import { describeWorstCase } from '../rules/worstCase';
import { setClock } from './support/clock.mts';
import { readBody, TonLedger } from './support/tonMachine.mts';
import { readTonSentence } from './support/tonSentence.mts';
import { buildTransfer, KEY, type Asked, type Message } from './support/tonTransfers.mts';
import { buildWalletData, KEY_WALLETS, KEYS, type KeyWallet } from './support/tonWallets.mts';

const NOW = '2026-11-24T12:00:00Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;
const VALID_UNTIL = NOW_SECONDS + 86_400;
const SEQNO = 7;

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

/** Addresses without code. Messages to them that can bounce come back. */
const EMPTY = new Address(0, Buffer.alloc(32, 8));
const IN_MASTERCHAIN = new Address(-1, Buffer.alloc(32, 9));

/** All wallets of the key, and those for which the signer signs. */
const NAMES = Object.keys(KEY_WALLETS) as readonly KeyWallet[];
const SIGNED_FOR = ['v3r2', 'v4r2', 'v5r1', 'v5r1Test'] as const;
const toType = (name: KeyWallet) => name.slice(0, 4);
const getMostMessages = (name: KeyWallet) => (name.startsWith('v5') ? 255 : 4);

const rulesOf = (name: KeyWallet) =>
	parseTonRules({
		maxAmount: 'unlimited',
		maxFee: '1000000',
		contracts: '*',
		walletType: toType(name),
	});

const sign = (asked: Asked): string =>
	signTonTransfer(rulesOf(asked.name), KEY, buildTransfer(asked)).signedMessage;

/** Builds a tree of different cells, with four cells below each. */
function growTree(depth: number, prefix = 1): Cell {
	const builder = beginCell().storeUint(prefix, 32);
	if (depth > 0)
		for (let at = 0; at < 4; at++) builder.storeRef(growTree(depth - 1, 4 * prefix + at));
	return builder.endCell();
}

const buildInit = (init: StateInit) => beginCell().store(storeStateInit(init)).endCell();

const STATE_INIT = buildInit({ code: comment('code'), data: comment('data') });
const LARGE_BODY = growTree(5);
const SPECIAL = buildInit({
	splitDepth: 31,
	special: { tick: true, tock: true },
	code: Cell.EMPTY,
});

const pay = (amount: bigint, more: Partial<Message> = {}): Message => ({
	to: EMPTY,
	amount,
	bounce: true,
	...more,
});

interface Failure {
	/** The wallet has this much. */
	readonly coins: bigint;
	/** A wallet that is nearly empty may be too poor to take it at all. */
	readonly mayBeRefused?: boolean;
	build(name: KeyWallet): readonly Message[];
}

const COIN = toNano('1');
const POOR = toNano('0.01');
const fill = (message: Message) => (name: KeyWallet) =>
	Array.from({ length: getMostMessages(name) }, () => message);

/** Messages that cannot be carried out as requested. */
const FAILURES: Readonly<Record<string, Failure>> = {
	'more coins than there are': { coins: COIN, build: () => [pay(2n * COIN)] },
	'the largest amount': { coins: COIN, build: () => [pay(2n ** 120n - 1n)] },
	'all coins but the fee': { coins: COIN, build: () => [pay(toNano('0.999'), { bounce: false })] },
	'too few coins for the fee of all': { coins: COIN, build: () => [pay(COIN), pay(1n)] },
	'coins that come back': { coins: COIN, build: () => [pay(toNano('0.1'))] },
	'nothing to the wallet itself': {
		coins: COIN,
		build: (name) => [pay(0n, { to: KEY_WALLETS[name].address })],
	},
	'several messages, each with too few coins': {
		coins: COIN,
		build: () => Array.from({ length: 4 }, () => pay(2n * COIN)),
	},
	'as many as fit, to the masterchain': {
		coins: COIN,
		build: fill(pay(1n, { to: IN_MASTERCHAIN })),
	},
	'a state init of another address': {
		coins: COIN,
		build: () => [pay(0n, { stateInit: STATE_INIT })],
	},
	'a state init of the masterchain': {
		coins: COIN,
		build: () => [pay(0n, { to: IN_MASTERCHAIN, stateInit: SPECIAL })],
	},
	'a body of more than a thousand cells': {
		coins: COIN,
		build: () => [pay(0n, { body: LARGE_BODY })],
	},
	'the last coins': {
		coins: toNano('0.004'),
		mayBeRefused: true,
		build: () => [pay(toNano('0.004'))],
	},
	'a body that costs more than there is': {
		coins: POOR,
		mayBeRefused: true,
		build: () => [pay(0n, { body: comment('x'.repeat(8_000)) })],
	},
};

/** Creates wallets of the key that all have the given seqno. If `seqno` is null, the wallets have no code yet. */
function createLedger(names: readonly KeyWallet[], coins: bigint, seqno: number | null): TonLedger {
	const ledger = new TonLedger(NOW_SECONDS);
	for (const name of names) {
		const data = seqno === null ? undefined : buildWalletData(name, seqno);
		ledger.addWallet(KEY_WALLETS[name], { coins, data });
	}
	ledger.addOther(EMPTY);
	return ledger;
}

/** The flag that leaves out messages that fail. The signer sets it in each transfer. */
const IGNORE_ERRORS = 2;
const MODES = [2, 3, 130, 131];
const SIGNED_MODES = MODES.flatMap((mode) => [mode - IGNORE_ERRORS, mode]);

test.each(takeRows(SIGNED_FOR, 2))(
	'%s: a mode without the flag 2 is signed as the one with it',
	(name) => {
		const place = { name, seqno: SEQNO, validUntil: VALID_UNTIL, messages: [pay(1n)] };
		for (const sendMode of MODES) {
			const other = { ...place, sendMode: sendMode - IGNORE_ERRORS };
			expect(sign(other)).toBe(sign({ ...place, sendMode }));
		}
	},
);

test('every other mode is refused, whatever the rules allow', () => {
	const place = { name: 'v4r2', seqno: SEQNO, validUntil: VALID_UNTIL } as const;
	for (let sendMode = 0; sendMode < 256; sendMode++) {
		if (SIGNED_MODES.includes(sendMode)) continue;
		const attempt = () => sign({ ...place, sendMode, messages: [pay(1n)] });
		expect(attempt).toThrow(/^The send mode \d+ (is not signed|destroys the wallet)/);
	}
});

/** The tested types of wallets. The wallet v5r1 of the test network is left out, because its contract is the same as that of v5r1. */
const KINDS = ['v3r2', 'v4r2', 'v5r1'] as const;
const combinations = KINDS.flatMap((name) => MODES.map((mode) => [name, mode] as const));

test.each(takeRows(combinations, 11))(
	'a transfer of %s in mode %i that fails is taken once, and no more often',
	async (name, sendMode) => {
		for (const [what, { coins, mayBeRefused, build }] of takeRows(Object.entries(FAILURES), 3)) {
			const messages = build(name);
			for (const isNew of sendMode === 3 ? [false, true] : [false]) {
				const seqno = isNew ? 0 : SEQNO;
				const signed = sign({ name, seqno, sendMode, validUntil: VALID_UNTIL, messages });
				const ledger = createLedger([name], coins, isNew ? null : seqno);
				const { taken } = await ledger.postAgain(readBody(signed), KEY_WALLETS[name], VALID_UNTIL);
				const wanted = mayBeRefused && taken === 0 ? 0 : 1;
				expect([what, isNew, taken]).toEqual([what, isNew, wanted]);
			}
		}
	},
);

test.each(takeRows(SIGNED_FOR, 2))(
	'another wallet of the key takes what is signed for %s no more often than the sentence says',
	async (name) => {
		const ledger = createLedger(NAMES, COIN, SEQNO);
		const { others } = readTonSentence(describeWorstCase(rulesOf(name)));
		const found: unknown[] = [];
		for (const sendMode of takeRows(MODES, 4)) {
			const messages = [pay(toNano('0.1'))];
			const signed = sign({ name, seqno: SEQNO, sendMode, validUntil: VALID_UNTIL, messages });
			for (const other of NAMES.filter((one) => one !== name)) {
				const takes = others.filter(({ names }) => names.test(other));
				const most = takes.some(({ isOnce }) => !isOnce) ? Infinity : takes.length;
				const { taken } = await ledger
					.copy()
					.postAgain(readBody(signed), KEY_WALLETS[other], VALID_UNTIL);
				if (taken > most) found.push([sendMode, other, taken]);
			}
		}
		expect(found).toEqual([]);
	},
);

/** Encodes a library without the bit before its reference, so that the chain does not read it as a library. */
const NO_LIBRARY: DictionaryValue<SimpleLibrary> = {
	serialize: ({ root }, builder) => builder.storeRef(root),
	parse: (slice) => ({ public: false, root: slice.loadRef() }),
};
const WITH_LIBRARIES: StateInit = {
	code: comment('code'),
	data: comment('data'),
	libraries: Dictionary.empty(Dictionary.Keys.BigUint(256), NO_LIBRARY).set(7n, {
		public: false,
		root: comment('no library'),
	}),
};

test.each(takeRows(KINDS, 3))(
	'a state init with libraries, by which %s would take a transfer again and again, is refused',
	async (name) => {
		const messages = [pay(1n, { stateInit: buildInit(WITH_LIBRARIES) })];
		const asked = { name, seqno: SEQNO, sendMode: 3, validUntil: VALID_UNTIL, messages };
		expect(() => sign(asked)).toThrow(/has libraries, by which a transfer may fail/);
		const ledger = createLedger([name], COIN, SEQNO);
		const { taken } = await ledger.postAgain(signPast(asked), KEY_WALLETS[name], VALID_UNTIL);
		expect(taken).toBeGreaterThan(3);
	},
);

/** Signs a transfer with another library, because the signer's rules would refuse it. */
function signPast({ name, seqno, sendMode, validUntil }: Asked): Cell {
	// The types of the contracts differ, and what they take is the same.
	const wallet = KEY_WALLETS[name] as WalletContractV4;
	return wallet.createTransfer({
		seqno,
		sendMode,
		timeout: validUntil,
		secretKey: KEYS.secretKey,
		messages: [internal({ to: EMPTY, value: 1n, bounce: false, init: WITH_LIBRARIES })],
	});
}
