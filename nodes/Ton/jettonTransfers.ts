import { limit, returnAll } from '../core/operation/sharedFields';
import { addressFormatter } from '../core/ton/addressBook';
import { readJettonMovements } from '../core/ton/jettonHistory';
import { findJettonFacts } from '../core/ton/tokens';
import { formatJettonTransfer } from '../core/ton/jettonTransfers';
import { rest } from '../core/protocols/rest';
import { direction, jettons } from '../fields/tonTransferFields';
import { fromTime, options, owner, toTime, toTimeRange } from './fields';

export const getTransfers = rest({
	name: 'Get Transfers',
	action: 'Find jetton transfers, such as payments',
	description:
		'Get what an account received and sent of jettons, the newest first: what its own jetton wallets took in and gave away, without what came back',
	fields: [owner, jettons, direction, fromTime, toTime, returnAll, limit, options],
	async *run(p, context) {
		const wanted = { owner: p.owner, masters: p.jettons, direction: p.direction };
		const range = toTimeRange(p, context);
		const found = readJettonMovements(context, { ...wanted, ...range });
		for await (const { master, movement, addressBook } of found) {
			const facts = await findJettonFacts(context, master);
			yield formatJettonTransfer(
				movement,
				facts,
				addressFormatter(addressBook, p.owner.isTestOnly),
			);
		}
	},
});
