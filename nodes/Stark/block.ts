import { simplify } from '../core/operation/sharedFields';
import { formatBlock, findBlock } from '../core/stark/blocks';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { openNode, prefixOptions, path, stateBlock } from './fields';

const get = rpcOperation({
	name: 'Get',
	action: 'Get block',
	description:
		'Get a block by its number, its hash or a word such as latest, with the hashes of its transactions',
	fields: [stateBlock, simplify, path, prefixOptions],
	async *run(p, chain) {
		const found = await findBlock(openNode(chain, p), p.block);
		yield found && p.simplify ? formatBlock(found) : found;
	},
});

export const block = { name: 'Block', operations: { get } };
