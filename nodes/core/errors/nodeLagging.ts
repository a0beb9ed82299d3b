import { RequestFailure } from './requestFailure';

/** The node does not have a block yet, or not all of its data. The nodes behind one address are not always at the same block. */
export class NodeLagging extends RequestFailure {
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
