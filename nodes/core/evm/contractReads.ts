import { decodeFunctionResult, encodeFunctionData, parseFunction } from './abi/call';
import { DecodingError } from './abi/data';
import type { AbiFunction } from './abi/entry';
import { isRefusal, RequestFailure, withAdvice } from '../errors/requestFailure';
import { throwInvalidResponse } from '../transport/responses/response';
import { isContractFailure } from '../transport/responses/reverts';
import { isLimitNamed } from '../transport/responses/rpcErrors';
import type { ChainReader } from '../transport/rpc/chain';
import { catching, throwAgain } from '../values/read';
import { nullIfRefused } from './blocks';

export const NAME_FUNCTION = parseFunction('name() returns (string)');
export const SYMBOL_FUNCTION = parseFunction('symbol() returns (string)');

/** So that a contract that never ends its answer fails soon. Some nodes refuse more than a transaction may use (EIP-7825). */
const CALL_GAS = '0x1000000';
const EMPTY_DATA = '0x';
/** Of a name or a symbol. */
const MAX_TEXT_CHARS = 200;

/** What a contract answers; nothing where it has no such function or fails. */
export async function callContract(
	chain: ChainReader,
	contract: string,
	called: AbiFunction,
	args: readonly unknown[] = [],
	block = 'latest',
): Promise<string> {
	const result = await callWithGas(chain, contract, called, args, block).catch(
		emptyIfContractFailed,
	);
	return typeof result === 'string'
		? result
		: throwInvalidResponse('return data as 0x-hex', result);
}

/** Whether the node refuses questions that say how much gas they may use. */
const createGasSupport = () => ({ areRefused: false });

/** Refused for another reason than the contract's own, it is asked without `gas`: the words differ. */
async function callWithGas(
	chain: ChainReader,
	to: string,
	called: AbiFunction,
	args: readonly unknown[],
	block: string,
): Promise<unknown> {
	const data = encodeFunctionData(called, args);
	const terms = chain.shared(createGasSupport);
	const call = async (more: object) => await chain.call('eth_call', [{ to, data, ...more }, block]);
	const asking = terms.areRefused
		? call({})
		: call({ gas: CALL_GAS }).catch(async (failure) => {
				if (!isUnexplainedRefusal(failure)) throw failure;
				terms.areRefused ||= /\bgas\b/i.test(failure.message);
				return await call({});
			});
	return await asking.catch((failure) => throwAgain(withContractName(to, failure)));
}

function isUnexplainedRefusal(failure: unknown): failure is RequestFailure {
	return isRefusal(failure) && !isContractFailure(failure) && !isLimitNamed(failure.message);
}

/** A list holds many contracts. */
function withContractName(contract: string, failure: unknown): unknown {
	return isRefusal(failure)
		? withAdvice(failure, `It was asked of the contract ${contract}.`)
		: failure;
}

function emptyIfContractFailed(failure: unknown): string {
	return failure instanceof RequestFailure && isContractFailure(failure)
		? EMPTY_DATA
		: throwAgain(failure);
}

/** Whatever a contract says, even an odd thing, spoils no list of others. That the node refuses to ask it is another matter. */
export async function callTolerant(
	chain: ChainReader,
	contract: string,
	called: AbiFunction,
	attempts = MAX_CALL_ATTEMPTS,
): Promise<string> {
	const calling = callWithGas(chain, contract, called, [], 'latest').catch(emptyIfContractFailed);
	const result = await calling.catch(async (failure) => {
		if (!(await isRefusedForOneContract(chain, called, failure))) throw failure;
		return attempts === 1 ? EMPTY_DATA : await callTolerant(chain, contract, called, attempts - 1);
	});
	return typeof result === 'string' ? result : EMPTY_DATA;
}

/** So often a contract is asked that alone is refused: nodes behind one address may differ. */
const MAX_CALL_ATTEMPTS = 3;
/** There is no contract. */
const ADDRESS_WITHOUT_CONTRACT = `0x${'0'.repeat(40)}`;

/** Whether a node that refuses to ask one contract, in words that nobody knows, takes the same question for another. */
async function isRefusedForOneContract(
	chain: ChainReader,
	called: AbiFunction,
	failure: unknown,
): Promise<boolean> {
	if (!isUnexplainedRefusal(failure)) return false;
	const call = { to: ADDRESS_WITHOUT_CONTRACT, data: encodeFunctionData(called, []) };
	const asking = chain.call('eth_call', [call, 'latest'], { isFresh: true });
	const answer = await asking.catch(emptyIfContractFailed).catch(nullIfRefused);
	return answer !== null;
}

/** What an answer says; null where it does not fit the function. */
export function decodeOrNull(answer: string | undefined, called: AbiFunction): unknown {
	const value = catching(
		DecodingError,
		() => decodeFunctionResult(called, answer ?? EMPTY_DATA).result,
	);
	return value instanceof DecodingError ? null : value;
}

/** Some of the oldest contracts have their texts in 32 bytes. */
const BYTES32_TEXT_FUNCTION = parseFunction('text() returns (bytes32)');
const WORD_HEX_CHARS = 66;

/** A name or a symbol; null where the contract does not tell it. */
export function decodeTextOrNull(answer: string | undefined, called: AbiFunction): string | null {
	const decoded = decodeOrNull(answer, called);
	const text = typeof decoded === 'string' ? decoded : decodeBytes32Text(answer);
	return text && text.length > MAX_TEXT_CHARS ? shortenText(text) : text;
}

/** A copy: a part of a text keeps the whole of it in memory. */
function shortenText(text: string): string {
	return Buffer.from(`${text.slice(0, MAX_TEXT_CHARS)}…`).toString();
}

function decodeBytes32Text(answer: string | undefined): string | null {
	const word =
		answer?.length === WORD_HEX_CHARS ? decodeOrNull(answer, BYTES32_TEXT_FUNCTION) : null;
	if (typeof word !== 'string') return null;
	const bytes = Buffer.from(word.slice(2), 'hex');
	const end = bytes.indexOf(0);
	return bytes.subarray(0, end < 0 ? bytes.length : end).toString();
}
