import { anyAbiParser } from '../abi/abi';
import { decodeErrorResult } from '../abi/call';
import { hexParser, quantityToNumber } from '../chainObjects';
import { decodeStandardError } from '../../net/responses/reverts';
import { shortenMessage, invalidResponseError } from '../../net/responses/response';
import { isRecord } from '../../values/parse';
import { raise } from '../../errors/raise';

/** A log of a simulated transaction, in lower case. */
export interface SimulatedLog {
	readonly address: string;
	readonly topics: readonly string[];
	readonly data: string;
}

/** A transfer of coins by a call, in wei. */
export interface CoinMove {
	readonly from: string;
	readonly to: string;
	readonly value: bigint;
}

/** What a transaction would do, as the node says. */
export interface Outcome {
	readonly success: boolean;
	readonly revertReason: string | null;
	readonly gasUsed: number | string | null;
	/** The logs of contracts, in the order in which they were written. */
	readonly logs: readonly SimulatedLog[];
	readonly coins: readonly CoinMove[];
}

/** Builds the outcome of a transaction that reverts or is refused. */
export function buildFailedOutcome(reason: string, gasUsed: unknown = null): Outcome {
	return {
		success: false,
		revertReason: reason,
		gasUsed: quantityToNumber(gasUsed),
		logs: [],
		coins: [],
	};
}

/** The errors of ERC-6093, which most tokens use. */
const { errors: TOKEN_ERRORS } = anyAbiParser('error')([
	'ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
	'ERC20InvalidSender(address sender)',
	'ERC20InvalidReceiver(address receiver)',
	'ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
	'ERC20InvalidApprover(address approver)',
	'ERC20InvalidSpender(address spender)',
	'ERC721InvalidOwner(address owner)',
	'ERC721NonexistentToken(uint256 tokenId)',
	'ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
	'ERC721InvalidSender(address sender)',
	'ERC721InvalidReceiver(address receiver)',
	'ERC721InsufficientApproval(address operator, uint256 tokenId)',
	'ERC721InvalidApprover(address approver)',
	'ERC721InvalidOperator(address operator)',
	'ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
	'ERC1155InvalidSender(address sender)',
	'ERC1155InvalidReceiver(address receiver)',
	'ERC1155MissingApprovalForAll(address operator, address owner)',
	'ERC1155InvalidApprover(address approver)',
	'ERC1155InvalidOperator(address operator)',
	'ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)',
]);

const MAX_REASON_CHARS = 2000;

/**
 * Finds the reason of a revert. It prefers the contract's message or a standard error, then the data, then the node's
 * message.
 */
export function formatRevertReason(data: unknown, message: unknown): string {
	if (typeof data === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(data)) {
		return (
			decodeStandardError(data) ??
			decodeErrorResult(TOKEN_ERRORS, data)?.text ??
			shortenData(data.toLowerCase())
		);
	}
	const words = typeof message === 'string' ? shortenMessage(message.trim()) : '';
	return words === '' ? 'The chain node gave no reason' : words;
}

function shortenData(data: string): string {
	return data.length > MAX_REASON_CHARS ? `${data.slice(0, MAX_REASON_CHARS)}…` : data;
}

const ADDRESS_PATTERN = /^0x[0-9a-f]{40}$/i;
const TOPIC_PATTERN = /^0x[0-9a-f]{64}$/i;
const MAX_TOPICS = 4;

export function parseLog(log: unknown): SimulatedLog {
	const { address, topics, data } = isRecord(log) ? log : {};
	const isLog =
		isAddress(address) &&
		Array.isArray(topics) &&
		topics.length <= MAX_TOPICS &&
		topics.every(isTopic);
	if (!isLog) throw invalidResponseError('a log of the simulation', log);
	return {
		address: address.toLowerCase(),
		topics: topics.map((topic) => topic.toLowerCase()),
		data: hexParser('the data of a log as 0x-hex')(data ?? '0x').toLowerCase(),
	};
}

export function isAddress(value: unknown): value is string {
	return typeof value === 'string' && ADDRESS_PATTERN.test(value);
}

function isTopic(value: unknown): value is string {
	return typeof value === 'string' && TOPIC_PATTERN.test(value);
}

/**
 * The addresses in logs of coin transfers, which nodes write with eth_simulateV1, or by EIP-7708. No contract has these
 * addresses.
 */
const COIN_EMITTERS: readonly string[] = [
	`0x${'e'.repeat(40)}`,
	'0xfffffffffffffffffffffffffffffffffffffffe',
	`0x${'0'.repeat(40)}`,
];
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ADDRESS_START = 26;

/** Whether the log is a coin transfer that the node has recorded, and not a contract's log. */
export function isCoinLog({ address }: SimulatedLog): boolean {
	return COIN_EMITTERS.includes(address);
}

/** Decodes a coin transfer that the node has recorded; undefined for any other log. */
export function decodeCoinLog({ topics, data }: SimulatedLog): CoinMove | undefined {
	const [topic, from, to] = topics;
	if (topic !== TRANSFER_TOPIC || from === undefined || to === undefined) return undefined;
	const value = quantityToWei(data) ?? raise(invalidResponseError('a transfer of coins', data));
	return { from: `0x${from.slice(ADDRESS_START)}`, to: `0x${to.slice(ADDRESS_START)}`, value };
}

/** Parses an amount of at most 256 bits; undefined for any other value. */
export function quantityToWei(quantity: unknown): bigint | undefined {
	return typeof quantity === 'string' && /^0x[0-9a-f]{1,64}$/i.test(quantity)
		? BigInt(quantity)
		: undefined;
}
