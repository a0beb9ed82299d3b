import { asParameter } from '../../core/evm/logs/logFilter';
import { endsOf, readRange } from '../../core/evm/ranges/readRange';
import { accounts, direction, tokens } from '../../core/evm/tokens/fields';
import { withFacts } from '../../core/evm/tokens/facts';
import { simpleTransfer, transferFilters, transfersIn } from '../../core/evm/tokens/transfers';
import { completed } from '../../core/operation/completing';
import { limit, path, returnAll } from '../../core/operation/sharedFields';
import { rpc } from '../../core/protocols/rpc';
import { rpcOptions } from '../../core/protocols/transportOptions';
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
