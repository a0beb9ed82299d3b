import type { FastifyInstance } from 'fastify';
import { addSetting, closedObject } from '../../http/schemas.mts';
import { RpcFailure } from '../../jsonRpc/calls.mts';
import type { Chain, CallChain } from './chain.mts';

/** How many blocks a node or an index is behind the newest block, and for which share of the calls. */
interface Lag {
	blocks: number;
	share: number;
}

/** An index can also lag by a number of seconds, which is compared with the times of the blocks. */
interface IndexLag extends Lag {
	seconds: number;
}

interface LagSettings {
	/** The lag of whole nodes. Several nodes answer at one address, and a node that lags does not have the latest blocks. */
	backends: Lag;
	/** The lag of the index in which logs are searched. */
	logs: IndexLag;
	/** The traces. */
	traces: IndexLag;
	/** The seed of the draws that decide which calls meet a lag. */
	seed: number;
	/**
	 * Whether blocks have blooms. Without blooms, `logsBloom` is all zeros. With `mixed`, half of the answers have
	 * blooms.
	 */
	blooms: boolean | 'mixed';
	/** Whether the node serves eth_getBlockReceipts. */
	receipts: boolean;
}

interface LagProgress {
	settings: LagSettings;
	/** The number of calls so far whose answers could have lagged. The random draw for the next call depends on it. */
	calls: number;
}

export interface LagState {
	lag: LagProgress;
}

const NO_LAG = { blocks: 0, seconds: 0, share: 1 };

export const createLag = (): LagProgress => ({
	settings: {
		backends: NO_LAG,
		logs: NO_LAG,
		traces: NO_LAG,
		seed: 1,
		blooms: true,
		receipts: true,
	},
	calls: 0,
});

/** The blocks, logs and traces that a lagging node knows. */
interface NodeView {
	/** The latest block of the node. */
	head: number;
	/** The last block whose logs or traces the node has indexed. */
	indexed: number;
}

/** Wraps a chain so that its answers come from nodes that lag behind, as set at the control server. */
export function withLag(chain: Chain, state: LagState): Chain {
	return {
		...chain,
		call: async (method, params) => {
			const { backends, logs, traces, receipts } = state.lag.settings;
			if (method === 'eth_getBlockReceipts' && !receipts) throw missingMethodError(method);
			const index = method === 'eth_getLogs' ? logs : /^trace_/.test(method) ? traces : NO_LAG;
			const behind = drawLag(backends, state);
			const isIndexLate = isLagging(index, state.lag);
			if (behind === 0 && !isIndexLate)
				return applyBloomSetting(await chain.call(method, params), state);
			const head = Number(await chain.call('eth_blockNumber', [])) - behind;
			const indexed = isIndexLate ? await findLastIndexed(chain.call, head, index) : head;
			const answer = await callAsSeen(chain.call, method, params, { head, indexed });
			return applyBloomSetting(answer, state);
		},
	};
}

/** Draws at random whether the answer to this call lags. Returns by how many blocks it lags. */
export const drawLag = (lag: Lag, state: LagState): number =>
	isLagging(lag, state.lag) ? lag.blocks : 0;

/** The most blocks that an index can be behind. A bisection searches for the last indexed block within them. */
const MAX_INDEX_LAG_BLOCKS = 1024;

async function findLastIndexed(
	call: CallChain,
	head: number,
	{ blocks, seconds }: IndexLag,
): Promise<number> {
	if (seconds === 0) return head - blocks;
	const timeOf = async (number: number) => {
		const block = await call('eth_getBlockByNumber', [numberToHex(number), false]);
		return Number((block as { timestamp: string }).timestamp);
	};
	const limit = (await timeOf(head)) - seconds;
	let [indexed, late] = [Math.max(-1, head - MAX_INDEX_LAG_BLOCKS), head];
	while (late - indexed > 1) {
		const middle = Math.floor((indexed + late) / 2);
		if ((await timeOf(middle)) <= limit) indexed = middle;
		else late = middle;
	}
	return Math.min(indexed, head - blocks);
}

async function callAsSeen(
	call: CallChain,
	method: string,
	params: unknown[],
	{ head, indexed }: NodeView,
) {
	if (method === 'eth_blockNumber') return numberToHex(head);
	if (method === 'eth_getBlockByNumber') return await callBlockByNumber(call, params, head);
	const answer = await call(method, params);
	if (method === 'trace_filter') return filterUpTo(answer, indexed);
	if (method !== 'eth_getLogs') return getBlockNumber([answer].flat()[0]) > indexed ? null : answer;
	const { blockHash } = params[0] as { blockHash?: string };
	const block = blockHash && (await call('eth_getBlockByHash', [blockHash, false]));
	if (block && getBlockNumber(block) > head) throw new RpcFailure(-32000, 'unknown block');
	return filterUpTo(answer, indexed);
}

async function callBlockByNumber(call: CallChain, [block, whole]: unknown[], head: number) {
	const isName = ['latest', 'pending', 'safe', 'finalized'].includes(String(block));
	if (isName) return await call('eth_getBlockByNumber', [numberToHex(head), whole]);
	return Number(block) > head ? null : await call('eth_getBlockByNumber', [block, whole]);
}

const filterUpTo = (list: unknown, last: number) =>
	(list as object[]).filter((one) => getBlockNumber(one) <= last);

const missingMethodError = (method: string) =>
	new RpcFailure(-32601, `the method ${method} does not exist here`);

/**
 * Returns the number of the block that a log, a trace or a block belongs to. Without a number it returns 0, so the
 * entry always shows.
 */
function getBlockNumber(thing: unknown): number {
	const { blockNumber, number } = (thing ?? {}) as Record<string, string | undefined>;
	return Number(blockNumber ?? number ?? 0);
}

function isLagging(
	{ blocks, share, seconds = 0 }: Partial<IndexLag> & Lag,
	lag: LagProgress,
): boolean {
	return blocks + seconds > 0 && (share >= 1 || nextRandom(lag) < share);
}

/** Returns a number that looks random and that is the same for the same seed and the same count of calls. */
function nextRandom(lag: LagProgress): number {
	lag.calls += 1;
	let mixed = Math.imul(lag.settings.seed * 1_000_003 + lag.calls, 0x9e37_79b1);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
	return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

/** Returns the block without its bloom, if the settings say that blocks have none. */
export function applyBloomSetting(thing: unknown, { lag }: LagState): unknown {
	const { blooms } = lag.settings;
	if (blooms === true || typeof thing !== 'object' || !thing || !('logsBloom' in thing))
		return thing;
	if (blooms === 'mixed' && nextRandom(lag) < 0.5) return thing;
	return { ...thing, logsBloom: `0x${'0'.repeat(512)}` };
}

const numberToHex = (number: number) => `0x${number.toString(16)}`;

const blocks = { type: 'integer', minimum: 0, default: 0 };
const share = { type: 'number', minimum: 0, maximum: 1, default: 1 };
const seconds = { type: 'integer', minimum: 0, default: 0 };
const nodeLag = { ...closedObject({ blocks, share }), default: {} };
const indexLag = { ...closedObject({ blocks, share, seconds }), default: {} };

const lagSchema = closedObject({
	backends: nodeLag,
	logs: indexLag,
	traces: indexLag,
	seed: { type: 'integer', minimum: 0, default: 1 },
	blooms: { enum: [true, false, 'mixed'], default: true },
	receipts: { type: 'boolean', default: true },
});

export function addLagControl(app: FastifyInstance, state: LagState): void {
	addSetting<LagSettings>(app, '/lag', lagSchema, (settings) => {
		state.lag = { settings, calls: 0 };
	});
}
