import { abiWith } from '../abi/abi';
import { chainData, countAt, DecodingError, numberAt, numberWord, WORD } from '../abi/data';
import { decodeLog } from '../abi/event';
import type { Field } from '../operation/field';
import type { Chain } from '../rpc/chain';
import { checksummed, evmAddress } from '../values/hex';
import { listOf } from '../values/json';
import { attempt } from '../values/read';
import { searchLogs, type LogFilter } from './logs';
import type { NftStandard } from './nfts';
import type { ChainObject } from './objects';
import { endsOf, readRange, type Ends, type GivenRange } from './ranges';
import { placeOf, sideTopics, type Parties } from './transfers';

/** All three have four topics. ERC-20 has the first one with three, and the earliest NFTs have it with one. */
const EVENTS = abiWith('event')([
	'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
	'TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
	'TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
]).events;

const [TRANSFER = '', SINGLE = '', BATCH = ''] = EVENTS.map(({ topic }) => topic);

/** Which transfers are wanted. */
interface NftTransferFilter extends Parties {
	/** Of these contracts; none for any. */
	readonly contracts: readonly string[];
}

/**
 * The searches for logs that find these transfers. A null in the last place asks for four topics. The second topic is the
 * sender of ERC-721, the third one its recipient, or the sender of ERC-1155.
 */
export function nftTransferFilters({
	contracts: addresses,
	...parties
}: NftTransferFilter): LogFilter[] {
	const sides = sideTopics(parties);
	const [all, several] = [
		[TRANSFER, SINGLE, BATCH],
		[SINGLE, BATCH],
	];
	const searches = {
		any: [
			[TRANSFER, sides, null, null],
			[all, null, sides, null],
			[several, null, null, sides],
		],
		from: [
			[TRANSFER, sides, null, null],
			[several, null, sides, null],
		],
		to: [
			[TRANSFER, null, sides, null],
			[several, null, null, sides],
		],
	};
	const wanted = sides.length === 0 ? [[all, null, null, null]] : searches[parties.direction];
	return wanted.map((topics) => ({ addresses, topics }));
}

interface NftTransferSearch extends NftTransferFilter, GivenRange {
	readonly limit?: number;
}

/** The tokens that moved in a range of blocks, in the order of the chain, as the user sees them. */
export async function* readNftTransfers(
	chain: Chain,
	wanted: NftTransferSearch,
): AsyncGenerator<readonly ChainObject[]> {
	const filters = nftTransferFilters(wanted);
	const search = async function* ({ from, to }: Ends) {
		const logs = await searchLogs(chain, filters, { fromBlock: from, toBlock: to });
		yield logs.flatMap(nftTransfersIn);
	};
	yield* readRange(chain, search, endsOf(wanted), { limit: wanted.limit });
}

/** One for each token that a log moves, in order, as the user sees it. None for a log that fits neither standard. */
export function nftTransfersIn(log: ChainObject): ChainObject[] {
	const size = batchSizeIn(log);
	if (size === undefined) return [];
	const isTooLarge = size > MOST_IN_BATCH;
	const { event, args } = decodeLog(EVENTS, isTooLarge ? { ...log, data: NO_TOKENS } : log);
	if (!args) return [];
	const { operator = null, from, to, ...moved } = args as unknown as Args;
	const contract = checksummed(String(log.address).slice(2));
	const standard: NftStandard = event === 'Transfer' ? 'ERC-721' : 'ERC-1155';
	const tokens = isTooLarge ? [UNTOLD] : tokensOf(moved);
	return tokens.map(([tokenId, quantity]) => ({
		...{ contract, standard, tokenId, quantity, from, to, operator },
		...placeOf(log),
	}));
}

/** More than a block of the common chains can move: such a log is made to do harm. */
const MOST_IN_BATCH = 10_000;
const NO_TOKENS = `0x${[2 * WORD, 3 * WORD, 0, 0].map(numberWord).join('')}`;

type Token = readonly [id: string | null, quantity: string | null];

/** A batch that is told as one. */
const UNTOLD: Token = [null, null];

/** How many tokens a batch moves, before they are decoded; 0 for another log, undefined for lists that are no pair. */
function batchSizeIn({ topics, data }: ChainObject): number | undefined {
	const isBatch = Array.isArray(topics) && String(topics[0]).toLowerCase() === BATCH;
	if (!isBatch) return 0;
	const counts = attempt(DecodingError, () => {
		const words = chainData(data);
		return [0, WORD].map((at) => countAt(words, numberAt(words, at), WORD));
	});
	if (counts instanceof DecodingError) return undefined;
	const [ids, values] = counts;
	return ids === values ? ids : undefined;
}

/** The arguments of one of the events. */
interface Args {
	readonly operator?: string;
	readonly from: string;
	readonly to: string;
	readonly tokenId?: string;
	readonly id?: string;
	readonly value?: string;
	readonly ids?: readonly string[];
	readonly values?: readonly string[];
}

function tokensOf({ tokenId, id, value, ids, values }: Omit<Args, 'from' | 'to'>): Token[] {
	if (ids && values) return ids.map((one, at) => [one, values[at] ?? null]);
	return tokenId === undefined ? [[id ?? null, value ?? null]] : [[tokenId, '1']];
}

/** Which transfers of NFTs are wanted. */
export const contracts = {
	displayName: 'NFT Contracts',
	name: 'contracts',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only tokens of these ERC-721 and ERC-1155 contracts: their addresses, comma-separated, or an array',
	hint: 'Empty for any contract',
	read: listOf(evmAddress),
} as const satisfies Field;
