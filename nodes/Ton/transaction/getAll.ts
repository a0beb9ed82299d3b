import { limit, returnAll, simplify } from '../../core/operation/sharedFields';
import { readTransactions } from '../../core/ton/accountTransactions';
import { addressFormatter } from '../../core/ton/addressBook';
import { formatTransaction } from '../../core/ton/transactions';
import { rest } from '../../core/protocols/rest';
import { address, fromTime, toTime, toTimeRange } from '../fields';

export const getAll = rest({
	name: 'Get Many',
	action: 'Find transactions, such as payments',
	description:
		'Get the transactions of an account, the newest first, with the comments of their messages',
	fields: [address, fromTime, toTime, returnAll, limit, simplify],
	async *run(p, context) {
		const range = toTimeRange(p, context);
		const listed = readTransactions(context, p.address, range, p.limit);
		for await (const { transaction, json, addressBook } of listed) {
			yield p.simplify
				? formatTransaction(transaction, addressFormatter(addressBook, p.address.isTestOnly))
				: json;
		}
	},
});
