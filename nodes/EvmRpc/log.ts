import { withTimes } from '../core/chain/blockTimes';
import { listOfObjects } from '../core/chain/objects';
import { asParameter, readableLog, topicsOf } from '../core/chain/logs';
import { addresses, eventField, topics, where } from '../core/chain/logFields';
import { endsOf, readRange } from '../core/chain/ranges';
import { completed } from '../core/operation/completing';
import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import { path } from '../core/operation/path';
import { rpc } from '../core/rpc/rpc';
import { rpcOptions } from '../core/operation/transportOptions';
import { fromBlock, toBlock } from './fields';

const event = eventField('Event', 'event');
const logs = listOfObjects('a list of logs');

const getAll = rpc({
	name: 'Get Many',
	action: 'Find contract events and logs',
	description: 'Find the logs (events) of contracts over any range of blocks, decoded',
	fields: [
		...([addresses, event, where, topics, fromBlock, toBlock] as const),
		...([returnAll, limit, simplify, path('/'), rpcOptions()] as const),
	],
	begin: (p, run) => {
		const filter = asParameter({ addresses: p.addresses, topics: topicsOf(p, event.displayName) });
		const list = {
			requests: (from: string, to: string) => [
				{
					path: p.path,
					method: 'eth_getLogs',
					params: [{ ...filter, fromBlock: from, toBlock: to }],
				},
			],
			things: ([found]: readonly unknown[]) =>
				logs(found).filter(({ removed }) => removed !== true),
		};
		const found = readRange(list, endsOf(p), p.path, run);
		const times = withTimes(p.path, run, (log) => readableLog(p, log));
		return p.simplify ? completed(found, times) : found;
	},
});

export const log = { name: 'Log', operations: { getAll } };
