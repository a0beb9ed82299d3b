import {
	parseAllowance,
	planTokenApproval,
	planTokenTransfer,
} from '../../../core/evm/prepare/tokens';
import type { Field } from '../../../core/operation/field';
import { parseAmountText } from '../../../core/values/units';
import { addressField, receiver, transactionKind } from './transactionKind';
import { TOKEN_NAME } from '../../../fields/tokenNames';

const token = {
	...addressField,
	displayName: 'Token',
	name: TOKEN_NAME,
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The contract address of the ERC-20 token',
} as const satisfies Field;

export const tokenTransfer = transactionKind({
	name: 'Token Transfer',
	description: 'Pay in an ERC-20 token',
	hasDecimals: true,
	fields: [
		receiver,
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 25.5',
			description: 'How much to pay',
			hint: 'In tokens, such as 1.5',
			parse: parseAmountText,
		},
		token,
	],
	intent: planTokenTransfer,
});

export const tokenApproval = transactionKind({
	name: 'Token Approval',
	description: 'Allow another account or contract to spend an amount of an ERC-20 token',
	hasDecimals: true,
	fields: [
		{
			...addressField,
			displayName: 'Spender',
			name: 'spender',
			description: 'The account or contract that may spend the token',
		},
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 25.5',
			description: 'The total amount that may be spent. 0 takes the approval back.',
			hint: 'In tokens (1.5), or the word unlimited',
			parse: parseAllowance,
		},
		token,
	],
	intent: planTokenApproval,
});
