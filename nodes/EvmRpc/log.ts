import type { JsonObject } from '../core/values/json';
import { readBlockTimes } from '../core/evm/blockTimes';
import { withoutNulls } from '../core/evm/chainObjects';
import { formatDecodedLog, searchLogs, buildTopics, type EventChoice } from '../core/evm/logs';
import { addresses, eventField, topics, where } from '../fields/logFields';
import { readRange, type RangeEnds } from '../core/evm/ranges';
import { readRangeEnds } from '../core/evm/rangeStart';
import { collectPages } from '../core/protocols/rpc/pages';
import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import { pathField } from '../core/operation/path';
import { rpcOperation, type Chain } from '../core/protocols/rpc/operation';
import { outputFields } from '../core/operation/outputFields';
import { optionsField } from '../core/operation/transportOptions';
import { fromBlock, toBlock } from './fields';

const event = eventField('Event', 'event');

const getAll = rpcOperation({
	name: 'Get Many',
	action: 'Find events and logs',
	description: 'Find logs (events) of contracts over any range of blocks, and decode them',
	fields: [
		addresses,
		event,
		where,
		topics,
		fromBlock,
		toBlock,
		returnAll,
		limit,
		simplify,
		pathField('/'),
		optionsField([outputFields]),
	],
	async *run(p, chain) {
		const filter = { addresses: p.addresses, topics: buildTopics(p, event.displayName) };
		const search = async function* ({ from, to }: RangeEnds) {
			yield await searchLogs(chain, [filter], { fromBlock: from, toBlock: to });
		};
		const ends = await readRangeEnds(chain, p);
		const logs = await collectPages(readRange(chain, search, ends, { wanted: p.limit }));
		yield* p.simplify ? await formatLogs(p, logs, chain) : logs;
	},
});

async function formatLogs(
	choice: Pick<EventChoice, 'event'>,
	logs: readonly JsonObject[],
	chain: Chain,
): Promise<JsonObject[]> {
	const getTime = await readBlockTimes(chain, logs);
	return logs.map((one) => ({
		...formatDecodedLog(choice, one),
		...withoutNulls({ timestamp: getTime(one) }),
	}));
}

export const log = { name: 'Log', operations: { getAll } };
