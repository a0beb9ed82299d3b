import { logView } from '../../core/evm/follow/logView';
import { transferForm } from '../../core/evm/follow/transferForm';
import { accounts, direction, tokens } from '../../core/evm/tokens/fields';
import { transferFilters } from '../../core/evm/tokens/transfers';
import { ChainFollower } from '../follow/chainFollower';
import { doubts } from './doubts';
import { triggerEvent } from '../follow/triggerEvent';

export const tokenTransfer = triggerEvent({
	name: 'Token Transfer',
	description: 'When an ERC-20 token is transferred, in exact amounts',
	fields: [tokens, accounts, direction],
	follower: (p, around) => {
		const form = transferForm();
		const filters = transferFilters(p);
		const choices = ['tokenTransfer', p.tokens, p.accounts, p.direction];
		return new ChainFollower(around, choices, (ask) =>
			logView(ask, { filters, form, isTimed: true, doubt: doubts(around) }),
		);
	},
});
