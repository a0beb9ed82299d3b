import { blockOrBackParser } from '../core/chain/back';
import type { RpcReader } from '../core/chain/reader';
import type { Field } from '../core/operation/field';
import { methodPrefix } from '../core/operation/methodPrefix';
import { addressField } from '../fields/starkFields';
import { parseBlockId } from '../core/stark/blocks';
import { createStarkNode } from '../core/stark/reader';
import { optionsField } from '../core/operation/transportOptions';
import type { Chain } from '../core/protocols/rpc/operation';
import { isBlank } from '../core/values/parse';
import { TOKEN_NAME } from '../fields/tokenNames';

export { path } from '../fields/starkFields';

/** Selects the block whose state is read. */
export const stateBlock = {
	displayName: 'Block',
	name: 'block',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. latest or 650000',
	description:
		'The block to read: a number, a hash, latest, l1_accepted (last block proven on L1), or pre_confirmed or pending (block being made)',
	parse: (given: unknown) => parseBlockId(isBlank(given) ? 'latest' : given),
} as const satisfies Field;

export const fromBlock = {
	displayName: 'From Block',
	name: 'fromBlock',
	type: 'string',
	required: true,
	default: '1000 blocks back',
	placeholder: 'e.g. 650000 or 2 days back',
	description:
		'The first block to search: a number, a hash, earliest, latest or l1_accepted (proven on L1); or a distance back from To Block, such as 2 days back',
	parse: blockOrBackParser(parseRangeBlock),
} as const satisfies Field;

export const toBlock = {
	displayName: 'To Block',
	name: 'toBlock',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. 660000',
	description:
		'The last block to search: a number, a hash, latest or l1_accepted. A range that is too large for the chain node is read in parts.',
	parse: (given: unknown) => parseRangeBlock(isBlank(given) ? 'latest' : given),
} as const satisfies Field;

/** Parses a block. The word earliest becomes block 0, because Starknet nodes have no name for it. */
function parseRangeBlock(given: unknown) {
	return parseBlockId(given === 'earliest' ? 0 : given);
}

export const tokenAddress = addressField(
	'Token',
	TOKEN_NAME,
	'The contract address of the ERC-20 token',
);

export const prefixOptions = optionsField([methodPrefix]);

/** Creates a reader of the node that adds the prefix from the options to the names of its methods. */
export function openNode(
	chain: Chain,
	p: { readonly options: { readonly methodPrefix?: string } },
): RpcReader {
	return createStarkNode(chain, p.options.methodPrefix ?? methodPrefix.default);
}
