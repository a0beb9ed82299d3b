import { asParameter } from '../../core/chain/logs';
import { endsOf, readRange } from '../../core/chain/ranges';
import {
	accounts,
	direction,
	simpleTransfer,
	tokens,
	transferFilters,
	transfersIn,
} from '../../core/chain/transfers';
import { withFacts } from '../../core/chain/tokens';
import { completed } from '../../core/operation/completing';
import { limit, returnAll } from '../../core/operation/sharedFields';
import { path } from '../../core/operation/path';
import { rpc } from '../../core/rpc/rpc';
import { rpcOptions } from '../../core/operation/transportOptions';
import { fromBlock, toBlock } from '../fields';

export const getTransfers = rpc({
	name: 'Get Transfers',
	action: 'Find token transfers',
	description: 'Get the transfers of ERC-20 tokens over any range of blocks, in exact amounts',
	fields: [
		...([tokens, accounts, direction, fromBlock, toBlock] as const),
		...([returnAll, limit, path('/'), rpcOptions()] as const),
	],
	begin: (p, run) => {
		const filters = transferFilters(p).map(asParameter);
		const list = {
			requests: (from: string, to: string) =>
				filters.map((filter) => ({
					path: p.path,
					method: 'eth_getLogs',
					params: [{ ...filter, fromBlock: from, toBlock: to }],
				})),
			things: transfersIn,
		};
		return completed(
			readRange(list, endsOf(p), p.path, run),
			withFacts(p.path, run, simpleTransfer),
		);
	},
});
