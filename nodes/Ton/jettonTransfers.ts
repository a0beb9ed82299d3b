import { createLeastAmount } from '../core/chain/payment';
import { limit, returnAll } from '../core/operation/sharedFields';
import { outputFields } from '../core/operation/outputFields';
import { optionsField } from '../core/operation/transportOptions';
import { addressFormatter } from '../core/ton/addressBook';
import { readJettonMovements } from '../core/ton/jettonHistory';
import { findJettonFacts } from '../core/ton/tokens';
import { formatJettonTransfer } from '../core/ton/jettonTransfers';
import { restOperation } from '../core/protocols/rest';
import { minAmount } from '../fields/minAmount';
import { direction, jettons } from '../fields/tonTransferFields';
import { fromTime, owner, toTime, toTimeRange } from './fields';

export const getTransfers = restOperation({
	name: 'Get Transfers',
	action: 'Find jetton transfers, such as payments',
	description:
		'Get the jettons that an account received and sent, newest first. Transfers that could not be delivered are left out.',
	fields: [
		owner,
		jettons,
		direction,
		fromTime,
		toTime,
		returnAll,
		limit,
		optionsField([minAmount, outputFields]),
	],
	async *run(p, context) {
		const wanted = { owner: p.owner, masters: p.jettons, direction: p.direction };
		const range = toTimeRange(p, context);
		const least = createLeastAmount(p.options.minAmount, context.addHint);
		const found = readJettonMovements(context, { ...wanted, ...range });
		for await (const { master, movement, addressBook } of found) {
			const facts = await findJettonFacts(context, master);
			const formatAddress = addressFormatter(addressBook, p.owner.isTestOnly);
			if (least.isReached(movement.value, facts))
				yield formatJettonTransfer(movement, facts, formatAddress);
		}
	},
});
