import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	encodeAbiParameters,
	encodeErrorResult,
	encodeFunctionData,
	getAddress,
	hashMessage,
	keccak256,
	parseAbi,
	sha256,
	stringToHex,
	toEventSelector,
} from 'viem';
import { Utilities } from '../../nodes/Utilities/Utilities.node';
import { takeRows } from '../harness/caseCount.mts';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { ALLOWED_UNITS, measureLeastGap } from '../harness/loopGap.mts';

async function run(parameters: INodeParameters, rest: Partial<NodeRun> = {}) {
	return await runNode({ node: new Utilities(), parameters, credentials: {}, ...rest });
}

/** Runs an operation for one item. Returns the output, or the message of the error. */
async function outcome(parameters: INodeParameters, json: IDataObject = {}) {
	const { items, error } = await run(parameters, { items: [{ json }] });
	return error ? error.message : items[0]?.json;
}

/** An expression that gives an empty text: n8n's editor would refuse an empty field. */
const NOTHING = '={{ "" }}';

describe('an amount', () => {
	const convert = async (amount: unknown, from: string, to: string, more: INodeParameters = {}) =>
		await outcome(
			{
				resource: 'amount',
				operation: 'convert',
				amount: '={{ $json.amount }}',
				from,
				to,
				...more,
			},
			{ amount } as IDataObject,
		);

	test.each([
		['1500000000000000000', 'wei', 'ether', '1.5'],
		['1.5', 'ether', 'wei', '1500000000000000000'],
		['0x5f5e100', 'wei', 'gwei', '0.1'],
		['-20', 'gwei', 'wei', '-20000000000'],
		['1e18', 'wei', 'ether', '1'],
		[`${2n ** 256n - 1n}`, 'wei', 'wei', `${2n ** 256n - 1n}`],
		['9'.repeat(400), 'ether', 'wei', '9'.repeat(400) + '0'.repeat(18)],
		[20, 'gwei', 'ether', '0.00000002'],
		['0.123456789123456789', 'ether', 'gwei', '123456789.123456789'],
		// A larger unit can express every amount of a smaller unit.
		['1.5', 'wei', 'gwei', '0.0000000015'],
		['1.0', 'wei', 'wei', '1'],
	])('of %j %s is so many %s', async (amount, from, to, expected) => {
		expect(await convert(amount, from, to)).toEqual({ amount: expected });
	});

	test.each([
		['1500000', 'wei', 'decimals', { toDecimals: 6 }, '1.5'],
		['1.5', 'decimals', 'wei', { fromDecimals: 6 }, '1500000'],
		['1', 'decimals', 'decimals', { fromDecimals: 6, toDecimals: '8' }, '0.01'],
		['1', 'decimals', 'wei', {}, '1000000000000000000'],
		['7', 'decimals', 'wei', { fromDecimals: 0 }, '7'],
	])('of %j %s is so many %s with %j', async (amount, from, to, decimals, expected) => {
		expect(await convert(amount, from, to, decimals)).toEqual({ amount: expected });
	});

	test.each([
		['1.5', 'wei', 'wei', {}, /'Amount' must be a whole number: the smallest unit cannot/],
		['0.0000000000000000001', 'ether', 'wei', {}, /at most 18 decimals/],
		['0.0000000000000000001', 'ether', 'gwei', {}, /at most 18 decimals.*got "0\.0{18}1"/],
		['1.1234567', 'decimals', 'wei', { fromDecimals: 6 }, /at most 6 decimals/],
		['1.5 ether', 'ether', 'wei', {}, /'Amount' must be a number alone, such as 1\.5/],
		['1,5', 'ether', 'wei', {}, /a number alone/],
		['', 'ether', 'wei', {}, /'Amount' is required/],
		[0.1 + 0.2, 'ether', 'wei', {}, /given as text/],
		['1', 'decimals', 'wei', { fromDecimals: 256 }, /'From Decimals' must be a whole number, 0 to/],
		['1', 'finney', 'wei', {}, /'From' must be one of/],
	])('of %j %s as %s with %j is refused', async (amount, from, to, decimals, words) => {
		expect(await convert(amount, from, to, decimals)).toMatch(words);
	});
});

describe('an address', () => {
	const convert = async (address: string) =>
		await outcome({ resource: 'address', operation: 'convert', address });
	const twenty = {
		evm: getAddress('0x517591d35d313bf6a5e33098284502b045e2bc08'),
		witnessBase58: 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
		witnessHex: '41517591d35d313bf6a5e33098284502b045e2bc08',
		tonRaw: null,
		tonBounceable: null,
		tonNonBounceable: null,
	};
	const ton = {
		kind: 'ton',
		evm: null,
		witnessBase58: null,
		witnessHex: null,
		tonRaw: '0:556c2ec7bbe83786d617cecb7c2f9b9c57be8d3337812b751124a79b37663593',
		tonBounceable: 'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
		tonNonBounceable: 'UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
	};

	test.each([
		['evm', twenty.evm],
		['evm', twenty.evm.toLowerCase()],
		['witness', twenty.witnessBase58],
		['witness', twenty.witnessHex],
		['witness', `0x${twenty.witnessHex}`],
		['witness', ` ${twenty.witnessHex.toUpperCase()}\n`],
	])('of the kind %s has the forms of EVM and witness chains: %s', async (kind, address) => {
		expect(await convert(address)).toEqual({ kind, ...twenty });
	});

	test.each([
		ton.tonRaw,
		ton.tonRaw.toUpperCase(),
		ton.tonBounceable,
		ton.tonNonBounceable,
		ton.tonBounceable.replaceAll('-', '+'),
	])('of a TON chain has its forms: %s', async (address) => {
		expect(await convert(address)).toEqual(ton);
	});

	test('is an object of its own in each item', async () => {
		const given = { resource: 'address', operation: 'convert', address: ton.tonRaw };
		const { items } = await run(given, { items: [{ json: {} }, { json: {} }] });
		expect(items.map(({ json }) => json)).toEqual([ton, ton]);
		expect(items[0]?.json).not.toBe(items[1]?.json);
	});

	test('of a TON test network stays one', async () => {
		const test = {
			...ton,
			tonBounceable: 'kQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1kyXa',
			tonNonBounceable: '0QBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k3gf',
		};
		for (const address of [test.tonBounceable, test.tonNonBounceable]) {
			expect(await convert(address)).toEqual(test);
		}
	});

	test.each([
		[twenty.evm.replace('B', 'b'), /checksum \(EIP-55\): a character may be wrong/],
		[twenty.evm.slice(0, -1), /an address: 0x and 40 hex digits/],
		[`${twenty.witnessBase58.slice(0, -1)}D`, /valid checksum: a character may be wrong/],
		[twenty.witnessBase58.slice(0, -1), /an address in base58: T and 33 letters and digits/],
		[`${ton.tonBounceable.slice(0, -1)}R`, /valid checksum: a character may be wrong/],
		[ton.tonRaw.slice(0, -1), /an address of 48 characters, such as EQ…, or 0: and 64/],
		[
			twenty.evm.slice(2),
			/'Address' must be an address: 0x followed by 40 hex digits \(EVM\); T followed by 33/,
		],
		['vitalik', /'Address' must be an address: .*\(EVM\).*\(TRON\).*\(TON\)/],
		['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', /'Address' must be an address/],
		[NOTHING, /'Address' is required/],
	])('%s is refused in words', async (address, words) => {
		expect(await convert(address)).toMatch(words);
	});
});

describe('the address of a contract', () => {
	const compute = async (parameters: INodeParameters) =>
		await outcome({ resource: 'address', operation: 'compute', ...parameters });
	const deployer = '0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0';
	const salted = { by: 'salt', deployer, salt: `0x${'00'.repeat(31)}01` };

	test.each([
		['0', '0xcd234A471b72ba2F1Ccf0A70FCABA648a5eeCD8d'],
		['0x1', '0x343c43A37D37dfF08AE8C4A11544c718AbB4fCF8'],
		[2, '0xf778B86FA74E846c4f0a1fBd1335FE81c00a0C91'],
	])('follows from the nonce %j', async (nonce, address) => {
		expect(await compute({ deployer, nonce })).toEqual({ address });
	});

	test('follows from a salt and the bytecode, with 0x or without', async () => {
		const address = await compute({ ...salted, bytecode: '0x6080' });
		expect(address).toEqual({ address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) });
		expect(await compute({ ...salted, bytecode: ' 6080\n' })).toEqual(address);
		expect(await compute({ ...salted, bytecode: '0x6081' })).not.toEqual(address);
	});

	test.each([
		[{ deployer, nonce: '-1' }, /'Nonce' must be a whole number of 0 or more/],
		[
			{ deployer, nonce: '18446744073709551615' },
			/'Nonce' must be a nonce: a whole number of 0 or more, below 2\^64 - 1/,
		],
		[{ deployer, nonce: NOTHING }, /'Nonce' is required/],
		[{ deployer: 'me', nonce: '0' }, /'Deployer' must be an address/],
		[
			{ ...salted, salt: '0x01', bytecode: '0x60' },
			/'Salt' must be a salt \(a freely chosen number\) of 32 bytes/,
		],
		[{ ...salted, bytecode: '0x608' }, /'Bytecode' must be whole bytes/],
		[
			{ ...salted, bytecode: `0x60__$${'ab'.repeat(17)}$__60` },
			/^'Bytecode' must be linked bytecode, with the addresses of its libraries: it still has placeholders/,
		],
	])('is refused for %j', async (parameters, words) => {
		expect(await compute(parameters)).toMatch(words);
	});
});

const TRANSFER = 'transfer(address to, uint256 amount)';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const abi = parseAbi([
	'function transfer(address to, uint256 amount) returns (bool)',
	'function swap((uint256 amount, address to)[] list, bytes) returns (uint256 left, uint8 fee)',
	'error TooLittle(uint256 available, uint256 required)',
]);
const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [TO, 5n] });

describe('data of a contract', () => {
	const encode = async (parameters: INodeParameters) =>
		await outcome({ resource: 'data', operation: 'encode', ...parameters });

	test('is encoded from fields, without those of another function', async () => {
		const argumentFields = {
			mappingMode: 'defineBelow',
			value: { to: TO, amount: '5', left: 'over' },
		} as unknown as INodeParameters;
		expect(await encode({ function: TRANSFER, argumentFields })).toEqual({ data: transfer });
	});

	test.each<[string, object, RegExp]>([
		[
			'was removed',
			{ schema: [{ id: 'amount', removed: true }] },
			/^'Arguments > amount' must be .*; it is empty$/,
		],
		[
			'gives undefined',
			{ value: { to: TO, amount: '={{ $json.nope }}' } },
			/^'Arguments > amount' must be .*; it is empty$/,
		],
		[
			'is named in other letters',
			{ value: { to: TO, Amount: '5' } },
			/^'Arguments > amount' must be .*; it is empty$/,
		],
		[
			'belongs to another function',
			{ value: { arg0: TO, arg1: '5' } },
			/^'Arguments > to' must be an address.*; it is empty$/,
		],
		[
			'was to be taken from the item',
			{ mappingMode: 'autoMapInputData', value: null },
			/^'Arguments' must be a value for each field/,
		],
	])('is refused where a field %s', async (_, given, words) => {
		const value = { to: TO, amount: '5' };
		const argumentFields = {
			mappingMode: 'defineBelow',
			value,
			...given,
		} as unknown as INodeParameters;
		expect(await encode({ function: TRANSFER, argumentFields })).toMatch(words);
	});

	test('is encoded from JSON, of an ABI by name or signature', async () => {
		const given = { argumentsBy: 'json', function: JSON.stringify(abi) };
		for (const functionName of ['transfer', 'transfer(address,uint256)']) {
			for (const list of [`["${TO}", 5]`, `{ "to": "${TO}", "amount": "0x5" }`]) {
				expect(await encode({ ...given, functionName, arguments: list })).toEqual({
					data: transfer,
				});
			}
		}
		expect(await encode({ ...given, arguments: '[]' })).toMatch(
			/^'Function Name or ID' must be one of transfer\(address,uint256\), swap/,
		);
	});

	test('is refused where an argument is wrong, which is named', async () => {
		const given = { argumentsBy: 'json', function: TRANSFER };
		expect(await encode({ ...given, arguments: `["${TO}", -1]` })).toMatch(
			/'Arguments > amount' must be a whole number that fits uint256/,
		);
		expect(await encode({ ...given, function: 'transfer(adress)' })).toMatch(
			/'Function' must be a valid declaration or JSON ABI: 'adress' is not an ABI type/,
		);
	});
});

describe('decoded', () => {
	const decode = async (parameters: INodeParameters) =>
		await outcome({ resource: 'data', operation: 'decode', ...parameters });
	const ABI = JSON.stringify(abi);
	const result = (values: string, ...list: unknown[]) =>
		encodeAbiParameters(parseAbi([`function f() returns (${values})`])[0].outputs, list as never);

	test('a call is named by its function and its arguments', async () => {
		for (const given of [TRANSFER, ABI]) {
			expect(await decode({ function: given, data: transfer })).toEqual({
				name: 'transfer',
				args: { to: TO, amount: '5' },
			});
		}
		expect(await decode({ function: 'transfer(address,uint256)', data: transfer })).toEqual({
			name: 'transfer',
			args: { arg0: TO, arg1: '5' },
		});
		const args = [[{ amount: 1n, to: TO }], '0x12'] as const;
		const swap = encodeFunctionData({ abi, functionName: 'swap', args });
		expect(await decode({ function: ABI, data: swap })).toEqual({
			name: 'swap',
			args: { list: [{ amount: '1', to: TO }], arg1: '0x12' },
		});
	});

	test('a result is what a call of the contract gives', async () => {
		const given = { kind: 'result', function: ABI };
		const swapped = result('uint256, uint8', 7n, 3);
		expect(await decode({ ...given, functionName: 'swap', data: swapped })).toEqual({
			left: '7',
			fee: 3,
		});
		const paid = { function: 'f() returns (bool)', data: result('bool', true) };
		expect(await decode({ ...given, ...paid })).toEqual({ result: true });
		expect(await decode({ ...given, function: 'f()', data: '0x12' })).toEqual({ result: '0x12' });
	});

	test('an error is reported by its name and its arguments', async () => {
		const given = { kind: 'error', function: 'TooLittle(uint256 available, uint256 required)' };
		const data = encodeErrorResult({ abi, errorName: 'TooLittle', args: [1n, 2n] });
		const reported = { name: 'TooLittle', args: { available: '1', required: '2' } };
		expect(await decode({ ...given, data })).toEqual(reported);
		expect(await decode({ ...given, function: ABI, data })).toEqual(reported);
	});

	test.each(['', TRANSFER, ABI])('the errors of the chain are known with %j', async (given) => {
		const error = encodeErrorResult({
			abi: parseAbi(['error Error(string)']),
			errorName: 'Error',
			args: ['too late'],
		});
		const panic = `0x4e487b71${'11'.padStart(64, '0')}`;
		const kind = { kind: 'error', function: given };
		expect(await decode({ ...kind, data: error })).toEqual({
			name: 'Error',
			args: { message: 'too late' },
		});
		expect(await decode({ ...kind, data: panic })).toEqual({ name: 'Panic', args: { code: '17' } });
	});

	describe('a log', () => {
		const event = 'event Noted(address indexed who, string indexed what, uint256 value)';
		const who = `0x${TO.slice(2).toLowerCase().padStart(64, '0')}`;
		const topics = [toEventSelector(event), who, keccak256(stringToHex('hello'))];
		const data = result('uint256', 7n);
		const args = { who: TO, what: topics[2], value: '7' };

		test.each([
			['text', topics.join(', ')],
			['JSON', JSON.stringify(topics)],
			['an array', `={{ ${JSON.stringify(topics)} }}`],
		])('is decoded by its event and its arguments, with topics as %s', async (_, given) => {
			const log = { kind: 'log', function: event, topics: given, data };
			expect(await decode(log)).toEqual({ name: 'Noted', args });
		});

		test('may be of an anonymous event, and without data or topics', async () => {
			const marked = { function: 'event Marked(address indexed who) anonymous', topics: who };
			expect(await decode({ kind: 'log', ...marked })).toEqual({
				name: 'Marked',
				args: { who: TO },
			});
			const bare = { function: 'event Bare(uint256 value) anonymous', data };
			expect(await decode({ kind: 'log', ...bare })).toEqual({
				name: 'Bare',
				args: { value: '7' },
			});
		});

		test.each([
			[
				{ topics: who },
				/'Topics' must be topics of which the first is the hash of one of these events: Noted\(address/,
			],
			[{ topics: topics.slice(0, 2).join() }, /must be the topics of a log of Noted/],
			[{ topics: topics.join(), data: '0x' }, /must be the topics of a log of Noted/],
			[{ topics: '0x12' }, /'Topics' must be a hash/],
			[{ function: NOTHING }, /'Event' is required/],
		])('is refused for %j', async (given, words) => {
			expect(await decode({ kind: 'log', function: event, data, ...given })).toMatch(words);
		});
	});

	test.each([
		[
			{ function: TRANSFER, data: '0x12345678' },
			/'Data' must be data that begins with the selector/,
		],
		[
			{ function: TRANSFER, data: '0x' },
			/selector \(the first 4 bytes\) of one of these: transfer\(address,uint256\); got "0x"/,
		],
		[
			{ function: TRANSFER, data: transfer.slice(0, -2) },
			/data that fits transfer\(address,uint256\): the/,
		],
		[{ function: TRANSFER, data: transfer.slice(2) }, /'Data' must be bytes as 0x-hex/],
		[{ function: NOTHING, data: transfer }, /'Function' is required/],
		[
			{ kind: 'error', data: '0x' },
			/selector \(the first 4 bytes\) of one of these: Error\(string\), Panic\(uint256\)/,
		],
		[{ kind: 'result', function: 'f() returns (bool)', data: '0x' }, /no function f\(\)/],
		[
			{ kind: 'result', function: 'f() returns (bool)', data: '0x07' },
			/^What f returned does not fit \(bool\): the data ends too early$/,
		],
		[{ kind: 'result', function: ABI, data: '0x07' }, /'Function Name or ID' must be one of/],
	])('%j is refused in words', async (given, words) => {
		expect(await decode(given)).toMatch(words);
	});
});

describe('a hash', () => {
	const hash = async (algorithm: string, input: unknown, more: INodeParameters = {}) =>
		await outcome(
			{ resource: 'hash', operation: 'compute', algorithm, input: '={{ $json.input }}', ...more },
			{ input } as IDataObject,
		);
	const mail = {
		types: { Mail: [{ name: 'contents', type: 'string' }] },
		domain: { name: 'Mail' },
		primaryType: 'Mail',
		message: { contents: 'hi' },
	};

	test.each(['', 'hello', ' hello\n', 'größe 🦄', '0x12'])('of the text %j', async (text) => {
		const hex = stringToHex(text);
		expect(await hash('keccak256', text)).toEqual({ hash: keccak256(hex) });
		expect(await hash('sha256', text)).toEqual({ hash: sha256(hex) });
		expect(await hash('message', text)).toEqual({ hash: hashMessage(text) });
	});

	test.each(['0x', '0x12', `0x${'ab'.repeat(200)}`] as const)('of the bytes %s', async (raw) => {
		const as = { inputAs: 'hex' };
		expect(await hash('keccak256', raw, as)).toEqual({ hash: keccak256(raw) });
		expect(await hash('sha256', raw, as)).toEqual({ hash: sha256(raw) });
		expect(await hash('message', raw, as)).toEqual({ hash: hashMessage({ raw }) });
	});

	test.each(takeRows(['keccak256', 'message'], 2))(
		'of 10 MB by %s leaves n8n its turns',
		async (algorithm) => {
			const input = 'a'.repeat(10_000_000);
			const made = async () => await hash(algorithm, input);
			expect(await measureLeastGap(made)).toBeLessThan(ALLOWED_UNITS);
		},
	);

	test.each([
		['selector', TRANSFER, '0xa9059cbb'],
		['selector', 'error Error(string)', '0x08c379a0'],
		['topic', 'Transfer(address indexed from, address indexed to, uint value)', '0xddf252ad'],
		['namehash', '', `0x${'00'.repeat(32)}`],
		['namehash', 'ETH', '0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae'],
		['keccak256', 12, keccak256(stringToHex('12'))],
	])('as %s of %j is %s', async (algorithm, input, expected) => {
		const { hash: made } = (await hash(algorithm, input)) as { hash: string };
		expect(made.startsWith(expected)).toBe(true);
		expect(made).toHaveLength(algorithm === 'selector' ? 10 : 66);
	});

	test('of typed data is the same from JSON and from an object', async () => {
		const made = await hash('typedData', mail);
		expect(made).toEqual({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
		expect(await hash('typedData', JSON.stringify(mail))).toEqual(made);
	});

	test.each([
		['keccak256', { a: 1 }, {}, /'Input' must be text/],
		['keccak256', '\ud800', {}, /'Input' must be valid Unicode text/],
		['keccak256', '12', { inputAs: 'hex' }, /'Input' must be bytes as 0x-hex/],
		['keccak256', '', { inputAs: 'hex' }, /'Input' must be bytes as 0x-hex; it is empty/],
		['selector', 'transfer(', {}, /'Input' must be a valid declaration/],
		['selector', '', {}, /'Input' is required/],
		['selector', 'a(); b()', {}, /'Input' must be a single declaration, not several: a\(\), b\(\)/],
		['topic', 'event A() anonymous', {}, /'Input' must be an event without the word anonymous/],
		['topic', 'function a()', {}, /'Input' must be an event, such as/],
		['namehash', 'a..eth', {}, /'Input' must be a name without two dots in a row/],
		['namehash', 'café.eth', {}, /'Input' must be a name of the letters a to z/],
		['typedData', '{}', {}, /'Input' must be typed data: a JSON object/],
		[
			'typedData',
			{ ...mail, message: {} },
			{},
			/'Input > message' must be an object with contents/,
		],
	])('as %s of %j with %j is refused', async (algorithm, input, more, words) => {
		expect(await hash(algorithm, input, more)).toMatch(words);
	});
});

describe('many items', () => {
	const wei = { resource: 'amount', operation: 'convert', amount: '={{ $json.wei }}' };

	test('come out in their order, each paired with its own', async () => {
		const given = Array.from({ length: 5000 }, (_, at) => ({ json: { wei: `${at}` } }));
		const { items, decryptions } = await run({ ...wei, to: 'gwei' }, { items: given });
		expect(items).toHaveLength(5000);
		expect(items[4321]).toMatchObject({
			json: { amount: '0.000004321' },
			pairedItem: { item: 4321 },
		});
		expect(decryptions).toBe(0);
	});

	const mixed = ['1', 'one', '3'].map((one) => ({ json: { wei: one } }));

	test('go on past one that fails, if the node does', async () => {
		const { items } = await run(wei, { items: mixed, onError: 'continueRegularOutput' });
		expect(items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
			[{ amount: '0.000000000000000001' }, { item: 0 }],
			[{ error: expect.stringMatching(/^'Amount' must be a number alone/) }, { item: 1 }],
			[{ amount: '0.000000000000000003' }, { item: 2 }],
		]);
	});

	test('end with the first that fails, which is named', async () => {
		const { items, error } = await run(wei, { items: mixed });
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^'Amount' must be a number alone/);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
	});

	test('of none come none', async () => {
		const { items, error } = await run(wei, { items: [] });
		expect([items, error]).toEqual([[], undefined]);
	});
});
