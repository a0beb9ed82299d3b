import fc from 'fast-check';
import { encodeAbiParameters, encodeFunctionData, parseAbi, type Abi } from 'viem';
import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import { parseFunction, getFunction } from '../../../../nodes/core/evm/abi/call';
import { shortenBytes, formatCall } from '../../../../nodes/core/evm/abi/callText';
import { parameters, values } from './support/anything.mts';
import { getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261123) });

const who = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const SELECTOR = 10;
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** Formats a call of the function with the given signature and arguments. */
function spelt(signature: string, ...args: readonly unknown[]): string {
	const abi = parseAbi([`function ${signature}`] as readonly string[]) as Abi;
	return formatCall(parseFunction(signature), encodeFunctionData({ abi, args }).slice(SELECTOR));
}

type Call = readonly [signature: string, ...args: unknown[]];

test.each<[shown: string, call: Call]>([
	['stop()', ['stop()']],
	[
		`pay(to: ${who}, amount: ${2n ** 256n - 1n})`,
		['pay(address to, uint256 amount)', who, 2n ** 256n - 1n],
	],
	['f(5, -5, true)', ['f(uint8, int256, bool)', 5, -5n, true]],
	['f(name: "Grüße")', ['f(string name)', 'Grüße']],
	['f(name: "a\', to: 0x00")', ['f(string name)', 'a", to: 0x00']],
	['f(name: "0x123")', ['f(string name)', '0x123']],
	[`f(name: "${'x'.repeat(60)}…")`, ['f(string name)', 'x'.repeat(1000)]],
	[`f(0x${'ab'.repeat(32)})`, ['f(bytes)', `0x${'ab'.repeat(32)}`]],
	['f(0xabababab… (33 bytes))', ['f(bytes)', `0x${'ab'.repeat(33)}`]],
	['f([1, 2], [], ["x"])', ['f(uint8[], bool[], string[])', [1, 2], [], ['x']]],
	[
		`f(pay: {to: ${who}, amount: 5})`,
		['f((address to, uint256 amount) pay)', { to: who, amount: 5n }],
	],
	['f([1, 2, 3, 4, 5, 6, 7, 8, 9, … 991 more])', ['f(uint16[])', upTo(1000)]],
	[
		'f([[1], [2], [3], [4], [… 1 more], … 5 more])',
		['f(uint8[1][])', upTo(10).map((one) => [one])],
	],
	[
		'f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … 2 more)',
		[`f(${Array(12).fill('uint8').join(', ')})`, ...upTo(12)],
	],
	[`${'n'.repeat(40)}…(${'a'.repeat(40)}…: 1)`, [`${'n'.repeat(41)}(uint8 ${'a'.repeat(41)})`, 1]],
])('%s', (shown, call) => {
	expect(spelt(...call)).toBe(shown);
});

test('a name of an ABI that is no name is left out', () => {
	const named = (name: string) => ({
		type: 'function',
		name: 'f',
		outputs: [],
		inputs: [{ name, type: 'uint8' }],
	});
	const shown = (name: string) => {
		const called = getFunction(abiParser('function')([named(name)]), '');
		return formatCall(called, encodeAbiParameters([{ type: 'uint8' }], [5]).slice(2));
	};
	expect(shown('amount')).toBe('f(amount: 5)');
	expect(shown(`to: ${who}) of nothing, not`)).toBe('f(5)');
});

test('is bounded, and on one line, of any types and values', () => {
	const call = parameters(3).chain((types) => fc.tuple(fc.constant(types), values(types)));
	fc.assert(
		fc.property(call, ([types, list]) => {
			const entry = { type: 'function', name: 'act', outputs: [], inputs: types };
			const called = getFunction(abiParser('function')([entry]), '');
			const args = list.map(({ plain }) => plain);
			const shown = formatCall(called, encodeAbiParameters(types as never, args as never).slice(2));
			expect(shown.length).toBeLessThan(1500);
			expect(shown).toMatch(/^act\([^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\)$/u);
		}),
		{ numRuns: 1000 },
	);
});

test.each([
	['0x', '0x (0 bytes)'],
	['0xa9059cbb', '0xa9059cbb (4 bytes)'],
	['0xa9059cbb00', '0xa9059cbb… (5 bytes)'],
])('bytes: %s', (hex, shown) => {
	expect(shortenBytes(hex)).toBe(shown);
});
