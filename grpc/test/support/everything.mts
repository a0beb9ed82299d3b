import fc from 'fast-check';
import { anyText } from '../../../test/harness/anyText.mts';

/** A value or its absence, for a field that distinguishes them. */
const maybe = <T,>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const between = (least: bigint, most: bigint) =>
	fc
		.oneof(
			fc.constantFrom(least, most, 0n, 2n ** 53n + 1n, least === 0n ? 1n : -(2n ** 53n) - 1n),
			fc.bigInt(least, most),
		)
		.map(String);
const int64 = between(-(2n ** 63n), 2n ** 63n - 1n);
const uint64 = between(0n, 2n ** 64n - 1n);
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

/** Writes a number as in JSON: minus zero becomes 0, and NaN and infinities become text. */
const named = (value: number) => (Number.isFinite(value) ? value || 0 : String(value));
const double = fc.double().map(named);
/** Finds the shortest decimal that is the same float. */
const shortest = (value: number) =>
	Array.from({ length: 9 }, (_, digits) => Number(value.toPrecision(digits + 1))).find((short) =>
		Object.is(Math.fround(short), value),
	) ?? value;
const float = fc.float().map(shortest).map(named);

const key = fc.oneof({ weight: 9, arbitrary: anyText }, fc.constant('__proto__'));
const bytes = fc
	.uint8Array({ maxLength: 20 })
	.map((value) => Buffer.from(value).toString('base64'));
/** An enum value by its name, or by its number if it has no name. */
const kind = fc.constantFrom('KIND_UNSPECIFIED', 'KIND_ONE', 'KIND_SEVEN', 5);

const digits = fc
	.constantFrom(0, 3, 6, 9)
	.chain((length) =>
		fc.integer({ min: 1, max: 10 ** length - 1 || 1 }).map((part) => [length, part]),
	)
	.map(([length = 0, part]) => (length ? String(part).padStart(length, '0') : ''))
	.filter((fraction) => !fraction.endsWith('000'))
	.map((fraction) => fraction && `.${fraction}`);
const timestamp = fc
	.tuple(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), digits)
	.map(([seconds, part]) => new Date(seconds * 1000).toISOString().replace('.000', part));
const duration = fc
	.tuple(fc.integer({ min: 1, max: 315_576_000_000 }), digits, fc.constantFrom('', '-'))
	.map(([seconds, part, sign]) => `${sign}${seconds}${part}s`);

const anyJson = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 2 },
		fc.constant(null),
		fc.boolean(),
		fc.integer(),
		anyText,
		fc.array(tie('value'), { maxLength: 3 }),
		fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
	),
})).value;

const point = fc.record({ x: int64, y: maybe(int64) });
const listOf = <T,>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 3 });
const mapOf = <T,>(name: fc.Arbitrary<string>, value: fc.Arbitrary<T>) =>
	fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true });
const flag = fc.constantFrom('true', 'false');

const choice = fc.oneof(
	fc.constant({}),
	fc.record({ choiceText: anyText }),
	fc.record({ choiceNumber: int64 }),
	fc.record({ choicePoint: point }),
	fc.record({ choiceKind: kind }),
	fc.record({ choiceBytes: bytes }),
);

const scalars = {
	doubleValue: double,
	floatValue: float,
	int32Value: int32,
	int64Value: int64,
	uint32Value: uint32,
	uint64Value: uint64,
	sint32Value: int32,
	sint64Value: int64,
	fixed32Value: uint32,
	fixed64Value: uint64,
	sfixed32Value: int32,
	sfixed64Value: int64,
	boolValue: fc.boolean(),
	stringValue: anyText,
	bytesValue: bytes,
	kind,
};

const optional = {
	optionalInt32: maybe(int32),
	optionalUint64: maybe(uint64),
	optionalDouble: maybe(double),
	optionalBool: maybe(fc.boolean()),
	optionalString: maybe(anyText),
	optionalBytes: maybe(bytes),
	optionalKind: maybe(kind),
	point: maybe(point),
};

const many = {
	int32List: listOf(int32),
	uint64List: listOf(uint64),
	doubleList: listOf(double),
	boolList: listOf(fc.boolean()),
	stringList: listOf(anyText),
	bytesList: listOf(bytes),
	kindList: listOf(kind),
	pointList: listOf(point),
	unpackedList: listOf(int64),
	numbersByName: mapOf(key, int64),
	bytesByName: mapOf(key, bytes),
	kindsByName: mapOf(key, kind),
	textsByNumber: mapOf(int64, anyText),
	pointsByNumber: mapOf(int64, point),
	doublesByFlag: mapOf(flag, double),
	kindsByFlag: mapOf(flag, kind),
};

const wellKnown = {
	timestamp: maybe(timestamp),
	duration: maybe(duration),
	wrappedInt64: maybe(int64),
	wrappedBytes: maybe(bytes),
	wrappedString: maybe(anyText),
	struct: maybe(fc.dictionary(key, anyJson, { maxKeys: 3, noNullPrototype: true })),
	fieldMask: maybe(fc.constantFrom('', 'name', 'name,owner.firstName')),
	empty: maybe(fc.constant({})),
	timestamps: listOf(timestamp),
	durationsByName: mapOf(key, duration),
};

/** Generates messages of chain.v1.Everything in canonical JSON. Fields that JSON always contains are never left out. */
export const everything: fc.Arbitrary<object> = fc.letrec<{ message: object }>((tie) => ({
	message: fc
		.tuple(
			fc.record({ ...scalars, ...optional, ...many, ...wellKnown }),
			choice,
			fc.record({
				child: maybe(fc.oneof({ maxDepth: 1 }, fc.constant(undefined), tie('message'))),
				children: fc.oneof(
					{ maxDepth: 1 },
					fc.constant([]),
					fc.array(tie('message'), { maxLength: 2 }),
				),
				childrenByName: fc.oneof(
					{ maxDepth: 1 },
					fc.constant({}),
					fc.dictionary(key, tie('message'), { maxKeys: 1, noNullPrototype: true }),
				),
			}),
		)
		.map((parts) => JSON.parse(JSON.stringify(Object.assign({}, ...parts))) as object),
})).message;
