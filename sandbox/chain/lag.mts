import { RpcFailure } from '../wire/envelope.mts';
import type { Chain } from './chain.mts';
import type { Ask } from './questions.mts';

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

const none = { blocks: 0, seconds: 0, share: 1 };

export const freshLag = (): LagState => ({
	settings: { backends: none, logs: none, traces: none, seed: 1, blooms: true, receipts: true },
	calls: 0,
});

/** What a node knows that is behind. */
interface View {
	/** Its latest block. */
	head: number;
	/** The last block whose logs, or traces, it has indexed. */
	indexed: number;
}

/** The chain as nodes show it that are behind, as the control room says. */
export function lagging(chain: Chain, state: { readonly lag: LagState }): Chain {
	return {
		...chain,
		ask: async (method, params) => {
			const { backends, logs, traces, receipts } = state.lag.settings;
			if (method === 'eth_getBlockReceipts' && !receipts) throw missing(method);
			const index = method === 'eth_getLogs' ? logs : /^trace_/.test(method) ? traces : none;
			const behind = isLate(backends, state.lag) ? backends.blocks : 0;
			const isIndexLate = isLate(index, state.lag);
			if (behind === 0 && !isIndexLate) return bloomed(await chain.ask(method, params), state);
			const head = Number(await chain.ask('eth_blockNumber', [])) - behind;
			const indexed = isIndexLate ? await lastIndexed(chain.ask, head, index) : head;
			const answer = await seen(chain.ask, method, params, { head, indexed });
			return bloomed(answer, state);
		},
	};
}

/** The blocks are searched by halves: no index is behind by more than these. */
const MOST_BEHIND = 1024;

async function lastIndexed(ask: Ask, head: number, { blocks, seconds }: IndexLag): Promise<number> {
	if (seconds === 0) return head - blocks;
	const timeOf = async (number: number) => {
		const block = await ask('eth_getBlockByNumber', [hex(number), false]);
		return Number((block as { timestamp: string }).timestamp);
	};
	const limit = (await timeOf(head)) - seconds;
	let [indexed, late] = [Math.max(-1, head - MOST_BEHIND), head];
	while (late - indexed > 1) {
		const middle = Math.floor((indexed + late) / 2);
		if ((await timeOf(middle)) <= limit) indexed = middle;
		else late = middle;
	}
	return Math.min(indexed, head - blocks);
}

async function seen(ask: Ask, method: string, params: unknown[], { head, indexed }: View) {
	if (method === 'eth_blockNumber') return hex(head);
	if (method === 'eth_getBlockByNumber') return await blockByNumber(ask, params, head);
	const answer = await ask(method, params);
	if (method === 'trace_filter') return upTo(answer, indexed);
	if (method !== 'eth_getLogs') return heightOf([answer].flat()[0]) > indexed ? null : answer;
	const { blockHash } = params[0] as { blockHash?: string };
	const block = blockHash && (await ask('eth_getBlockByHash', [blockHash, false]));
	if (block && heightOf(block) > head) throw new RpcFailure(-32000, 'unknown block');
	return upTo(answer, indexed);
}

async function blockByNumber(ask: Ask, [block, whole]: unknown[], head: number) {
	const isName = ['latest', 'pending', 'safe', 'finalized'].includes(String(block));
	if (isName) return await ask('eth_getBlockByNumber', [hex(head), whole]);
	return Number(block) > head ? null : await ask('eth_getBlockByNumber', [block, whole]);
}

const upTo = (list: unknown, last: number) =>
	(list as object[]).filter((one) => heightOf(one) <= last);

const missing = (method: string) =>
	new RpcFailure(-32601, `the method ${method} does not exist here`);

/** What has no block is not late. */
function heightOf(thing: unknown): number {
	const { blockNumber, number } = (thing ?? {}) as Record<string, string | undefined>;
	return Number(blockNumber ?? number ?? 0);
}

function isLate({ blocks, share, seconds = 0 }: Partial<IndexLag> & Lag, state: LagState): boolean {
	return blocks + seconds > 0 && (share >= 1 || chance(state) < share);
}

/** Looks random, and is the same for the same seed. */
function chance(state: LagState): number {
	state.calls += 1;
	let mixed = Math.imul(state.settings.seed * 1_000_003 + state.calls, 0x9e37_79b1);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
	return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

/** A block without its bloom, if blocks have none. */
export function bloomed(thing: unknown, { lag }: { readonly lag: LagState }): unknown {
	const { blooms } = lag.settings;
	if (blooms === true || typeof thing !== 'object' || !thing || !('logsBloom' in thing))
		return thing;
	if (blooms === 'mixed' && chance(lag) < 0.5) return thing;
	return { ...thing, logsBloom: `0x${'0'.repeat(512)}` };
}

const hex = (number: number) => `0x${number.toString(16)}`;
