import type { Field } from '../core/operation/field';
import { parseTonAccount } from '../core/ton/address';
import { listParser } from '../core/values/json';

export const jettons = {
	displayName: 'Jettons',
	name: 'jettons',
	type: 'string',
	default: '',
	placeholder: 'e.g. EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
	description:
		'Only transfers of these jettons: the addresses of their master contracts, comma-separated, or an array',
	hint: 'Leave Jettons empty for all jettons, even false jettons that use the name of another jetton',
	parse: listParser(parseTonAccount),
} as const satisfies Field;

export const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Whether to find payments that the account receives (In) or sends (Out)',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'In', value: 'in', description: 'What the account received' },
		{ name: 'Out', value: 'out', description: 'What the account sent' },
	],
} as const satisfies Field;
