import { RequestFailure } from '../errors/requestFailure';

/** A node does not have a block yet, or not all that belongs to it. Nodes behind one address are not all at the same block. */
export class Behind extends RequestFailure {
	constructor(
		readonly block: number,
		lacks = 'on its chain',
	) {
		super(`The node does not have block ${block} ${lacks} yet`, {
			description: 'Nothing is lost: the next attempt continues from the same block.',
			retry: { because: 'lost' },
		});
	}
}

/** What was read belongs to two branches of the chain: it may have changed meanwhile. */
export class Torn extends Behind {}

/** An index that is further behind the head than so many blocks is broken rather than late. */
export const LONGEST_LAG = 16;
