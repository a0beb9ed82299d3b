import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { methodPrefix } from '../fields/methodPrefix';
import { parseBlockId } from '../core/stark/blocks';
import { parseStarkAddress } from '../core/stark/felts';
import { createStarkNode, type StarkNode } from '../core/stark/node';
import { parseStarkAbi } from '../core/stark/abi/abi';
import { rpcOptions } from '../core/operation/transportOptions';
import type { Chain } from '../core/transport/rpc/chain';
import { optionalParser } from '../core/values/numbers';
import { isBlank } from '../core/values/parse';

const ADDRESS_EXAMPLE = 'e.g. 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';

/** An address that a node's operation is about. */
export function addressField<const Name extends string>(
	displayName: string,
	name: Name,
	description: string,
) {
	return {
		displayName,
		name,
		type: 'string',
		required: true,
		default: '',
		placeholder: ADDRESS_EXAMPLE,
		description,
		parse: parseStarkAddress,
	} as const satisfies Field;
}

export const contract = addressField(
	'Contract',
	'contract',
	'The address of the contract; leading zeros may be left out',
);

/** The block whose state is read. */
export const stateBlock = {
	displayName: 'Block',
	name: 'block',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. latest or 650000',
	description:
		'A block number, the hash of a block, or latest, pending, pre_confirmed or l1_accepted',
	parse: (given: unknown) => parseBlockId(isBlank(given) ? 'latest' : given),
} as const satisfies Field;

export const fromBlock = {
	displayName: 'From Block',
	name: 'fromBlock',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 650000',
	description: 'The first block to search: a number, a hash, earliest, latest or l1_accepted',
	parse: parseRangeBlock,
} as const satisfies Field;

export const toBlock = {
	displayName: 'To Block',
	name: 'toBlock',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. 660000',
	description:
		'The last block to search. A range that the node refuses as too wide or too full is read in parts.',
	parse: (given: unknown) => parseRangeBlock(isBlank(given) ? 'latest' : given),
} as const satisfies Field;

/** There is no name for block 0 on these nodes. */
function parseRangeBlock(given: unknown) {
	return parseBlockId(given === 'earliest' ? 0 : given);
}

export const abi = {
	displayName: 'ABI',
	name: 'abi',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. [{"type": "function", "name": "balance_of", …}]',
	description:
		'The JSON ABI of the contract, where the chain does not have it or has an untrue one',
	hint: 'Empty: read from the chain, that of the implementation for a proxy',
	parse: optionalParser(parseStarkAbi),
} as const satisfies Field;

export const path = pathField('/');
export const options = rpcOptions(methodPrefix);

/** The node as the options of an operation name its methods. */
export function openNode(
	chain: Chain,
	p: { readonly options: { readonly methodPrefix?: string } },
): StarkNode {
	return createStarkNode(chain, p.options.methodPrefix ?? methodPrefix.default);
}
