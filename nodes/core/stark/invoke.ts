import { RequestFailure } from '../errors/requestFailure';
import { throwInvalidResponse } from '../transport/responses/response';
import { isRecord, parseAs, parseText, throwInvalidValue, type Parse } from '../values/parse';
import { parseJsonList } from '../values/json';
import { encodeCalldata, getStarkFunction } from './abi/call';
import type { BlockId } from './blocks';
import { isContractFailure, readClassAt, readContractAbi, readNonce } from './contracts';
import { encodeFelt, formatFelt, parseStarkAddress, tryParseFelt } from './felts';
import { readMinorVersion, type StarkNode } from './node';
import { computeSelector } from './selectors';

/** A call of a contract as a user gives it. */
export interface GivenCall {
	readonly contract: bigint;
	readonly functionName: string;
	readonly args: unknown;
}

const EXPECTED_CALLS =
	'a JSON list of calls, each as { "contract": "0x…", "function": "transfer", "arguments": […] }';

export const parseCalls: Parse<GivenCall[]> = (given) => {
	const list = parseJsonList(given);
	return list.length > 0 ? list.map(parseCall) : throwInvalidValue(EXPECTED_CALLS);
};

function parseCall(given: unknown): GivenCall {
	if (!isRecord(given) || !('contract' in given) || !('function' in given))
		return throwInvalidValue(EXPECTED_CALLS);
	const { contract, function: functionName, arguments: args = [] } = given;
	return { contract: parseStarkAddress(contract), functionName: parseText(functionName), args };
}

/** A call whose arguments are felts. */
interface EncodedCall {
	readonly contract: bigint;
	readonly selector: bigint;
	readonly calldata: readonly bigint[];
}

async function encodeCall(
	node: StarkNode,
	{ contract, functionName, args }: GivenCall,
	index: number,
	block: BlockId,
): Promise<EncodedCall> {
	const abi = await readContractAbi(node, contract, block);
	const label = `Calls > Call ${index + 1}`;
	const called = parseAs(`${label} > Function`, functionName, (name) =>
		getStarkFunction(abi, parseText(name)),
	);
	const calldata = encodeCalldata(called, args, `${label} > Arguments`);
	return { contract, selector: computeSelector(functionName), calldata };
}

/** The calldata of `__execute__`: accounts of Cairo 0 have all arguments behind the calls. */
export function encodeExecution(calls: readonly EncodedCall[], isCairo0: boolean): bigint[] {
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

/** How much of each resource a transaction may use, as the node's version names them. */
export type ResourceBounds = Readonly<Record<string, Bound>>;

const FIRST_MINOR_VERSION_WITH_DATA_GAS = 8;

function buildBounds(minorVersion: number, bound: (resource: string) => Bound): ResourceBounds {
	const resources = ['l1_gas', 'l2_gas', 'l1_data_gas'];
	const known =
		minorVersion >= FIRST_MINOR_VERSION_WITH_DATA_GAS ? resources : resources.slice(0, 2);
	return Object.fromEntries(known.map((resource) => [resource, bound(resource)]));
}

const NOTHING: Bound = { max_amount: '0x0', max_price_per_unit: '0x0' };
/** What a transaction may use whose fee cannot be estimated because it fails. */
const AMPLE: Bound = { max_amount: '0x3b9aca00', max_price_per_unit: '0x38d7ea4c68000' };

/** What is added to an estimate, in percent. */
const BUFFER_PERCENT = 50n;

function withBuffer(amount: bigint): bigint {
	return (amount * (100n + BUFFER_PERCENT) + 99n) / 100n;
}

/** Makes bounds of an estimate; versions below 0.8 count all in the gas of L1. */
function buildEstimatedBounds(minorVersion: number, estimate: unknown): ResourceBounds {
	if (!isRecord(estimate)) return throwInvalidResponse('an estimate of the fee', estimate);
	const get = (name: string) => tryParseFelt(estimate[name]) ?? 0n;
	const makeBound = (amount: bigint, price: bigint): Bound => ({
		max_amount: encodeFelt(withBuffer(amount)),
		max_price_per_unit: encodeFelt(withBuffer(price)),
	});
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

/** A transaction of a sender without a signature, and the flags without which it cannot be simulated. */
export interface UnsignedInvoke {
	readonly transaction: object;
	readonly flags: readonly string[];
}

/** Builds the transaction that makes these calls, with bounds by the node's estimate. */
export async function buildUnsignedInvoke(
	node: StarkNode,
	{ sender, calls }: { readonly sender: bigint; readonly calls: readonly GivenCall[] },
	block: BlockId,
): Promise<UnsignedInvoke> {
	const [nonce, senderClass, minorVersion, encoded] = await Promise.all([
		readNonce(node, sender, block),
		readClassAt(node, sender, block),
		readMinorVersion(node),
		Promise.all(calls.map(async (call, index) => await encodeCall(node, call, index, block))),
	]);
	if (nonce === null || senderClass === null) throw noAccountError(sender);
	const base = {
		type: 'INVOKE',
		version: '0x3',
		sender_address: encodeFelt(sender),
		calldata: encodeExecution(encoded, senderClass.isCairo0).map(encodeFelt),
		signature: [],
		nonce: encodeFelt(nonce),
		tip: '0x0',
		paymaster_data: [],
		account_deployment_data: [],
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
	};
	const empty = { ...base, resource_bounds: buildBounds(minorVersion, () => NOTHING) };
	const estimate = await readEstimate(node, empty, block);
	// What fails has no estimate: it is tried with ample gas and without a fee, so that the trace says why.
	return estimate === null
		? {
				transaction: { ...base, resource_bounds: buildBounds(minorVersion, () => AMPLE) },
				flags: ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
			}
		: {
				transaction: { ...base, resource_bounds: buildEstimatedBounds(minorVersion, estimate) },
				flags: ['SKIP_VALIDATE'],
			};
}

function noAccountError(sender: bigint): RequestFailure {
	return new RequestFailure(`There is no account at ${formatFelt(sender)}`, {
		description: 'Check the address, and whether it belongs to this chain.',
	});
}

/** Null where the transaction would fail. */
async function readEstimate(
	node: StarkNode,
	transaction: object,
	block: BlockId,
): Promise<unknown> {
	const asking = node.call('estimateFee', [[transaction], ['SKIP_VALIDATE'], block]);
	const answer = await asking.catch((failure) => {
		if (isContractFailure(failure)) return null;
		throw failure;
	});
	if (answer === null) return null;
	return Array.isArray(answer) && answer.length === 1
		? (answer[0] as unknown)
		: throwInvalidResponse('one estimate', answer);
}
