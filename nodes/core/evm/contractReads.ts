import { encodeFunctionData } from './abi/call';
import type { AbiFunction } from './abi/entry';
import { isRefusal, RequestFailure, withAdvice } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { isContractFailure } from '../net/responses/reverts';
import { isLimitNamed } from '../net/responses/rpcErrors';
import type { RpcReader } from '../chain/reader';
import { rethrow } from '../values/parse';
import { nullIfRefused } from '../chain/blocks';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

/**
 * Limits the gas of a call, so that a contract that never returns fails soon. Some nodes refuse a higher limit
 * (EIP-7825).
 */
const CALL_GAS = '0x1000000';
const EMPTY_DATA = '0x';

/** The name of a block in a request: a tag such as `latest`, its number as 0x-hex, or its hash. */
export type BlockName = string | { readonly blockHash: string };

/** Calls a contract. Gives no data if it has no such function or fails. */
export async function callContract(
	reader: RpcReader,
	contract: string,
	called: AbiFunction,
	args: readonly unknown[] = [],
	block: BlockName = 'latest',
): Promise<string> {
	const { returned } = await callWithReason(reader, contract, called, args, block);
	return returned;
}

/** The data that a contract returns. If the contract fails, `returned` has no data, and `failure` is set. */
interface ContractOutcome {
	readonly returned: string;
	readonly failure?: RequestFailure;
}

/** Calls a contract. If the contract fails, the outcome has a failure with the reason. */
export async function callWithReason(
	reader: RpcReader,
	contract: string,
	called: AbiFunction,
	args: unknown = [],
	block: BlockName = 'latest',
): Promise<ContractOutcome> {
	try {
		const returned = await callWithGas(reader, contract, called, args, block);
		return typeof returned === 'string'
			? { returned }
			: raise(invalidResponseError('return data as 0x-hex', returned));
	} catch (failure) {
		return failure instanceof RequestFailure && isContractFailure(failure)
			? { returned: EMPTY_DATA, failure }
			: rethrow(failure);
	}
}

/** Whether the node refuses calls that set a gas limit. */
const GAS_SUPPORT = sharedKey('evm.gasSupport', () => ({ areRefused: false }));

/**
 * If a call is refused for another reason than the contract's own, it is repeated without `gas`, because nodes word that
 * refusal differently.
 */
async function callWithGas(
	reader: RpcReader,
	to: string,
	called: AbiFunction,
	args: unknown,
	block: BlockName,
): Promise<unknown> {
	const data = encodeFunctionData(called, args);
	const terms = reader.shared(GAS_SUPPORT);
	const call = async (more: object) =>
		await reader.call('eth_call', [{ to, data, ...more }, block]);
	const asking = terms.areRefused
		? call({})
		: call({ gas: CALL_GAS }).catch(async (failure) => {
				if (!isUnexplainedRefusal(failure)) throw failure;
				terms.areRefused ||= /\bgas\b/i.test(failure.message);
				return await call({});
			});
	return await asking.catch((failure) => rethrow(withContractName(to, failure)));
}

function isUnexplainedRefusal(failure: unknown): failure is RequestFailure {
	return isRefusal(failure) && !isContractFailure(failure) && !isLimitNamed(failure.message);
}

/** Adds the contract's address to a refusal, because a list may have many contracts. */
function withContractName(contract: string, failure: unknown): unknown {
	return isRefusal(failure)
		? withAdvice(failure, `It was asked of the contract ${contract}.`)
		: failure;
}

function emptyIfContractFailed(failure: unknown): string {
	return failure instanceof RequestFailure && isContractFailure(failure)
		? EMPTY_DATA
		: rethrow(failure);
}

/** Calls a contract, and returns empty data if the contract fails. Throws if the node refuses the call. */
export async function callTolerant(
	reader: RpcReader,
	contract: string,
	called: AbiFunction,
	attempts = MAX_CALL_ATTEMPTS,
): Promise<string> {
	const calling = callWithGas(reader, contract, called, [], 'latest').catch(emptyIfContractFailed);
	const result = await calling.catch(async (failure) => {
		if (!(await isRefusedForOneContract(reader, called, failure))) throw failure;
		return attempts === 1 ? EMPTY_DATA : await callTolerant(reader, contract, called, attempts - 1);
	});
	return typeof result === 'string' ? result : EMPTY_DATA;
}

/** How often a refused call to a contract is tried, because several nodes behind one address may answer differently. */
const MAX_CALL_ATTEMPTS = 3;
/** No contract has this address. */
const ADDRESS_WITHOUT_CONTRACT = `0x${'0'.repeat(40)}`;

/** Whether a node refuses a call to one contract only: it accepts the same call to an address without a contract. */
async function isRefusedForOneContract(
	reader: RpcReader,
	called: AbiFunction,
	failure: unknown,
): Promise<boolean> {
	if (!isUnexplainedRefusal(failure)) return false;
	const call = { to: ADDRESS_WITHOUT_CONTRACT, data: encodeFunctionData(called, []) };
	const asking = reader.call('eth_call', [call, 'latest'], { isFresh: true });
	const answer = await asking.catch(emptyIfContractFailed).catch(nullIfRefused);
	return answer !== null;
}
