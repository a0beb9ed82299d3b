import type { Field } from '../core/operation/field';
import { parseTonAccount } from '../core/ton/address';
import { parseExactText } from '../core/values/parse';

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
	description: 'The account that receives, as a user-friendly (UQ…) or raw (0:…) address',
} as const satisfies Field;

export const comment = {
	displayName: 'Comment',
	name: 'comment',
	type: 'string',
	default: '',
	placeholder: 'e.g. Invoice 42',
	description: 'What the receiver reads beside the payment. Everybody else can read it, too.',
	parse: (given: unknown) => parseExactText(given).toString(),
} as const satisfies Field;
