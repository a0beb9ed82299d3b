import { parseStarkAddress } from './address';
import type { RpcReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { isRecord, parseText, type Parse, InvalidValue } from '../values/parse';
import { parseJsonList } from '../values/json';
import { encodeCalldata, getFunctionOfField, type StarkFunction } from './abi/call';
import type { BlockId } from './blocks';
import { isContractFailure, readClassAt, readContractAbi, readNonce } from './contracts';
import { encodeFelt, formatFelt, tryParseFelt } from './felts';
import { readMinorVersion } from './reader';
import { raise } from '../errors/raise';

/** A call of a contract, as the user gives it. */
export interface GivenCall {
	readonly contract: bigint;
	readonly functionName: string;
	readonly args: unknown;
}

const EXPECTED_CALLS =
	'a JSON list of calls, each as { "contract": "0x…", "function": "transfer", "arguments": […] }';

export const parseCalls: Parse<GivenCall[]> = (given) => {
	const list = parseJsonList(given);
	return list.length > 0 ? list.map(parseCall) : raise(new InvalidValue(EXPECTED_CALLS));
};

function parseCall(given: unknown): GivenCall {
	if (!isRecord(given) || !('contract' in given) || !('function' in given))
		throw new InvalidValue(EXPECTED_CALLS);
	const { contract, function: functionName, arguments: args = [] } = given;
	return { contract: parseStarkAddress(contract), functionName: parseText(functionName), args };
}

/** A call whose arguments have been encoded as felts. */
export interface EncodedCall {
	readonly contract: bigint;
	readonly selector: bigint;
	readonly calldata: readonly bigint[];
}

/** A call together with the function that the ABI declares. */
export interface DeclaredCall extends EncodedCall {
	readonly called: StarkFunction;
}

/** Encodes calls by the ABIs of the contracts that they call. */
export async function encodeCalls(
	reader: RpcReader,
	calls: readonly GivenCall[],
	block: BlockId,
): Promise<DeclaredCall[]> {
	return await Promise.all(
		calls.map(async (call, index) => await encodeCall(reader, call, index, block)),
	);
}

async function encodeCall(
	reader: RpcReader,
	{ contract, functionName, args }: GivenCall,
	index: number,
	block: BlockId,
): Promise<DeclaredCall> {
	const abi = await readContractAbi(reader, contract, block);
	const label = `Calls > Call ${index + 1}`;
	const called = getFunctionOfField(abi, functionName, `${label} > Function`);
	const calldata = encodeCalldata(called, args, `${label} > Arguments`);
	return { contract, selector: called.selector, calldata, called };
}

/** Encodes the calldata of an account's `__execute__`. For Cairo 0, all arguments come after the list of calls. */
function encodeExecution(calls: readonly EncodedCall[], isCairo0: boolean): bigint[] {
	const count = BigInt(calls.length);
	if (!isCairo0) {
		const parts = calls.map(({ contract, selector, calldata }) => [
			contract,
			selector,
			BigInt(calldata.length),
			...calldata,
		]);
		return [count, ...parts.flat()];
	}
	const data = calls.flatMap(({ calldata }) => calldata);
	let offset = 0;
	const heads = calls.map(({ contract, selector, calldata }) => {
		const head = [contract, selector, BigInt(offset), BigInt(calldata.length)];
		offset += calldata.length;
		return head;
	});
	return [count, ...heads.flat(), BigInt(data.length), ...data];
}

interface Bound {
	readonly max_amount: string;
	readonly max_price_per_unit: string;
}

/** The highest use and price of each resource. The names of the resources depend on the version of the node. */
export type ResourceBounds = Readonly<Record<string, Bound>>;

export const FIRST_MINOR_VERSION_WITH_DATA_GAS = 8;

function buildBounds(minorVersion: number, bound: (resource: string) => Bound): ResourceBounds {
	const resources = ['l1_gas', 'l2_gas', 'l1_data_gas'];
	const known =
		minorVersion >= FIRST_MINOR_VERSION_WITH_DATA_GAS ? resources : resources.slice(0, 2);
	return Object.fromEntries(known.map((resource) => [resource, bound(resource)]));
}

const NOTHING: Bound = { max_amount: '0x0', max_price_per_unit: '0x0' };
/** A generous bound for a transaction that fails, because its fee cannot be estimated. */
const AMPLE: Bound = { max_amount: '0x3b9aca00', max_price_per_unit: '0x38d7ea4c68000' };

/** An amount has less than 64 bits, and a price less than 128 bits. */
const AMOUNT_LIMIT = 2n ** 64n;
const PRICE_LIMIT = 2n ** 128n;

export const DEFAULT_BUFFER_PERCENT = 50;

function addPercent(amount: bigint, percent: number): bigint {
	return (amount * BigInt(100 + percent) + 99n) / 100n;
}

/** Makes resource bounds from an estimate. Versions below 0.8 count everything in gas of L1. */
export function buildEstimatedBounds(
	minorVersion: number,
	estimate: unknown,
	bufferPercent = DEFAULT_BUFFER_PERCENT,
): ResourceBounds {
	if (!isRecord(estimate)) throw invalidResponseError('an estimate of the fee', estimate);
	const get = (name: string) =>
		tryParseFelt(estimate[name]) ?? raise(invalidResponseError(`${name} in an estimate`, estimate));
	const makeBound = (amount: bigint, price: bigint): Bound => {
		const most = {
			amount: addPercent(amount, bufferPercent),
			price: addPercent(price, bufferPercent),
		};
		return most.amount < AMOUNT_LIMIT && most.price < PRICE_LIMIT
			? { max_amount: encodeFelt(most.amount), max_price_per_unit: encodeFelt(most.price) }
			: raise(invalidResponseError('an estimate of the fee', estimate));
	};
	if (minorVersion >= FIRST_MINOR_VERSION_WITH_DATA_GAS) {
		return buildBounds(minorVersion, (resource) =>
			makeBound(get(`${resource}_consumed`), get(`${resource}_price`)),
		);
	}
	const price = get('gas_price');
	const amount = price === 0n ? 0n : (get('overall_fee') + price - 1n) / price;
	return buildBounds(minorVersion, (resource) =>
		resource === 'l1_gas' ? makeBound(amount, price) : NOTHING,
	);
}

/** Computes the highest fee that these bounds allow, in the smallest unit of the fee token. */
export function computeHighestFee(bounds: ResourceBounds, tip: bigint): bigint {
	const fees = Object.entries(bounds).map(([resource, bound]) => {
		const price = BigInt(bound.max_price_per_unit) + (resource === 'l2_gas' ? tip : 0n);
		return BigInt(bound.max_amount) * price;
	});
	return fees.reduce((sum, fee) => sum + fee, 0n);
}

/** The node's facts about an account that is to send a transaction. */
export interface Sender {
	readonly address: bigint;
	readonly nonce: bigint;
	readonly isCairo0: boolean;
	/** The second number of the version of the node's API, as in 8 for 0.8.1. */
	readonly minorVersion: number;
}

export async function readSender(
	reader: RpcReader,
	address: bigint,
	block: BlockId,
): Promise<Sender> {
	const [nonce, senderClass, minorVersion] = await Promise.all([
		readNonce(reader, address, block),
		readClassAt(reader, address, block),
		readMinorVersion(reader),
	]);
	if (nonce === null || senderClass === null) throw noAccountError(address);
	return { address, nonce, isCairo0: senderClass.isCairo0, minorVersion };
}

interface InvokeContents {
	readonly calls: readonly EncodedCall[];
	readonly nonce: bigint;
	readonly tip: bigint;
	/** Without bounds, the transaction may use no resources. Such a transaction is only estimated. */
	readonly bounds?: ResourceBounds;
}

/** Builds an unsigned transaction of version 3 that calls contracts. */
export function buildInvoke(
	{ address, isCairo0, minorVersion }: Sender,
	{ calls, nonce, tip, bounds }: InvokeContents,
) {
	return {
		type: 'INVOKE',
		version: '0x3',
		sender_address: encodeFelt(address),
		calldata: encodeExecution(calls, isCairo0).map(encodeFelt),
		nonce: encodeFelt(nonce),
		resource_bounds: bounds ?? buildBounds(minorVersion, () => NOTHING),
		tip: encodeFelt(tip),
		paymaster_data: [],
		account_deployment_data: [],
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
	};
}

/** An unsigned transaction, and the flags that it needs in a simulation. */
interface UnsignedInvoke {
	readonly transaction: object;
	readonly flags: readonly string[];
}

/** Builds an unsigned transaction for these calls. Its bounds come from the node's estimate. */
export async function buildUnsignedInvoke(
	reader: RpcReader,
	{ sender, calls }: { readonly sender: bigint; readonly calls: readonly GivenCall[] },
	block: BlockId,
): Promise<UnsignedInvoke> {
	const [from, encoded] = await Promise.all([
		readSender(reader, sender, block),
		encodeCalls(reader, calls, block),
	]);
	const build = (bounds?: ResourceBounds) => ({
		...buildInvoke(from, { calls: encoded, nonce: from.nonce, tip: 0n, bounds }),
		signature: [],
	});
	const estimate = await readEstimate(reader, build(), block).catch((failure) => {
		if (isContractFailure(failure)) return null;
		throw failure;
	});
	// The fee of a failing transaction cannot be estimated. Such a transaction is simulated with ample gas and without
	// a fee, so that the trace shows the failure.
	return estimate === null
		? {
				transaction: build(buildBounds(from.minorVersion, () => AMPLE)),
				flags: ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
			}
		: {
				transaction: build(buildEstimatedBounds(from.minorVersion, estimate)),
				flags: ['SKIP_VALIDATE'],
			};
}

function noAccountError(sender: bigint): RequestFailure {
	return new RequestFailure(`There is no account at ${formatFelt(sender)}`, {
		description: 'Check the address, and whether it belongs to this chain.',
	});
}

/** Asks the node for the fee of a transaction. Throws if the transaction would revert. */
export async function readEstimate(
	reader: RpcReader,
	transaction: object,
	block: BlockId,
): Promise<unknown> {
	const answer = await reader.call('estimateFee', [[transaction], ['SKIP_VALIDATE'], block]);
	return Array.isArray(answer) && answer.length === 1
		? (answer[0] as unknown)
		: raise(invalidResponseError('one estimate', answer));
}
