import fc from 'fast-check';
import { hashTypedData as hashByViem } from 'viem';
import { InvalidInput } from '../../../../nodes/core/errors/invalidInput';
import { hashTypedData } from '../../../../nodes/core/evm/abi/typedData';
import { collectResults } from '../../../../nodes/core/run';
import { signature } from '../../../../nodes/EvmRpc/signature';
import { hash } from '../../../../nodes/Utilities/hash';
import { largeTypedData, orderOf } from '../../../harness/largeTypedData.mts';
import { getSeed } from '../../../harness/caseCount.mts';
import { createContext } from '../../support/chains.mts';
import { expectLinear } from '../../support/growth.mts';

/** The size of the tested texts: anybody may send such a text to a webhook. */
const MEGABYTE = 1_000_000;
/** The highest number of blocks that may be hashed. Each block takes some microseconds. */
const MAX_BLOCKS = 40_000;
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TOO_MUCH = /^'Data' must be typed data of fewer values, shorter texts or smaller types/;
const TOO_LARGE = /^'Data' must be smaller JSON: to parse so much would hold n8n up/;
const TOO_DEEP =
	/^'Data' must be typed data whose types and lists are nested at most 64 levels deep/;

/** Hashes typed data. Returns the hash, or the message of the refusal. */
function hashed(given: unknown, hash?: (bytes: Uint8Array) => Uint8Array) {
	try {
		return { hash: `0x${hashTypedData(given, 'Data', hash).toString('hex')}` };
	} catch (error) {
		expect(error).toBeInstanceOf(InvalidInput);
		return { refusal: (error as InvalidInput).message };
	}
}

/**
 * Counts the blocks that would be hashed for the data, without hashing them. Returns the count, and the message of
 * the refusal.
 */
function counted(given: unknown) {
	let blocks = 0;
	const { refusal } = hashed(given, ({ length }) => {
		blocks += Math.floor(length / 136) + 1;
		return new Uint8Array(32);
	});
	return { refusal, blocks };
}

/** Parses JSON texts inside of the data, because other libraries do not read nested JSON. */
function parsed(given: unknown): unknown {
	if (typeof given === 'string' && /^ *\[/.test(given)) return parsed(JSON.parse(given));
	if (Array.isArray(given)) return given.map(parsed);
	if (typeof given !== 'object' || given === null) return given;
	return Object.fromEntries(Object.entries(given).map(([key, one]) => [key, parsed(one)]));
}

const DEEP = 'lists deeper than types may be';
/** Data of these kinds is refused before it is parsed, because parsing a megabyte of it would block n8n. */
const COSTLY_TO_PARSE = ['lists in lists', DEEP];

describe.each(Object.entries(largeTypedData))('a megabyte of %s', (name, make) => {
	test('is hashed with so much work at most, or refused in words', () => {
		const text = JSON.stringify(make(MEGABYTE));
		expect(text.length).toBeGreaterThan(MEGABYTE / 3);
		const { refusal, blocks } = counted(text);
		expect(blocks).toBeLessThanOrEqual(MAX_BLOCKS);
		if (refusal !== undefined)
			expect(refusal).toMatch(COSTLY_TO_PARSE.includes(name) ? TOO_LARGE : TOO_MUCH);
	});

	test('is refused for its size alone: less of it has the hash that another library makes', () => {
		const given = make(10_000);
		const refused = { refusal: expect.stringMatching(TOO_DEEP) as string };
		expect(hashed(given)).toEqual(
			name === DEEP ? refused : { hash: hashByViem(parsed(given) as never) },
		);
	});
});

test('an order of ten thousand items is not too much', () => {
	const few = orderOf(20);
	expect(hashed(few).hash).toBe(hashByViem(few as never));
	expect(counted(orderOf(10_000)).refusal).toBeUndefined();
	expect(counted(orderOf(20_000)).refusal).toMatch(TOO_MUCH);
});

test('nothing is hashed of a list that is too long', () => {
	const given = largeTypedData['empty texts']!(MEGABYTE);
	// Only four small blocks are hashed: the texts of two types, the name in the domain, and the domain itself.
	expect(counted(given)).toEqual({ blocks: 4, refusal: expect.stringMatching(TOO_MUCH) as string });
});

test('what a wide type does not have is found in one pass, and the error names a few of its members', async () => {
	const wide = (size: number) => {
		const members = Array.from({ length: size / 40 }, (_, at) => `m${at}`);
		return {
			types: { A: members.map((name) => ({ name, type: 'bool' })) },
			primaryType: 'A',
			domain: {},
			message: Object.fromEntries([...members, 'other'].map((name) => [name, true])),
		};
	};
	const given = new Map(
		[64, 16, 4, 1].map((part) => (4 * MEGABYTE) / part).map((size) => [size, wide(size)]),
	);
	await expectLinear(4 * MEGABYTE, (size) => {
		const { refusal = '' } = hashed(given.get(size));
		expect(refusal).toMatch(/an object with m0, m1, .*, m19, …: remove 'other', /);
		expect(refusal.length).toBeLessThan(500);
	});
});

interface Parts {
	readonly leaf: readonly [type: string, value: unknown];
	/** The structure around each innermost value, from the inside to the outside. */
	readonly around: ReadonlyArray<'list' | 'pair' | 'struct' | 'text'>;
	/** The number of lists in the data. */
	readonly lists: number;
	/** The number of types that refer to all types after them. */
	readonly types: number;
}

const anything: fc.Arbitrary<Parts> = fc.record({
	leaf: fc.constantFrom<Parts['leaf']>(
		['uint8', 1],
		['bool', true],
		['string', ''],
		['bytes', '0x'],
		['address', ADDRESS],
		['Empty', {}],
	),
	around: fc.array(fc.constantFrom('list', 'pair', 'struct', 'text'), { maxLength: 20 }),
	lists: fc.constantFrom(1, 10, 1000),
	types: fc.nat(30),
});

test('whatever is in each other, and however many types there are', () => {
	fc.assert(
		fc.property(anything, (parts) => {
			const { refusal = '', blocks } = counted(built(parts));
			expect(blocks).toBeLessThanOrEqual(MAX_BLOCKS);
			if (refusal !== '') expect(refusal).toMatch(TOO_MUCH);
		}),
		{ seed: getSeed(20261124), numRuns: 40 },
	);
});

type Types = Record<string, Array<{ name: string; type: string }>>;

/** Builds lists of nested values. The whole data is about a megabyte long. */
function built({ leaf, around, lists, types: count }: Parts): object {
	const types: Types = { Empty: [] };
	const [type, value] = around.reduce<Parts['leaf']>(([inner, one], kind, at) => {
		if (JSON.stringify(one).length > 5_000) return [inner, one];
		if (kind === 'struct') {
			types[`S${at}`] = [{ name: 'one', type: inner }];
			return [`S${at}`, { one }];
		}
		const list = kind === 'pair' ? [one, one] : [one];
		return [`${inner}[]`, kind === 'text' ? JSON.stringify(list) : list];
	}, leaf);
	const room = (0.9 * MEGABYTE) / lists / JSON.stringify(value).length;
	const values = Array<unknown>(Math.ceil(room)).fill(value);
	const names = Array.from({ length: lists }, (_, at) => `m${at}`);
	const users = Array.from({ length: count }, (_, at) => `T${at}`);
	for (const [at, user] of users.entries()) {
		types[user] = users.slice(at + 1).map((name) => ({ name, type: `${name}[]` }));
	}
	types.A = [
		...names.map((name) => ({ name, type: `${type}[]` })),
		...users.map((name) => ({ name, type: name })),
	];
	const ofUsers = users.map((name, at) => [
		name,
		Object.fromEntries(users.slice(at + 1).map((later) => [later, []])),
	]);
	const message = {
		...Object.fromEntries(names.map((name) => [name, values])),
		...Object.fromEntries(ofUsers),
	};
	return { types, primaryType: 'A', domain: {}, message };
}

describe('nodes that are given too much typed data', () => {
	const typedData = JSON.stringify(largeTypedData['empty structs']!(MEGABYTE));

	test('refuse it: Signature: Verify, before it asks the node', async () => {
		const call = jest.fn();
		const given = { address: ADDRESS, signature: '0x', typedData, path: '/', options: {} };
		await expect(
			collectResults(signature.operations.verify, given, createContext(call)),
		).rejects.toThrow(/^'Typed Data' must be typed data of fewer values/);
		expect(call).not.toHaveBeenCalled();
	});

	test('refuse it: Hash: Compute', async () => {
		const given = { algorithm: 'typedData', input: typedData };
		await expect(
			collectResults(hash.operations.compute, given, createContext(jest.fn())),
		).rejects.toThrow(/^'Input' must be typed data of fewer values/);
	});
});
