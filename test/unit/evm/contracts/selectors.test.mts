import { toFunctionSelector } from 'viem';
import { findSelectors } from '../../../../nodes/core/evm/contracts/bytecode/selectors';
import { runAtOnce } from '../../../../nodes/core/net/pacing/slices';
import { TRIES_ALL, takeRows } from '../../../harness/caseCount.mts';
import { compileFile, listContractFiles } from '../../../harness/contract.mts';
import { assemble, jumpTo, push, type Part } from '../../support/assembler.mts';

const find = (code: Uint8Array) =>
	[...runAtOnce(findSelectors(code))].map((one) => one.toString(16).padStart(8, '0')).sort();
const findIn = (...parts: Part[]) => find(assemble(parts));

/** The functions that a contract's fallback function compares calls with, beside the declared functions. */
const ASKED_FURTHER: Readonly<Record<string, readonly string[]>> = {
	'Nfts Dirty': ['balanceOf(address,uint256)', 'ownerOf(uint256)'],
};

describe('each selector that the compiler gives is found, and no other', () => {
	const SETTINGS: Array<[how: string, settings: object]> = [
		['as they are', {}],
		['for cheap calls', { optimizer: { enabled: true, runs: 100_000 } }],
		['by way of Yul', { viaIR: true, optimizer: { enabled: true } }],
	];
	// The contracts are compiled again with each of the settings.
	test.each(takeRows(SETTINGS, 3))('%s', async (_how, settings) => {
		let count = 0;
		for (const file of takeRows(listContractFiles(), 8)) {
			const { contracts } = await compileFile(file, settings);
			for (const [name, { evm }] of Object.entries(contracts?.[file] ?? {})) {
				if (evm.deployedBytecode.object === '') continue;
				const further = ASKED_FURTHER[`${file} ${name}`] ?? [];
				const wanted = [
					...Object.values(evm.methodIdentifiers),
					...further.map((one) => toFunctionSelector(one).slice(2)),
				];
				const found = find(Buffer.from(evm.deployedBytecode.object, 'hex'));
				expect([name, found]).toEqual([name, wanted.sort()]);
				count += wanted.length;
			}
		}
		expect(count).toBeGreaterThan(TRIES_ALL ? 200 : 25);
	});
});

const SELECTORS = Array.from({ length: 12 }, (_, at) => (at * 0x1357_9bdf + 0xa9) >>> 0);
const formatSelector = (selector: number) => selector.toString(16).padStart(8, '0');
const EXPECTED = SELECTORS.map(formatSelector).sort();
const READ_SELECTOR = ['PUSH0', 'CALLDATALOAD', push(0xe0), 'SHR'];

const push4 = (selector: number) => push(selector, 4);

describe('other ways to find a function', () => {
	const STOP = [{ label: 'function' }, 'STOP'];
	const each = (build: (selector: number, at: number) => Part[]) => SELECTORS.flatMap(build);

	test('equality, from the selector in memory (Vyper until 0.2)', () => {
		const ask = each((selector, at) => [
			...[push4(selector), push(0), 'MLOAD', 'EQ', 'ISZERO', jumpTo(`next ${at}`), 'JUMPI'],
			...['STOP', { label: `next ${at}` }],
		]);
		const store = [push(0), 'CALLDATALOAD', push(0x1c), 'MSTORE'];
		expect(findIn(...store, ...ask, 'STOP')).toEqual(EXPECTED);
		const copy = [push(4), push(0), push(0x1c), 'CALLDATACOPY'];
		expect(findIn(...copy, ...ask, 'STOP')).toEqual(EXPECTED);
	});

	test('difference, where a jump leads past the function (Vyper 0.3)', () => {
		const ask = each((selector, at) => [
			...[push4(selector), 'DUP2', 'XOR', jumpTo(`next ${at}`), 'JUMPI'],
			...['CALLVALUE', jumpTo('fail'), 'JUMPI', 'STOP', { label: `next ${at}` }],
		]);
		expect(findIn(...READ_SELECTOR, ...ask, { label: 'fail' }, 'STOP')).toEqual(EXPECTED);
	});

	test('the first bytes of what is sent, without a shift', () => {
		const ask = each((selector) => [
			...['DUP1', push(BigInt(selector) << 224n, 32), 'EQ', jumpTo('function'), 'JUMPI'],
		]);
		const mask = [push(0xffff_ffffn << 224n, 32), push(0), 'CALLDATALOAD', 'AND'];
		expect(findIn(...mask, ...ask, 'STOP', ...STOP)).toEqual(EXPECTED);
	});

	test('a division by a power, which the oldest compilers compute', () => {
		const ask = each((selector) => [
			...['DUP1', push4(selector), 'EQ', jumpTo('function'), 'JUMPI'],
		]);
		const power = [push(0xe0), push(2), 'EXP', push(0), 'CALLDATALOAD', 'DIV'];
		expect(findIn(...power, ...ask, 'STOP', ...STOP)).toEqual(EXPECTED);
	});

	test('the selector of zeros, by its being nothing', () => {
		expect(
			findIn(...READ_SELECTOR, 'ISZERO', jumpTo('function'), 'JUMPI', 'STOP', ...STOP),
		).toEqual(['00000000']);
		expect(findIn(...READ_SELECTOR, jumpTo('other'), 'JUMPI', 'STOP', { label: 'other' })).toEqual([
			'00000000',
		]);
	});

	test.each([8, 5, 1])('a table of %d lists, by a remainder (Vyper since 0.3.10)', (size) => {
		const listOf = (place: number) => SELECTORS.filter((one) => one % size === place);
		const remainder = size === 8 ? [push(7), 'DUP3', 'AND'] : [push(size), 'DUP3', 'MOD'];
		const read = [
			push(1),
			'SHL',
			jumpTo('table'),
			'ADD',
			push(30),
			'CODECOPY',
			'PUSH0',
			'MLOAD',
			'JUMP',
		];
		const lists = Array.from({ length: size }, (_, place): Part[] => [
			{ label: `list ${place}` },
			...listOf(place).flatMap((selector): Part[] => [
				...[push4(selector), 'DUP2', 'XOR', jumpTo(`after ${selector}`), 'JUMPI'],
				...['STOP', { label: `after ${selector}` }],
			]),
			'STOP',
		]).flat();
		const table = Array.from({ length: size }, (_, place) => ({ addressOf: `list ${place}` }));
		const code = [...READ_SELECTOR, push(2), ...remainder, ...read, ...lists];
		expect(findIn(...code, { data: 'table' }, ...table)).toEqual(EXPECTED);
	});

	test('a perfect hash in two steps (Vyper for short code)', () => {
		const buckets = [0, 1, 2].map((place) => SELECTORS.filter((one) => one % 3 === place));
		const magics = buckets.map(findMagic);
		const headers = buckets.flatMap((bucket, place): Part[] => [
			{ bytes: toBytes(magics[place] ?? 0, 2) },
			{ addressOf: `bucket ${place}` },
			{ bytes: toBytes(bucket.length, 1) },
		]);
		const bodies = buckets.flatMap((bucket, place): Part[] => [
			{ data: `bucket ${place}` },
			...orderByHash(bucket, magics[place] ?? 0).flatMap((selector): Part[] => [
				{ bytes: toBytes(selector, 4) },
				{ addressOf: 'function' },
				{ bytes: toBytes(4, 1) },
			]),
		]);
		const readHeader = [
			...[push(5), push(3), 'DUP3', 'MOD', push(5), 'MUL', jumpTo('headers'), 'ADD'],
			...[push(27), 'CODECOPY', 'PUSH0', 'MLOAD'],
		];
		const readInfo = [
			...[push(7), 'DUP2', push(0xff), 'AND', 'DUP4', 'DUP4', push(24), 'SHR', 'MUL'],
			...[push(24), 'SHR', 'MOD', push(7), 'MUL', 'DUP3', push(8), 'SHR', push(0xffff, 2), 'AND'],
			...['ADD', push(25), 'CODECOPY', 'PUSH0', 'MLOAD'],
		];
		const ask = [
			...['DUP1', push(24), 'SHR', 'DUP4', 'EQ', push(3), 'CALLDATASIZE', 'GT', 'AND', 'ISZERO'],
			...[jumpTo('fallback'), 'JUMPI', 'DUP1', push(8), 'SHR', push(0xffff, 2), 'AND', 'JUMP'],
		];
		const code = [
			...READ_SELECTOR,
			...readHeader,
			...readInfo,
			...ask,
			{ label: 'fallback' },
			'STOP',
		];
		expect(findIn(...code, ...STOP, { data: 'headers' }, ...headers, ...bodies)).toEqual(EXPECTED);
	});
});

const toBytes = (value: number, size: number) =>
	Buffer.from(value.toString(16).padStart(2 * size, '0'), 'hex');
const hash = (selector: number, magic: number, size: number) =>
	Number(((BigInt(selector) * BigInt(magic)) >> 24n) % BigInt(size));

/** Finds a multiplier with which the selectors of a bucket hash to different positions. */
function findMagic(bucket: readonly number[]): number {
	for (let magic = 1; magic < 0x10000; magic++) {
		const places = new Set(bucket.map((one) => hash(one, magic, bucket.length)));
		if (places.size === bucket.length) return magic;
	}
	throw new Error('no magic');
}

const orderByHash = (bucket: readonly number[], magic: number) =>
	[...bucket].sort((a, b) => hash(a, magic, bucket.length) - hash(b, magic, bucket.length));

describe('what is no dispatcher', () => {
	test.each([
		['nothing', []],
		['an instruction that does not exist', ['INVALID']],
		['an empty stack', ['EQ']],
		['a jump to nowhere', [push(1000), 'JUMP']],
		['a jump into what is pushed', [push(1), 'JUMP', push(0x5b)]],
		['a loop', [{ label: 'again' }, jumpTo('again'), 'JUMP']],
		['a loop that asks for the time', [{ label: 'again' }, 'TIMESTAMP', jumpTo('again'), 'JUMPI']],
		['a stack that grows', [{ label: 'again' }, push(1), jumpTo('again'), 'JUMP']],
		['a push that the code ends in', [{ bytes: Buffer.from('7f00', 'hex') }]],
	] as Array<[string, Part[]]>)('%s', (_what, parts) => {
		expect(findIn(...parts)).toEqual([]);
	});

	test('code of a function that asks for selectors is not followed', () => {
		const ask = (selector: number, label: string) => [
			...['DUP1', push4(selector), 'EQ', jumpTo(label), 'JUMPI'],
		];
		const code = [...READ_SELECTOR, ...ask(0x1234_5678, 'function'), 'STOP', { label: 'function' }];
		expect(findIn(...code, ...ask(0x8765_4321, 'other'), 'STOP', { label: 'other' })).toEqual([
			'12345678',
		]);
	});
});
