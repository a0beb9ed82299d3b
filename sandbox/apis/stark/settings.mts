import { closedObject } from '../../http/schemas.mts';
import { type RpcError, rpcErrorSchema } from '../../jsonRpc/calls.mts';
import type { Prices } from './invoke.mts';
import type { Rollup } from './rollup.mts';
import { type Version, VERSIONS } from './versions.mts';

export interface StarkSettings {
	/** The version of Starknet's JSON-RPC that requests and answers follow. */
	version: Version;
	/** The id of the chain. It is a part of every hash. */
	chainId: string;
	/** The fate of a sent transaction: it is in a block, in the pending block, or only received. */
	inclusion: 'block' | 'making' | 'received';
	/** The price of a unit of each resource in FRI, as a decimal text. */
	prices: { l1: string; l2: string; l1Data: string };
	events: EventSettings;
	/** Whether felts in answers are padded to all of their 64 digits. */
	padded: boolean;
	/**
	 * Whether missing values are null: the hash and the number of the pending block, and the page token of the last page.
	 */
	nulls: boolean;
}

interface EventSettings {
	/** The highest number of events per page that a request may ask for. */
	maxChunk: number;
	/** The most alternatives that all keys of a filter may have together. */
	maxKeys: number;
	/** The number of blocks that a request for a page searches. Null means all blocks. */
	blocksPerPage: number | null;
	/** The most blocks that a range may have. A wider range is refused; null allows any range. */
	maxBlocks: number | null;
	/** The error for a range of too many blocks. */
	refusal: RpcError;
	/** Whether each page has the page token of the previous page, which is a fault. */
	repeatsToken: boolean;
}

/** The STARK rollup of the sandbox and its settings. The chain is created when it is first used. */
interface Stark {
	settings: StarkSettings;
	rollup: Promise<Rollup> | undefined;
}

export interface StarkState {
	stark: Stark;
}

const DEFAULTS: StarkSettings = {
	version: '0.10',
	chainId: 'SN_SEPOLIA',
	inclusion: 'block',
	prices: { l1: '40000000000000', l2: '8000000000', l1Data: '1000000000' },
	events: {
		maxChunk: 1024,
		maxKeys: 16,
		blocksPerPage: null,
		maxBlocks: null,
		refusal: { code: -32602, message: 'the range of blocks is too wide' },
		repeatsToken: false,
	},
	padded: false,
	nulls: false,
};

export const createStark = (): Stark => ({ settings: DEFAULTS, rollup: undefined });

export const getPrices = ({ prices }: StarkSettings): Prices => ({
	l1: BigInt(prices.l1),
	l2: BigInt(prices.l2),
	l1Data: BigInt(prices.l1Data),
});

/** Loads the chain at its first use, because it takes half a second to load the curve and the hashes. */
export function loadRollup({ stark }: StarkState): Promise<Rollup> {
	stark.rollup ??= import('./rollup.mts').then(({ createRollup }) =>
		createRollup(getPrices(stark.settings)),
	);
	return stark.rollup;
}

const decimal = { type: 'string', pattern: '^[1-9][0-9]{0,37}$' };
const count = { type: 'integer', minimum: 1 };
const { events, prices } = DEFAULTS;

export const settingsSchema = closedObject({
	version: { enum: VERSIONS, default: DEFAULTS.version },
	chainId: { type: 'string', pattern: '^[A-Z_]{1,31}$', default: DEFAULTS.chainId },
	inclusion: { enum: ['block', 'making', 'received'], default: DEFAULTS.inclusion },
	prices: {
		...closedObject({
			l1: { ...decimal, default: prices.l1 },
			l2: { ...decimal, default: prices.l2 },
			l1Data: { ...decimal, default: prices.l1Data },
		}),
		default: {},
	},
	events: {
		...closedObject({
			maxChunk: { ...count, default: events.maxChunk },
			maxKeys: { type: 'integer', minimum: 0, default: events.maxKeys },
			blocksPerPage: { type: ['integer', 'null'], minimum: 1, default: null },
			maxBlocks: { type: ['integer', 'null'], minimum: 1, default: null },
			refusal: { ...rpcErrorSchema, default: events.refusal },
			repeatsToken: { type: 'boolean', default: false },
		}),
		default: {},
	},
	padded: { type: 'boolean', default: false },
	nulls: { type: 'boolean', default: false },
});
