import { Address, beginCell, Cell, comment, storeStateInit } from '@ton/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import fc from 'fast-check';
import { parseTransfer } from '../../nodes/core';
import { judge } from '../rules/judge';
import { decodeTonTransfer } from '../rules/ton';
import { parseTonRules } from '../rules/tonRules';
import { describeWorstCase } from '../rules/worstCase';
import { formatWallet, WALLETS } from './support/tonWallets.mts';
import { getSeed } from '../../test/harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261124) });

const NOW = Date.parse('2026-11-24T12:00:00Z');
const OWN = formatWallet('v5r1');
const [FRIEND, STRANGER, JETTON_WALLET, OTHER_JETTONS, NFT, EXCHANGE] = [1, 2, 3, 4, 5, 6].map(
	(byte) => new Address(0, Buffer.alloc(32, byte)),
) as [Address, Address, Address, Address, Address, Address];

const text = (address: Address) => address.toString();

interface Message {
	readonly to?: Address | string;
	readonly amount?: string;
	readonly body?: Cell | null;
	readonly stateInit?: Cell | null;
}

function buildTransfer(messages: readonly Message[], change: object = {}) {
	return {
		from: OWN,
		walletType: 'v5r1',
		seqno: 7,
		validUntil: NOW / 1000 + 300,
		sendMode: 3,
		messages: messages.map(({ to = FRIEND, amount = '0', body = null, stateInit = null }) => ({
			to: String(to),
			amount,
			bounce: true,
			body: body && body.toBoc().toString('base64'),
			stateInit: stateInit && stateInit.toBoc().toString('base64'),
		})),
		...change,
	};
}

type Rules = ICredentialDataDecryptedObject;

function check(rules: Rules, messages: readonly Message[], change: object = {}, now = NOW): void {
	const policy = parseTonRules(rules);
	const transfer = parseTransfer(buildTransfer(messages, change));
	judge(policy, decodeTonTransfer(policy.walletType, transfer, now), now);
}

interface Move {
	readonly op?: number;
	readonly amount?: bigint;
	readonly to?: Address | null;
	readonly responseTo?: Address | null;
	readonly custom?: Cell | null;
	readonly forward?: Cell | null;
}

const JETTON_OP = 0x0f8a7ea5;
const NFT_OP = 0x5fcc3d14;

/** Builds a transfer of jettons, or of an NFT if `op` says so. The payload is in its own cell, or inline if `isInline` is true. */
function buildMove(move: Move = {}, isInline = false) {
	const { op = JETTON_OP, amount = 100n, to = FRIEND, responseTo = WALLETS.v5r1.address } = move;
	const builder = beginCell().storeUint(op, 32).storeUint(1, 64);
	if (op === JETTON_OP) builder.storeCoins(amount);
	builder.storeAddress(to).storeAddress(responseTo).storeMaybeRef(move.custom).storeCoins(1);
	return isInline
		? builder.storeBit(false).storeSlice((move.forward ?? Cell.EMPTY).beginParse())
		: builder.storeMaybeRef(move.forward);
}

const jettons = (move?: Move, to = JETTON_WALLET): Message => ({
	to,
	body: buildMove(move).endCell(),
});
const nft = (move: Move = {}): Message => ({
	to: NFT,
	body: buildMove({ ...move, op: NFT_OP }).endCell(),
});

const STATE_INIT = beginCell()
	.store(storeStateInit({ code: Cell.EMPTY, data: Cell.EMPTY }))
	.endCell();
const WITH_LIBRARIES = beginCell()
	.storeUint(0, 2)
	.storeMaybeRef(null)
	.storeMaybeRef(null)
	.storeMaybeRef(Cell.EMPTY)
	.endCell();
const CALL = beginCell().storeUint(0x12345678, 32).endCell();
const COMMENT_WITH_CODE = beginCell().storeUint(0, 32).storeUint(1, 3).endCell();

/** A comment of 32 kB, in 255 full cells that are nested in each other. */
const LONG = comment('x'.repeat(32_000));

const LIMITED = { maxAmount: '1', jettonLimits: `${text(JETTON_WALLET)} 100` };
const BOUND = { ...LIMITED, recipients: text(FRIEND) };
const NAMED = { ...BOUND, contracts: [NFT, EXCHANGE, OTHER_JETTONS].map(text).join(', ') };
const ANY = { ...BOUND, contracts: '*' };

const HALF = '500000000';

test.each<[string, Rules, readonly Message[], object?]>([
	['coins up to the amount', BOUND, [{ amount: HALF }, { amount: HALF }]],
	['a comment', BOUND, [{ body: comment('June') }]],
	['an empty body', BOUND, [{ body: Cell.EMPTY }]],
	['coins to itself', BOUND, [{ to: OWN, amount: HALF }]],
	['anybody, where nobody is named', LIMITED, [{ to: STRANGER, amount: HALF }]],
	['jettons up to the limit', BOUND, [jettons({ amount: 60n }), jettons({ amount: 40n })]],
	['jettons with a comment', BOUND, [jettons({ forward: comment('June') })]],
	['jettons that nobody gets the rest of', BOUND, [jettons({ responseTo: null })]],
	['jettons to itself', BOUND, [jettons({ to: WALLETS.v5r1.address })]],
	['an NFT under Contracts', NAMED, [nft()]],
	['an NFT to itself', NAMED, [nft({ to: WALLETS.v5r1.address })]],
	['a body under Contracts', NAMED, [{ to: EXCHANGE, body: CALL, amount: HALF }]],
	['a deployment under Contracts', NAMED, [{ to: EXCHANGE, stateInit: STATE_INIT }]],
	['other jettons under Contracts', NAMED, [jettons({ amount: 10n ** 18n }, OTHER_JETTONS)]],
	['a custom payload under Contracts', NAMED, [jettons({ custom: CALL }, OTHER_JETTONS)]],
	[
		'a forward payload for a receiver under Contracts',
		{ ...NAMED, recipients: text(EXCHANGE) },
		[jettons({ to: EXCHANGE, forward: CALL })],
	],
	['a body for anybody, by *', { ...LIMITED, contracts: '*' }, [{ to: STRANGER, body: CALL }]],
	[
		'any coins by unlimited',
		{ maxAmount: 'unlimited' },
		[{ amount: '9'.repeat(30) }],
		{ sendMode: 130 },
	],
	['a long comment by Max Fee', { maxFee: '0.3' }, [{ body: LONG }]],
	[
		'whole jettons',
		{ ...LIMITED, jettonLimits: `${text(JETTON_WALLET)} 0.5 3` },
		[jettons({ amount: 500n })],
	],
])('the rules allow %s', (_, ...given) => {
	expect(() => check(...given)).not.toThrow();
});

const UNCLEAR = /begins as a transfer of jettons or of an NFT, but does not follow the standard/;

test.each<[string, Rules, readonly Message[], RegExp, object?]>([
	[
		'more by several messages',
		BOUND,
		[{ amount: HALF }, { amount: '500000001' }],
		/Max Amount .* sends 1\.000000001 coins. Allowed: at most 1$/,
	],
	['anything by no rules', {}, [{ amount: '1' }], /Max Amount/],
	['all coins', BOUND, [{}], /Max Amount .*the send mode 128/, { sendMode: 128 }],
	[
		'the value of a message from outside',
		{ maxAmount: 'unlimited' },
		[{}],
		/^The send mode 64 is not signed/,
		{ sendMode: 64 },
	],
	[
		'coins that a size burns',
		{ maxAmount: 'unlimited' },
		[{ body: LONG }],
		/Max Fee .* the chain may charge up to 0\.2\d+ coins for the transfer. Allowed: at most 0\.05$/,
	],
	[
		'coins that the masterchain burns',
		{ maxAmount: '1' },
		Array.from({ length: 5 }, () => ({ to: new Address(-1, Buffer.alloc(32, 1)) })),
		/Max Fee .* up to 0\.05\d+ coins/,
	],
	['any fee', { maxAmount: '1', maxFee: '' }, [{}], /Max Fee .* at most 0$/],
	[
		'jettons to another workchain',
		BOUND,
		[jettons({ to: new Address(5, Buffer.alloc(32, 1)) })],
		/Recipients .*: 5:(01){32} \(in workchain 5, which is neither 0 nor -1\) would receive/,
	],
	[
		'a state init with libraries',
		ANY,
		[{ stateInit: WITH_LIBRARIES }],
		/has libraries, by which a transfer may fail/,
	],
	['coins to a stranger', BOUND, [{}, { to: STRANGER, amount: '1' }], /Recipients/],
	['nothing to a stranger', BOUND, [{ to: STRANGER }], /Recipients/],
	['jettons to a stranger', BOUND, [jettons({ to: STRANGER })], /Recipients/],
	['the rest of coins to a stranger', BOUND, [jettons({ responseTo: STRANGER })], /Recipients/],
	['coins to a jetton wallet', BOUND, [{ to: JETTON_WALLET, amount: HALF }], /Recipients/],
	['an NFT to a stranger', NAMED, [nft({ to: STRANGER })], /Recipients/],
	['the rest of an NFT to a stranger', NAMED, [nft({ responseTo: STRANGER })], /Recipients/],
	['other jettons to a stranger', NAMED, [jettons({ to: STRANGER }, OTHER_JETTONS)], /Recipients/],
	['coins with a call of a stranger, by *', ANY, [{ to: STRANGER, body: CALL }], /Recipients/],
	[
		'more jettons by several messages',
		BOUND,
		[jettons({ amount: 60n }), jettons({ amount: 41n })],
		/Jetton Limits .* sends 101 from .*. Allowed: at most 100/,
	],
	[
		'more jettons though Contracts has *',
		{ ...LIMITED, contracts: '*' },
		[jettons({ amount: 101n })],
		/Jetton Limits/,
	],
	[
		'jettons of another wallet',
		BOUND,
		[jettons({}, OTHER_JETTONS)],
		/Contracts .* a transfer of jettons/,
	],
	[
		'jettons with a call',
		BOUND,
		[jettons({ forward: CALL })],
		/Contracts .* a forward payload that is no comment/,
	],
	[
		'jettons with a call for a stranger to Contracts',
		NAMED,
		[jettons({ forward: CALL }, OTHER_JETTONS)],
		/Contracts/,
	],
	[
		'jettons with a custom payload',
		BOUND,
		[jettons({ custom: CALL })],
		/Contracts .* custom payload/,
	],
	['an NFT', BOUND, [nft()], /Contracts .* a transfer of an NFT/],
	['another body', BOUND, [{ body: CALL }], /Contracts .* no comment, with the opcode 0x12345678/],
	['a body of one bit', BOUND, [{ body: beginCell().storeBit(1).endCell() }], /Contracts/],
	['a comment that is none', BOUND, [{ body: COMMENT_WITH_CODE }], /Contracts/],
	[
		'an encrypted comment',
		BOUND,
		[{ body: beginCell().storeUint(0x2167da4b, 32).endCell() }],
		/Contracts/,
	],
	[
		'a burning of limited jettons',
		BOUND,
		[{ to: JETTON_WALLET, body: beginCell().storeUint(0x595f07bc, 32).endCell() }],
		/Contracts/,
	],
	['a deployment', BOUND, [{ stateInit: STATE_INIT }], /Contracts .* would be deployed/],
	[
		'a transfer with something behind it',
		ANY,
		[{ to: OTHER_JETTONS, body: buildMove({ forward: CALL }).storeBit(1).endCell() }],
		UNCLEAR,
	],
	[
		'a transfer that ends too early',
		NAMED,
		[{ to: NFT, body: beginCell().storeUint(NFT_OP, 32).endCell() }],
		UNCLEAR,
	],
	['a transfer to nobody', BOUND, [jettons({ to: null })], UNCLEAR],
])('the rules forbid %s', (_, ...given) => {
	const [rules, messages, message, change] = given;
	expect(() => check(rules, messages, change)).toThrow(message);
});

test('a payload is the same inline and in a cell of its own', () => {
	for (const isInline of [true, false]) {
		const body = (forward: Cell) => buildMove({ forward }, isInline).endCell();
		const to = JETTON_WALLET;
		expect(() => check(BOUND, [{ to, body: body(comment('June')) }])).not.toThrow();
		expect(() => check(BOUND, [{ to, body: body(CALL) }])).toThrow(/forward payload/);
	}
});

const addresses = fc
	.uint8Array({ minLength: 32, maxLength: 32 })
	.chain((hash) => fc.constantFrom(0, -1).map((chain) => new Address(chain, Buffer.from(hash))));

const spellings = [
	(address: Address) => address.toRawString(),
	(address: Address) => address.toRawString().toUpperCase(),
	...[true, false].flatMap((bounceable) =>
		[true, false].flatMap((testOnly) =>
			[true, false].map(
				(urlSafe) => (address: Address) => address.toString({ bounceable, testOnly, urlSafe }),
			),
		),
	),
] as const;

test('an address is the same in each spelling, in the rules and in a transfer', () => {
	const spelling = fc.constantFrom(...spellings);
	fc.assert(
		fc.property(addresses, addresses, spelling, spelling, (allowed, other, inRules, given) => {
			const rules = {
				...LIMITED,
				recipients: inRules(allowed),
				jettonLimits: `${inRules(allowed)} 5`,
			};
			expect(() => check(rules, [{ to: given(allowed) }])).not.toThrow();
			expect(() => check(rules, [{ to: given(other) }])).toThrow(/Recipients/);
			const move = buildMove({ amount: 6n, to: allowed }).endCell();
			expect(() => check(rules, [{ to: given(allowed), body: move }])).toThrow(/Jetton Limits/);
		}),
		{ numRuns: 100 },
	);
});

test('no transfer that passes sends more than the rules say, however it is split', () => {
	const amounts = fc.array(fc.tuple(fc.bigInt(0n, 400n), fc.bigInt(0n, 40n)), {
		minLength: 1,
		maxLength: 6,
	});
	const rules = { ...LIMITED, maxAmount: '0.000001' };
	fc.assert(
		fc.property(amounts, (list) => {
			const messages = list.map(([coins, moved]) => ({
				...jettons({ amount: moved }),
				amount: String(coins),
			}));
			const sums = [0, 1].map((at) => list.reduce((sum, one) => sum + one[at]!, 0n));
			const isAllowed = sums[0]! <= 1000n && sums[1]! <= 100n;
			const attempt = expect(() => check(rules, messages));
			return isAllowed ? attempt.not.toThrow() : attempt.toThrow(/Max Amount|Jetton Limits/);
		}),
		{ numRuns: 200 },
	);
});

test.each(['1.0', '1e3', '0x10', '-1', ' 1', '1_0', '١', 1, '1n', null, '9'.repeat(38)])(
	'an amount of %j in a message is refused',
	(amount) => {
		const [message] = buildTransfer([{}]).messages;
		const given = { ...buildTransfer([]), messages: [{ ...message, amount }] };
		expect(() => parseTransfer(given)).toThrow(/amount is whole nanocoins as text/);
	},
);

test('the seqno of a later day is refused by its name', () => {
	const rules = { ...BOUND, dailyTransactions: '3', firstNonce: '5', firstDay: '2026-11-24' };
	for (const seqno of [5, 7]) expect(() => check(rules, [{}], { seqno })).not.toThrow();
	expect(() => check(rules, [{}], { seqno: 8 })).toThrow(
		/Daily Transactions .*the seqno 8, which is allowed from 2026-11-25 .*. Allowed: those below 8 on 2026-11-24/,
	);
});

test('a seqno before the first one is refused: another wallet of the key may have it', () => {
	const rules = { ...BOUND, dailyTransactions: '3', firstNonce: '5', firstDay: '2026-11-24' };
	for (const seqno of [0, 4]) {
		expect(() => check(rules, [{}], { seqno })).toThrow(
			`The rule First Nonce forbids it: the transfer has the seqno ${seqno}. Allowed: those from 5 on`,
		);
	}
});

test.each([
	['maxAmount', 'all'],
	['maxFee', 'unlimited'],
	['maxFee', '-1'],
	['walletType', 'v5'],
	['walletType', ''],
	['maxAmount', '-1'],
	['maxAmount', '0.0000000001'],
	['recipients', '*'],
	['recipients', '[]'],
	['recipients', ','],
	['recipients', OWN.slice(0, -1) + (OWN.endsWith('A') ? 'B' : 'A')],
	['contracts', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
	['jettonLimits', text(JETTON_WALLET)],
	['jettonLimits', `${text(JETTON_WALLET)} 1\n${JETTON_WALLET.toRawString()} 2`],
	['dailyTransactions', '0'],
])('an unreadable rule %s of %j is refused by its label', (name, value) => {
	expect(() => parseTonRules({ [name]: value })).toThrow(
		/^The rule .+ of the credential can't be read/,
	);
});

test('a credential of before these rules signs for v5r1, at a fee of up to 0.05', () => {
	expect(parseTonRules({ maxAmount: '1' })).toMatchObject({
		walletType: 'v5r1',
		maxFee: 50_000_000n,
	});
});

const BUDGET = { dailyTransactions: '20', firstNonce: '5', firstDay: '2026-11-24' };
const TEST_NETWORK =
	'spend the same amount again from the v5r1 wallet of this key on the test network';
const MASTERCHAIN =
	'spend all coins of wallets of this key whose addresses begin with -1: (the masterchain), if they have the same wallet ID';
const SMALL_BALANCES =
	'burn the whole balance of any of these wallets on fees, whenever it is below 0.01';
const LOCKUP_WALLETS = 'spend all coins of the lockup wallets of this key';
const ONLY_A_FEE = 'each transaction sends no coins and costs a fee of at most 0.05';
const UNSPENT = 'What was not used on earlier days since 2026-11-24 can be used, too';
const EACH_OF_A_DAY = `each of 20 transactions sends at most 0.1 and costs a fee of at most 0.01. ${UNSPENT}`;

/** Joins clauses to sentences, as the function `describeWorstCase` does. */
const join = (...clauses: readonly string[]) => clauses.join('. This person can ');

test.each<[Rules, string]>([
	[{}, join(`spend all coins of the v5r1 wallet: ${ONLY_A_FEE}`, TEST_NETWORK, MASTERCHAIN)],
	[
		{ maxAmount: '2', recipients: text(FRIEND) },
		join(
			`spend all coins of the v5r1 wallet: each transaction sends at most 2 and costs a fee of at most 0.05. Only these addresses can receive the sent coins: ${text(FRIEND)}`,
			TEST_NETWORK,
			MASTERCHAIN,
		),
	],
	[
		{ maxAmount: 'unlimited' },
		join('spend all coins of the v5r1 wallet at once', TEST_NETWORK, MASTERCHAIN),
	],
	[
		{ maxAmount: '0.1', maxFee: '0.01', ...BUDGET },
		join(
			`spend 2.2 coins a day of the v5r1 wallet: ${EACH_OF_A_DAY}`,
			TEST_NETWORK,
			MASTERCHAIN,
			SMALL_BALANCES,
		),
	],
	[
		{ maxAmount: '0.1', maxFee: '0.01', walletType: 'v4r2', ...BUDGET },
		join(
			`spend 2.2 coins a day of the v4r2 wallet: ${EACH_OF_A_DAY}`,
			'spend all coins of the v3 wallets of this key',
			LOCKUP_WALLETS,
			'spend the same amount again from a v4r1 wallet of this key',
			MASTERCHAIN,
			SMALL_BALANCES,
		),
	],
	[
		{ maxAmount: '0.1', maxFee: '0.01', walletType: 'v3r2', ...BUDGET },
		join(
			`spend 2.2 coins a day of the v3r2 wallet: ${EACH_OF_A_DAY}`,
			'spend the same amount again from a v3r1 wallet of this key',
			LOCKUP_WALLETS,
			`spend 0.2 coins a day of the v4 wallets of this key on fees: each of 20 transactions costs at most 0.01 coins. ${UNSPENT}`,
			MASTERCHAIN,
			SMALL_BALANCES,
		),
	],
	[
		{ contracts: '*' },
		join(
			`spend all coins of the v5r1 wallet: ${ONLY_A_FEE}`,
			TEST_NETWORK,
			MASTERCHAIN,
			'send any body to any contract, and so move every jetton and NFT',
		),
	],
	[
		{ contracts: text(NFT) },
		join(
			`spend all coins of the v5r1 wallet: ${ONLY_A_FEE}`,
			TEST_NETWORK,
			MASTERCHAIN,
			`send any body to ${text(NFT)}. No rule limits what it moves`,
		),
	],
])('the worst by the rules %j is stated', (rules, worst) => {
	expect(describeWorstCase(parseTonRules(rules))).toBe(
		`At worst, someone who controls the workflow can ${worst}.`,
	);
});

test('where no fee is allowed, nothing is signed, and the sentence says so', () => {
	expect(describeWorstCase(parseTonRules({ maxAmount: '1', maxFee: '0' }))).toBe(
		'Someone who controls the workflow gets nothing signed.',
	);
});
