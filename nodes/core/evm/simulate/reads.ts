import { parseFunction } from '../abi/call';
import type { AbiFunction } from '../abi/entry';
import { ZERO_ADDRESS } from '../address';
import type { Asset } from './assets';
import { isAddress, quantityToWei } from './outcome';
import type { SimulatedRead } from './looks';
import type { ReadPair } from './simulateV1';

/** A question to a contract, before the transaction and after it. */
export interface Question extends SimulatedRead {
	/** The questions that are asked together. A token can affect only the answers about itself. */
	readonly group: string;
}

/** The answers to a question, by its key. */
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

/** An account that may hold something. */
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

/** Arguments are addresses, and IDs in decimal digits; each fills a word. There may be thousands. */
export function buildQuestion(
	contract: string,
	{ selector }: AbiFunction,
	args: readonly string[],
): Question {
	const words = args.map(encodeWord);
	return { group: contract, to: contract, data: selector + words.join('') };
}

/** An address is padded as text, because converting it to a number takes ten times as long. */
function encodeWord(arg: string): string {
	const digits = arg.startsWith('0x') ? arg.slice(2) : BigInt(arg).toString(16);
	return digits.padStart(64, '0');
}

export function getQuestionKey({ to, data }: SimulatedRead): string {
	return `${to} ${data}`;
}

/** A question that was answered by a number both times; undefined if not. */
export function findNumbers(answers: Answers, question: Question) {
	const { before, after } = answers.get(getQuestionKey(question)) ?? {};
	const [first, last] = [toWord(before), toWord(after)];
	return first === undefined || last === undefined ? undefined : { before: first, after: last };
}

/**
 * Who had an NFT, or may spend it, before and after: the zero address for nobody. Undefined if the contract never answered.
 */
export function findAddresses(answers: Answers, question: Question) {
	const { before, after } = answers.get(getQuestionKey(question)) ?? {};
	const [first, last] = [toAddress(before), toAddress(after)];
	if (first === undefined && last === undefined) return undefined;
	return { before: first ?? ZERO_ADDRESS, after: last ?? ZERO_ADDRESS };
}

/** Adds to an account what it paid for gas. */
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
