import fc from 'fast-check';
import {
	ensHumanReadableAbi,
	nounsAuctionHouseHumanReadableAbi,
	seaportHumanReadableAbi,
	writingEditionsFactoryHumanReadableAbi,
} from 'abitype/abis';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAbi, toFunctionSelector, type AbiFunction } from 'viem';
import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import {
	decodeFunctionResult,
	encodeFunctionData,
	getFunction,
} from '../../../../nodes/core/evm/abi/call';
import { formatAbiItem, type AbiItem } from '../../../../nodes/core/evm/abi/entry';
import { InvalidValue } from '../../../../nodes/core/values/parse';
import { getAbi } from '../../../harness/contract.mts';
import { hexOf } from './support/words.mts';
import { getCaseCount, getSeed, takeRows } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261123), numRuns: getCaseCount(500) });

const oneFunction = (given: unknown) => getFunction(abiParser('function')(given), '');
const signatureOf = (given: unknown) => oneFunction(given).signature;

/** Formats entries with the names of all inputs and outputs. */
const sorted = (entries: readonly AbiItem[]) =>
	entries.map((entry) => [formatAbiItem(entry), JSON.stringify(entry)].join(' ')).sort();

describe('types that are declared', () => {
	test('are those of a source of Solidity, as its compiler reads them', async () => {
		const source = readFileSync(
			join(__dirname, '..', '..', '..', 'contracts', 'Market.sol'),
			'utf8',
		);
		const imports = `import {IToken, Kind} from "./a.sol"; // "/*\nimport 'https://example.com/a.sol';`;
		const read = abiParser('function')(`${imports}\n${source}`);
		const compiled = await Promise.all(
			['Owned', 'IMarket', 'IShop', 'IOther'].map(async (name) => await getAbi('Market', name)),
		);
		const wanted = abiParser('function')(compiled.flat());
		expect(read.functions.map(({ name }) => name)).toEqual(['place', 'sell', 'other']);
		for (const kind of ['functions', 'events', 'errors'] as const) {
			expect(sorted(read[kind])).toEqual(sorted(wanted[kind]));
		}
	});

	test.each([
		['ENS', ensHumanReadableAbi],
		['an auction', nounsAuctionHouseHumanReadableAbi],
		['Seaport', seaportHumanReadableAbi],
		['editions', writingEditionsFactoryHumanReadableAbi],
	])('are those of human-readable ABIs: %s', (_, lines) => {
		const wanted = abiParser('function')(parseAbi(lines as never));
		const block = `interface IAny {\n\t${lines.join(';\n\t')};\n}`;
		for (const given of [lines, lines.join('\n'), lines.join(' '), block]) {
			const read = abiParser('function')(given);
			for (const kind of ['functions', 'events', 'errors'] as const) {
				expect(sorted(read[kind])).toEqual(sorted(wanted[kind]));
			}
		}
	});

	test('give and take their components by name', () => {
		const called = oneFunction([
			'function turn(Line line) returns (Line)',
			'struct Line { Point from; Point to; }',
			'struct Point { uint8 x; uint8 y; }',
		]);
		const line = { from: { x: 1, y: 2 }, to: { x: 3, y: 4 } };
		expect(encodeFunctionData(called, [line])).toBe(called.selector + hexOf(1, 2, 3, 4).slice(2));
		expect(decodeFunctionResult(called, hexOf(1, 2, 3, 4))).toEqual({ result: line });
	});

	test.each([
		['a struct before', 'struct S { uint a; bool b; }\nf(S s)', 'f((uint256,bool))'],
		[
			'a struct behind',
			'f(S[2][] calldata s)\nstruct S { uint a; bool b }',
			'f((uint256,bool)[2][])',
		],
		['a struct in a line with it', 'struct S { uint a; } function f(S s)', 'f((uint256))'],
		['a struct of an event', 'f(S s) event E(S s) struct S { bool a; }', 'f((bool))'],
		['an enum', 'enum E { A, B }\nf(E e, E[] list)', 'f(uint8,uint8[])'],
		['a contract', 'contract C\nf(C c, C payable d)', 'f(address,address)'],
		['an interface', 'interface I;\nfunction f(I i)', 'f(address)'],
		['an interface twice', 'interface I\ninterface I { }\nfunction f(I i)', 'f(address)'],
		['an abstract contract', 'abstract contract A is B, C(1)\nf(A a)', 'f(address)'],
		['a type of its own', 'type T is bytes32;\nf(T t)', 'f(bytes32)'],
		['a type without a semicolon', 'type T is int8\nf(T t)', 'f(int8)'],
		['a struct of an interface', 'interface I { struct S { bool a; } } f(I.S s)', 'f((bool))'],
		['a struct of any interface', 'interface I { struct S { bool a; } } f(S s)', 'f((bool))'],
		['a struct without its interface', 'struct S { bool a; }\nf(I.S s)', 'f((bool))'],
		[
			'the nearest of a name',
			'struct S { bool a; }\ninterface I { struct S { int8 a; } function f(S s); }',
			'f((int8))',
		],
		['a struct twice', ['struct S { bool a; }', 'struct S {\n\tbool a;\n}', 'f(S s)'], 'f((bool))'],
		['a struct that nobody uses', 'struct S { Unknown a; }\nf()', 'f()'],
		[
			'a struct in the list of a JSON ABI',
			['f(S s)', { type: 'event', name: 'E' }, 'struct S { bool a; }'],
			'f((bool))',
		],
		['as JSON', '["f(S s)", "struct S { bool a; }"]', 'f((bool))'],
	])('may be %s', (_, given, signature) => {
		expect(signatureOf(given)).toBe(signature);
	});

	test.each([
		['a struct that contains itself', 'struct S { S[] a; }\nf(S s)', /struct S contains itself/],
		[
			'structs that contain each other',
			'struct A { B b; }\nstruct B { A[] a; }\nf(B b)',
			/struct B contains itself/,
		],
		['an empty struct', 'struct S { }\nf(S s)', /empty tuple/],
		['a struct with a mapping', 'struct S { mapping(uint => uint) a; }\nf(S s)', /a mapping/],
		['a struct without a body', 'struct S;\nf(S s)', /expected '{' but found the end/],
		[
			'a struct that does not end',
			'f(S s)\nstruct S { uint a;',
			/expected a type but found the end/,
		],
		['a struct with commas', 'struct S { uint a, uint b }\nf(S s)', /expected ';' but found ','/],
		[
			'an unknown type in a struct',
			'struct S { IToken a; }\nf(S s)',
			/'IToken' is not an ABI type/,
		],
		[
			'two structs of a name',
			'struct S { uint a; }\nstruct S { int a; }\nf(S s)',
			/S is declared in two ways/,
		],
		[
			'a struct of two interfaces',
			'interface A { struct S { int a; } }\ninterface B { struct S { int a; } }\nf(S s)',
			/'S' may be A.S or B.S: write which/,
		],
		['a library', 'library L { }\nf(L l)', /'L' is not an ABI type/],
		['a type of a struct', 'struct S { uint a; }\ntype T is S;\nf(T t)', /'S' is not an ABI type/],
		['a type of two', 'type T is uint8 uint16;\nf(T t)', /'uint16' is not allowed/],
		[
			'a struct of another interface',
			'interface A { struct S { int a; } }\nf(B.S s)',
			/'B.S' is not an ABI type/,
		],
	])('may not be %s', (_, given, reason) => {
		expect(() => oneFunction(given)).toThrow(InvalidValue);
		expect(() => oneFunction(given)).toThrow(reason);
	});

	test('that cannot be used do not spoil what does without them', () => {
		const abi = abiParser('function')('struct S { S a; }\nf(S s)\ng(T t)\ntype T is bool;');
		expect(abi.functions.map(formatAbiItem)).toEqual(['g(bool t)']);
		expect(() => getFunction(abi, 'f')).toThrow('contains itself');
	});

	describe('in each other', () => {
		const chain = (length: number, of: (next: string) => string) =>
			Array.from({ length }, (__, level) => `struct S${level} { ${of(`S${level + 1}`)} }`).join(
				'\n',
			);

		test('are refused where they are too deep, in any order', () => {
			const structs = `${chain(20, (next) => `${next} a;`)}\nstruct S20 { bool a; }`;
			const deep = abiParser('function')(`${structs}\nf(S0 s)\ng(S10 s)\nh(S4 s)`);
			expect(deep.functions.map(({ name }) => name)).toEqual(['g']);
			expect(() => getFunction(deep, 'f')).toThrow('nested more than 16 deep');
		});

		test.each(
			takeRows(
				[
					['deep', chain(3000, (next) => `${next} a;`)],
					['wide', chain(15, (next) => `${next} a; ${next} b; ${next}[] c;`)],
					['wide and deep', chain(2000, (next) => `${next} a; ${next} b;`)],
					[
						'wide at several depths',
						chain(900, (next) => `${next} a; (${next} c) b; ((${next} c) d) e;`),
					],
					['circular', `${chain(2000, (next) => `${next} a;`)}\nstruct S2000 { S0 a; S0 b; }`],
					['many of a name', 'struct S0 { S0 a; }\nstruct S0 { bool a; }\n'.repeat(1000)],
				],
				5,
			),
		)('may be %s: they are read once, or refused', (_, structs) => {
			const uses = Array.from({ length: 2000 }, (__, index) => `f${index}(S${index % 900} s)`);
			const { functions, invalidItems: unread } = abiParser('function')([
				structs,
				...uses,
				'f(bool)',
			]);
			expect(functions.length + unread.length).toBe(2001);
		});
	});

	test('are read as another library reads them', () => {
		fc.assert(
			fc.property(sources, (lines) => {
				const oracle = parseAbi(lines as never) as readonly unknown[] as AbiFunction[];
				const { functions } = abiParser('function')(lines.join('\n'));
				const ofList = abiParser('function')(lines).functions;
				expect(functions.length).toBe(oracle.length);
				expect(ofList.map(({ selector }) => selector)).toEqual(
					oracle.map(toFunctionSelector as never),
				);
				expect(functions.map(({ selector }) => selector)).toEqual(
					abiParser('function')(oracle).functions.map(({ selector }) => selector),
				);
			}),
		);
	});
});

/** Random structs that refer to later structs, in any order, with a function for each struct. */
const sources = fc
	.array(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
	.chain((structs) => {
		const elementary = ['uint256', 'address', 'string', 'bytes32', 'bool[]', 'int8[2]'];
		const lines = structs.flatMap((choices, index) => {
			const later = structs.slice(index + 1).map((__, ahead) => `S${index + 1 + ahead}`);
			const types = [...elementary, ...later, ...later.map((name) => `${name}[]`)];
			const fields = choices.map((choice, at) => `${types[choice % types.length]} m${at};`);
			return [
				`struct S${index} { ${fields.join(' ')} }`,
				`function f${index}(S${index} a, S${index}[2] calldata b) view returns (S${index} c)`,
			];
		});
		return fc.shuffledSubarray(lines, { minLength: lines.length });
	});
