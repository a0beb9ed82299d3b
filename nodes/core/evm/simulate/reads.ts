import { parseFunction } from '../abi/call';
import type { AbiFunction } from '../abi/entry';
import { ZERO_ADDRESS } from '../address';
import type { Asset } from './assets';
import { isAddress, quantityToWei } from './outcome';
import type { SimulatedRead } from './looks';
import type { ReadPair } from './simulateV1';

/** A question to a contract, which is asked before the transaction and again after it. */
export interface Question extends SimulatedRead {
	/** The questions that are asked together. A token can affect only the answers about itself. */
	readonly group: string;
}

/** The answers to questions, by the key of each question. */
export type Answers = ReadonlyMap<string, ReadPair>;

export const HOLDING_FUNCTIONS = {
	balanceOf: parseFunction('balanceOf(address owner)'),
	balanceOfId: parseFunction('balanceOf(address owner, uint256 id)'),
	ownerOf: parseFunction('ownerOf(uint256 id)'),
	allowance: parseFunction('allowance(address owner, address spender)'),
	getApproved: parseFunction('getApproved(uint256 id)'),
	isApprovedForAll: parseFunction('isApprovedForAll(address owner, address operator)'),
} as const;

const COIN_GROUP = 'coins';

/** An account, with an asset that it may hold. */
export interface Holding extends Asset {
	readonly account: string;
}

export function askBalance({ kind, token, id, account }: Holding): Question {
	if (token === null) return { group: COIN_GROUP, to: account, data: '0x' };
	if (kind === 'erc721') return buildQuestion(token, HOLDING_FUNCTIONS.ownerOf, [id ?? '0']);
	return kind === 'erc1155'
		? buildQuestion(token, HOLDING_FUNCTIONS.balanceOfId, [account, id ?? '0'])
		: buildQuestion(token, HOLDING_FUNCTIONS.balanceOf, [account]);
}

/**
 * Builds a question to a contract. Arguments are addresses and decimal IDs, and each fills a word. The function must be
 * fast, because there may be thousands of questions.
 */
export function buildQuestion(
	contract: string,
	{ selector }: AbiFunction,
	args: readonly string[],
): Question {
	const words = args.map(encodeWord);
	return { group: contract, to: contract, data: selector + words.join('') };
}

/** Addresses are padded as text, because converting them to numbers takes ten times as long. */
function encodeWord(arg: string): string {
	const digits = arg.startsWith('0x') ? arg.slice(2) : BigInt(arg).toString(16);
	return digits.padStart(64, '0');
}

export function getQuestionKey({ to, data }: SimulatedRead): string {
	return `${to} ${data}`;
}

/** Returns the numbers that answer a question before and after the transaction; undefined if an answer is no number. */
export function findNumbers(answers: Answers, question: Question) {
	const { before, after } = answers.get(getQuestionKey(question)) ?? {};
	const [first, last] = [toWord(before), toWord(after)];
	return first === undefined || last === undefined ? undefined : { before: first, after: last };
}

/**
 * Returns the owner or spender of an NFT before and after the transaction. If there is none, it is the zero address. If
 * the contract gave no answer at all, the result is undefined.
 */
export function findAddresses(answers: Answers, question: Question) {
	const { before, after } = answers.get(getQuestionKey(question)) ?? {};
	const [first, last] = [toAddress(before), toAddress(after)];
	if (first === undefined && last === undefined) return undefined;
	return { before: first ?? ZERO_ADDRESS, after: last ?? ZERO_ADDRESS };
}

/** Adds the fee to a balance after the transaction, so that the change does not contain the fee. */
export function withoutFee({ before, after }: ReadPair, fee: bigint): ReadPair {
	const left = toWord(after);
	return left === undefined ? { before, after } : { before, after: toHexWord(left + fee) };
}

function toHexWord(value: bigint): string {
	return `0x${value.toString(16).padStart(64, '0')}`;
}

const WORD_CHARS = 66;
const ADDRESS_START = 26;

function toWord(returned: string | undefined): bigint | undefined {
	return returned?.length === WORD_CHARS ? quantityToWei(returned) : undefined;
}

function toAddress(returned: string | undefined): string | undefined {
	if (returned?.length !== WORD_CHARS || !/^0x0{24}/.test(returned)) return undefined;
	const address = `0x${returned.slice(ADDRESS_START).toLowerCase()}`;
	return isAddress(address) ? address : undefined;
}
