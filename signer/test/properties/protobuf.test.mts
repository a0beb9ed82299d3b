import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { encodeFunctionData } from 'viem';
import { parseSecp256k1Rules } from '../../rules/rules';
import { signWitnessTransaction } from '../../nodes/core/secp256k1Signer';
import { witnessTransaction } from '../../nodes/Signer/witnessTransaction';
import { CONTRACT, FRIEND, STRANGER, TOKEN } from '../support/accounts.mts';
import { setClock } from '../support/clock.mts';
import { abi, type Ruled } from '../support/judge.mts';
import { account, attempt, createTally, expectSame, key } from '../support/properties.mts';
import { changeFields, type WireField } from '../support/protobuf.mts';
import { NOW } from '../support/typedData.mts';
import {
	ALL_WITNESS,
	asBase58,
	asWitness,
	callOf,
	delegationTo,
	expiringIn,
	memoOf,
	otherKinds,
	OWNER,
	permittedBy,
	transferOf,
	type Built,
} from '../support/witness.mts';
import {
	brokenByWitness,
	readWitnessTransaction,
	type WitnessRuled,
} from '../support/witnessJudge.mts';

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const count = createTally();

const calls: Ruled = {
	chainIds: [1],
	maxAmount: 1_000_000n,
	maxFee: 0n,
	recipients: [FRIEND.toLowerCase()],
	spenders: [],
	contracts: [CONTRACT.toLowerCase()],
	functions: new Map(),
	endOfNonces: undefined,
	limits: new Map([[TOKEN.toLowerCase(), 100n]]),
	allowDeployments: false,
};

const credential = {
	recipients: asBase58(FRIEND),
	contracts: asBase58(CONTRACT),
	tokenLimits: `${asBase58(TOKEN)} 100`,
	witnessMaxAmount: '1',
	witnessMaxFee: '10',
};

/** Sets of rules, each in two forms: for the independent check of these tests, and as a credential. */
const setsOfRules = [ALL_WITNESS.witnessKinds, ['transfer', 'contractCall', 'vote']].map(
	(kinds) => {
		const ruled: WitnessRuled = {
			kinds,
			maxAmount: 1_000_000n,
			maxFee: 10_000_000n,
			latest: Date.parse(NOW) + 3_600_000,
			calls,
		};
		return { ruled, rules: parseSecp256k1Rules({ ...credential, witnessKinds: [...kinds] }) };
	},
);

const encode = (functionName: string, args: readonly unknown[]) =>
	encodeFunctionData({ abi, functionName, args } as never) as string;

/** Transactions of all kinds, inside and outside the rules, as a node builds them. */
const originals: Built[] = [];

beforeAll(async () => {
	setClock(NOW);
	const amounts = [1, 1_000_000, 1_000_001, 5_000_000_000];
	originals.push(
		...(await Promise.all([
			...amounts.map(async (amount) => await transferOf(amount)),
			transferOf(1, asWitness(STRANGER)),
			transferOf(1, asWitness(FRIEND), asWitness(STRANGER)),
			callOf(TOKEN, encode('transfer', [FRIEND, 100n])),
			callOf(TOKEN, encode('transfer', [FRIEND, 101n])),
			callOf(TOKEN, encode('transfer', [STRANGER, 1n])),
			callOf(TOKEN, encode('approve', [FRIEND, 100n])),
			callOf(TOKEN, encode('approve', [STRANGER, 0n])),
			callOf(TOKEN, encode('setApprovalForAll', [FRIEND, true])),
			callOf(CONTRACT, '0x12345678', { callValue: 1_000_000 }),
			callOf(CONTRACT, '0x12345678', { callValue: 1_000_001 }),
			callOf(CONTRACT, '0x12', { feeLimit: 10_000_000 }),
			callOf(CONTRACT, '0x12', { feeLimit: 10_000_001 }),
			callOf(CONTRACT, '0x12', { tokenId: 1_000_001, tokenValue: 1 }),
			callOf(STRANGER, '0x12345678'),
			delegationTo(FRIEND),
			delegationTo(STRANGER),
			expiringIn(3_600_000),
			expiringIn(3_600_001),
			memoOf(5),
			memoOf(20_000),
			permittedBy(2),
			...Object.values(otherKinds).map(async (build) => await build()),
		])),
	);
});

const ADDRESSES = [OWNER, ...[FRIEND, STRANGER, TOKEN, CONTRACT].map(asWitness)].map((hex) =>
	Buffer.from(hex, 'hex'),
);
const NUMBERS = [
	0n,
	1n,
	2n,
	100n,
	1_000_001n,
	2n ** 31n,
	2n ** 32n + 1n,
	2n ** 63n,
	2n ** 64n - 1n,
];

const place = fc.nat({ max: 50 });
const value = fc.oneof(
	fc.constantFrom<bigint | Buffer>(...ADDRESSES, ...NUMBERS),
	fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes)),
);
const fieldNumber = fc.oneof(fc.nat({ max: 20 }), fc.constantFrom(100, 2 ** 28, 2 ** 29));

type FieldsChange = (fields: WireField[]) => readonly WireField[];

/** Changes one field of a message. The change may also remove or multiply the field. */
const changeField =
	(at: number, change: (field: WireField) => readonly WireField[]): FieldsChange =>
	(fields) =>
		fields.flatMap((field, index) => (index === at % fields.length ? change(field) : [field]));

/** Changes of fields that another decoder may read differently or overlook. */
const fieldsChange: fc.Arbitrary<FieldsChange> = fc.oneof(
	fc
		.tuple(place, value)
		.map(([at, more]) => changeField(at, (field) => [field, { ...field, value: more }])),
	fc
		.tuple(place, value)
		.map(([at, more]) => changeField(at, (field) => [{ ...field, value: more }, field])),
	fc
		.tuple(place, value)
		.map(([at, other]) =>
			changeField(at, (field) => [
				typeof field.value === typeof other ? { ...field, value: other } : field,
			]),
		),
	fc
		.tuple(place, value)
		.map(([at, other]) => changeField(at, (field) => [{ ...field, value: other }])),
	fc.tuple(fieldNumber, value, fc.boolean()).map(
		([number, more, isFirst]): FieldsChange =>
			(fields) =>
				isFirst ? [{ number, value: more }, ...fields] : [...fields, { number, value: more }],
	),
	place.map((at) => changeField(at, () => [])),
	fc
		.tuple(place, fc.constantFrom(1, 2, 5, 9))
		.map(([at, padding]) => changeField(at, (field) => [{ ...field, padding }])),
	fc.constant<FieldsChange>((fields) => [...fields].reverse()),
	fc.constant<FieldsChange>((fields) => [...fields, ...fields]),
);

type BytesChange = (bytes: Buffer) => Buffer;

/** The path to a nested message: the transaction, its contract, the wrapper of the parameter, or the parameter. */
const path = fc.constantFrom([], [11], [11, 2], [11, 2, 2], [11, 2, 2]);

const bytesChange: fc.Arbitrary<BytesChange> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.tuple(path, fieldsChange).map(
			([into, change]) =>
				(bytes: Buffer) =>
					changeFields(bytes, into, change),
		),
	},
	{
		weight: 1,
		arbitrary: fc.tuple(fc.nat(), fc.nat({ max: 7 })).map(([at, bit]) => (bytes: Buffer) => {
			const changed = Buffer.from(bytes);
			changed[at % bytes.length]! ^= 1 << bit;
			return changed;
		}),
	},
	{
		weight: 1,
		arbitrary: fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % bytes.length)),
	},
	{
		weight: 1,
		arbitrary: fc
			.uint8Array({ minLength: 1, maxLength: 3 })
			.map((more) => (bytes: Buffer) => Buffer.concat([bytes, more])),
	},
);

const [{ parse }] = witnessTransaction.operations.sign.fields;

test('transactions of the witness chain with changed bytes: those are signed that break no rule as the libraries of others read them', async () => {
	const cases = fc.record({
		at: fc.nat(),
		rulesAt: fc.nat({ max: setsOfRules.length - 1 }),
		change: fc.option(bytesChange, { freq: 4 }),
		isReadAgain: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(cases, async ({ at, change, isReadAgain, rulesAt }) => {
			const original = originals[at % originals.length]!;
			const { rules, ruled } = setsOfRules[rulesAt]!;
			const whole = Buffer.from(original.raw_data_hex, 'hex');
			const bytes = change ? change(whole) : whole;
			const txID = createHash('sha256').update(bytes).digest('hex');
			// The JSON beside the bytes has either the content before the change, or the content that another library reads
			// from the changed bytes.
			const rawData = isReadAgain ? readWitnessTransaction(bytes)?.rawData : original.raw_data;
			const given = {
				visible: false,
				txID,
				raw_data: rawData,
				raw_data_hex: bytes.toString('hex'),
			};
			const signed = attempt(() =>
				signWitnessTransaction(rules, key, parse(JSON.stringify(given))),
			);
			const broken = [...brokenByWitness(bytes, ruled)];
			count(signed !== undefined);
			if (bytes.equals(whole))
				expectSame(signed !== undefined, broken.length === 0, { given, broken });
			if (signed === undefined) return;
			expectSame(broken.length, 0, { given, broken });
			const [signature] = signed.signature;
			expectSame(`0x${signature}`, await account.sign({ hash: `0x${txID}` }), given);
		}),
	);
});
