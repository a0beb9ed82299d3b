import fc from 'fast-check';
import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import { getFunction } from '../../../../nodes/core/evm/abi/call';
import { formatAbiItem } from '../../../../nodes/core/evm/abi/entry';
import { InvalidValue } from '../../../../nodes/core/values/parse';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261121), numRuns: getCaseCount(2000) });

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const oneFunction = (given: unknown) => getFunction(abiParser('function')(given), '');
const functions = (given: unknown) => abiParser('function')(given).functions.map(formatAbiItem);

describe('a function', () => {
	test.each([
		'balanceOf(address)',
		' balanceOf ( address ) ',
		'balanceOf(address);',
		'balanceOf(address owner)',
		'balanceOf(address payable owner)',
		'"balanceOf(address)"',
		'["balanceOf(address)"]',
		'function balanceOf(address owner) external view returns (uint256 balance);',
		'function balanceOf(address) public view virtual override returns (uint256)',
		'function balanceOf(address) public view override(First, Second) returns (uint256)',
		'balanceOf(address)(uint256)',
		'balanceOf(address owner) view returns (uint256)',
		'function balanceOf(\n\taddress owner\n)\n\texternal\n\tview\n\treturns (\n\t\tuint256\n\t);',
		'function balanceOf(address owner)\n\texternal\n\tview\n\toverride\n\treturns (uint256);',
		'function balanceOf(address owner)\n\tpublic\n\tonlyOwner\n\tonlyRole(of(READER))\n\treturns (uint256)',
		'/// The balance of an account.\nfunction balanceOf(address owner) // of anyone\n external;',
		'/** The balance\n of an (account. */ balanceOf(address /* any */ owner)',
	])('is read in any spelling: %s', (given) => {
		expect(oneFunction(given)).toMatchObject({
			kind: 'function',
			name: 'balanceOf',
			signature: 'balanceOf(address)',
			selector: '0x70a08231',
		});
	});

	test.each([
		['f()', 'f()'],
		['f(uint, int, byte)', 'f(uint256,int256,bytes1)'],
		['f(uint[] calldata a, int [ 3 ] memory b)', 'f(uint256[],int256[3])'],
		['f((uint256 a, address b)[] list)', 'f((uint256,address)[])'],
		['f(tuple(uint a, address payable[] b)[2][] memory list)', 'f((uint256,address[])[2][])'],
		['f(((bool)[] a, (string, bytes) b) c)', 'f(((bool)[],(string,bytes)))'],
		['$_f0(bytes32 storage a)', '$_f0(bytes32)'],
		['event(string error)', 'event(string)'],
		['struct(bool enum)', 'struct(bool)'],
		['pragma(bool)', 'pragma(bool)'],
		['function receive(address from, uint256 amount) external', 'receive(address,uint256)'],
		['receive(uint256)', 'receive(uint256)'],
		['function receive()', 'receive()'],
		['fallback(bytes)', 'fallback(bytes)'],
		['function fallback(bytes) external', 'fallback(bytes)'],
		['function fallback()', 'fallback()'],
		['// https://example.com/*\nf(bool /* // */)', 'f(bool)'],
		['/* it\'s // */ f(bool /** a "b" **/)', 'f(bool)'],
		['function function(bool)', 'function(bool)'],
	])('is known by the long names of its types alone: %s', (given, signature) => {
		expect(oneFunction(given).signature).toBe(signature);
	});

	test('has outputs', () => {
		const { outputs } = oneFunction(
			'f() view returns (uint a, (bool b, string)[] memory, address)',
		);
		expect(outputs.map(({ name, type }) => [name, type.name])).toEqual([
			['a', 'uint256'],
			['', '(bool,string)[]'],
			['', 'address'],
		]);
	});

	test.each([
		['a forgotten comma', 'transfer(address uint256)', /expected ',' but found 'uint256'/],
		['outputs given twice', 'f(uint256)(bool) returns (address)', /outputs are declared twice/],
		['a keyword in the place of a name', 'function()', /expected a name but found 'function'/],
		['an unknown type', 'f(IERC20 token)', /'IERC20' is not an ABI type.* address for a contract/],
		[
			'a type with a dot',
			'f(IPool.Mode mode)',
			/'IPool.Mode' is not an ABI type.* uint8 for an enum/,
		],
		['an integer of 7 bits', 'f(uint7)', /no uint7/],
		['an integer of 0 bits', 'f(int0)', /no int0/],
		['an integer with a zero ahead', 'f(uint08)', /no uint08/],
		['an integer of 264 bits', 'f(int264)', /no int264/],
		['bytes33', 'f(bytes33)', /no bytes33/],
		['fixed', 'f(fixed)', /fixed-point/],
		['ufixed128x18', 'f(ufixed128x18)', /fixed-point/],
		['a function type', 'f(function(uint) external callback)', /function types/],
		['a mapping', 'f(mapping(address => uint) a)', /'=' is not allowed/],
		['Object.prototype', 'f(toString)', /'toString' is not an ABI type/],
		['a list of nothing', 'f(uint[0])', /length 0/],
		['a list of no texts', 'f(string[0])', /length 0/],
		['an empty tuple', 'f(())', /empty tuple/],
		['a list that is too long', 'f(uint[1000001])', /too large/],
		['a list of lists that is too long', 'f(uint[1001][1000])', /too large/],
		['a tuple that is too large', 'f((uint[999999] a, uint[999999] b))', /too large/],
		['a length that is a word', 'f(uint[N])', /length of a list but found 'N'/],
		['a length that is not whole', 'f(uint[1.5])', /'\.'/],
		['a list that does not close', 'f(uint[)', /length of a list but found '\)'/],
		['no closing bracket', 'f(uint a', /expected ',' but found the end/],
		['no brackets', 'balanceOf', /expected '\(' but found the end/],
		['no name', '(uint256)', /expected a name but found '\('/],
		['a comma too many', 'f(uint,)', /expected a type but found '\)'/],
		['a word too many', 'f(uint a b)', /'a b'/],
		['a number for a name', '1f(uint)', /expected a name but found '1'/],
		['a body', 'function f(uint a) external { return 1; }', /'{' is not allowed/],
		['a misspelt word', 'f(uint a) vieww returns (uint)', /'vieww' is not allowed/],
		['a modifier', 'function f() external onlyOwner', /'onlyOwner' is not allowed/],
		[
			'a modifier without function',
			'f()\n\tonlyOwner\n\treturns (uint)',
			/'onlyOwner' is not allowed/,
		],
		['a word after an event', 'event F()\n\tanonymus', /^a function, such as/],
		['return in a line', 'function f()\n\treturn (uint)', /'return' is not allowed/],
		['a text in quotes', 'f(uint "a")', /'"a"' is not allowed/],
		[
			'the fallback',
			'fallback(bytes calldata) external returns (bytes memory)',
			/^a function, such as/,
		],
		['what receives', 'receive() external payable', /^a function, such as/],
		['return for returns', 'f() view return (uint)', /'return' is not allowed/],
		['outputs without brackets', 'f() returns uint', /expected '\(' but found 'uint'/],
		['an interface of nothing', 'interface IAny {}', /^a function, such as/],
		['an enum alone', 'enum Mode { On, Off }', /^a function, such as/],
		['a struct alone', 'struct Pair { uint a; uint b; }', /^a function, such as/],
		['100,000 characters and more', `f(${'uint,'.repeat(20_000)}uint)`, /longer than 100000/],
		[
			'texts of half a million characters in all and more',
			Array(6).fill(`f()${' '.repeat(90_000)}`),
			/its texts have more than 500000 characters/,
		],
		['ten thousand declarations and more', 'f();'.repeat(10_001), /more than 10000 declarations/],
		['a selector', '0x70a08231', /expected a name but found '0'/],
		['a comment that does not end', 'f(uint /* a)', /comment is not closed/],
		['tuples nested too deep', `f(${'('.repeat(40)}uint${')'.repeat(40)})`, /16 deep/],
		['lists nested too deep', `f(uint${'[]'.repeat(40)})`, /16 deep/],
		['broken JSON', '[{"type":"function"', /not valid JSON/],
		['a number', 7, /neither text nor an object/],
		['a list of numbers', [1], /neither text nor an object/],
		['an event', 'event Transfer(address from)', /^a function, such as/],
		['an empty list', [], /^a function, such as/],
		['an object of something else', { foo: 1 }, /'' is not the name of a function/],
		['nothing', '', /^a function, such as/],
		['nothing at all', undefined, /^a function, such as/],
		['null', null, /^a function, such as/],
		['JSON that is null', '[null]', /neither text nor an object/],
	])('is refused: %s', (_, given, reason) => {
		expect(() => oneFunction(given)).toThrow(InvalidValue);
		expect(() => oneFunction(given)).toThrow(reason);
	});

	test('is read, or refused, whatever the text', () => {
		const words = fc.constantFrom(
			'f',
			'(',
			')',
			'[',
			']',
			',',
			';',
			' ',
			'\n',
			'uint',
			'tuple',
			'address',
			'payable',
			'2',
			'returns',
			'override',
			'function',
			'event',
			'indexed',
			'/*',
			'*/',
			'//',
			'"',
			'{',
			'\\',
		);
		const texts = fc.array(words, { maxLength: 30, size: 'max' }).map((parts) => parts.join(''));
		fc.assert(
			fc.property(fc.oneof(texts, fc.string()), (given) => {
				expect(readOrRefused(given)).toBe(true);
			}),
		);
	});

	test.each([
		['brackets', '('],
		['lists', 'f(uint[][][]'],
		['comments', '/*'],
		['line comments', '//'],
		['quotes', '"'],
		['spaces', ' '],
		['words', 'a '],
		['commas', 'f(uint,'],
		['overrides', 'f() override('],
		['functions', 'f()\n'],
		['JSON', '[{"inputs":'],
		['braces', '{'],
		['pragmas', 'pragma;'],
		['structs', 'struct a{'],
		['interfaces', 'interface a{'],
		['contracts', 'abstract '],
		['types', 'type a is '],
		['modifiers', 'function f()\n a(\n'],
	])('may be a very long text: %s', (_, part) => {
		expect(readOrRefused(part.repeat(300_000 / part.length))).toBe(true);
		expect(readOrRefused(part.repeat(90_000 / part.length))).toBe(true);
	});
});

function readOrRefused(given: unknown): boolean {
	try {
		return abiParser('function')(given).functions.length > 0;
	} catch (error) {
		return error instanceof InvalidValue;
	}
}

describe('several signatures', () => {
	test.each([
		[
			'in an interface',
			'interface IAny is IOne, ITwo {\n\tfunction a() external;\n\n\tfunction b(uint x) external;\n\terror C(bool);\n}',
		],
		['in lines', 'a()\nb(uint x)\nerror C(bool)'],
		['with semicolons', 'function a(); function b(uint x) returns (uint); error C(bool)'],
		['in one line', 'function a() view function b(uint x) error C(bool)'],
		['as JSON', '["a()", "function b(uint x)", "error C(bool)"]'],
		['as a list', ['a()', 'b(uint x)', 'error C(bool)']],
		[
			'over lines',
			'function a()\n  external;\nfunction b(\n  uint x\n)\n  view\n\n error C(bool);;',
		],
		[
			'with what is never called',
			'constructor(address)\na()\nb(uint x)\nreceive() external payable\nfallback()\nerror C(bool)',
		],
		['twice', 'a()\nb(uint x)\nfunction b(uint256 y)\nerror C(bool)\nerror C(bool)'],
	])('are read %s', (_, given) => {
		const { functions: found, errors } = abiParser('function')(given);
		expect(found.map(formatAbiItem)).toEqual(['a()', 'b(uint256 x)']);
		expect(errors.map(formatAbiItem)).toEqual(['C(bool)']);
	});

	test('may be one that cannot be used, which says why when it is asked for', () => {
		const given =
			'f(uint a\nfunction g(IToken token)\nh(bool) returns (uint)\ni(=)\nerror E(unit a)\nk()';
		const abi = abiParser('function')(given);
		expect(abi.functions.map(formatAbiItem)).toEqual(['h(bool)', 'k()']);
		expect(abi.invalidItems.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
			'function f',
			'function g',
			'function i',
			'error E',
		]);
		expect(() => getFunction(abi, 'f')).toThrow("expected ',' but found the end");
		expect(() => getFunction(abi, 'g(IToken)')).toThrow("'IToken' is not an ABI type");
		expect(() => getFunction(abi, 'i')).toThrow("'=' is not allowed");
		expect(() => getFunction(abi, 'j')).toThrow('one of h(bool), k()');
		expect(() => abiParser('error')('error E(unit a)\nfunction k()')).toThrow(
			"'unit' is not an ABI type",
		);
		expect(abiParser('function')(['f(uint a /*', 'g()']).functions.map(formatAbiItem)).toEqual([
			'g()',
		]);
	});

	test.each([
		'transfer(address to, uint256 amount); approve(address to, uint265 amount)',
		['transfer(address to, uint256 amount)', 'approve(address to, IAmount amount)'],
		[{ name: 'approve', inputs: [{ type: 'IAmount' }] }, { name: 'transfer' }],
	])('may be one of two, the other of which cannot be used: neither is taken unnamed', (given) => {
		const abi = abiParser('function')(given);
		expect(() => getFunction(abi, '')).toThrow(
			/^transfer\(.*\) if that is meant, since another function beside it cannot be read$/,
		);
		expect(getFunction(abi, 'transfer').name).toBe('transfer');
	});

	test('may be one among what declares none', () => {
		const contract = `abstract contract C {
	uint256 public total;
	mapping(address => uint256) balances;
	modifier onlyOwner() { _; }
	event Done(Mode mode);
	error Odd(Mode mode);
	function f(uint a) external;
}`;
		expect(getFunction(abiParser('function')(contract), '').name).toBe('f');
	});

	test.each([
		['indented alike', '\n\tfunction a()\n\tb(uint x)\n', ['a()', 'b(uint256 x)']],
		['indented from the beginning', '  function a()\n  b(uint x)', ['a()', 'b(uint256 x)']],
		['without the content of bodies', 'function a() { if (b) { c(); } }\nd(uint)', ['d(uint256)']],
		[
			'behind a contract',
			'contract C\n\ta(C c)\n\tcontract D is\nE(1),\nF\n\tb(D d)',
			['a(address c)', 'b(address d)'],
		],
		['after modifiers', 'a()\nview\n(uint)\nb()\noverride(C, D)\nreturns (bool)', ['a()', 'b()']],
	])('are read %s', (_, given, found) => {
		expect(functions(given)).toEqual(found);
	});

	test('may be of a thousand functions', () => {
		const all = Array.from({ length: 1000 }, (_, index) => `f${index}(uint256)`);
		expect(functions(all.join('\n'))).toEqual(all);
	});
});

describe('an event', () => {
	const events = (given: unknown) => abiParser('event')(given).events;

	test.each([
		'event Transfer(address indexed from, address indexed to, uint256 value)',
		'event Transfer(address indexed from, address indexed to, uint256 value);',
		'Transfer(address indexed from, address indexed to, uint value)',
		['event Transfer(address indexed from, address indexed to, uint256 value)'],
	])('is read in any spelling: %p', (given) => {
		const [event, ...others] = events(given);
		expect(others).toEqual([]);
		expect(event).toMatchObject({ name: 'Transfer', topic: TRANSFER, isAnonymous: false });
		expect(event?.indexed.map(({ name }) => name)).toEqual(['from', 'to']);
		expect(event?.nonIndexed.map(({ name }) => name)).toEqual(['value']);
	});

	test('may be anonymous', () => {
		expect(events('event A(uint indexed a) anonymous;')).toMatchObject([{ isAnonymous: true }]);
	});

	test('is another one where something else is indexed', () => {
		const all = 'event T(uint a)\nevent T(uint indexed a)\nevent T(uint256 indexed b)';
		expect(events(all).map(formatAbiItem)).toEqual(['T(uint256 a)', 'T(uint256 indexed a)']);
	});

	test.each([
		[
			'with four indexed arguments',
			'A(bool indexed a, bool indexed b, bool indexed c, bool indexed d)',
			/more than 3/,
		],
		['that is a function', 'function a()', /^an event, such as/],
	])('is refused: %s', (_, given, reason) => {
		expect(() => events(given)).toThrow(reason);
	});
});

describe('whether coins may be sent along', () => {
	const payableIn = (given: unknown) => abiParser('function')(given).functions[0]?.isPayable;

	test.each([
		['pay()', undefined],
		['pay() payable', true],
		['pay() external', false],
		['function pay() external payable returns (bool)', true],
		['function pay()', false],
		['pay() returns (bool)', undefined],
		[[{ name: 'pay', inputs: [], stateMutability: 'payable' }], true],
		[[{ name: 'pay', inputs: [], stateMutability: 'nonpayable' }], false],
		[[{ name: 'pay', inputs: [], payable: true }], true],
		[[{ name: 'pay', inputs: [] }], undefined],
	])('%j: %s', (given, wanted) => {
		expect(payableIn(given)).toBe(wanted);
	});
});

describe('a constructor', () => {
	const constructorsIn = (given: unknown) =>
		abiParser('constructor')(given).constructors.map(({ signature, isPayable }) => [
			signature,
			isPayable,
		]);

	test.each([
		['constructor(string name, uint supply) payable', [['constructor(string,uint256)', true]]],
		['(string name)', 'refused'],
		['constructor(address[] owners) public', [['constructor(address[])', false]]],
		['function f(); constructor(bool)', [['constructor(bool)', undefined]]],
		[[{ type: 'constructor', inputs: [{ type: 'bool' }] }], [['constructor(bool)', undefined]]],
		[[{ type: 'function', name: 'f', inputs: [] }], []],
		['constructor(', 'refused'],
		['set(uint256 x)', 'refused'],
		['set(uint256 x) payable', 'refused'],
		[['function f()', 'set(uint256 x)'], 'refused'],
		[['set(uint256 x)', 'constructor(bool)'], [['constructor(bool)', undefined]]],
		['7', 'refused'],
	])('%j', (given, wanted) => {
		if (wanted === 'refused') expect(() => constructorsIn(given)).toThrow();
		else expect(constructorsIn(given)).toEqual(wanted);
	});
});
