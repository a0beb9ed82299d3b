import { asParameter } from '../../core/evm/logs/logFilter';
import { endsOf, readRange } from '../../core/evm/ranges/readRange';
import { withFacts } from '../../core/evm/tokens/facts';
import { simpleTransfer, transferFilters, transfersIn } from '../../core/evm/tokens/transfers';
import { completed } from '../../core/operation/completing';
import type { Field } from '../../core/operation/field';
import { limit, path, returnAll } from '../../core/operation/sharedFields';
import { rpc } from '../../core/protocols/rpc';
import { rpcOptions } from '../../core/protocols/transportOptions';
import { evmAddress } from '../../core/values/hex';
import { listOf } from '../../core/values/json';
import { fromBlock, toBlock } from '../fields';
import { tokens } from './fields';

const accounts = {
	displayName: 'Accounts',
	name: 'accounts',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	description:
		'Only transfers from or to these accounts: comma-separated, or an array. Empty for any account.',
	read: listOf(evmAddress),
} as const satisfies Field;

const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Which side of a transfer the accounts must be on',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'From', value: 'from' },
		{ name: 'To', value: 'to' },
	],
} as const satisfies Field;

export const getTransfers = rpc({
	name: 'Get Transfers',
	action: 'Get token transfers',
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
