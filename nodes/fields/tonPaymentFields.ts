import type { Field } from '../core/operation/field';
import { listOrHand } from '../core/operation/locator';
import { parseTonAccount } from '../core/ton/address';
import { parseComment } from '../core/ton/bodies';

export const tonAccount = {
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
	parse: parseTonAccount,
} as const;

export const payer = {
	...tonAccount,
	displayName: 'From',
	name: 'from',
	description: 'The wallet that will sign and pay, as a user-friendly (UQ…) or raw (0:…) address',
} as const satisfies Field;

export const receiver = {
	...tonAccount,
	displayName: 'To',
	name: 'to',
	description:
		'The account that receives the payment, as a user-friendly (UQ…) or raw (0:…) address',
} as const satisfies Field;

/** Makes a field for a contract of the sender, which is chosen from a list or given by its address. */
export function ownedContract<const Method extends string>(
	listMethod: Method,
	placeholder: string,
) {
	return {
		...tonAccount,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		placeholder,
		modes: listOrHand(listMethod, { displayName: 'By Address', name: 'address', placeholder }),
	} as const;
}

/** The jetton to pay with, chosen among those that the sender has. */
export const paidJetton = {
	...ownedContract('jettonsOfSender', 'e.g. EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'),
	displayName: 'Jetton',
	name: 'jetton',
	description:
		"The address of the jetton's master contract, which alone identifies it: anybody can use the name of another jetton",
} as const satisfies Field;

export const comment = {
	displayName: 'Comment',
	name: 'comment',
	type: 'string',
	default: '',
	placeholder: 'e.g. Invoice 42',
	description:
		'The comment that the receiver reads with the payment. Everybody else can read it as well.',
	parse: parseComment,
} as const satisfies Field;
