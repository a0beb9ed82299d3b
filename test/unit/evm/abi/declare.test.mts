import { toFunctionSelector } from 'viem';
import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import { declareFunction, formatAbiItem } from '../../../../nodes/core/evm/abi/entry';

const BASE = { type: 'function', inputs: [], outputs: [], stateMutability: 'view' };
const parse = abiParser('function');

function readBack(entry: object) {
	const [given] = parse([{ ...BASE, ...entry }]).functions;
	const declared = declareFunction(given!);
	const again = parse(declared).functions;
	expect(again).toHaveLength(1);
	const facts = ({ signature, selector, isView, isPayable, outputs }: typeof given & object) => ({
		signature,
		selector,
		isView,
		isPayable,
		outputs: outputs.map(({ type }) => type.name),
	});
	expect(facts(again[0]!)).toEqual(facts(given!));
	return { declared, shown: formatAbiItem(given!), selector: given!.selector };
}

const STRANGE_NAMES = [
	...['a) payable returns (uint8', 'a, uint256 b', 'a b', 'a;b', '//a', '/*', 'a\nb(', 'é', ' '],
	...['uint256', 'address', 'memory', 'indexed', 'payable', '__proto__', 'returns', 'function'],
];

describe('a function of JSON is declared so that the same function is read', () => {
	test.each(STRANGE_NAMES)('whatever its argument is called: %j', (name) => {
		const argument = { name, type: 'uint256' };
		const part = { name: 'part', type: 'tuple[]', components: [argument] };
		const { shown, selector } = readBack({
			name: 'f',
			inputs: [argument, part],
			outputs: [argument],
		});
		expect(selector).toBe(toFunctionSelector('f(uint256,(uint256)[])'));
		const isWord = /^\w+$/.test(name);
		if (!isWord) expect(shown).toBe('f(uint256, (uint256)[] part)');
	});

	test.each(['constructor', 'fallback', 'function', 'receive', 'event', 'view', '__proto__'])(
		'that is called %s',
		(name) => {
			expect(readBack({ name }).selector).toBe(toFunctionSelector(`${name}()`));
			readBack({ name, inputs: [{ name: 'a', type: 'bytes' }], stateMutability: 'payable' });
		},
	);
});
