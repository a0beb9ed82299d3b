import type { RpcReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { isBlank, isRecord, trimText, type Parse, InvalidValue } from '../values/parse';
import { safeIntegerParser } from '../values/numbers';
import { encodeFelt, formatFelt, parseFeltHash, tryParseFelt } from './felts';
import { ERROR_CODES, nullIfUnknown, readMinorVersion } from './reader';
import { raise } from '../errors/raise';

/**
 * A block as requests name it. `pending` (older versions) and `pre_confirmed` (newer versions) both name the block
 * that is being made.
 */
export type BlockId = string | { readonly block_number: number } | { readonly block_hash: string };

const BLOCK_TAGS = ['latest', 'pending', 'pre_confirmed', 'l1_accepted'];
/** A 0x-hex text that is longer than this is a hash, and not a number. */
const MAX_NUMBER_CHARS = 18;

/** Parses a tag, a number or a hash. */
export const parseBlockId: Parse<BlockId> = (given) => {
	const text = trimText(given).toLowerCase();
	if (BLOCK_TAGS.includes(text)) return text;
	if (isBlank(given)) throw new InvalidValue(EXPECTED_BLOCK);
	if (text.startsWith('0x') && text.length > MAX_NUMBER_CHARS)
		return { block_hash: encodeFelt(parseFeltHash(given)) };
	return isNumberLike(given, text)
		? { block_number: safeIntegerParser(0)(given) }
		: raise(new InvalidValue(EXPECTED_BLOCK));
};

const EXPECTED_BLOCK = `${BLOCK_TAGS.join(', ')}, a block number, or the hash of a block`;

function isNumberLike(given: unknown, text: string): boolean {
	return typeof given === 'number' || /^(\d+|0x[0-9a-f]+)$/.test(text);
}

/**
 * Since this version of the API, the block being made is called `pre_confirmed`, and the last block on L1 has the
 * name `l1_accepted`.
 */
export const PRE_CONFIRMED_MINOR_VERSION = 9;

/** Translates a block tag to the names that the node's version uses. The version is read only if it matters. */
export async function resolveBlockId(reader: RpcReader, block: BlockId): Promise<BlockId> {
	if (typeof block !== 'string' || block === 'latest') return block;
	const isNewer = (await readMinorVersion(reader)) >= PRE_CONFIRMED_MINOR_VERSION;
	if (block !== 'l1_accepted') return isNewer ? 'pre_confirmed' : 'pending';
	if (isNewer) return block;
	throw new RequestFailure('The chain node cannot look up the last block that was accepted on L1', {
		description:
			'The API version of the chain node is below 0.9. Enter the number of the block instead.',
	});
}

/** Finds a block with the hashes of its transactions. Returns null if there is none. */
export async function findBlock(
	reader: RpcReader,
	block: BlockId,
): Promise<Readonly<Record<string, unknown>> | null> {
	const id = await resolveBlockId(reader, block);
	const answer = await nullIfUnknown(
		reader.call('getBlockWithTxHashes', [id]),
		ERROR_CODES.blockUnknown,
	);
	if (answer === null) return answer;
	return isRecord(answer) && isBlockOf(id, answer)
		? answer
		: raise(invalidResponseError('the block that was asked for', answer));
}

/** Whether an answer is the block that was requested. A block that states no number or hash is accepted. */
function isBlockOf(
	id: BlockId,
	{ block_number: number, block_hash: hash }: Readonly<Record<string, unknown>>,
): boolean {
	if (typeof id === 'string') return true;
	if ('block_number' in id) return isBlank(number) || number === id.block_number;
	return isBlank(hash) || tryParseFelt(hash) === tryParseFelt(id.block_hash);
}

export async function readHeadNumber(reader: RpcReader): Promise<number> {
	const number = await reader.call('blockNumber', []);
	return isIndex(number) ? number : raise(invalidResponseError('a block number', number));
}

export function isIndex(value: unknown): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function formatBlock(block: Readonly<Record<string, unknown>>) {
	const transactions: unknown[] = Array.isArray(block.transactions) ? block.transactions : [];
	return {
		number: isIndex(block.block_number) ? block.block_number : null,
		hash: formatHash(block.block_hash),
		parentHash: formatHash(block.parent_hash),
		timestamp: formatBlockTime(block.timestamp),
		status: formatBlockStatus(block),
		sequencer: formatHash(block.sequencer_address),
		stateRoot: formatHash(block.new_root),
		l1GasPrice: formatPrice(block.l1_gas_price),
		l1DataGasPrice: formatPrice(block.l1_data_gas_price),
		l2GasPrice: formatPrice(block.l2_gas_price),
		transactionCount: transactions.length,
		transactions: transactions.map(formatHash),
	};
}

const BLOCK_STATUSES: ReadonlyMap<unknown, string> = new Map([
	['ACCEPTED_ON_L1', 'acceptedOnL1'],
	['ACCEPTED_ON_L2', 'acceptedOnL2'],
	['REJECTED', 'rejected'],
]);

/** Formats the status of a block. The block being made has no hash, and in some versions no status. */
function formatBlockStatus({
	status,
	block_hash: hash,
}: Readonly<Record<string, unknown>>): string {
	return hash === undefined ? 'pending' : (BLOCK_STATUSES.get(status) ?? 'pending');
}

/** Formats a felt of an answer as 0x and 64 digits. Returns null if the felt is missing. */
export function formatHash(given: unknown): string | null {
	const felt = tryParseFelt(given);
	return felt === undefined ? null : formatFelt(felt);
}

/** Formats the price of one unit of a resource in FRI, as decimal text. */
function formatPrice(price: unknown): string | null {
	return tryParseFelt(isRecord(price) ? price.price_in_fri : undefined)?.toString() ?? null;
}

const MAX_TIME_MS = 8.64e15;

/** Formats Unix seconds as ISO 8601; null if the value is not a time. */
export function formatBlockTime(seconds: unknown): string | null {
	const milliseconds = isIndex(seconds) ? seconds * 1000 : NaN;
	return milliseconds <= MAX_TIME_MS ? new Date(milliseconds).toISOString() : null;
}
