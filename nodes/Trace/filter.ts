import { withTimes } from '../core/evm/blockTimes';
import type { ChainObject } from '../core/evm/objects/chainObject';
import { endsOf, readRange } from '../core/evm/ranges/readRange';
import { simpleTrace } from '../core/evm/objects/simpleTrace';
import { traceList, traceSearch } from '../core/evm/traces/traceList';
import { withReverted } from '../core/evm/traces/withReverted';
import type { RequestFailure } from '../core/errors/requestFailure';
import { completed } from '../core/operation/completing';
import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import { rpc } from '../core/protocols/rpc';
import { rpcOptions } from '../core/protocols/transportOptions';
import {
	after,
	fromAddress,
	fromBlock,
	pageSize,
	showReverted,
	toAddress,
	toBlock,
} from './fields';

const PATH = '/';

export const filter = rpc({
	name: 'Find',
	action: 'Find calls and transfers',
	description:
		'Find the calls and transfers between addresses over any range of blocks, including those inside transactions',
	fields: [
		fromBlock,
		toBlock,
		fromAddress,
		toAddress,
		returnAll,
		limit,
		simplify,
		rpcOptions(after, pageSize, showReverted),
	],
	begin: (p, run) => {
		const { fromBlock: first = 'earliest', toBlock: last = 'latest', options } = p;
		const addresses = {
			fromAddress: p.fromAddress.length > 0 ? p.fromAddress : undefined,
			toAddress: p.toAddress.length > 0 ? p.toAddress : undefined,
		};
		const count = Math.min(options.pageSize ?? pageSize.default, p.limit ?? Infinity);
		const whole = {
			fromBlock: p.fromBlock,
			toBlock: p.toBlock,
			...addresses,
			after: options.after,
			count,
		};
		const found = readRange(
			traceList(addresses, { count }),
			endsOf({ fromBlock: first, toBlock: last }),
			PATH,
			run,
			{ requests: [traceSearch(whole)], skipped: options.after ?? 0 },
		);
		if (!p.simplify) return found;
		const checked = options.showReverted ? completed(found, withReverted(PATH, run)) : found;
		return completed(checked, withTimes(PATH, run, simple));
	},
	advice,
});

function simple(trace: ChainObject): ChainObject {
	return { ...simpleTrace(trace), ...('reverted' in trace && { reverted: trace.reverted }) };
}

function advice({ message: words }: RequestFailure): string | undefined {
	return /\b(tag|number|hex|quantity|parse|invalid (params|type|argument|string))/i.test(words)
		? 'If the node does not accept names such as latest here, give block numbers.'
		: undefined;
}
