import { abiParser } from './abi/abi';
import {
	createAbiData,
	decodeCountAt,
	DecodingError,
	decodeNumberAt,
	encodeNumber,
	WORD_BYTES,
} from './abi/data';
import { decodeEventLog } from './abi/event';
import type { Chain } from '../protocols/rpc/operation';
import { checksumAddress } from './address';
import { catching } from '../values/parse';
import { searchLogs, type LogFilter } from './logs';
import type { NftStandard } from './nfts';
import type { JsonObject } from '../values/json';
import { readRange, type RangeEnds } from './ranges';
import { readRangeEnds, type RangeInput } from './rangeStart';
import { formatLogPosition, encodeAccountTopics, type Parties } from './transfers';

/**
 * The events of NFT transfers, which have four topics each. ERC-20 has the first event with three topics, and the
 * earliest NFTs have it with one topic.
 */
const TRANSFER_EVENTS = abiParser('event')([
	'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
	'TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
	'TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
]).events;

const [TRANSFER_TOPIC = '', TRANSFER_SINGLE_TOPIC = '', TRANSFER_BATCH_TOPIC = ''] =
	TRANSFER_EVENTS.map(({ topic }) => topic);

/** Which transfers are wanted. */
interface NftTransferFilter extends Parties {
	/** The contracts that are searched; an empty list means any. */
	readonly contracts: readonly string[];
}

/**
 * Builds the filters that find NFT transfers. A null at the end requires four topics. ERC-721 has the sender in the
 * second topic and the receiver in the third; ERC-1155 has them in the third and fourth.
 */
export function buildNftTransferFilters({
	contracts: addresses,
	...parties
}: NftTransferFilter): LogFilter[] {
	const sides = encodeAccountTopics(parties);
	const [all, several] = [
		[TRANSFER_TOPIC, TRANSFER_SINGLE_TOPIC, TRANSFER_BATCH_TOPIC],
		[TRANSFER_SINGLE_TOPIC, TRANSFER_BATCH_TOPIC],
	];
	const searches = {
		any: [
			[TRANSFER_TOPIC, sides, null, null],
			[all, null, sides, null],
			[several, null, null, sides],
		],
		from: [
			[TRANSFER_TOPIC, sides, null, null],
			[several, null, sides, null],
		],
		to: [
			[TRANSFER_TOPIC, null, sides, null],
			[several, null, null, sides],
		],
	};
	const wanted = sides.length === 0 ? [[all, null, null, null]] : searches[parties.direction];
	return wanted.map((topics) => ({ addresses, topics }));
}

interface NftTransferSearch extends NftTransferFilter, RangeInput {
	readonly limit?: number;
}

/** Reads the NFTs that moved in a range of blocks, in the order of the chain, formatted for the user. */
export async function* readNftTransfers(
	chain: Chain,
	wanted: NftTransferSearch,
): AsyncGenerator<readonly JsonObject[]> {
	const filters = buildNftTransferFilters(wanted);
	const search = async function* ({ from, to }: RangeEnds) {
		const logs = await searchLogs(chain, filters, { fromBlock: from, toBlock: to });
		yield logs.flatMap(decodeNftTransfers);
	};
	const ends = await readRangeEnds(chain, wanted);
	yield* readRange(chain, search, ends, { wanted: wanted.limit });
}

/**
 * Decodes a log to a transfer for each token that it moves, formatted for the user. A log of no known standard gives
 * none.
 */
export function decodeNftTransfers(log: JsonObject): JsonObject[] {
	const size = decodeBatchSize(log);
	if (size === undefined) return [];
	const isTooLarge = size > MAX_BATCH_TOKENS;
	const { event, args } = decodeEventLog(
		TRANSFER_EVENTS,
		isTooLarge ? { ...log, data: EMPTY_BATCH_DATA } : log,
	);
	if (!args) return [];
	const { operator = null, from, to, ...moved } = args as unknown as TransferArgs;
	const contract = checksumAddress(String(log.address));
	const standard: NftStandard = event === 'Transfer' ? 'ERC-721' : 'ERC-1155';
	const tokens = isTooLarge ? [UNDECODED_BATCH] : getMovedTokens(moved);
	return tokens.map(([tokenId, quantity]) => ({
		contract,
		standard,
		tokenId,
		quantity,
		from,
		to,
		operator,
		...formatLogPosition(log),
	}));
}

/** Limits the tokens in one log. No block of common chains can move more, so a larger log is an attack. */
export const MAX_BATCH_TOKENS = 10_000;
const EMPTY_BATCH_DATA = `0x${[2 * WORD_BYTES, 3 * WORD_BYTES, 0, 0].map(encodeNumber).join('')}`;

type MovedToken = readonly [id: string | null, quantity: string | null];

/** Stands for the tokens of a batch that is not decoded, but returned as one item. */
const UNDECODED_BATCH: MovedToken = [null, null];

/** Counts the tokens of a batch before they are decoded: 0 for another log, undefined if the lists differ in length. */
function decodeBatchSize({ topics, data }: JsonObject): number | undefined {
	const isBatch = Array.isArray(topics) && String(topics[0]).toLowerCase() === TRANSFER_BATCH_TOPIC;
	if (!isBatch) return 0;
	const counts = catching(DecodingError, () => {
		const words = createAbiData(data);
		return [0, WORD_BYTES].map((at) => decodeCountAt(words, decodeNumberAt(words, at), WORD_BYTES));
	});
	if (counts instanceof DecodingError) return undefined;
	const [ids, values] = counts;
	return ids === values ? ids : undefined;
}

/** The decoded arguments of any of the three events in `TRANSFER_EVENTS`. */
interface TransferArgs {
	readonly operator?: string;
	readonly from: string;
	readonly to: string;
	readonly tokenId?: string;
	readonly id?: string;
	readonly value?: string;
	readonly ids?: readonly string[];
	readonly values?: readonly string[];
}

function getMovedTokens({
	tokenId,
	id,
	value,
	ids,
	values,
}: Omit<TransferArgs, 'from' | 'to'>): MovedToken[] {
	if (ids && values) return ids.map((one, at) => [one, values[at] ?? null]);
	return tokenId === undefined ? [[id ?? null, value ?? null]] : [[tokenId, '1']];
}
