import { decodeResult, encodeCall, functionIn } from '../abi/call';
import { DecodingError } from '../abi/data';
import type { AbiFunction } from '../abi/entry';
import { isRefusal, RequestFailure, withAdvice } from '../errors/requestFailure';
import { invalidResponse } from '../responses/response';
import { isOfContract } from '../responses/reverts';
import { namesLimit } from '../responses/rpcErrors';
import type { ChainReader } from '../rpc/chain';
import { attempt } from '../values/read';
import { nullIfRefused } from './blocks';

export const NAME = functionIn('name() returns (string)');
export const SYMBOL = functionIn('symbol() returns (string)');

/** So that a contract that never ends its answer fails soon. Some nodes refuse more than a transaction may use (EIP-7825). */
const GAS = '0x1000000';
const NOTHING = '0x';
/** Of a name or a symbol. */
const LONGEST = 200;

/** What a contract answers; nothing where it has no such function or fails. */
export async function answerOf(
	chain: ChainReader,
	contract: string,
	called: AbiFunction,
	args: readonly unknown[] = [],
	block = 'latest',
): Promise<string> {
	const result = await ask(chain, contract, called, args, block).catch(nothingIfOfContract);
	return typeof result === 'string' ? result : invalidResponse('return data as 0x-hex', result);
}

/** Whether the node refuses questions that say how much gas they may use. */
const gasTerms = () => ({ areRefused: false });

/** Refused for another reason than the contract's own, it is asked without `gas`: the words differ. */
async function ask(
	chain: ChainReader,
	to: string,
	called: AbiFunction,
	args: readonly unknown[],
	block: string,
): Promise<unknown> {
	const data = encodeCall(called, args);
	const terms = chain.memory(gasTerms);
	const call = async (more: object) => await chain.call('eth_call', [{ to, data, ...more }, block]);
	const asking = terms.areRefused
		? call({})
		: call({ gas: GAS }).catch(async (failure) => {
				if (!isUnexplained(failure)) return await Promise.reject(failure);
				terms.areRefused ||= /\bgas\b/i.test(failure.message);
				return await call({});
			});
	return await asking.catch(async (failure) => await Promise.reject(naming(to, failure)));
}

function isUnexplained(failure: unknown): failure is RequestFailure {
	return isRefusal(failure) && !isOfContract(failure) && !namesLimit(failure.message);
}

/** A list holds many contracts. */
function naming(contract: string, failure: unknown): unknown {
	return isRefusal(failure)
		? withAdvice(failure, `It was asked of the contract ${contract}.`)
		: failure;
}

async function nothingIfOfContract(failure: unknown): Promise<string> {
	return failure instanceof RequestFailure && isOfContract(failure)
		? NOTHING
		: await Promise.reject(failure);
}

/** Whatever a contract says, even an odd thing, spoils no list of others. That the node refuses to ask it is another matter. */
export async function pardoned(
	chain: ChainReader,
	contract: string,
	called: AbiFunction,
	attempts = ATTEMPTS,
): Promise<string> {
	const calling = ask(chain, contract, called, [], 'latest').catch(nothingIfOfContract);
	const result = await calling.catch(async (failure) => {
		if (!(await isOfOne(chain, called, failure))) return await Promise.reject(failure);
		return attempts === 1 ? NOTHING : await pardoned(chain, contract, called, attempts - 1);
	});
	return typeof result === 'string' ? result : NOTHING;
}

/** So often a contract is asked that alone is refused: nodes behind one address may differ. */
const ATTEMPTS = 3;
/** There is no contract. */
const NOWHERE = `0x${'0'.repeat(40)}`;

/** Whether a node that refuses to ask one contract, in words that nobody knows, takes the same question for another. */
async function isOfOne(
	chain: ChainReader,
	called: AbiFunction,
	failure: unknown,
): Promise<boolean> {
	if (!isUnexplained(failure)) return false;
	const call = { to: NOWHERE, data: encodeCall(called, []) };
	const asking = chain.call('eth_call', [call, 'latest'], { isFresh: true });
	const answer = await asking.catch(nothingIfOfContract).catch(nullIfRefused);
	return answer !== null;
}

/** What an answer says; null where it does not fit the function. */
export function valueIn(answer: string | undefined, called: AbiFunction): unknown {
	const value = attempt(DecodingError, () => decodeResult(called, answer ?? NOTHING).result);
	return value instanceof DecodingError ? null : value;
}

/** Some of the oldest contracts have their texts in 32 bytes. */
const OLD_TEXT = functionIn('text() returns (bytes32)');
const WORD_DIGITS = 66;

/** A name or a symbol; null where the contract does not tell it. */
export function textIn(answer: string | undefined, called: AbiFunction): string | null {
	const decoded = valueIn(answer, called);
	const text = typeof decoded === 'string' ? decoded : oldText(answer);
	return text && text.length > LONGEST ? beginningOf(text) : text;
}

/** A copy: a part of a text keeps the whole of it in memory. */
function beginningOf(text: string): string {
	return Buffer.from(`${text.slice(0, LONGEST)}…`).toString();
}

function oldText(answer: string | undefined): string | null {
	const word = answer?.length === WORD_DIGITS ? valueIn(answer, OLD_TEXT) : null;
	if (typeof word !== 'string') return null;
	const bytes = Buffer.from(word.slice(2), 'hex');
	const end = bytes.indexOf(0);
	return bytes.subarray(0, end < 0 ? bytes.length : end).toString();
}
