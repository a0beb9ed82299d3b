import type { RpcReader } from '../chain/reader';
import type { CallOptions } from '../protocols/rpc/request';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { readOnce, sharedKey } from '../net/pacing/shared';
import { invalidResponseError } from '../net/responses/response';
import { catching, InvalidValue, isRecord } from '../values/parse';
import { parseStarkAbi, type StarkAbi } from './abi/abi';
import { DecodingError } from './abi/data';
import { decodeFunctionResult, type StarkFunction } from './abi/call';
import type { BlockId } from './blocks';
import { encodeFelt, feltListParser, feltParser, formatFelt, tryParseFelt } from './felts';
import { ERROR_CODES, getErrorCode, nullIfUnknown } from './reader';
import { findRevertReason } from './reverts';
import { computeSelector } from './selectors';
import { raise } from '../errors/raise';

/** The parts of a class that are needed to decode events and to call its functions. */
interface StarkClass {
	readonly abi: StarkAbi | InvalidValue;
	/** Whether the class is of Cairo 0, whose accounts expect calls in another layout. */
	readonly isCairo0: boolean;
	/**
	 * Whether the class has a default entry point, which receives the calls of unknown functions. Many proxies have
	 * one.
	 */
	readonly hasDefault: boolean;
}

function parseClass(answer: unknown): StarkClass {
	if (!isRecord(answer)) throw invalidResponseError('a class', answer);
	const { entry_points_by_type: points } = answer;
	const external: unknown[] =
		isRecord(points) && Array.isArray(points.EXTERNAL) ? points.EXTERNAL : [];
	return {
		abi: catching(InvalidValue, () => parseStarkAbi(answer.abi ?? '')),
		isCairo0: 'program' in answer,
		hasDefault: external.some((one) => isRecord(one) && tryParseFelt(one.selector) === 0n),
	};
}

const CLASS_READS = sharedKey(
	'stark.classReads',
	() => new Map<string, Promise<StarkClass | null>>(),
);

/** Reads and parses a class once in a run, because a class can have megabytes. */
async function readClassOnce(
	reader: RpcReader,
	key: string,
	read: () => Promise<unknown>,
	unknownCode: number,
): Promise<StarkClass | null> {
	return await readOnce(reader.shared(CLASS_READS), key, async () => {
		const answer = await nullIfUnknown(read(), unknownCode);
		return answer === null ? null : parseClass(answer);
	});
}

/** Reads the class of a contract. Returns null if there is no contract. */
export async function readClassAt(
	reader: RpcReader,
	contract: bigint,
	block: BlockId = 'latest',
): Promise<StarkClass | null> {
	const address = encodeFelt(contract);
	const read = async () => await reader.call('getClassAt', [block, address]);
	return await readClassOnce(
		reader,
		`${JSON.stringify(block)} ${address}`,
		read,
		ERROR_CODES.contractUnknown,
	);
}

/** Reads a class by its hash. Returns null if there is none. */
export async function readClass(
	reader: RpcReader,
	hash: bigint,
	block: BlockId = 'latest',
): Promise<StarkClass | null> {
	const felt = encodeFelt(hash);
	const read = async () => await reader.call('getClass', [block, felt]);
	return await readClassOnce(reader, `class ${felt}`, read, ERROR_CODES.classUnknown);
}

const PROXY_FUNCTIONS = ['implementation', 'get_implementation', 'getImplementation'];
/** The most proxies that are followed. A proxy may lead to another proxy, or to itself. */
const MAX_PROXIES = 4;

/** Reads the ABI of a contract. For a proxy, it is the ABI of the implementation. */
export async function readContractAbi(
	reader: RpcReader,
	contract: bigint,
	block: BlockId = 'latest',
): Promise<StarkAbi> {
	const found = (await readClassAt(reader, contract, block)) ?? raise(noContractError(contract));
	return requireAbi(await followProxies(reader, found, contract, block), contract);
}

/** Finds the ABI of a contract. Returns undefined if it cannot be read. */
export async function findContractAbi(
	reader: RpcReader,
	contract: bigint,
): Promise<StarkAbi | undefined> {
	return await readContractAbi(reader, contract).catch((failure) => {
		if (failure instanceof RequestFailure && !failure.retry) return undefined;
		throw failure;
	});
}

async function followProxies(
	reader: RpcReader,
	first: StarkClass,
	contract: bigint,
	block: BlockId,
): Promise<StarkClass> {
	let found = first;
	for (let proxies = 0; proxies < MAX_PROXIES; proxies++) {
		const name = findProxyFunction(found);
		if (name === undefined) return found;
		const target = await readImplementation(reader, contract, name, block);
		// A proxy names the hash of a class. The oldest proxies name the address of a contract instead.
		const next =
			(await readClass(reader, target, block)) ?? (await readClassAt(reader, target, block));
		if (!next)
			throw proxyError(contract, `its implementation ${formatFelt(target)} does not exist`);
		if (next === found) break;
		found = next;
	}
	if (findProxyFunction(found) === undefined) return found;
	throw proxyError(contract, 'its implementations lead to each other');
}

function findProxyFunction({ abi, hasDefault }: StarkClass): string | undefined {
	if (!hasDefault || abi instanceof InvalidValue) return undefined;
	return PROXY_FUNCTIONS.find((name) =>
		abi.functions.some((one) => one.name === name && one.inputs.length === 0),
	);
}

async function readImplementation(
	reader: RpcReader,
	contract: bigint,
	name: string,
	block: BlockId,
): Promise<bigint> {
	const [target = 0n] = await callContract(reader, contract, computeSelector(name), [], block);
	return target === 0n ? raise(noImplementationError(contract)) : target;
}

function noImplementationError(contract: bigint): RequestFailure {
	return proxyError(contract, 'it has no implementation');
}

function proxyError(contract: bigint, problem: string): RequestFailure {
	return new RequestFailure(`The contract ${formatFelt(contract)} is a proxy: ${problem}`, {
		description:
			"A proxy forwards its calls to other code, the implementation. Enter the ABI (list of functions and events) of the implementation in 'ABI'.",
	});
}

function requireAbi({ abi }: StarkClass, contract: bigint): StarkAbi {
	if (!(abi instanceof InvalidValue)) return abi;
	throw new RequestFailure(
		`The code (class) of the contract ${formatFelt(contract)} does not declare its inputs and outputs`,
		{
			description: `The ABI on the chain is not ${abi.message}. Enter the ABI of the contract in 'ABI'.`,
		},
	);
}

export function noContractError(contract: bigint): RequestFailure {
	return new RequestFailure(`There is no contract at ${formatFelt(contract)}`, {
		description: 'Check the address, and whether it belongs to this chain.',
	});
}

const parseResult = feltListParser('a list of felts');

/** Calls a contract. If the call fails, the error says why in words. */
export async function callContract(
	reader: RpcReader,
	contract: bigint,
	selector: bigint,
	calldata: readonly bigint[],
	block: BlockId = 'latest',
): Promise<bigint[]> {
	const request = {
		contract_address: encodeFelt(contract),
		entry_point_selector: encodeFelt(selector),
		calldata: calldata.map(encodeFelt),
	};
	const answer = reader.call('call', [request, block]).catch((failure) => {
		throw explainRevert(failure, contract);
	});
	return parseResult(await answer);
}

const FAILURE_CODES: readonly unknown[] = [
	ERROR_CODES.contractFailed,
	ERROR_CODES.executionFailed,
	ERROR_CODES.entryPointUnknown,
	ERROR_CODES.contractUnknown,
];

/** Whether the contract failed or does not exist. Otherwise, the node failed. */
export function isContractFailure(failure: unknown): boolean {
	return FAILURE_CODES.includes(getErrorCode(failure));
}

/** Finds the reason why a call or a transaction failed, in words, if the node's answer contains it. */
export function findFailureReason({ answer }: RequestFailure): string | undefined {
	return isRecord(answer) ? findRevertReason(answer.data) : undefined;
}

/** Adds the reason of a revert to an error, in words, if the node's answer contains it. */
function explainRevert(failure: unknown, contract: bigint): unknown {
	if (!(failure instanceof RequestFailure) || !isContractFailure(failure)) return failure;
	const reason = findFailureReason(failure);
	const description = `The contract ${formatFelt(contract)} was called.`;
	return reason === undefined
		? withAdvice(failure, description)
		: new RequestFailure(`The contract reverted: ${reason}`, { ...failure, description });
}

/** Calls a function and decodes what it returns. */
export async function callFunction(
	reader: RpcReader,
	contract: bigint,
	called: StarkFunction,
	calldata: readonly bigint[],
	block: BlockId,
): Promise<Record<string, unknown>> {
	const felts = await callContract(reader, contract, called.selector, calldata, block);
	const values = catching(DecodingError, () => decodeFunctionResult(called, felts));
	if (values instanceof DecodingError) throw new RequestFailure(values.message);
	return values;
}

const parseClassHash = feltParser('the hash of a class');

/** Reads the class hash of a contract. Returns null if there is no contract. */
export async function readClassHash(
	reader: RpcReader,
	contract: bigint,
	block: BlockId = 'latest',
): Promise<bigint | null> {
	const asking = reader.call('getClassHashAt', [block, encodeFelt(contract)]);
	const answer = await nullIfUnknown(asking, ERROR_CODES.contractUnknown);
	return answer === null ? null : parseClassHash(answer);
}

const parseNonce = feltParser('a nonce');

/** Reads the nonce of an account. Returns null if there is no contract. */
export async function readNonce(
	reader: RpcReader,
	account: bigint,
	block: BlockId = 'latest',
	options?: CallOptions,
): Promise<bigint | null> {
	const asking = reader.call('getNonce', [block, encodeFelt(account)], options);
	const answer = await nullIfUnknown(asking, ERROR_CODES.contractUnknown);
	return answer === null ? null : parseNonce(answer);
}
