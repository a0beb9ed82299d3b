import { RpcFailure } from '../wire/envelope.mts';
import type { Chain } from './chain.mts';
import type { Ask } from './questions.mts';

/** So many blocks behind the head, for this share of the calls. */
export interface Lag {
	blocks: number;
	share: number;
}

export interface LagSettings {
	/** Whole nodes behind one address: they do not have the latest blocks. */
	backends: Lag;
	/** The index that logs are searched in. */
	logs: Lag;
	/** The traces. */
	traces: Lag;
	/** Which of the calls are late: the same seed, the same calls. */
	seed: number;
	/** Whether blocks have blooms; without, they are all zeros. */
	blooms: boolean;
	/** Whether eth_getBlockReceipts is served. */
	receipts: boolean;
}

export interface LagState {
	settings: LagSettings;
	calls: number;
}

const none = { blocks: 0, share: 1 };

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
			const [behind, late] = [draw(backends, state.lag), draw(index, state.lag)];
			if (behind + late === 0) return bloomed(await chain.ask(method, params), state);
			const head = Number(await chain.ask('eth_blockNumber', [])) - behind;
			const answer = await seen(chain.ask, method, params, { head, indexed: head - late });
			return bloomed(answer, state);
		},
	};
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

function draw({ blocks, share }: Lag, state: LagState): number {
	if (blocks === 0) return 0;
	return share >= 1 || chance(state) < share ? blocks : 0;
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
	if (lag.settings.blooms || typeof thing !== 'object' || !thing || !('logsBloom' in thing)) {
		return thing;
	}
	return { ...thing, logsBloom: `0x${'0'.repeat(512)}` };
}

const hex = (number: number) => `0x${number.toString(16)}`;
