import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import { getFunction } from '../../../../nodes/core/evm/abi/call';
import { formatAbiItem } from '../../../../nodes/core/evm/abi/entry';
import type { Json } from './support/anything.mts';

const parameter = (type: string, name = '', components?: readonly Json[]) => ({
	type,
	name,
	components,
	internalType: 'anything',
});

const TRANSFER = {
	type: 'function',
	name: 'transfer',
	stateMutability: 'nonpayable',
	inputs: [parameter('address', 'to'), parameter('uint256', 'amount')],
	outputs: [parameter('bool')],
};
const TRANSFERRED = {
	type: 'event',
	name: 'Transfer',
	anonymous: false,
	inputs: [
		{ ...parameter('address', 'from'), indexed: true },
		{ ...parameter('address', 'to'), indexed: true },
		{ ...parameter('uint256', 'value'), indexed: false },
	],
};
const TOO_LITTLE = {
	type: 'error',
	name: 'TooLittle',
	inputs: [parameter('uint256', 'available')],
};
const ABI = [
	{ type: 'constructor', inputs: [parameter('address')] },
	TRANSFER,
	TRANSFERRED,
	TOO_LITTLE,
	{ type: 'receive', stateMutability: 'payable' },
	{ type: 'fallback' },
];

describe('a JSON ABI', () => {
	test.each([
		['a list', ABI],
		['text', JSON.stringify(ABI)],
		['text over lines, with white space around it', `\n ${JSON.stringify(ABI, null, 2)}\n`],
		['what a compiler writes', { contractName: 'A', abi: ABI, bytecode: '0x6080' }],
		['the text of what a compiler writes', JSON.stringify({ abi: ABI, bytecode: '0x6080' })],
		['text in text', JSON.stringify(JSON.stringify(ABI))],
		['text in text in text', JSON.stringify(JSON.stringify(JSON.stringify({ abi: ABI })))],
		['what a compiler writes, with the ABI as text', { abi: JSON.stringify(ABI) }],
		['a list with text in it', [...ABI.slice(1, 3), 'error TooLittle(uint available)']],
	])('is read from %s', (_, given) => {
		const { functions, events, errors, invalidItems: unread } = abiParser('function')(given);
		expect(functions.map(formatAbiItem)).toEqual(['transfer(address to, uint256 amount)']);
		expect(events.map(formatAbiItem)).toEqual([
			'Transfer(address indexed from, address indexed to, uint256 value)',
		]);
		expect(errors.map(formatAbiItem)).toEqual(['TooLittle(uint256 available)']);
		expect(unread).toEqual([]);
	});

	test('may be of one entry', () => {
		expect(abiParser('function')(TRANSFER).functions).toMatchObject([{ selector: '0xa9059cbb' }]);
		expect(abiParser('event')(JSON.stringify(TRANSFERRED)).events).toHaveLength(1);
	});

	test('may leave out the defaults', () => {
		const { functions } = abiParser('function')([
			{ name: 'f' },
			{ name: 'g', inputs: [{ type: 'uint' }] },
		]);
		expect(functions.map(formatAbiItem)).toEqual(['f()', 'g(uint256)']);
	});

	test('has tuples, and lists of them', () => {
		const point = [parameter('int24', 'x'), parameter('int24', 'y')];
		const line = [parameter('tuple[2]', 'ends', point), parameter('string', 'note')];
		const inputs = [parameter('tuple', 'first', point), parameter('tuple[][3]', 'lines', line)];
		const [found] = abiParser('function')([{ ...TRANSFER, name: 'draw', inputs }]).functions;
		expect(found?.signature).toBe('draw((int24,int24),((int24,int24)[2],string)[][3])');
	});

	test('may have an entry that cannot be used, which says why when it is asked for', () => {
		const odd = { ...TRANSFER, name: 'odd', inputs: [parameter('Lib.Mode')] };
		const abi = abiParser('function')([odd, ...ABI]);
		expect(getFunction(abi, 'transfer').name).toBe('transfer');
		expect(() => getFunction(abi, 'odd')).toThrow("'Lib.Mode' is not an ABI type");
		expect(() => abiParser('function')([odd])).toThrow("'Lib.Mode' is not an ABI type");
		expect(() => abiParser('event')([odd])).toThrow(/^an event, such as/);
	});

	test.each([
		['a type that is no text', [{ type: 7 }], /'' is not an ABI type/],
		['a type with more behind it', [{ type: 'uint256 a' }], /'uint256 a' is not an ABI type/],
		['a type in brackets', [{ type: '(uint256)' }], /'\(' is not an ABI type/],
		[
			'a type that only people write',
			[{ type: 'address payable' }],
			/'address payable' is not an ABI type/,
		],
		['a type that does not end', [{ type: 'uint256[' }], /found the end/],
		['a type that is too long', [{ type: `uint${'[]'.repeat(200)}` }], /too long/],
		['a tuple of nothing', [{ type: 'tuple' }], /empty tuple/],
		['a tuple of numbers', [{ type: 'tuple', components: [1] }], /not a list of objects/],
		['inputs that are no list', 'uint256', /not a list of objects/],
		['inputs that are texts', ['uint256'], /not a list of objects/],
		['tuples nested too deep', [deep(40)], /16 deep/],
	])('is refused with %s', (_, inputs, reason) => {
		expect(() => abiParser('function')({ type: 'function', name: 'f', inputs })).toThrow(reason);
	});

	test.each([undefined, null, '', 'a b', '1a', {}, 7])('is refused with the name %p', (name) => {
		expect(() => abiParser('function')({ ...TRANSFER, name })).toThrow(
			'is not the name of a function',
		);
	});

	test('is refused with too many entries', () => {
		const many = Array.from({ length: 2501 }, () => TRANSFER);
		expect(() => abiParser('function')(many)).toThrow('more than 2500');
	});

	test('is refused when its signatures are too long in all', () => {
		const wide = { type: 'tuple', components: Array(800).fill({ type: 'bool' }) };
		const many = (count: number) =>
			Array.from({ length: count }, (_, at) => ({ name: `f${at}`, inputs: [wide] }));
		expect(abiParser('function')(many(50)).functions).toHaveLength(50);
		expect(() => abiParser('function')(many(100))).toThrow(
			'its signatures have more than 300000 characters in all',
		);
	});

	test('is refused when the text is too long', () => {
		const text = JSON.stringify([{ ...TRANSFER, name: 'f'.repeat(10_000_000) }]);
		expect(() => abiParser('function')(text)).toThrow('too long');
	});
});

function deep(left: number): Json {
	return left === 0
		? { name: '', type: 'uint256' }
		: { name: '', type: 'tuple', components: [deep(left - 1)] };
}

describe('a function of several', () => {
	const abi = abiParser('function')('a()\nb(uint256)\nb(address to)\nc(uint256, bool)');

	test.each([
		['by its name', 'a', 'a()'],
		['by its signature', 'b(address)', 'b(address)'],
		['by its signature with white space', ' c(uint256, bool) ', 'c(uint256,bool)'],
	])('is found %s', (_, wanted, signature) => {
		expect(getFunction(abi, wanted).signature).toBe(signature);
	});

	test('needs no name when it is alone', () => {
		for (const wanted of ['', undefined, null]) {
			expect(getFunction(abiParser('function')('a()'), wanted).name).toBe('a');
		}
	});

	test.each([
		['without a name', '', 'one of a(), b(uint256), b(address), c(uint256,bool)'],
		['with a name that two have', 'b', 'one of b(uint256), b(address)'],
		['with a name that none has', 'd', 'one of a(), b(uint256), b(address), c(uint256,bool)'],
		['with a number', 7, 'one of a(), b(uint256), b(address), c(uint256,bool)'],
	])('is refused with the choices %s', (_, wanted, message) => {
		expect(() => getFunction(abi, wanted)).toThrow(message);
	});

	test('is not listed with hundreds of others', () => {
		const many = Array.from({ length: 300 }, (_, index) => `f${index}()`).join('\n');
		expect(() => getFunction(abiParser('function')(many), 'g')).toThrow(/f19\(\), …$/);
	});
});
