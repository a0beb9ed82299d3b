import type { FastifyInstance } from 'fastify';
import { statusSchema } from '../../http/faults.mts';
import { addSetting, closedObject } from '../../http/schemas.mts';
import { type FindMethod, type Call, RpcFailure, rpcErrorSchema } from '../../jsonRpc/calls.mts';
import type { Chain } from './chain.mts';

/** The limits of a search for logs or traces, and the error of a node when a search exceeds them. */
interface SearchSettings {
	/** The most blocks that a search may cover. Null allows any number. */
	maxBlocks: number | null;
	/** The most logs or traces that a search may find; null for any number. */
	maxResults: number | null;
	/** The most bytes that an answer may have. Null allows any number. */
	maxBytes: number | null;
	/** The error for a search that exceeds a limit. `{max}` becomes the number of blocks that a search may cover. */
	refusal: { code: number; message: string; data?: unknown };
	/** The HTTP status of the answer to a single call. A batch always gets status 200. */
	status: number;
}

export interface SearchState {
	searches: SearchSettings;
}

export const createSearchSettings = (): SearchSettings => ({
	maxBlocks: null,
	maxResults: null,
	maxBytes: null,
	refusal: { code: -32602, message: 'block range too large, max is {max}' },
	status: 200,
});

const SEARCHES = ['eth_getLogs', 'trace_filter'];

/** Applies the limits to the methods that search ranges of blocks. Other methods stay unchanged. */
export const withSearchLimits =
	(state: SearchState, chain: Chain | undefined, find: FindMethod): FindMethod =>
	(name) => {
		const method = find(name);
		if (!method || !SEARCHES.includes(name)) return method;
		return {
			...method,
			answer: async (call) => {
				const [from, to] = await parseRange(
					call,
					async () => await chain?.call('eth_blockNumber', []),
				);
				const { maxBlocks, maxResults, maxBytes } = state.searches;
				if (maxBlocks !== null && to - from + 1 > maxBlocks)
					throw searchRefusedError(state.searches, from, to, maxBlocks);
				const found = (await method.answer(call)) as unknown[];
				const isTooMany = maxResults !== null && found.length > maxResults;
				const isTooLong = maxBytes !== null && JSON.stringify(found).length > maxBytes;
				if (isTooMany || isTooLong)
					throw searchRefusedError(state.searches, from, to, (to - from + 1) >> 1);
				return found;
			},
		};
	};

async function parseRange({ params: [filter] }: Call, head: () => Promise<unknown>) {
	const { fromBlock, toBlock } = filter as { fromBlock?: string; toBlock?: string };
	const latest = Number(await head());
	const at = (block = 'latest') =>
		block.startsWith('0x') ? Number(block) : block === 'earliest' ? 0 : latest;
	return [at(fromBlock), at(toBlock)] as const;
}

/**
 * Builds the error of a refused search from the text in the settings.
 * The text may hold `{max}` (the most blocks allowed), `{from}`, `{to}` and `{width}` (the range asked for), and
 * `{until}` (an end that would be allowed).
 */
function searchRefusedError(
	searches: SearchSettings,
	from: number,
	to: number,
	max: number,
): RpcFailure {
	const { refusal, status } = searches;
	const facts = { max, from, to, width: to - from + 1, until: from + max - 1 };
	const fill = (text: string) =>
		Object.entries(facts).reduce(
			(words, [name, value]) =>
				words
					.replaceAll(`{${name}}`, String(value))
					.replaceAll(`{0x${name}}`, `0x${value.toString(16)}`),
			text,
		);
	const { code, message, data: wanted } = refusal;
	const data = wanted === undefined ? undefined : JSON.parse(fill(JSON.stringify(wanted)));
	return new RpcFailure(code, fill(message), data, status);
}

const limitOrNull = { type: ['integer', 'null'], minimum: 1, default: null };
const defaults = createSearchSettings();

const searchSchema = closedObject({
	maxBlocks: limitOrNull,
	maxResults: limitOrNull,
	maxBytes: limitOrNull,
	refusal: { ...rpcErrorSchema, default: defaults.refusal },
	status: { ...statusSchema, default: defaults.status },
});

export function addSearchControl(app: FastifyInstance, state: SearchState): void {
	addSetting<SearchSettings>(app, '/searches', searchSchema, (settings) => {
		state.searches = settings;
	});
}
