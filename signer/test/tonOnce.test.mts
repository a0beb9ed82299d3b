import {
	Address,
	beginCell,
	Cell,
	comment,
	Dictionary,
	external,
	internal,
	storeMessage,
	storeStateInit,
	toNano,
	type DictionaryValue,
	type SimpleLibrary,
	type StateInit,
} from '@ton/core';
import type { WalletContractV4 } from '@ton/ton';
import { takeRows } from '../../test/harness/ring.mts';
import { signTonTransfer } from '../nodes/core/tonSigner';
import { parseTonRules } from '../rules/tonRules';
import { setClock } from './support/clock.mts';
import {
	buildTransfer,
	holdWallet,
	KEY,
	takeOften,
	type Asked,
	type Message,
	type OwnWallet,
	type WalletName,
} from './support/tonMachine.mts';
import { KEYS, WALLETS } from './support/tonWallets.mts';

const NOW = '2026-11-24T12:00:00Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const STRANGER = new Address(0, Buffer.alloc(32, 9));
const IN_MASTERCHAIN = new Address(-1, Buffer.alloc(32, 9));
/** Nobody is at home there, so that what can come back comes back. */
const EMPTY = new Address(0, Buffer.alloc(32, 8));
const MODES = [0, 1, 2, 3, 128, 129, 130, 131];
const SEQNO = 7;

const ANYTHING = { maxAmount: 'unlimited', maxFee: '1000', contracts: '*' };

const toType = (name: WalletName) => name.slice(0, 4);
const toWallet = (name: WalletName) => WALLETS[name] as OwnWallet;

function signAny(asked: Asked, rules: object = ANYTHING): string {
	const parsed = parseTonRules({ ...rules, walletType: toType(asked.name) });
	return signTonTransfer(parsed, KEY, buildTransfer(asked)).signedMessage;
}

const held = (coins: bigint, seqno = SEQNO, isDeployed = true) => ({
	coins,
	seqno,
	isDeployed,
	paidUntil: NOW_SECONDS,
});

const pay = (amount: bigint, more: Partial<Message> = {}): Message => ({
	to: STRANGER,
	amount,
	...more,
});
const fill = (message: Message) => (name: WalletName) =>
	Array.from({ length: name.startsWith('v5') ? 255 : 4 }, () => message);

/** Each is a balance, and messages that fail. */
const FAILING: ReadonlyArray<
	[string, bigint, (name: WalletName) => readonly Message[], (Partial<Asked> & object)?]
> = [
	['more than there is', toNano('1'), () => [pay(toNano('2'))]],
	['the largest amount', toNano('1'), () => [pay(2n ** 120n - 1n)]],
	['all but the fee', toNano('1'), () => [pay(toNano('0.999'))]],
	['too little for the fee', toNano('1'), () => [pay(0n), pay(1n)]],
	['the last coins', toNano('0.004'), () => [pay(toNano('0.004'))]],
	['coins that come back', toNano('1'), () => [pay(toNano('0.1'), { to: EMPTY, bounce: true })]],
	['as many as fit, unpaid', toNano('1'), fill(pay(toNano('2')))],
	['as many as fit, to the masterchain', toNano('1'), fill(pay(1n, { to: IN_MASTERCHAIN }))],
	['nothing to nobody', toNano('1'), () => [pay(0n, { to: EMPTY, bounce: true })]],
	['a body that costs more than there is', toNano('0.01'), () => [pay(0n, { body: longBody() })]],
];

function longBody(): Cell {
	return comment('x'.repeat(8_000));
}

/** That of the test network is the same contract. */
const KINDS = ['v3r2', 'v4r2', 'v5r1'] as const;
const combinations = KINDS.flatMap((name) => MODES.map((mode) => [name, mode] as const));

test.each(takeRows(combinations, 4))(
	'a transfer of %s in mode %i that fails is taken once, and no more often',
	async (name, sendMode) => {
		for (const [what, coins, list] of FAILING) {
			for (const isDeployed of sendMode === 3 ? [true, false] : [true]) {
				const seqno = isDeployed ? SEQNO : 0;
				const asked = { name, sendMode, seqno, validUntil: NOW_SECONDS + 86_400 };
				const signed = signAny({ ...asked, messages: list(name) });
				const account = holdWallet(toWallet(name), held(coins, seqno, isDeployed));
				const message = Cell.fromBase64(signed);
				const { times } = await takeOften(account, message, {
					now: NOW_SECONDS + 60,
					most: 3,
				});
				const isPoor = coins < toNano('1');
				expect([what, isDeployed, times]).toEqual([
					what,
					isDeployed,
					isPoor ? expect.any(Number) : 1,
				]);
				expect(times).toBeLessThan(2);
			}
		}
	},
);

const REFUSED_MODES = Array.from({ length: 256 }, (_, mode) => mode).filter(
	(mode) => !MODES.includes(mode),
);

test('every other mode is refused, whatever the rules allow', () => {
	for (const sendMode of REFUSED_MODES) {
		const asked = { name: 'v4r2', seqno: 1, validUntil: NOW_SECONDS + 60 } as const;
		const attempt = () => signAny({ ...asked, sendMode, messages: [pay(1n)] });
		expect(attempt).toThrow(/^The send mode \d+ (is not signed|destroys the wallet)/);
	}
});

/** What the chain does not take for a library: the bit before the reference is missing. */
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

test.each(KINDS)(
	'a state init with libraries, by which %s would take a transfer again and again, is refused',
	async (name) => {
		const stateInit = beginCell().store(storeStateInit(WITH_LIBRARIES)).endCell();
		const messages = [pay(1n, { stateInit })];
		const asked = { name, seqno: SEQNO, sendMode: 3, validUntil: NOW_SECONDS + 60, messages };
		expect(() => signAny(asked)).toThrow(/has libraries, by which a transfer may fail/);
		const message = signPast(asked);
		const account = holdWallet(toWallet(name), held(toNano('1')));
		const { times } = await takeOften(account, message, {
			now: NOW_SECONDS + 30,
			most: 3,
		});
		expect(times).toBe(3);
	},
);

/** Signs by the usual library what the rules refuse. */
function signPast({ name, seqno, sendMode, validUntil }: Asked): Cell {
	// The types of the contracts differ, and what they take is the same.
	const wallet = WALLETS[name] as WalletContractV4;
	const body = wallet.createTransfer({
		seqno,
		sendMode: sendMode as number,
		timeout: validUntil,
		secretKey: KEYS.secretKey,
		messages: [internal({ to: STRANGER, value: 1n, bounce: false, init: WITH_LIBRARIES })],
	});
	return beginCell()
		.store(storeMessage(external({ to: wallet.address, body })))
		.endCell();
}
