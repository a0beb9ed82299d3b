import { RpcFailure } from '../wire/envelope.mts';
import type { Chain } from './chain.mts';
import type { CallChain } from './questions.mts';

/** So many blocks behind the head, for this share of the calls. */
export interface Lag {
	blocks: number;
	share: number;
}

/** An index may be so many seconds behind as well, by the times of the blocks. */
export interface IndexLag extends Lag {
	seconds: number;
}

export interface LagSettings {
	/** Whole nodes behind one address: they do not have the latest blocks. */
	backends: Lag;
	/** The index that logs are searched in. */
	logs: IndexLag;
	/** The traces. */
	traces: IndexLag;
	/** Which of the calls are late: the same seed, the same calls. */
	seed: number;
	/** Whether blocks have blooms; without, they are all zeros; mixed, they are in half of the answers. */
	blooms: boolean | 'mixed';
	/** Whether eth_getBlockReceipts is served. */
	receipts: boolean;
}

export interface LagState {
	settings: LagSettings;
	calls: number;
}

const NO_LAG = { blocks: 0, seconds: 0, share: 1 };

export const createLagState = (): LagState => ({
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

/** What a node knows that is behind. */
interface NodeView {
	/** Its latest block. */
	head: number;
	/** The last block whose logs, or traces, it has indexed. */
	indexed: number;
}

/** The chain as nodes show it that are behind, as the control room says. */
export function withLag(chain: Chain, state: { readonly lag: LagState }): Chain {
	return {
		...chain,
		call: async (method, params) => {
			const { backends, logs, traces, receipts } = state.lag.settings;
			if (method === 'eth_getBlockReceipts' && !receipts) throw missingMethodError(method);
			const index = method === 'eth_getLogs' ? logs : /^trace_/.test(method) ? traces : NO_LAG;
			const behind = isLagging(backends, state.lag) ? backends.blocks : 0;
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

/** The blocks are searched by halves: no index is behind by more than these. */
const MAX_INDEX_LAG_BLOCKS = 1024;

async function findLastIndexed(
	ask: CallChain,
	head: number,
	{ blocks, seconds }: IndexLag,
): Promise<number> {
	if (seconds === 0) return head - blocks;
	const timeOf = async (number: number) => {
		const block = await ask('eth_getBlockByNumber', [numberToHex(number), false]);
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
	ask: CallChain,
	method: string,
	params: unknown[],
	{ head, indexed }: NodeView,
) {
	if (method === 'eth_blockNumber') return numberToHex(head);
	if (method === 'eth_getBlockByNumber') return await callBlockByNumber(ask, params, head);
	const answer = await ask(method, params);
	if (method === 'trace_filter') return filterUpTo(answer, indexed);
	if (method !== 'eth_getLogs') return getBlockNumber([answer].flat()[0]) > indexed ? null : answer;
	const { blockHash } = params[0] as { blockHash?: string };
	const block = blockHash && (await ask('eth_getBlockByHash', [blockHash, false]));
	if (block && getBlockNumber(block) > head) throw new RpcFailure(-32000, 'unknown block');
	return filterUpTo(answer, indexed);
}

async function callBlockByNumber(ask: CallChain, [block, whole]: unknown[], head: number) {
	const isName = ['latest', 'pending', 'safe', 'finalized'].includes(String(block));
	if (isName) return await ask('eth_getBlockByNumber', [numberToHex(head), whole]);
	return Number(block) > head ? null : await ask('eth_getBlockByNumber', [block, whole]);
}

const filterUpTo = (list: unknown, last: number) =>
	(list as object[]).filter((one) => getBlockNumber(one) <= last);

const missingMethodError = (method: string) =>
	new RpcFailure(-32601, `the method ${method} does not exist here`);

/** What has no block is not late. */
function getBlockNumber(thing: unknown): number {
	const { blockNumber, number } = (thing ?? {}) as Record<string, string | undefined>;
	return Number(blockNumber ?? number ?? 0);
}

function isLagging(
	{ blocks, share, seconds = 0 }: Partial<IndexLag> & Lag,
	state: LagState,
): boolean {
	return blocks + seconds > 0 && (share >= 1 || nextRandom(state) < share);
}

/** Looks random, and is the same for the same seed. */
function nextRandom(state: LagState): number {
	state.calls += 1;
	let mixed = Math.imul(state.settings.seed * 1_000_003 + state.calls, 0x9e37_79b1);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
	return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

/** A block without its bloom, if blocks have none. */
export function applyBloomSetting(thing: unknown, { lag }: { readonly lag: LagState }): unknown {
	const { blooms } = lag.settings;
	if (blooms === true || typeof thing !== 'object' || !thing || !('logsBloom' in thing))
		return thing;
	if (blooms === 'mixed' && nextRandom(lag) < 0.5) return thing;
	return { ...thing, logsBloom: `0x${'0'.repeat(512)}` };
}

const numberToHex = (number: number) => `0x${number.toString(16)}`;
