import { getAddress, toEventSelector, toFunctionSelector } from 'viem';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { describeContract, readFoundContract } from '../../../../nodes/core/evm/contracts/describe';
import { formatCid, decodeCid } from '../../../../nodes/core/ipfs/cid';
import type { OpenStream } from '../../../../nodes/core/net/http/fileStream';
import { Stopped } from '../../../../nodes/core/net/pacing/stop';
import { rpcError } from '../../../../nodes/core/net/responses/rpcErrors';
import { takeRows } from '../../../harness/caseCount.mts';
import { compileFile } from '../../../harness/contract.mts';
import { createIpfsImporter, encodeCar } from '../../../harness/ipfsImporter.mts';
import { ALLOWED_UNITS, measureLeastGap } from '../../../harness/loopGap.mts';
import { createCarOpener, encodeBlock, encodeBlockCar } from '../../../harness/metadataGateway.mts';
import { assemble, jumpTo, push, type Part } from '../../support/assembler.mts';
import { createChain } from '../../support/chains.mts';
import { createShared } from '../../../../nodes/core/net/pacing/shared';

type Item = Record<string, unknown>;

const addressOf = (digits: string) => `0x${digits.padStart(40, '0')}`;
const [CONTRACT, OTHER, THIRD] = ['c1', 'c2', 'c3'].map(addressOf) as [string, string, string];
const toWord = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;

interface World {
	readonly codes: Readonly<Record<string, unknown>>;
	readonly storage?: Readonly<Record<string, unknown>>;
	readonly beacons?: Readonly<Record<string, unknown>>;
	readonly gateway?: OpenStream;
	readonly maxMegabytes?: number;
}

const asHex = (code: unknown = '0x') =>
	Buffer.isBuffer(code) ? `0x${code.toString('hex')}` : code;

async function read(world: World, contract = CONTRACT) {
	const { codes, storage = {}, beacons = {}, gateway, maxMegabytes = 1 } = world;
	const asked: string[] = [];
	const chain = createChain((method, params) => {
		asked.push(method);
		const [subject, slot] = params as unknown as [string | { to: string }, string];
		if (method === 'eth_getCode') return asHex(codes[String(subject)]);
		if (method === 'eth_getStorageAt')
			return storage[`${String(subject)} ${slot}`] ?? `0x${'0'.repeat(64)}`;
		const answer = beacons[(subject as { to: string }).to] ?? '0x';
		if (answer instanceof RequestFailure) throw answer;
		return answer;
	});
	const source = gateway && {
		openStream: gateway,
		gateway: 'https://ipfs.example.com/ipfs/',
		maxMegabytes,
		shared: createShared(),
	};
	const found = await readFoundContract(chain, contract, source);
	return { asked, found, items: describeContract(contract, found) as Item[] };
}

async function failureOf(reading: Promise<unknown>): Promise<string> {
	const failure = await reading.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(failure).toBeInstanceOf(RequestFailure);
	return (failure as RequestFailure).message;
}

const READ_SELECTOR: Part[] = ['PUSH0', 'CALLDATALOAD', push(0xe0), 'SHR'];
const FUNCTION: Part[] = ['STOP', { label: 'function' }, 'STOP'];
const ask = (selector: number): Part[] => [
	...['DUP1', push(selector, 4), 'EQ', jumpTo('function'), 'JUMPI'],
];
/** Assembles the code of a contract that has functions with the given selectors, and ends with the given bytes. */
const codeWith = (selectors: readonly number[], end: Uint8Array = Buffer.alloc(0)) =>
	assemble([...READ_SELECTOR, ...selectors.flatMap(ask), ...FUNCTION, { bytes: end }]);

/** The bytes that the Solidity compiler adds at the end of a contract: they name its metadata by a CID. */
const tailOf = (cid: Uint8Array) => {
	const ipfs = Buffer.concat([
		Buffer.from('a2646970667358', 'hex'),
		Buffer.from([cid.length]),
		cid,
	]);
	const map = Buffer.concat([ipfs, Buffer.from('64736f6c634300081c', 'hex')]);
	return Buffer.concat([map, Buffer.from([0, map.length])]);
};

const TRANSFER = toFunctionSelector('transfer(address,uint256)');
const TRANSFER_ITEM = {
	type: 'function',
	name: 'transfer',
	inputs: [
		{ name: 'to', type: 'address' },
		{ name: 'value', type: 'uint256' },
	],
	outputs: [{ name: '', type: 'bool' }],
	stateMutability: 'nonpayable',
};
const formatMetadata = (abi: unknown) => JSON.stringify({ output: { abi } });

/** Builds a contract whose code names the metadata, and a gateway that serves the metadata. */
function publish(content: string, selectors: readonly number[] = [Number(TRANSFER)]) {
	const block = encodeBlock(content);
	const code = codeWith(selectors, tailOf(block.cid));
	return { code, gateway: createCarOpener(() => encodeBlockCar(block)) };
}

const own = { contract: getAddress(CONTRACT), implementation: null, proxy: null };

describe('what is described', () => {
	test("a compiler's contract, by its metadata", async () => {
		const { contracts } = await compileFile('Tokens');
		const compiled = contracts?.Tokens?.Coin;
		if (!compiled) throw new Error('not compiled');
		const asked: string[] = [];
		const block = encodeBlock(compiled.metadata);
		const cid = formatCid(decodeCid(block.cid)!.cid);
		const gateway = createCarOpener((one) => {
			asked.push(one);
			return one === cid ? encodeBlockCar(block) : undefined;
		});
		const code = `0x${compiled.evm.deployedBytecode.object}`;
		const { items, found } = await read({ codes: { [CONTRACT]: code }, gateway });
		expect(asked).toEqual([cid]);
		expect(found.problem).toBeUndefined();
		const described = (name: string) => items.find((one) => one.name === name);
		expect(items.filter((one) => one.kind === 'function')).toHaveLength(
			Object.keys(compiled.evm.methodIdentifiers).length,
		);
		expect(described('transfer')).toEqual({
			kind: 'function',
			name: 'transfer',
			signature: 'transfer(address,uint256)',
			selector: TRANSFER,
			view: false,
			payable: false,
			inputs: [
				{ name: 'to', type: 'address' },
				{ name: 'amount', type: 'uint256' },
			],
			outputs: [{ name: '', type: 'bool' }],
			...own,
			source: 'metadata',
		});
		expect(described('symbol')).toMatchObject({ view: true, payable: false });
		expect(described('Transfer')).toEqual({
			kind: 'event',
			name: 'Transfer',
			signature: 'Transfer(address,address,uint256)',
			topic: toEventSelector('Transfer(address,address,uint256)'),
			view: null,
			payable: null,
			inputs: [
				{ name: 'from', type: 'address', indexed: true },
				{ name: 'to', type: 'address', indexed: true },
				{ name: 'value', type: 'uint256', indexed: false },
			],
			outputs: [],
			...own,
			source: 'metadata',
		});
	});

	test('payable functions, errors and anonymous events', async () => {
		const abi = [
			{ type: 'function', name: 'pay', inputs: [], outputs: [], stateMutability: 'payable' },
			{ type: 'error', name: 'Denied', inputs: [{ name: 'who', type: 'address' }] },
			{ type: 'event', name: 'Silent', inputs: [], anonymous: true },
		];
		const { code, gateway } = publish(formatMetadata(abi), [Number(toFunctionSelector('pay()'))]);
		const { items } = await read({ codes: { [CONTRACT]: code }, gateway });
		expect(items).toMatchObject([
			{ kind: 'function', name: 'pay', view: false, payable: true },
			{ kind: 'event', name: 'Silent', topic: null },
			{
				kind: 'error',
				signature: 'Denied(address)',
				selector: toFunctionSelector('Denied(address)'),
				inputs: [{ name: 'who', type: 'address' }],
			},
		]);
	});

	test('without a gateway, selectors: those of standards have names', async () => {
		const code = codeWith([0x1234_5678, Number(TRANSFER)]);
		const { items } = await read({ codes: { [CONTRACT]: code } });
		expect(items).toEqual([
			{
				kind: 'function',
				name: 'transfer',
				signature: 'transfer(address,uint256)',
				selector: TRANSFER,
				view: false,
				payable: false,
				inputs: [
					{ name: 'to', type: 'address' },
					{ name: 'value', type: 'uint256' },
				],
				outputs: [{ name: '', type: 'bool' }],
				...own,
				source: 'standard',
			},
			{
				kind: 'function',
				name: null,
				signature: null,
				selector: '0x12345678',
				view: null,
				payable: null,
				inputs: null,
				outputs: null,
				...own,
				source: 'bytecode',
			},
		]);
	});

	test('the same selector in two standards, by the one that the contract has more of', async () => {
		const shared = toFunctionSelector('approve(address,uint256)');
		const approve = async (...others: string[]) => {
			const selectors = [shared, ...others.map((one) => toFunctionSelector(one))].map(Number);
			const { items } = await read({ codes: { [CONTRACT]: codeWith(selectors) } });
			return items.find(({ selector }) => selector === shared)?.outputs;
		};
		expect(await approve('ownerOf(uint256)', 'getApproved(uint256)')).toEqual([]);
		expect(await approve('decimals()', 'transfer(address,uint256)')).toHaveLength(1);
	});
});

const SLOTS = {
	'EIP-1967': '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
	'EIP-1822': '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
	'org.zeppelinos.proxy.implementation':
		'0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
};
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
/** The code of a proxy that has a function of its own, and passes other calls on. */
const PROXY = Buffer.concat([codeWith([0x3659_cfe6]), Buffer.from('5af4', 'hex')]);
const PLAIN = codeWith([0x1234_5678]);
const cloneOf = (address: string) =>
	`0x363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`;
const delegationTo = (address: string) => `0xef0100${address.slice(2)}`;

const wayOf = async (world: World) => {
	const { items } = await read(world);
	expect(items.map(({ selector }) => selector)).toEqual(['0x12345678']);
	return items[0];
};

describe('proxies', () => {
	test.each(Object.entries(SLOTS))('%s', async (proxy, slot) => {
		const world = {
			codes: { [CONTRACT]: PROXY, [OTHER]: PLAIN },
			storage: { [`${CONTRACT} ${slot}`]: toWord(OTHER) },
		};
		expect(await wayOf(world)).toMatchObject({
			contract: getAddress(CONTRACT),
			implementation: getAddress(OTHER),
			proxy,
		});
	});

	test('EIP-1967 beacon', async () => {
		const world = {
			codes: { [CONTRACT]: PROXY, [OTHER]: PLAIN },
			storage: { [`${CONTRACT} ${BEACON_SLOT}`]: toWord(THIRD) },
			beacons: { [THIRD]: toWord(OTHER) },
		};
		expect(await wayOf(world)).toMatchObject({
			implementation: getAddress(OTHER),
			proxy: 'EIP-1967 beacon',
		});
	});

	test.each([
		['as in the standard', cloneOf(OTHER)],
		['with data behind it', `${cloneOf(OTHER)}00112233`],
		[
			'of fewer instructions',
			`0x3d3d3d3d363d3d37363d73${OTHER.slice(2)}5af43d3d93803e602a57fd5bf3`,
		],
		[
			'with an instruction for zero',
			`0x5f5f365f5f37365f73${OTHER.slice(2)}5af43d5f5f3e5f3d91602a57fd5bf3`,
		],
		[
			'of Vyper',
			`0x366000600037611000600036600073${OTHER.slice(2)}5af4602c57600080fd5b6110006000f3`,
		],
		['with a short address', '0x363d3d373d3d3d363d60c25af43d82803e903d91601857fd5bf3'],
	])('EIP-1167, %s', async (_kind, clone) => {
		const world = { codes: { [CONTRACT]: clone, [OTHER]: PLAIN } };
		expect(await wayOf(world)).toMatchObject({
			implementation: getAddress(OTHER),
			proxy: 'EIP-1167',
		});
	});

	const MASTER_COPY_PROXY = assemble([
		...(['PUSH0', 'CALLDATALOAD', push(0xe0), 'SHR', push(0xa619_486e), 'EQ'] satisfies Part[]),
		{ bytes: Buffer.from('5af4', 'hex') },
	]);
	const firstPlace = (address: string) => ({
		[`${CONTRACT} 0x${'0'.repeat(64)}`]: toWord(address),
	});

	test('an account of several owners, whose own function is masterCopy', async () => {
		const codes = { [CONTRACT]: MASTER_COPY_PROXY, [OTHER]: PLAIN };
		expect(await wayOf({ codes, storage: firstPlace(OTHER) })).toMatchObject({
			implementation: getAddress(OTHER),
			proxy: 'masterCopy',
		});
	});

	test('the first place of a larger contract is none of a proxy', async () => {
		const code = Buffer.concat([PLAIN, MASTER_COPY_PROXY, Buffer.alloc(512)]);
		const world = { codes: { [CONTRACT]: code }, storage: firstPlace(OTHER) };
		expect(await wayOf(world)).toMatchObject({ implementation: null, proxy: null });
	});

	test('EIP-7702, and a proxy behind it whose place is that of the account', async () => {
		const world = {
			codes: { [CONTRACT]: delegationTo(OTHER), [OTHER]: PROXY, [THIRD]: PLAIN },
			storage: { [`${CONTRACT} ${SLOTS['EIP-1967']}`]: toWord(THIRD) },
		};
		expect(await wayOf(world)).toMatchObject({
			implementation: getAddress(THIRD),
			proxy: 'EIP-7702, EIP-1967',
		});
	});

	test('an implementation that can be replaced itself is the last one', async () => {
		const UPGRADED = Buffer.concat([PLAIN, Buffer.from('5af4', 'hex')]);
		const world = {
			codes: { [CONTRACT]: PROXY, [OTHER]: UPGRADED },
			storage: { [`${CONTRACT} ${SLOTS['EIP-1967']}`]: toWord(OTHER) },
		};
		expect(await wayOf(world)).toMatchObject({ proxy: 'EIP-1967' });
	});

	test('a contract that passes no call on is none, and nobody asks for its storage', async () => {
		const { items, asked } = await read({
			codes: { [CONTRACT]: PLAIN },
			storage: { [`${CONTRACT} ${SLOTS['EIP-1967']}`]: toWord(OTHER) },
		});
		expect(items).toMatchObject([own]);
		expect(asked).toEqual(['eth_getCode']);
	});

	test.each<[string, World, string]>([
		[
			'a clone of itself',
			{ codes: { [CONTRACT]: cloneOf(CONTRACT) } },
			'its implementations lead to each other',
		],
		[
			'clones of each other',
			{ codes: { [CONTRACT]: cloneOf(OTHER), [OTHER]: cloneOf(CONTRACT) } },
			'its implementations lead to each other',
		],
		[
			'clones without an end',
			{
				codes: Object.fromEntries(
					Array.from({ length: 20 }, (_, at) => [
						addressOf((0xc1 + at).toString(16)),
						cloneOf(addressOf((0xc2 + at).toString(16))),
					]),
				),
			},
			'its implementations lead to each other',
		],
		[
			'a proxy that leads to itself',
			{
				codes: { [CONTRACT]: PROXY },
				storage: { [`${CONTRACT} ${SLOTS['EIP-1967']}`]: toWord(CONTRACT) },
			},
			'its implementations lead to each other',
		],
		[
			'a delegation to a delegation, which no chain follows',
			{ codes: { [CONTRACT]: delegationTo(OTHER), [OTHER]: delegationTo(THIRD), [THIRD]: PLAIN } },
			'it delegates to another account that delegates (EIP-7702)',
		],
		[
			'a delegation to itself',
			{ codes: { [CONTRACT]: delegationTo(CONTRACT) } },
			'its implementations lead to each other',
		],
		[
			'an implementation without code',
			{ codes: { [CONTRACT]: cloneOf(OTHER) } },
			`its implementation ${getAddress(OTHER)} has no code`,
		],
		[
			'a beacon that answers nothing',
			{
				codes: { [CONTRACT]: PROXY },
				storage: { [`${CONTRACT} ${BEACON_SLOT}`]: toWord(OTHER) },
			},
			`its beacon ${getAddress(OTHER)} names no implementation`,
		],
		[
			'a beacon that reverts',
			{
				codes: { [CONTRACT]: PROXY },
				storage: { [`${CONTRACT} ${BEACON_SLOT}`]: toWord(OTHER) },
				beacons: { [OTHER]: rpcError('eth_call', { code: 3, message: 'execution reverted' }) },
			},
			`its beacon ${getAddress(OTHER)} names no implementation`,
		],
		[
			'a beacon that answers more than an address',
			{
				codes: { [CONTRACT]: PROXY },
				storage: { [`${CONTRACT} ${BEACON_SLOT}`]: toWord(OTHER) },
				beacons: { [OTHER]: `0x${'f'.repeat(64)}` },
			},
			`its beacon ${getAddress(OTHER)} names no implementation`,
		],
	])('%s is refused', async (_what, world, problem) => {
		expect(await failureOf(read(world))).toBe(
			`The contract ${getAddress(CONTRACT)} is a proxy: ${problem}`,
		);
	});

	test('a place that holds more than an address leads nowhere', async () => {
		const { items } = await read({
			codes: { [CONTRACT]: PROXY },
			storage: { [`${CONTRACT} ${SLOTS['EIP-1967']}`]: `0x${'f'.repeat(64)}` },
		});
		expect(items).toMatchObject([{ selector: '0x3659cfe6', proxy: null }]);
	});
});

describe('a node that answers anything', () => {
	test.each([null, 7, {}, [], 'code', '0x123', '0xzz', `0x${'0'.repeat(65)}`])(
		'%j as code',
		async (answer) => {
			const world = { codes: { [CONTRACT]: answer } };
			expect(await failureOf(read(world))).toMatch(/no functions|0x-hex|no contract/i);
		},
	);

	test.each([null, 7, {}, 'word', '0xzz', `0x${'0'.repeat(66)}`])(
		'%j as storage',
		async (answer) => {
			const slot = `${CONTRACT} ${SLOTS['EIP-1967']}`;
			const world = { codes: { [CONTRACT]: PROXY }, storage: { [slot]: answer ?? [] } };
			expect(await failureOf(read(world))).toMatch('a word of storage as 0x-hex');
		},
	);

	test('a word without zeros in front is one', async () => {
		const slot = `${CONTRACT} ${SLOTS['EIP-1967']}`;
		const world = { codes: { [CONTRACT]: PROXY, [OTHER]: PLAIN }, storage: { [slot]: '0xc2' } };
		expect(await wayOf(world)).toMatchObject({ proxy: 'EIP-1967' });
	});

	test('more code than any contract has', async () => {
		const code = `0x${'5b'.repeat(12_000_000)}`;
		expect(await failureOf(read({ codes: { [CONTRACT]: code } }))).toBe(
			`The chain node gave more than 1 MB of code for the contract ${getAddress(CONTRACT)}`,
		);
	});

	test('no code at all', async () => {
		expect(await failureOf(read({ codes: {} }))).toBe(
			`There is no contract at ${getAddress(CONTRACT)}`,
		);
	});

	test('code without functions', async () => {
		expect(await failureOf(read({ codes: { [CONTRACT]: '0x00' } }))).toBe(
			`No functions are found in the contract ${getAddress(CONTRACT)}`,
		);
	});
});

const importFiles = createIpfsImporter();

/** Does the same as `publish`, but the metadata may be so large that IPFS splits it into several blocks. */
async function publishBlocks(content: string) {
	const profile = { cidVersion: 0, rawLeaves: false, chunkBytes: 262_144, width: 174 } as const;
	const files = { '': Buffer.from(content).toString('base64') };
	const { cid, blocks } = await importFiles({ files, profile });
	const root = blocks.find((one) => one.cid === cid);
	const code = codeWith([Number(TRANSFER)], tailOf(Buffer.from(root?.cidBytes ?? '', 'base64')));
	const ordered = [root!, ...blocks.filter((one) => one !== root)];
	return { code, gateway: createCarOpener(() => encodeCar(cid, ordered)) };
}

describe('metadata', () => {
	test('the functions that collide here do', () => {
		expect(toFunctionSelector('many_msg_babbage(bytes1)')).toBe(TRANSFER);
	});

	const wanted = (items: readonly Item[]) => items.map(({ name, source }) => [name, source]);
	const IS_STANDARD = [['transfer', 'standard']];
	const own = formatMetadata([TRANSFER_ITEM]);

	test('of a CID of version 1', async () => {
		const block = encodeBlock(own);
		const cid = Buffer.concat([Buffer.from([1, 0x70]), block.cid]);
		const code = codeWith([Number(TRANSFER)], tailOf(cid));
		const gateway = createCarOpener(() => encodeBlockCar({ ...block, cid }));
		const { items } = await read({ codes: { [CONTRACT]: code }, gateway });
		expect(wanted(items)).toEqual([['transfer', 'metadata']]);
	});

	test('that leaves out a function of the code: what is not named comes out without a name', async () => {
		const { code, gateway } = publish(own, [Number(TRANSFER), 0x1234_5678]);
		const { items } = await read({ codes: { [CONTRACT]: code }, gateway });
		expect(wanted(items)).toEqual([
			['transfer', 'metadata'],
			[null, 'bytecode'],
		]);
	});

	test.each<[string, string | RegExp, unknown]>([
		[
			'of another contract',
			"The metadata from the IPFS gateway does not fit the contract: it declares functions that the contract's code does not have",
			[TRANSFER_ITEM, { ...TRANSFER_ITEM, name: 'burn' }],
		],
		['with two functions of one selector', 'The metadata holds no ABI', COLLIDING()],
		['with words in place of entries', 'The metadata holds no ABI', ['function transfer()']],
		['without a list', 'The metadata holds no ABI', { transfer: TRANSFER_ITEM }],
		['with more entries than there are', 'The metadata holds no ABI', new Array(5001).fill({})],
	])('%s counts as none', async (_what, problem, abi) => {
		const { code, gateway } = publish(formatMetadata(abi));
		const { items, found } = await read({ codes: { [CONTRACT]: code }, gateway });
		expect(wanted(items)).toEqual(IS_STANDARD);
		expect(found.problem?.message).toMatch(problem);
	});

	test.each(['', 'no JSON', '[]', 'null', '{}', '{"output":7}', '{"output":{"abi":null}}'])(
		'%j counts as none',
		async (content) => {
			const { code, gateway } = publish(content);
			const { items, found } = await read({ codes: { [CONTRACT]: code }, gateway });
			expect(wanted(items)).toEqual(IS_STANDARD);
			expect(found.problem?.message).toBe('The metadata holds no ABI');
		},
	);

	const block = encodeBlock(own);
	const flipped = encodeBlockCar(block);
	flipped[flipped.length - 9]! ^= 1;

	test.each<[string, (cid: string) => Buffer | undefined]>([
		['with a flipped bit', () => flipped],
		['in place of which there is another', () => encodeBlockCar(encodeBlock('{}'))],
		['that the gateway breaks off', () => encodeBlockCar(block).subarray(0, 90)],
		['that the gateway does not have', () => undefined],
	])('%s counts as none', async (_what, findCar) => {
		const code = codeWith([Number(TRANSFER)], tailOf(block.cid));
		const gateway = createCarOpener(findCar);
		const { items, found } = await read({ codes: { [CONTRACT]: code }, gateway });
		expect(wanted(items)).toEqual(IS_STANDARD);
		expect(found.problem).toBeInstanceOf(RequestFailure);
	});

	test('that is larger than allowed counts as none, and of what is allowed as some', async () => {
		const filler = 'x'.repeat(1_500_000);
		const content = JSON.stringify({ filler, output: { abi: [TRANSFER_ITEM] } });
		const { code, gateway } = await publishBlocks(content);
		const world = { codes: { [CONTRACT]: code }, gateway };
		const { items, found } = await read(world);
		expect(wanted(items)).toEqual(IS_STANDARD);
		expect(found.problem?.message).toBe('The file is larger than 1 MB');
		expect(wanted((await read({ ...world, maxMegabytes: 2 })).items)).toEqual([
			['transfer', 'metadata'],
		]);
	});

	test('is not asked for again and again where the gateway has none; another gateway is', async () => {
		let count = 0;
		const shared = createShared();
		const missing = createCarOpener(() => void count++);
		const readAt = async (openStream: OpenStream, gateway: string, code: Buffer) => {
			const chain = createChain(() => asHex(code));
			const source = { openStream, gateway, maxMegabytes: 1, shared };
			return await readFoundContract(chain, CONTRACT, source);
		};
		for (let at = 0; at < 20; at++) {
			const code = codeWith([Number(TRANSFER)], tailOf(encodeBlock(String(at)).cid));
			await readAt(missing, 'https://a.test/ipfs/', code);
		}
		expect(count).toBe(5);
		const { code, gateway } = publish(own);
		expect((await readAt(gateway, 'https://b.test/ipfs/', code)).problem).toBeUndefined();
	});

	test('is not waited for without an end where the gateway sends it bit by bit', async () => {
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
		const { code } = publish(own);
		const gateway: OpenStream = async () =>
			await Promise.resolve({
				status: 200,
				contentType: 'application/vnd.ipld.car',
				pieces: (async function* () {
					for (;;) {
						jest.advanceTimersByTime(9_000);
						yield await Promise.resolve(Buffer.alloc(0));
					}
				})(),
				close: () => {},
			});
		const { items, found } = await read({ codes: { [CONTRACT]: code }, gateway });
		jest.useRealTimers();
		expect(wanted(items)).toEqual(IS_STANDARD);
		expect(found.problem?.message).toBe('The IPFS gateway took longer than 60 s');
	});

	test('a stop is none of its failures', async () => {
		const { code } = publish(own);
		const gateway = async () => await Promise.reject(new Stopped());
		const reading = read({ codes: { [CONTRACT]: code }, gateway });
		await expect(reading).rejects.toBeInstanceOf(Stopped);
	});

	test.each([
		['no length', Buffer.alloc(0)],
		['a length beyond the code', Buffer.from('ffff', 'hex')],
		['no map', Buffer.from('80000100', 'hex')],
		['a map that ends early', Buffer.from('a26469706673000600', 'hex')],
		['another hash', tailOf(Buffer.concat([Buffer.from([0x1b, 32]), Buffer.alloc(32)]))],
		[
			'a hash of another length',
			tailOf(Buffer.concat([Buffer.from([0x12, 31]), Buffer.alloc(31)])),
		],
		['bytes behind the CID', tailOf(Buffer.concat([encodeBlock('').cid, Buffer.alloc(1)]))],
	])('is not asked for where the code has %s at its end', async (_what, end) => {
		const gateway = createCarOpener(() => {
			throw new Error('asked');
		});
		const code = codeWith([Number(TRANSFER)], end);
		const { items, found } = await read({ codes: { [CONTRACT]: code }, gateway });
		expect(wanted(items)).toEqual(IS_STANDARD);
		expect(found.problem).toBeUndefined();
	});
});

/** Returns the ABI of two functions whose selectors are the same, 0xa9059cbb. */
function COLLIDING() {
	return [
		TRANSFER_ITEM,
		{ ...TRANSFER_ITEM, name: 'many_msg_babbage', inputs: [{ name: '', type: 'bytes1' }] },
	];
}

describe('nothing holds n8n up', () => {
	const MEGABYTE = 1_000_000;
	const fill = (parts: Part[]) => {
		const piece = assemble(parts);
		return Buffer.alloc(MEGABYTE, piece);
	};
	/** Expects the failure that no functions are found. Any other failure would mean that the search did not begin. */
	const expectNoFunctions = (failure: unknown) =>
		expect(failure).toMatchObject({ message: expect.stringMatching(/^No functions are found/) });
	const gapOf = async (world: World) => await measureLeastGap(async () => await read(world));

	const codes: Array<[string, Buffer]> = [
		['jump targets', fill(['JUMPDEST'])],
		[
			'selectors',
			Buffer.concat([assemble(READ_SELECTOR), fill(['DUP1', push(7, 4), 'EQ', push(0), 'JUMPI'])]),
		],
		['branches', fill(['TIMESTAMP', 'PUSH0', 'JUMPI'])],
		['tables', fill(['PUSH0', 'CALLDATALOAD', push(0xe0), 'SHR', push(1024), 'SWAP1', 'MOD'])],
		['powers', fill([push(256, 2), push(2n ** 255n, 32), 'EXP'])],
		['copies', fill([push(512, 2), 'PUSH0', 'PUSH0', 'CODECOPY'])],
		['a clone that goes on', fill(['CALLDATASIZE'])],
	];
	test.each(takeRows(codes, 7))('code of a megabyte: %s', async (_what, code) => {
		const gap = await measureLeastGap(async () => {
			await read({ codes: { [CONTRACT]: code } }).catch(expectNoFunctions);
		});
		expect(gap).toBeLessThan(ALLOWED_UNITS);
	});

	const LONG_LIST = `uint256${'[1]'.repeat(15)}`;
	const functionsWith = (count: number, parts: object, name = 'f') =>
		formatMetadata(
			Array.from({ length: count }, (_, at) => ({
				...{ ...TRANSFER_ITEM, ...parts },
				name: `${name}${at}`,
			})),
		);

	const NO_ABI = /holds no ABI/;
	const UNFIT = /does not fit the contract/;
	const metadata: Array<[what: string, build: () => string, problem: RegExp]> = [
		['brackets', () => '['.repeat(MEGABYTE), NO_ABI],
		['empty entries', () => formatMetadata(new Array(300_000).fill({})), NO_ABI],
		['functions', () => functionsWith(4_900, {}), UNFIT],
		[
			'lists of lists',
			() => functionsWith(5_000, { inputs: [{ type: LONG_LIST }], outputs: [{ type: LONG_LIST }] }),
			UNFIT,
		],
		[
			'one function that returns too much',
			() => functionsWith(1, { outputs: new Array(14_000).fill({ type: LONG_LIST }) }),
			NO_ABI,
		],
		['long names', () => functionsWith(1_100, {}, 'f'.repeat(700)), UNFIT],
		['objects', () => `[${'{},'.repeat(3_300_000)}0]`, NO_ABI],
		['large numbers', () => `[${'1234567890123456789,'.repeat(400_000)}0]`, NO_ABI],
		[
			'short names',
			() => `{${Array.from({ length: 900_000 }, (_, at) => `"${at}":0`).join()}}`,
			NO_ABI,
		],
		['text of line ends', () => JSON.stringify({ source: '\n'.repeat(4_900_000) }), NO_ABI],
	];
	test.each(takeRows(metadata, 10))('much metadata: %s', async (_what, build, problem) => {
		const { code, gateway } = await publishBlocks(build());
		const world = { codes: { [CONTRACT]: code }, gateway, maxMegabytes: 10 };
		expect((await read(world)).found.problem?.message).toMatch(problem);
		expect(await gapOf(world)).toBeLessThan(ALLOWED_UNITS);
	});
});
