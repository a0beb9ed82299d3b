import fc, { type Arbitrary } from 'fast-check';
import { anyText } from '../../../../harness/anyText.mts';

/** A parameter of a JSON ABI. */
export interface Json {
	readonly name: string;
	readonly type: string;
	readonly components?: readonly Json[];
	readonly indexed?: boolean;
}

/** A value in the form that viem takes, and in a form that users may enter. */
export interface Value {
	readonly plain: unknown;
	readonly given: unknown;
}

const sizes = fc.integer({ min: 1, max: 32 });
const elementary = fc.oneof(
	fc.constantFrom('address', 'bool', 'string', 'bytes'),
	sizes.map((size) => `uint${size * 8}`),
	sizes.map((size) => `int${size * 8}`),
	sizes.map((size) => `bytes${size}`),
);
const brackets = fc.array(fc.constantFrom('[]', '[1]', '[2]'), { maxLength: 2 });

/** Random parameters of a function. All, none or some have names, and tuples are nested at most `depth` times. */
export function parameters(depth: number, most = 3): Arbitrary<Json[]> {
	const naming = fc.constantFrom('all', 'none', 'some');
	return fc
		.tuple(fc.array(unnamed(depth), { minLength: 1, maxLength: most }), naming)
		.map(([types, names]) =>
			types.map((type, index) => {
				const isNamed = names === 'all' || (names === 'some' && index % 2 === 0);
				return { name: isNamed ? `name${index}` : '', ...type };
			}),
		);
}

function unnamed(depth: number): Arbitrary<Omit<Json, 'name'>> {
	const simple = fc.tuple(elementary, brackets).map(([type, lists]) => ({
		type: type + lists.join(''),
	}));
	if (depth === 0) return simple;
	const tuple = fc
		.tuple(parameters(depth - 1), brackets)
		.map(([components, lists]) => ({ type: `tuple${lists.join('')}`, components }));
	return fc.oneof({ weight: 3, arbitrary: simple }, { weight: 1, arbitrary: tuple });
}

/** A random value for each of the given parameters. */
export function values(types: readonly Json[]): Arbitrary<Value[]> {
	return fc.tuple(...types.map(valueOf));
}

function valueOf({ type, components = [] }: Omit<Json, 'name'>): Arbitrary<Value> {
	const list = /^(.*)\[(\d*)\]$/.exec(type);
	if (list) return listOf({ type: list[1] ?? '', components }, list[2] ?? '');
	if (type === 'tuple') return tupleOf(components);
	const [, kind = '', digits = ''] = /^([a-z]+)(\d*)$/.exec(type) ?? [];
	if (kind === 'uint') return integer(0n, 2n ** BigInt(digits) - 1n);
	if (kind === 'int') return integer(-(2n ** BigInt(digits)) / 2n, 2n ** BigInt(digits) / 2n - 1n);
	if (type === 'bool') return spelled(fc.boolean(), (value) => [value, String(value)]);
	if (type === 'string') return spelled(anyText, (value) => [value]);
	if (type === 'address') return hex(20, 20);
	return type === 'bytes' ? hex(0, 70) : hex(Number(digits), Number(digits));
}

function listOf(item: Omit<Json, 'name'>, length: string): Arbitrary<Value> {
	const bounds = length === '' ? [0, 2] : [Number(length), Number(length)];
	return fc.array(valueOf(item), { minLength: bounds[0], maxLength: bounds[1] }).map((items) => ({
		plain: items.map(({ plain }) => plain),
		given: items.map(({ given }) => given),
	}));
}

function tupleOf(components: readonly Json[]): Arbitrary<Value> {
	const isNamed = components.every(({ name }) => name !== '');
	return fc.tuple(values(components), fc.boolean()).map(([parts, asObject]) => {
		const plain = parts.map((part) => part.plain);
		const given = parts.map((part) => part.given);
		return {
			plain: isNamed ? byName(components, plain) : plain,
			given: asObject ? byName(components, given) : given,
		};
	});
}

export function byName(types: readonly Json[], of: readonly unknown[]): object {
	return Object.fromEntries(types.map(({ name }, index) => [name || `arg${index}`, of[index]]));
}

function integer(min: bigint, max: bigint): Arbitrary<Value> {
	const edges = fc.constantFrom(min, max, min + 1n, max - 1n);
	return spelled(fc.oneof(fc.bigInt({ min, max }), edges), (value) => [
		value,
		String(value),
		...(value >= 0n ? [`0x${value.toString(16)}`, ` 0X${value.toString(16).toUpperCase()} `] : []),
		...(Number.isSafeInteger(Number(value)) ? [Number(value)] : []),
	]);
}

function hex(minLength: number, maxLength: number): Arbitrary<Value> {
	const bytes = fc.uint8Array({ minLength, maxLength, size: 'max' });
	return spelled(
		bytes.map((value) => `0x${Buffer.from(value).toString('hex')}`),
		(value) => [value, `0x${value.slice(2).toUpperCase()}`],
	);
}

function spelled<T>(plain: Arbitrary<T>, spellings: (value: T) => unknown[]): Arbitrary<Value> {
	return fc.tuple(plain, fc.nat()).map(([value, choice]) => {
		const all = spellings(value);
		return { plain: value, given: all[choice % all.length] };
	});
}

/** Writes a parameter as people do: `(uint256 a, address)[] list`. */
export function written({ name, type, components, indexed }: Json): string {
	const inside = components && `(${components.map(written).join(', ')})`;
	const whole = inside ? type.replace('tuple', inside) : type;
	return [whole, indexed ? 'indexed' : '', name].filter((word) => word !== '').join(' ');
}
