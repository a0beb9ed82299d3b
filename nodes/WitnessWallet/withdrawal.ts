import type { Field } from '../core/operation/field';
import { formatBase58 } from '../core/witness/prepare/summary';
import { buildOperation } from './buildOperation';
import { ownerAddress, parseAddress, UNSIGNED_TEXT, visible } from './fields';

const what = {
	displayName: 'What',
	name: 'what',
	type: 'options',
	default: 'unfrozen',
	noDataExpression: true,
	description: 'Which coins to make spendable: rewards or unfrozen coins',
	options: [
		{
			name: 'Rewards',
			value: 'rewards',
			description:
				'Make spendable what the account has earned by votes or by producing blocks. This is possible once in 24 hours.',
		},
		{
			name: 'Unfrozen Coins',
			value: 'unfrozen',
			description: 'Make unfrozen coins spendable after their waiting time',
		},
	],
} as const satisfies Field;

/** The names that the chain uses for the two kinds of withdrawal. */
const WITHDRAWALS = {
	unfrozen: {
		method: 'withdrawexpireunfreeze',
		contract: 'WithdrawExpireUnfreezeContract',
	},
	rewards: { method: 'withdrawbalance', contract: 'WithdrawBalanceContract' },
} as const;

const WITHDRAWN = { unfrozen: 'unfrozen coins', rewards: 'rewards' } as const;

export const buildWithdraw = buildOperation({
	name: 'Build Withdrawal',
	action: 'Build withdrawal of coins',
	description: `Build a transaction that makes unfrozen coins or rewards spendable. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, what, visible],
	draft: (p) => ({
		...WITHDRAWALS[p.what],
		parameters: { owner_address: parseAddress('From', p.ownerAddress, p.visible) },
		visible: p.visible,
		sentence: `Make the ${WITHDRAWN[p.what]} of ${formatBase58(parseAddress('From', p.ownerAddress, p.visible))} spendable`,
	}),
});
