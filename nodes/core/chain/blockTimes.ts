import type { Completion } from '../operation/completing';
import { resultOf, type Outcome, type RunScope } from '../operation/step';
import type { RpcRequest } from '../rpc/request';
import { isRecord } from '../values/read';
import { asDate, present, type ChainObject } from './objects';

/** The times of blocks, by hash or number: null where the node does not tell. */
const blockTimes = () => new Map<string, string | null>();

/**
 * Gives what happened in blocks a form with the time of its block. Newer nodes tell it with each log; of others each
 * block is asked for once in a run.
 */
export function withTimes(
	path: RpcRequest['path'],
	{ memory }: RunScope,
	form: (thing: ChainObject) => ChainObject,
): Completion<RpcRequest> {
	const times = memory(blockTimes);
	return {
		questions: (things) => {
			const timeless = (things as readonly ChainObject[]).filter((one) => !ownTime(one));
			const blocks = [...new Set(timeless.map(blockOf))];
			return blocks.flatMap((block) => (block && !times.has(block) ? [question(path, block)] : []));
		},
		learn: (questions, outcomes) => {
			questions.forEach(({ params }, index) =>
				times.set((params as readonly string[])[0] ?? '', timeIn(outcomes[index])),
			);
		},
		complete: (thing) => {
			const json = thing as ChainObject;
			const timestamp = ownTime(json) ?? times.get(blockOf(json) ?? '') ?? null;
			return { ...form(json), ...present({ timestamp }) };
		},
	};
}

function ownTime({ blockTimestamp }: ChainObject): string | null {
	return asDate(blockTimestamp);
}

/** Its hash means one block only; a number may mean another one after a reorganization. */
function blockOf({ blockHash, blockNumber }: ChainObject): string | undefined {
	if (typeof blockHash === 'string') return blockHash;
	if (typeof blockNumber === 'number') return `0x${blockNumber.toString(16)}`;
	return typeof blockNumber === 'string' ? blockNumber : undefined;
}

const HASH_LENGTH = 66;

function question(path: RpcRequest['path'], block: string): RpcRequest {
	const isHash = block.length === HASH_LENGTH;
	const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
	return { path, method, params: [block, false] };
}

/** A node that has left the block, or does not know the method, spoils no list. */
function timeIn(outcome: Outcome | undefined): string | null {
	const isRefusal =
		outcome && 'failure' in outcome && !outcome.failure.retry && !outcome.failure.httpCode;
	if (isRefusal) return null;
	const block = resultOf(outcome);
	return isRecord(block) ? asDate(block.timestamp) : null;
}
