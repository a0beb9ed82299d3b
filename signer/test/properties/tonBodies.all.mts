import {
	Address,
	beginCell,
	BitString,
	Cell,
	comment,
	internal,
	storeStateInit,
	type Builder,
} from '@ton/core';
import fc from 'fast-check';
import { parseJsonValue, parseTransfer } from '../../../nodes/core';
import { signTonTransfer } from '../../nodes/core/tonSigner';
import { parseTonRules } from '../../rules/tonRules';
import { setClock } from '../support/clock.mts';
import { attempt, createTally, expectSame } from '../support/properties.mts';
import { formatWallet, KEYS, WALLETS } from '../support/tonWallets.mts';
import {
	brokenByTon,
	readSignedMessage,
	type ReadTransfer,
	type TonRuled,
} from '../support/tonJudge.mts';

const NOW = '2026-11-24T12:00:00Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;
const DAY_SECONDS = 86_400;

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const count = createTally();

const [FRIEND, STRANGER, JETTON_WALLET, OTHER_JETTONS, NFT, EXCHANGE] = [1, 2, 3, 4, 5, 6].map(
	(byte) => new Address(0, Buffer.alloc(32, byte)),
) as [Address, Address, Address, Address, Address, Address];
const WALLET_NAMES = ['v3r2', 'v4r2', 'v5r1', 'v5r1Test'] as const;
const OWN = WALLETS.v4r2.address;

const raw = (address: Address) => address.toRawString();

const BUDGET = { dailyTransactions: '5', firstNonce: '0', firstDay: NOW.slice(0, 10) };
/** Rules with a high Max Fee, because fees and send modes are tested in `tonDays`, with the chain's virtual machine. */
const LIMITED = { maxAmount: '1', maxFee: '1000000', jettonLimits: `${raw(JETTON_WALLET)} 100` };
const BOUND = { ...LIMITED, recipients: raw(FRIEND) };
const NAMED = [NFT, EXCHANGE, OTHER_JETTONS].map(raw);

const ruled: Omit<TonRuled, 'walletType'> = {
	now: Date.parse(NOW),
	maxAmount: 10n ** 9n,
	recipients: [raw(FRIEND)],
	contracts: [],
	limits: new Map([[raw(JETTON_WALLET), 100n]]),
	endOfSeqnos: undefined,
};

/** Sets of rules, each in two forms: as a credential, and for the independent check of these tests. */
const setsOfRules = [
	{ rules: BOUND, judged: ruled },
	{ rules: LIMITED, judged: { ...ruled, recipients: [] } },
	{ rules: { ...BOUND, ...BUDGET }, judged: { ...ruled, endOfSeqnos: 5 } },
	{ rules: { ...BOUND, contracts: NAMED.join(', ') }, judged: { ...ruled, contracts: NAMED } },
	{ rules: { ...BOUND, contracts: '*' }, judged: { ...ruled, contracts: ['*'] } },
	{
		rules: { ...BOUND, maxAmount: 'unlimited' },
		judged: { ...ruled, maxAmount: undefined },
	},
];

const KINDS = ['v3r2', 'v4r2', 'v5r1'];

/** The sets of rules for each type of wallet. */
const rulesByKind = new Map(
	KINDS.map((walletType) => [
		walletType,
		setsOfRules.map(({ rules, judged }) => ({
			rules: parseTonRules({ ...rules, walletType }),
			judged: { ...judged, walletType },
		})),
	]),
);

const [JETTON_TRANSFER, NFT_TRANSFER, BURN] = [0x0f8a7ea5, 0x5fcc3d14, 0x595f07bc];
const CALL = beginCell().storeUint(0x12345678, 32).endCell();
const LIBRARY = beginCell()
	.storeUint(2, 8)
	.storeBuffer(Buffer.alloc(32, 7))
	.endCell({ exotic: true });
/** A text whose second cell does not end with a whole byte. */
const CUT_TEXT = beginCell()
	.storeUint(0, 32)
	.storeRef(beginCell().storeUint(1, 5).endCell())
	.endCell();
const FORKED_TEXT = beginCell().storeUint(0, 32).storeRef(CALL).storeRef(CALL).endCell();

/** Mostly generates parts that follow the rules, because several violations would hide each other. */
const mostly = <T,>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
	fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other });
const seldom = <T,>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	mostly(fc.constant(undefined), arbitrary);

const receivers = mostly(
	fc.constant(FRIEND),
	fc.constantFrom(OWN, STRANGER, JETTON_WALLET, OTHER_JETTONS, NFT, EXCHANGE),
);
const strangePayloads = fc.constantFrom(CALL, LIBRARY, CUT_TEXT, FORKED_TEXT);
const payloads = mostly(
	fc.constantFrom(
		Cell.EMPTY,
		comment(''),
		comment('June'),
		comment('x'.repeat(300)),
		comment('x'.repeat(900)),
	),
	strangePayloads,
);

const move = fc.record({
	opcode: mostly(fc.constant(JETTON_TRANSFER), fc.constantFrom(NFT_TRANSFER, BURN)),
	amount: fc.constantFrom(0n, 1n, 50n, 50n, 51n, 100n, 101n, 2n ** 120n - 1n),
	to: mostly(receivers, fc.constant(null)),
	responseTo: fc.option(receivers),
	custom: seldom(payloads),
	forwardAmount: fc.constantFrom(0n, 1n, 10n ** 12n),
	forward: payloads,
	place: fc.constantFrom('reference', 'inline', 'none', 'left out'),
});

function buildMove(given: typeof move extends fc.Arbitrary<infer Value> ? Value : never): Cell {
	const { opcode, amount, to, responseTo, custom, forwardAmount, forward, place } = given;
	const builder = beginCell().storeUint(opcode, 32).storeUint(7, 64);
	if (opcode !== NFT_TRANSFER) builder.storeCoins(amount);
	builder.storeAddress(to).storeAddress(responseTo);
	builder.storeMaybeRef(custom).storeCoins(forwardAmount);
	return storePayload(builder, forward, place).endCell();
}

function storePayload(builder: Builder, payload: Cell, place: string): Builder {
	if (place === 'left out') return builder;
	if (place === 'none') return builder.storeBit(false);
	const isInline = place === 'inline' && payload.bits.length < builder.availableBits;
	return isInline && !payload.isExotic && payload.refs.length + builder.refs <= MAX_REFERENCES
		? builder.storeBit(false).storeSlice(payload.beginParse())
		: builder.storeBit(true).storeRef(payload);
}

const MAX_BITS = 1023;
const MAX_REFERENCES = 4;

/** The content of a cell, for changing it. */
interface Parts {
	readonly bits: string;
	readonly references: readonly Cell[];
}

type PartsChange = (parts: Parts) => Parts;

const place = fc.nat({ max: 1100 });
const bitText = fc.string({ unit: fc.constantFrom('0', '1'), minLength: 1, maxLength: 40 });

const partsChange: fc.Arbitrary<PartsChange> = fc.oneof(
	fc.tuple(place, bitText).map(
		([at, more]): PartsChange =>
			(parts) => {
				const index = at % (parts.bits.length + 1);
				return { ...parts, bits: parts.bits.slice(0, index) + more + parts.bits.slice(index) };
			},
	),
	bitText.map(
		(more): PartsChange =>
			(parts) => ({ ...parts, bits: parts.bits + more }),
	),
	place.map(
		(at): PartsChange =>
			(parts) => ({ ...parts, bits: parts.bits.slice(0, at) }),
	),
	fc.tuple(place, bitText).map(
		([at, other]): PartsChange =>
			(parts) => {
				const index = at % Math.max(parts.bits.length, 1);
				const bits = parts.bits.slice(0, index) + other + parts.bits.slice(index + other.length);
				return { ...parts, bits };
			},
	),
	fc.constantFrom(0, JETTON_TRANSFER, NFT_TRANSFER, BURN, 0x2167da4b).map((opcode): PartsChange => {
		const written = opcode.toString(2).padStart(32, '0');
		return (parts) => ({ ...parts, bits: written + parts.bits.slice(32) });
	}),
	payloads.map(
		(more): PartsChange =>
			(parts) => ({
				...parts,
				references: [...parts.references, more],
			}),
	),
	fc.tuple(place, payloads).map(
		([at, other]): PartsChange =>
			(parts) => ({
				...parts,
				references: parts.references.map((one, index) =>
					index === at % parts.references.length ? other : one,
				),
			}),
	),
	place.map(
		(at): PartsChange =>
			(parts) => ({
				...parts,
				references: parts.references.filter((_, index) => index !== at % parts.references.length),
			}),
	),
);

/** A change of the cell itself, or of a cell below it. */
const cellChange = fc
	.record({ path: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }), change: partsChange })
	.map(
		({ path, change }) =>
			(cell: Cell) =>
				changeCell(cell, path, change),
	);

function changeCell(cell: Cell, [next, ...path]: readonly number[], change: PartsChange): Cell {
	if (cell.isExotic) return cell;
	if (next === undefined || cell.refs.length === 0) return rebuildCell(change(takeApart(cell)));
	const index = next % cell.refs.length;
	const references = cell.refs.map((one, at) =>
		at === index ? changeCell(one, path, change) : one,
	);
	return rebuildCell({ ...takeApart(cell), references });
}

function takeApart(cell: Cell): Parts {
	const slice = cell.beginParse();
	let bits = '';
	while (slice.remainingBits > 0) bits += slice.loadBit() ? '1' : '0';
	return { bits, references: cell.refs };
}

function rebuildCell({ bits, references }: Parts): Cell {
	const kept = bits.slice(0, MAX_BITS);
	const bytes = kept.padEnd(MAX_BITS + 1, '0').match(/.{8}/g) ?? [];
	const buffer = Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
	const builder = beginCell().storeBits(new BitString(buffer, 0, kept.length));
	for (const one of references.slice(0, MAX_REFERENCES)) builder.storeRef(one);
	return builder.endCell();
}

const changed = (cells: fc.Arbitrary<Cell | null>) =>
	fc
		.tuple(cells, fc.oneof(fc.constant([]), fc.array(cellChange, { maxLength: 2 })))
		.map(([cell, changes]) => cell && changes.reduce((one, change) => change(one), cell));

const texts = changed(mostly(fc.option(payloads), strangePayloads));
const moves = changed(move.map(buildMove));

const message = fc
	.oneof(
		fc.record({ to: receivers, body: texts }),
		fc.record({ to: fc.constant(JETTON_WALLET), body: moves }),
		fc.record({ to: fc.constantFrom(NFT, OTHER_JETTONS, EXCHANGE, STRANGER), body: moves }),
	)
	.chain((one) =>
		fc.record({
			to: fc.constant(one.to),
			body: fc.constant(one.body),
			amount: fc.constantFrom(0n, 0n, 1n, 500_000_000n, 500_000_001n, 10n ** 9n, 10n ** 9n + 1n),
			bounce: fc.boolean(),
			init: seldom(fc.record({ code: payloads, data: payloads })),
		}),
	);
type Message = typeof message extends fc.Arbitrary<infer Value> ? Value : never;

/** The send modes that are common. Other modes may be refused for reasons that only the chain's virtual machine shows. */
const DEFAULT_MODES = [0, 1, 2, 3];

const transfer = fc.record({
	name: fc.constantFrom(...WALLET_NAMES),
	seqno: fc.constantFrom(0, 1, 4, 5, 2 ** 32 - 1),
	sendMode: mostly(fc.constantFrom(...DEFAULT_MODES), fc.constantFrom(4, 32, 64, 128, 130, 160)),
	validFor: mostly(fc.constantFrom(300, DAY_SECONDS), fc.constantFrom(DAY_SECONDS + 1, 0, -1)),
	messages: fc.oneof(fc.tuple(message), fc.array(message, { minLength: 1, maxLength: 3 })),
	isKindGiven: fc.boolean(),
});
type Transfer = typeof transfer extends fc.Arbitrary<infer Value> ? Value : never;

/** Builds the transfer that the wallet should carry out, in the form that the judge of these tests reads. */
function buildAsked({ name, seqno, sendMode, validFor, messages }: Transfer): ReadTransfer {
	return {
		wallet: raw(WALLETS[name].address),
		seqno,
		validUntil: NOW_SECONDS + validFor,
		sends: messages.map((one) => {
			const { to, amount: value, bounce } = one;
			const content = { to, value, bounce, body: one.body ?? undefined, init: one.init };
			return { mode: sendMode, message: internal(content) };
		}),
	};
}

function writeTransfer({ name, seqno, sendMode, validFor, messages, isKindGiven }: Transfer) {
	return {
		from: formatWallet(name),
		walletType: isKindGiven ? name.slice(0, 4) : null,
		seqno,
		validUntil: NOW_SECONDS + validFor,
		sendMode,
		messages: messages.map(writeMessage),
	};
}

function writeMessage(one: Message): Record<string, unknown> {
	const { to, amount, bounce, init } = one;
	return {
		to: to.toString({ bounceable: bounce }),
		amount: String(amount),
		bounce,
		body: one.body && one.body.toBoc().toString('base64'),
		stateInit: init
			? beginCell().store(storeStateInit(init)).endCell().toBoc().toString('base64')
			: null,
		says: 'Whatever.',
	};
}

type Written = ReturnType<typeof writeTransfer>;
type WrittenChange = (written: Written) => unknown;

const changeMessage =
	(change: (written: Record<string, unknown>) => object): WrittenChange =>
	(written) => ({
		...written,
		messages: written.messages.map((one, index) => (index === 0 ? change(one) : one)),
	});

/** Changes the bytes of encoded cells in base64. Different readers may decode the result differently. */
const changeBag = (change: (bytes: Buffer) => Buffer) =>
	changeMessage((one) => ({
		...one,
		body: change(writeWithoutChecksum(String(one.body ?? ''))).toString('base64'),
	}));

function writeWithoutChecksum(base64: string): Buffer {
	return (base64 === '' ? Cell.EMPTY : Cell.fromBase64(base64)).toBoc({ crc32: false, idx: true });
}

const WEIRD = fc.constantFrom<unknown>(
	null,
	true,
	'true',
	-1,
	1.5,
	'0x10',
	'1e9',
	' 1',
	'01',
	'500000000',
	[],
	{},
	[FRIEND.toString()],
	raw(STRANGER),
	STRANGER.toString({ testOnly: true }),
	comment('June').toBoc().toString('base64'),
);
const KEYS_OF_MESSAGES = ['to', 'amount', 'bounce', 'body', 'stateInit', 'says'] as const;
const STRANGE_KEYS = ['extraCurrencies', 'value', 'mode', 'init', 'ihrFee', '__proto__'] as const;

/** Changes of the transfer's text. They may change its meaning, so the test judges only what was signed. */
const writtenChange: fc.Arbitrary<WrittenChange> = fc.oneof(
	fc.tuple(fc.nat(), fc.nat({ max: 7 })).map(([at, bit]) =>
		changeBag((bytes) => {
			bytes[at % bytes.length]! ^= 1 << bit;
			return bytes;
		}),
	),
	fc.nat().map((at) => changeBag((bytes) => bytes.subarray(0, at % bytes.length))),
	fc
		.uint8Array({ minLength: 1, maxLength: 3 })
		.map((more) => changeBag((bytes) => Buffer.concat([bytes, more]))),
	fc
		.tuple(fc.constantFrom(...KEYS_OF_MESSAGES), WEIRD)
		.map(([key, value]) => changeMessage((one) => ({ ...one, [key]: value }))),
	fc
		.tuple(fc.constantFrom(...STRANGE_KEYS), WEIRD)
		.map(([key, value]) =>
			changeMessage((one) => Object.fromEntries([...Object.entries(one), [key, value]])),
		),
	fc.tuple(fc.constantFrom('seqno', 'sendMode', 'validUntil', 'walletType', 'walletId'), WEIRD).map(
		([key, value]): WrittenChange =>
			(written) => ({ ...written, [key]: value }),
	),
	fc.constant<WrittenChange>((written) => ({
		...written,
		messages: [...written.messages, ...written.messages],
	})),
);

/** A key that records the hash and returns an empty signature. Other tests compare signatures with those of another library. */
class KeepingKey {
	readonly publicKey = KEYS.publicKey;
	hash = '';

	readonly sign = (hash: Uint8Array): Uint8Array => {
		this.hash = Buffer.from(hash).toString('hex');
		return new Uint8Array(64);
	};
}

const describeSends = ({ sends }: ReadTransfer) =>
	sends
		.map(({ mode, message: { info, init, body: cell } }) => {
			const [to, amount] =
				info.type === 'internal' ? [raw(info.dest), info.value.coins] : ['a log', 0n];
			const code = init?.code?.hash().toString('hex');
			return [mode, to, amount, code, cell.hash().toString('hex')].join(' ');
		})
		.join('\n');

test('bodies, messages and bags of the TON chain with changed bits: those are signed that break no rule as the usual library reads them', () => {
	const cases = fc.record({
		given: transfer,
		rulesAt: fc.nat({ max: setsOfRules.length - 1 }),
		otherKind: seldom(fc.constantFrom(...KINDS)),
		change: fc.option(writtenChange, { freq: 2 }),
	});
	fc.assert(
		fc.property(cases, ({ given, rulesAt, otherKind, change }) => {
			const { rules, judged } = rulesByKind.get(otherKind ?? given.name.slice(0, 4))![rulesAt]!;
			const written = writeTransfer(given);
			const text = JSON.stringify(change ? change(written) : written);
			const key = new KeepingKey();
			const signed = attempt(() =>
				signTonTransfer(rules, key, parseTransfer(parseJsonValue(text))),
			);
			count(signed !== undefined);
			if (!change && DEFAULT_MODES.includes(given.sendMode)) {
				const broken = [...brokenByTon(buildAsked(given), judged)];
				expectSame(signed !== undefined, broken.length === 0, [text, broken]);
			}
			if (signed === undefined) return;
			const found = readSignedMessage(signed.signedMessage, given.name);
			const broken = [...brokenByTon(found, judged)];
			expectSame(broken.length, 0, [text, broken]);
			expectSame(found.hash, key.hash, text);
			expectSame(found.wallet, raw(WALLETS[given.name].address), text);
			if (!change) expectSame(describeSends(found), describeSends(withModes(given)), text);
		}),
	);
});

/** Adds the send mode that leaves out messages that cannot be sent, because the signer adds it to each transfer. */
function withModes(given: Transfer): ReadTransfer {
	const asked = buildAsked(given);
	return { ...asked, sends: asked.sends.map((one) => ({ ...one, mode: one.mode | LEAVES_OUT })) };
}

const LEAVES_OUT = 2;
