import type { Field } from '../core/operation/field';
import { rest } from '../core/protocols/rest';
import { verifyBuilt, parseBuiltAnswer } from './builtTransaction';
import { options, ownerAddress, parseAddress, UNSIGNED_TEXT, visible } from './fields';

const what = {
	displayName: 'What',
	name: 'what',
	type: 'options',
	default: 'unfrozen',
	noDataExpression: true,
	description: 'What to make spendable',
	options: [
		{
			name: 'Rewards',
			value: 'rewards',
			description: 'What votes and blocks have earned, once in 24 hours',
		},
		{
			name: 'Unfrozen Coins',
			value: 'unfrozen',
			description: 'Coins whose waiting time after unfreezing is over',
		},
	],
} as const satisfies Field;

/** The names that these have on the chain. */
const WITHDRAWALS = {
	unfrozen: {
		path: '/wallet/withdrawexpireunfreeze',
		contract: 'WithdrawExpireUnfreezeContract',
	},
	rewards: { path: '/wallet/withdrawbalance', contract: 'WithdrawBalanceContract' },
} as const;

export const buildWithdraw = rest({
	name: 'Build Withdrawal',
	action: 'Build a withdrawal of coins',
	description: `Build a transaction that makes unfrozen coins or the rewards of votes spendable. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, what, visible, options],
	plan: (p) => ({
		owner: parseAddress('Owner Address', p.ownerAddress, p.visible),
		visible: p.visible,
		...WITHDRAWALS[p.what],
	}),
	request: ({ owner, visible, path }) => ({
		path,
		body: { owner_address: owner.written, visible },
	}),
	answer: parseBuiltAnswer,
	items: (built, { owner, contract }) => [
		verifyBuilt(built, { contract, parameters: { owner_address: owner.hex } }),
	],
});
