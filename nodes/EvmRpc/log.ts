import { readTimes } from '../core/chain/blockTimes';
import { present, type ChainObject } from '../core/chain/objects';
import { readableLog, searchLogs, topicsOf, type EventChoice } from '../core/chain/logs';
import { addresses, eventField, topics, where } from '../core/chain/logFields';
import { endsOf, gathered, readRange, type Ends } from '../core/chain/ranges';
import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import { path } from '../core/operation/path';
import { rpc, type Chain } from '../core/rpc/chain';
import { rpcOptions } from '../core/operation/transportOptions';
import { fromBlock, toBlock } from './fields';

const event = eventField('Event', 'event');

const getAll = rpc({
	name: 'Get Many',
	action: 'Find events and logs',
	description: 'Find the logs (events) of contracts over any range of blocks, decoded',
	fields: [
		...([addresses, event, where, topics, fromBlock, toBlock] as const),
		...([returnAll, limit, simplify, path('/'), rpcOptions()] as const),
	],
	async *run(p, chain) {
		const filter = { addresses: p.addresses, topics: topicsOf(p, event.displayName) };
		const search = async function* ({ from, to }: Ends) {
			yield await searchLogs(chain, [filter], { fromBlock: from, toBlock: to });
		};
		const logs = await gathered(readRange(chain, search, endsOf(p), { limit: p.limit }));
		yield* p.simplify ? await readable(p, logs, chain) : logs;
	},
});

async function readable(
	choice: Pick<EventChoice, 'event'>,
	logs: readonly ChainObject[],
	chain: Chain,
): Promise<ChainObject[]> {
	const timeOf = await readTimes(chain, logs);
	return logs.map((one) => ({
		...readableLog(choice, one),
		...present({ timestamp: timeOf(one) }),
	}));
}

export const log = { name: 'Log', operations: { getAll } };
