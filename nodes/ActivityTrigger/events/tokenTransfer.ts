import { logView } from '../../core/evm/follow/logView';
import { transferForm } from '../../core/evm/follow/transferForm';
import { accounts, direction, tokens } from '../../core/evm/tokens/fields';
import { transferFilters } from '../../core/evm/tokens/transfers';
import { pollEvent } from '../pollEvent';

export const tokenTransfer = pollEvent({
	name: 'Token Transfer',
	description: 'Transfers of ERC-20 tokens, in exact amounts',
	fields: [tokens, accounts, direction],
	choices: (p) => ['tokenTransfer', p.tokens, p.accounts, p.direction],
	samples: ({ maxBlocksPerPoll }) => maxBlocksPerPoll,
	view: (p, { blocks }) =>
		logView(blocks, {
			filters: transferFilters(p),
			form: transferForm(),
			isTimed: true,
			// A block that may lack logs is read again by the next poll.
			doubt: () => {},
		}),
});
