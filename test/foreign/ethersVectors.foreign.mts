import { abiParser } from '../../nodes/core/evm/abi/abi';
import {
	decodeFunctionResult,
	encodeFunctionData,
	getFunction,
} from '../../nodes/core/evm/abi/call';
import { decodeEventLog, encodeEventTopics } from '../../nodes/core/evm/abi/event';
import { vectors } from './vectors.mts';

/** Test vectors from npm's `@ethersproject/testcases`: data that contracts compiled by solc have returned or logged. */
const results = [
	...vectors<ResultVector>('contract-interface', 2045),
	...vectors<ResultVector>('contract-interface-abi2', 1880),
];
const logs = vectors<LogVector>('contract-events', 2016);
const selectors = vectors<SelectorVector>('contract-signatures', 1880);

interface ResultVector {
	readonly name: string;
	/** All three are JSON texts. */
	readonly interface: string;
	readonly types: string;
	readonly values: string;
	/** The values within the ranges of their types. For example, -1 as a uint8 is 255. */
	readonly normalizedValues?: string;
	readonly result: string;
}

interface LogVector {
	readonly name: string;
	readonly interface: string;
	readonly types: readonly string[];
	readonly indexed: ReadonlyArray<boolean | null>;
	readonly hashed: readonly boolean[];
	readonly topics: readonly string[];
	readonly data: string;
	readonly values: readonly unknown[];
	/** The values of the arguments. Dynamic indexed arguments have hashes, because logs contain only their hashes. */
	readonly normalizedValues: readonly unknown[];
}

interface SelectorVector {
	readonly name: string;
	readonly abi: string;
	readonly signature: string;
	readonly sigHash: string;
}

describe(`the contracts of ethers' own tests agree`, () => {
	test(`on ${results.length} results, read and written`, () => {
		expect(failuresOf(results, resultAgrees)).toEqual([]);
	});

	test(`on ${logs.length} logs, read and filtered by`, () => {
		expect(failuresOf(logs, logAgrees)).toEqual([]);
	});

	test(`on ${selectors.length} selectors, of a JSON ABI and of a signature`, () => {
		expect(failuresOf(selectors, selectorAgrees)).toEqual([]);
	});
});

function resultAgrees(vector: ResultVector): void {
	const values = (JSON.parse(vector.normalizedValues ?? vector.values) as unknown[]).map(plain);
	const [declared] = JSON.parse(vector.interface) as Array<{ outputs: unknown }>;
	const asJson = getFunction(abiParser('function')({ ...declared, inputs: declared?.outputs }), '');
	const types = (JSON.parse(vector.types) as string[]).join(', ');
	const asText = getFunction(abiParser('function')(`test(${types}) returns (${types})`), 'test');
	for (const called of [asJson, asText]) {
		const { result = undefined, ...named } = decodeFunctionResult(called, vector.result);
		const read = values.length === 1 ? [result] : (result ?? Object.values(named));
		expect(comparable(read)).toEqual(comparable(values));
		expect(encodeFunctionData(called, values)).toBe(asJson.selector + vector.result.slice(2));
	}
}

function logAgrees({ types, values, indexed, hashed, ...vector }: LogVector): void {
	const { events } = abiParser('event')(vector.interface);
	const { event, args } = decodeEventLog(events, vector);
	expect(event).toBe('testEvent');
	const spelled = (value: unknown, index: number) =>
		/^u?int/.test(types[index] ?? '') ? decimal(value) : value;
	const logged = vector.normalizedValues.map((value, index) =>
		hashed[index] ? value : spelled(value, index),
	);
	expect(comparable(Object.values(args ?? {}))).toEqual(comparable(logged));

	const declared = types.map((type, index) => `${type}${indexed[index] ? ' indexed' : ''}`);
	const isAnonymous = events.find(({ name }) => name === event)?.isAnonymous;
	const asText = `event testEvent(${declared.join(', ')})${isAnonymous ? ' anonymous' : ''}`;
	const where = values.map(spelled).flatMap((value, index) =>
		// A list value is wrapped in another list, because a list in a filter means alternatives.
		indexed[index] ? [[`arg${index}`, Array.isArray(value) ? [value] : value]] : [],
	);
	const topics = encodeEventTopics(abiParser('event')(asText).events, Object.fromEntries(where));
	expect(topics).toEqual(vector.topics);
}

function selectorAgrees({ abi, signature, sigHash }: SelectorVector): void {
	for (const given of [abi, signature]) {
		const called = getFunction(abiParser('function')(given), signature);
		expect(called).toMatchObject({ signature, selector: sigHash });
	}
}

/** Checks all vectors, and lists the names of the first few that fail. */
function failuresOf<Vector extends { readonly name: string }>(
	all: readonly Vector[],
	check: (vector: Vector) => void,
): string[] {
	const failures = all.flatMap((vector) => {
		try {
			check(vector);
			return [];
		} catch (error) {
			return [`${vector.name}: ${String(error)}`];
		}
	});
	return failures.length > 5
		? [...failures.slice(0, 5), `and ${failures.length - 5} more`]
		: failures;
}

/** Converts `{ type, value }` of a vector to the input that a user would enter. */
function plain(given: unknown): unknown {
	if (Array.isArray(given)) return given.map(plain);
	const { value } = given as { value: unknown };
	return Array.isArray(value) ? value.map(plain) : value;
}

/** Converts integers from hex to decimal text. The vectors also contain negative hex (-0x…). */
function decimal(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(decimal);
	const [, minus, digits] = /^(-?)(.*)$/.exec(String(value)) ?? [];
	return `${minus}${BigInt(digits ?? '')}`;
}

/**
 * Brings values into a form that can be compared: integers as text, addresses and bytes in lower case, tuples as lists.
 */
function comparable(value: unknown): unknown {
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return value.startsWith('0x') ? value.toLowerCase() : value;
	return typeof value === 'object' && value !== null ? Object.values(value).map(comparable) : value;
}
