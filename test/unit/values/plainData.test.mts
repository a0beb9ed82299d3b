import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import { catching, InvalidValue } from '../../../nodes/core/values/parse';
import { parsePlainData } from '../../../nodes/core/values/plainData';
import { takeRows } from '../../harness/caseCount.mts';
import { buildHostileForms, StolenValues } from '../../harness/hostile.mts';
import { catchThrown } from '../support/fakes.mts';

const SAMPLES = {
	'a text': 'hello',
	'a number': 5,
	'an object': { address: '0x12', storageKeys: ['0x1', '0x2'], more: { list: [[1], [2]] } },
	'a list': [{ a: 1 }, [2], 'three'],
};

describe.each(Object.entries(SAMPLES))('of %s', (_, sample) => {
	const names = Object.keys(buildHostileForms(sample, new StolenValues()));

	test.each(names)('%s becomes plain data, or is refused', (name) => {
		const loot = new StolenValues();
		const given = buildHostileForms(sample, loot)[name];
		let copy: unknown;
		try {
			copy = parsePlainData(given);
		} catch (error) {
			expect(error).toBeInstanceOf(InvalidValue);
		}
		assertPlain(copy);
		expect(loot.collected).toEqual([]);
	});

	test('a plain one stays as it is', () => {
		const copy = parsePlainData(sample);
		expect(copy).toEqual(sample);
		if (typeof sample === 'object') expect(copy).not.toBe(sample);
	});
});

function assertPlain(value: unknown): void {
	if (typeof value !== 'object' || value === null) {
		expect(['function', 'symbol']).not.toContain(typeof value);
		return;
	}
	expect(Object.getPrototypeOf(value)).toBe(
		Array.isArray(value) ? Array.prototype : Object.prototype,
	);
	for (const { value: part, get } of Object.values(Object.getOwnPropertyDescriptors(value))) {
		expect(get).toBeUndefined();
		assertPlain(part);
	}
}

test('reading such values by their own methods would hand them what is ours', () => {
	const loot = new StolenValues();
	const { 'a list with its own methods': list } = buildHostileForms([1], loot);
	const encode = (part: unknown) => Buffer.from(String(part));
	(list as unknown[]).map(encode);
	expect(loot.functions).toContain(encode);
});

test.each([
	[
		'a getter',
		Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }),
		/without getters/,
	],
	['a circle', circle(), /does not hold itself/],
	['a wide circle', wideCircle(), /does not hold itself/],
	['more levels than n8n can store', nestedLists(5000), /at most 3000 levels/],
	['an endless list', { length: 1 }, undefined],
	['a long list of nothing', Object.assign([], { length: 2 ** 32 - 1 }), /at most 200000 values/],
	['values that are shared again and again', doubled(40), /at most 200000 values/],
])('%s', (_, given, refusal) => {
	if (refusal)
		expect(catchThrown(() => parsePlainData(given))).toHaveProperty(
			'message',
			expect.stringMatching(refusal),
		);
	else expect(parsePlainData(given)).toEqual(given);
});

function circle(): object {
	const own: Record<string, unknown> = {};
	own.own = own;
	return own;
}

function wideCircle(): object {
	const own: unknown[] = Array.from({ length: 1000 }, () => 0);
	own.push(own);
	return own;
}

function nestedLists(depth: number): unknown {
	let nested: unknown = 1;
	for (let level = 0; level < depth; level++) nested = [nested];
	return nested;
}

function doubled(times: number): unknown {
	let value: unknown = 1;
	for (let time = 0; time < times; time++) value = [value, value];
	return value;
}

test('what JSON leaves out is left out', () => {
	const given = { a: undefined, f: () => 1, s: Symbol('s'), [Symbol('k')]: 1, n: null, b: 1n };
	expect(parsePlainData(given)).toEqual({ a: undefined, s: undefined, n: null, b: 1n });
	const sparse = Object.assign([() => 1, Symbol('s')], { 3: 2 });
	expect(parsePlainData(sparse)).toEqual([undefined, undefined, undefined, 2]);
	expect(parsePlainData(() => 1)).toBeUndefined();
});

test('a key named __proto__ stays a key', () => {
	const copy = parsePlainData(JSON.parse('{"__proto__":{"isAdmin":true}}')) as Record<
		string,
		unknown
	>;
	expect(Object.keys(copy)).toEqual(['__proto__']);
	expect(copy.isAdmin).toBeUndefined();
});

test('times become ISO 8601, without asking them', () => {
	const moment = 1_700_000_000_000;
	const iso = new Date(moment).toISOString();
	const own = Object.assign(new Date(moment), { toISOString: () => 'other', getTime: () => 0 });
	const luxon = DateTime.fromMillis(moment, { zone: 'Asia/Tokyo' });
	const foreign: unknown = runInNewContext(`new Date(${moment})`);
	expect(parsePlainData([new Date(moment), own, luxon, foreign])).toEqual([iso, iso, iso, iso]);
});

test.each([
	['a Date', new Date(NaN)],
	['a DateTime', DateTime.fromISO('2026-02-30')],
	['a DateTime in a list', [DateTime.fromISO('last monday')]],
	['a DateTime in an object', { since: DateTime.invalid('no time') }],
])('%s that is no time is not taken for the present', (_, given) => {
	expect(() => parsePlainData(given)).toThrow('data in which each time is a real one');
});

test('ten thousand rows of fifteen fields pass, and of twenty are too many', () => {
	const rowsOf = (fields: number) =>
		Array.from({ length: 10_000 }, () =>
			Object.fromEntries(Array.from({ length: fields }, (_, at) => [`field${at}`, at])),
		);
	expect(JSON.stringify(parsePlainData(rowsOf(15)))).toBe(JSON.stringify(rowsOf(15)));
	expect(() => parsePlainData(rowsOf(20))).toThrow('at most 200000 values');
});

/**
 * An expression can easily make each of the following values. Listing the keys of such a value, or walking up its
 * classes, would take seconds.
 */
test.each(
	takeRows(
		[
			['ten million bytes', () => new Uint8Array(10_000_000)],
			['ten million characters as an object', () => Object('x'.repeat(10_000_000)) as object],
			['an object with many levels of classes', () => Array<object>(150_000).fill(inherit(18))],
			['objects of a class', () => Array<object>(150_000).fill(new Row(1))],
			['times', () => Array<object>(150_000).fill(new Date(0))],
			['empty objects', () => Array<object>(150_000).fill({})],
		],
		3,
	),
)('%s are too many values', (_, make) => {
	const asked = jest.spyOn(Reflect, 'ownKeys');
	const levels = jest.spyOn(Reflect, 'getPrototypeOf');
	try {
		expect(() => parsePlainData(make())).toThrow('data of at most 200000 values');
		const listed = asked.mock.results.map(({ value }) => (value as unknown[]).length);
		expect(Math.max(0, ...listed.slice(0, 10))).toBeLessThan(100);
		expect(levels.mock.calls.length).toBeLessThan(200_001);
	} finally {
		jest.restoreAllMocks();
	}
});

function inherit(levels: number): object {
	let one: object = {};
	for (let level = 0; level < levels; level++) one = Object.create(one) as object;
	return one;
}

class Row {
	constructor(readonly id: number) {}
}

/**
 * Counts the failed calls of `getTime`: the parser recognizes a Date by this method, which throws for all other
 * objects.
 */
function countFailures(given: unknown): number {
	const asked = jest.spyOn(Date.prototype, 'getTime');
	try {
		catching(InvalidValue, () => parsePlainData(given));
		return asked.mock.results.filter(({ type }) => type === 'throw').length;
	} finally {
		asked.mockRestore();
	}
}

test.each<[string, () => unknown]>([
	['ordinary objects', () => ({})],
	['objects of a class', () => new Row(1)],
	['objects without a class', () => Object.create(null)],
	['objects of a foreign realm', () => runInNewContext('({})')],
	['Dates', () => new Date()],
	['proxies of Dates', () => new Proxy(new Date(), {})],
	['times of Luxon', () => DateTime.now()],
])('%s are copied without a failure, which takes ten times as long', (_, make) => {
	expect(countFailures(Array.from({ length: 100 }, make))).toBe(0);
});

class NamedDate extends Date {
	get [Symbol.toStringTag]() {
		return 'Named';
	}
}

test('a Date that goes by another name is a time as well', () => {
	const moment = 1_700_000_000_000;
	expect(parsePlainData(new NamedDate(moment))).toBe(new Date(moment).toISOString());
});

const falseDate = () => Object.defineProperty({}, Symbol.toStringTag, { value: 'Date' });

/** A proxy that reports a property as missing, and then returns a value for it. */
const lyingProxy = () =>
	new Proxy(
		{},
		{
			getPrototypeOf: () => null,
			get: (_, name) => (name === Symbol.toStringTag ? 'Date' : undefined),
		},
	);

const endlessProxy = (): object => new Proxy({}, { getPrototypeOf: endlessProxy });

test.each([
	['objects that claim to be Dates', () => Object.create(falseDate()) as unknown],
	['proxies that claim to be Dates', lyingProxy],
	['proxies whose classes have no end', endlessProxy],
])('%s are none, and a thousand of them are enough', (_, make) => {
	const many = (length: number) => Array.from({ length }, make);
	expect(parsePlainData(many(3))).toEqual([{}, {}, {}]);
	expect(() => parsePlainData(many(1001))).toThrow('at most 1000 objects that name their own kind');
});
