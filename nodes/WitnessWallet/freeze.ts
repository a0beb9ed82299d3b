import type { OperationInfo } from '../core/operation/operation';
import { formatCoins } from '../core/witness/prepare/purse';
import { buildOperation } from './buildOperation';
import {
	amountField,
	ownerAddress,
	parseAddress,
	resourceField,
	UNSIGNED_TEXT,
	visible,
} from './fields';

/** The names that the chain uses for freezing or for unfreezing. */
interface FreezeCall {
	readonly method: string;
	readonly contract: 'FreezeBalanceV2Contract' | 'UnfreezeBalanceV2Contract';
	readonly amount: 'frozen_balance' | 'unfreeze_balance';
	/** The first word of the sentence that describes the transaction. */
	readonly verb: 'Freeze' | 'Unfreeze';
}

const forResource = resourceField('The resource that the frozen coins give, beside votes');

/** Makes the operation for freezing or for unfreezing, which differ only in names. */
function freezeOperation(
	texts: Omit<OperationInfo<never>, 'fields'>,
	amount: ReturnType<typeof amountField>,
	chain: FreezeCall,
) {
	return buildOperation({
		...texts,
		fields: [ownerAddress, amount, forResource, visible],
		draft: (p) => ({
			method: chain.method,
			contract: chain.contract,
			parameters: {
				owner_address: parseAddress('From', p.ownerAddress, p.visible),
				[chain.amount]: p.amount,
				resource: p.forResource.toUpperCase(),
			},
			visible: p.visible,
			sentence: `${chain.verb} ${formatCoins(p.amount)} for ${p.forResource}`,
		}),
	});
}

export const buildFreeze = freezeOperation(
	{
		name: 'Build Freeze',
		action: 'Build freeze of coins to stake',
		description: `Build a transaction that freezes (stakes) coins for bandwidth or energy. Each whole coin gives one vote. ${UNSIGNED_TEXT}`,
	},
	amountField('How much to freeze'),
	{
		method: 'freezebalancev2',
		contract: 'FreezeBalanceV2Contract',
		amount: 'frozen_balance',
		verb: 'Freeze',
	},
);

export const buildUnfreeze = freezeOperation(
	{
		name: 'Build Unfreeze',
		action: 'Build unfreeze of coins',
		description: `Build a transaction that unfreezes coins. After a waiting time, Build Withdrawal makes them spendable. ${UNSIGNED_TEXT}`,
	},
	amountField('How much to unfreeze'),
	{
		method: 'unfreezebalancev2',
		contract: 'UnfreezeBalanceV2Contract',
		amount: 'unfreeze_balance',
		verb: 'Unfreeze',
	},
);
