import type { Field } from '../../core/operation/field';
import { parseHash } from '../../core/values/hex';

export const transactionHash = {
	displayName: 'Transaction Hash',
	name: 'transactionHash',
	type: 'string',
	required: true,
	default: '={{ $json.transactionHash }}',
	placeholder: 'e.g. 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
	description: 'The hash of the transaction',
	parse: parseHash,
} as const satisfies Field;
