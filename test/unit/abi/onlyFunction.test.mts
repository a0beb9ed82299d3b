import { NodeHelpers, type INode } from 'n8n-workflow';
import { abiOf } from '../../../nodes/core/abi/abi';
import { onlyFunction } from '../../../nodes/core/abi/call';
import { functionName } from '../../../nodes/core/abi/functionFields';
import { ONE_FUNCTION_AT_MOST } from '../../../nodes/core/abi/onlyFunction';
import { property } from '../../../nodes/core/operation/panel';
import { attempt, InvalidValue } from '../../../nodes/core/values/read';
import { randomFrom } from '../../harness/random.mts';

/** As n8n asks it. */
const holdsOneAtMost = (text: string) => new RegExp(ONE_FUNCTION_AT_MOST).test(text);

/** Whether functions are read, and it has to be said which one is meant. */
function hasChoice(text: string): boolean {
	const abi = attempt(InvalidValue, () => abiOf('function')(text));
	if (abi instanceof InvalidValue || abi.functions.length === 0) return false;
	return onlyFunction(abi) === undefined;
}

const ENTRY = { type: 'function', name: 'f', inputs: [{ name: 'a', type: 'uint256' }] };

describe('nothing is to be chosen', () => {
	test.each([
		'',
		' \n',
		'balanceOf',
		'balanceOf(',
		'balanceOf(address',
		'balanceOf(address owner) view returns (uint256)',
		'function transfer(address to, uint256 amount) external returns (bool);',
		'function transfer(\n  address to,\n  uint256 amount\n) external returns (\n  bool isDone\n);\n',
		'set((uint256 a, (address b, bool c)[] list)[] all) payable',
	])('in %j', (text) => {
		expect(holdsOneAtMost(text)).toBe(true);
	});
});

describe('something may be to choose, or what is called would not be seen', () => {
	test.each([
		'f(uint a); g(bool b)',
		'f(uint a)\ng(bool b)',
		'function f(uint a) function g(bool b)',
		'interface Token { function f(uint a) external; function g() external; }',
		'f(uint a) // )\ng(bool b',
		'f(uint a /* ) */);\ng()',
		JSON.stringify(ENTRY),
		JSON.stringify([ENTRY]),
		JSON.stringify([ENTRY, { ...ENTRY, name: 'g' }]),
		JSON.stringify([{ name: 'f' }, { name: 'g' }]),
		JSON.stringify(['f(uint a)', 'g()']),
		JSON.stringify(JSON.stringify([ENTRY, { ...ENTRY, name: 'g' }])),
		JSON.stringify({ abi: [ENTRY, { ...ENTRY, name: 'g' }] }),
		'{"\\u0061bi": ["f(uint a)", "g()"]}',
		'{"x": "}", "abi": ["f()", "g()"]}',
		'[{"x": "}"}, {"name": "f"}, {"name": "g", "x": "{"}]',
		'={{ $json.abi }}',
		'=f',
	])('in %j', (text) => {
		expect(holdsOneAtMost(text)).toBe(false);
	});

	test('wherever one of several is to be named, in whatever order the parts come', () => {
		const random = randomFrom(34);
		const parts = [
			...['f(uint a)', 'g()', 'function h(\nbool b\n)', 'event E(address a)', 'returns (uint)'],
			...['function', 'interface I {', '}', '{"name":"f"}', '{"name":"g"}', '{"abi":', '[', ']'],
			...['g(uint9 a)', 'constructor(uint a)', 'error X()', 'struct S { uint a; }', '1', '$', '\r'],
			...[
				'receive() external payable',
				'\u2028',
				'\ufeff',
				'g(S s)',
				'{"type":"event","name":"h"}',
			],
			...['"f(bool a)"', ',', ';', '\n', ' ', '//', '/*', '*/', '(', ')', '"', "'", 'view', '\t'],
		];
		const several: string[] = [];
		for (let round = 0; round < 20_000; round++) {
			const length = 2 + random.upTo(7);
			const text = Array.from({ length }, () => random.oneOf(parts)).join('');
			if (hasChoice(text)) several.push(text);
		}
		expect(several.length).toBeGreaterThan(100);
		expect(several.filter(holdsOneAtMost)).toEqual([]);
	});
});

test.each([
	['blanks before a comment', `f(uint a)${' '.repeat(100_000)}// what it does`],
	['blanks between lines', `f(uint a)${' \n'.repeat(50_000)}g()`],
	['brackets', `f${'(((((a)b)c)d)e)'.repeat(7_000)}/`],
	['a list of JSON', `[${'{"name":"f"},'.repeat(8_000)}`],
])('n8n, which gives up after a while, reads %s without end', (_, given) => {
	const drawn = NodeHelpers.displayParameter(
		{ function: given },
		property(functionName),
		{} as INode,
		null,
	);
	expect(drawn).toBe(true);
});
