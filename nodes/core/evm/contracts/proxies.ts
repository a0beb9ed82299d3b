import type { RpcReader } from '../../chain/reader';
import { raise } from '../../errors/raise';
import { RequestFailure } from '../../errors/requestFailure';
import { invalidResponseError } from '../../net/responses/response';
import { parseFunction } from '../abi/call';
import { checksumAddress } from '../address';
import { callContract } from '../contractReads';
import { OP, readInstructions } from './bytecode/opcodes';

/** The code that runs when somebody calls a contract. */
export interface RunCode {
	/** The contract whose code it is. */
	readonly address: string;
	readonly code: Buffer;
	/** The proxies that a call passes, from the outside to the inside; empty if the contract runs its own code. */
	readonly proxies: readonly string[];
}

interface Target {
	readonly proxy: string;
	readonly address: string;
}

/**
 * Kinds of proxies that keep the address of their code in a storage slot, and the slot that the standard of each kind
 * names.
 */
const SLOTS = [
	{
		proxy: 'EIP-1967',
		slot: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
	},
	{
		proxy: 'EIP-1967 beacon',
		slot: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
	},
	{
		proxy: 'EIP-1822',
		slot: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
	},
	{
		proxy: 'org.zeppelinos.proxy.implementation',
		slot: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
	},
] as const;

/**
 * Proxies of accounts with several owners keep the address of their code in the first storage slot. The code of these
 * proxies contains the selector of masterCopy().
 */
const MASTER_COPY = { proxy: 'masterCopy', slot: `0x${'0'.repeat(64)}` } as const;
const MASTER_COPY_SELECTOR = Buffer.from('a619486e', 'hex');
/** The first storage slot of a larger contract may contain any address. */
const MAX_MASTER_COPY_BYTES = 512;

const SLOT_PROXIES: readonly string[] = [MASTER_COPY, ...SLOTS].map(({ proxy }) => proxy);

/** Returns the storage slots in which a proxy with the given code may keep the address of its implementation. */
function listSlots(code: Buffer) {
	const hasMasterCopy = code.length <= MAX_MASTER_COPY_BYTES && code.includes(MASTER_COPY_SELECTOR);
	return hasMasterCopy ? [MASTER_COPY] : SLOTS;
}

const BEACON_FUNCTION = parseFunction('implementation() view returns (address)');

/** Limits the proxies that a call passes, because a proxy may lead to other proxies, or to itself. */
const MAX_PROXIES = 5;

/** Reads the code that calls of this address run. For a proxy, this is the code of the implementation. */
export async function readRunCode(reader: RpcReader, contract: string): Promise<RunCode> {
	const own = await readCode(reader, contract);
	if (own.length === 0) throw noContractError(contract);
	return await followProxies(reader, contract, { address: contract, code: own, proxies: [] });
}

async function followProxies(
	reader: RpcReader,
	contract: string,
	first: RunCode,
): Promise<RunCode> {
	let found = first;
	const passed = new Set([contract.toLowerCase()]);
	for (;;) {
		const target = await findTarget(reader, contract, found);
		if (!target) return found;
		const { proxy, address } = target;
		const isNew = !passed.has(address) && passed.size <= MAX_PROXIES;
		if (!isNew) throw proxyError(contract, 'its implementations lead to each other');
		passed.add(address);
		const code = await readCode(reader, address);
		if (code.length === 0)
			throw proxyError(contract, `its implementation ${checksumAddress(address)} has no code`);
		found = { address, code, proxies: [...found.proxies, proxy] };
	}
}

/**
 * Finds the contract to which the code passes its calls on. All proxies of a call use the storage of the first proxy. A
 * second proxy would find its own address in that storage, so a slot is read only for the first proxy.
 */
async function findTarget(
	reader: RpcReader,
	contract: string,
	{ code, proxies }: RunCode,
): Promise<Target | undefined> {
	const delegate = findDelegate(code);
	if (delegate && proxies.at(-1) === delegate.proxy)
		throw proxyError(contract, 'it delegates to another account that delegates (EIP-7702)');
	const delegated = delegate ?? findCloned(code);
	if (delegated) return delegated;
	const hasReadSlot = proxies.some((proxy) => SLOT_PROXIES.includes(proxy));
	if (hasReadSlot || !delegatesCalls(code)) return undefined;
	return await readSlotTarget(reader, contract, listSlots(code));
}

const ADDRESS_BYTES = 20;
const DELEGATION_PREFIX = Buffer.from('ef0100', 'hex');

/** Finds the contract whose code an account uses by a delegation (EIP-7702). */
function findDelegate(code: Buffer): Target | undefined {
	const isDelegation =
		code.length === DELEGATION_PREFIX.length + ADDRESS_BYTES &&
		code.subarray(0, DELEGATION_PREFIX.length).equals(DELEGATION_PREFIX);
	return isDelegation
		? { proxy: 'EIP-7702', address: formatAddress(code.subarray(DELEGATION_PREFIX.length)) }
		: undefined;
}

/**
 * The instructions of a clone that may come before the address, in any order. Instructions that push bytes may come as
 * well.
 */
const CLONE_INSTRUCTIONS: readonly number[] = [
	OP.CALLDATASIZE,
	OP.CALLDATACOPY,
	OP.RETURNDATASIZE,
	OP.PUSH0,
];
const MAX_CLONE_INSTRUCTIONS = 24;

/**
 * Finds the contract to which a clone (EIP-1167) forwards all calls. The address may be shortened, and data may follow
 * the clone's code.
 */
function findCloned(code: Buffer): Target | undefined {
	let address: Uint8Array | undefined;
	let count = 0;
	for (const { op, start, end } of readInstructions(code)) {
		if (op === OP.DELEGATECALL && address)
			return { proxy: 'EIP-1167', address: formatAddress(address) };
		const isPush = end > start && end - start <= ADDRESS_BYTES;
		const isStack = op >= OP.DUP1 && op <= OP.SWAP16;
		const isOfClone = isPush || isStack || op === OP.GAS || CLONE_INSTRUCTIONS.includes(op);
		if (!isOfClone || ++count > MAX_CLONE_INSTRUCTIONS) return undefined;
		if (op !== OP.GAS) address = isPush ? code.subarray(start, end) : undefined;
	}
	return undefined;
}

function delegatesCalls(code: Buffer): boolean {
	for (const { op } of readInstructions(code)) if (op === OP.DELEGATECALL) return true;
	return false;
}

async function readSlotTarget(
	reader: RpcReader,
	contract: string,
	slots: ReturnType<typeof listSlots>,
): Promise<Target | undefined> {
	const words = await Promise.all(
		slots.map(async ({ slot }) => await readStorage(reader, contract, slot)),
	);
	const at = words.findIndex((word) => findAddress(word) !== undefined);
	const address = findAddress(words[at] ?? '');
	const proxy = slots[at]?.proxy;
	if (address === undefined || proxy === undefined) return undefined;
	return proxy === 'EIP-1967 beacon'
		? { proxy, address: await readBeacon(reader, contract, address) }
		: { proxy, address };
}

async function readBeacon(reader: RpcReader, contract: string, beacon: string): Promise<string> {
	const returned = await callContract(reader, beacon, BEACON_FUNCTION);
	const named = /^0x[0-9a-f]{64}$/i.test(returned) ? findAddress(returned.slice(2)) : undefined;
	if (named !== undefined) return named;
	throw proxyError(contract, `its beacon ${checksumAddress(beacon)} names no implementation`);
}

/** Returns the address in a word of 64 hex digits; undefined if the word is zero, or is more than an address. */
function findAddress(word: string): string | undefined {
	const digits = /^0{24}([0-9a-f]{40})$/i.exec(word)?.[1]?.toLowerCase();
	return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`;
}

function formatAddress(bytes: Uint8Array): string {
	return `0x${Buffer.from(bytes)
		.toString('hex')
		.padStart(2 * ADDRESS_BYTES, '0')}`;
}

/** Limits the code of a contract to several times what any chain accepts. */
const MAX_CODE_BYTES = 1024 * 1024;

async function readCode(reader: RpcReader, address: string): Promise<Buffer> {
	const answer = await reader.call('eth_getCode', [address, 'latest']);
	const isCode = typeof answer === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(answer);
	if (!isCode) throw invalidResponseError('the code of an account as 0x-hex', answer);
	const code = Buffer.from(answer.slice(2), 'hex');
	return code.length <= MAX_CODE_BYTES ? code : raise(largeCodeError(address));
}

/** Reads a storage slot as 64 hex digits. Some nodes leave out leading zeros. */
async function readStorage(reader: RpcReader, contract: string, slot: string): Promise<string> {
	const answer = await reader.call('eth_getStorageAt', [contract, slot, 'latest']);
	return typeof answer === 'string' && /^0x[0-9a-f]{0,64}$/i.test(answer)
		? answer.slice(2).padStart(64, '0')
		: raise(invalidResponseError('a word of storage as 0x-hex', answer));
}

function largeCodeError(address: string): RequestFailure {
	return new RequestFailure(
		`The chain node gave more than 1 MB of code for the contract ${checksumAddress(address)}`,
		{ description: 'No contract has so much code. Ask another chain node.' },
	);
}

function noContractError(contract: string): RequestFailure {
	return new RequestFailure(`There is no contract at ${checksumAddress(contract)}`, {
		description: 'Check the address, and whether it belongs to this chain.',
	});
}

function proxyError(contract: string, problem: string): RequestFailure {
	return new RequestFailure(`The contract ${checksumAddress(contract)} is a proxy: ${problem}`, {
		description:
			'Its functions cannot be read from the chain. If you need its ABI, enter the ABI yourself.',
	});
}
