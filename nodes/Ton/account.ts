import { formatCoinBalance } from '../core/chain/payment';
import { readAccount, formatAccount } from '../core/ton/accounts';
import { MAX_ADDRESSES_PER_REQUEST } from '../core/ton/reader';
import { restOperation } from '../core/protocols/rest';
import { address } from './fields';

const get = restOperation({
	name: 'Get',
	action: 'Get account, its balance and wallet',
	description:
		'Get the balance and status of an account; for a wallet, also its version and its seqno (number of the next transfer)',
	fields: [address],
	itemsPerRequest: MAX_ADDRESSES_PER_REQUEST,
	async *run(p, context) {
		yield formatAccount(await readAccount(context, p.address), p.address.isTestOnly);
	},
});

const getBalance = restOperation({
	name: 'Get Balance',
	action: 'Get balance of account',
	description: 'Get how many coins an account holds',
	fields: [address],
	itemsPerRequest: MAX_ADDRESSES_PER_REQUEST,
	async *run(p, context) {
		const state = await readAccount(context, p.address);
		const { address: written, balance } = formatAccount(state, p.address.isTestOnly);
		yield { address: written, ...formatCoinBalance('ton', state.balance), balance };
	},
});

export const account = { name: 'Account', operations: { get, getBalance } };
