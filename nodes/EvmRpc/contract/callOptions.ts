import type { Field } from '../../core/operation/field';
import { weiQuantity } from '../../core/values/amount';
import { evmAddress } from '../../core/values/hex';
import { optional, quantity } from '../../core/values/quantity';

export const callOptions = {
	displayName: 'Call Options',
	name: 'callOptions',
	type: 'collection',
	placeholder: 'Add call option',
	default: {},
	options: [
		{
			displayName: 'From',
			name: 'from',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description: 'The account that the call comes from',
			read: optional(evmAddress),
		},
		{
			displayName: 'Gas',
			name: 'gas',
			type: 'string',
			default: '',
			placeholder: 'e.g. 100000',
			description: 'The most gas that the call may use, decimal or 0x-hex',
			read: optional(quantity),
		},
		{
			displayName: 'Gas Price',
			name: 'gasPrice',
			type: 'string',
			default: '',
			placeholder: 'e.g. 20 gwei',
			description: 'The price of a unit of gas, in wei or with a unit (wei, gwei, ether)',
			read: optional(weiQuantity),
		},
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0.1 ether',
			description:
				'The amount to send with the call, in wei or with a unit (wei, gwei, ether). The sender must hold this amount plus the gas.',
			read: optional(weiQuantity),
		},
	],
} as const satisfies Field;
