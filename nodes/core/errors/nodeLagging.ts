import { RequestFailure } from './requestFailure';

/**
 * Is thrown if the node does not have a block yet, or not all of its data. Nodes behind one address may be at
 * different blocks.
 */
export class NodeLagging extends RequestFailure {
	constructor(
		readonly block: number,
		lacks = 'on its chain',
	) {
		super(`The chain node does not have block ${block} ${lacks} yet`, {
			description: `Nothing is lost: a trigger soon reads block ${block} again. In any other node, run the item again.`,
			retry: { because: 'lost' },
		});
	}
}
