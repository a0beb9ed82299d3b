import { RequestFailure } from '../../core/errors/requestFailure';
import { LONGEST_LAG } from '../../core/evm/behind';
import type { Around } from '../follow/triggerEvent';

/** Tells the user of blocks whose logs may be missing for good. */
export function doubts({ report }: Around): (block: number) => void {
	return (block) =>
		report(
			new RequestFailure(`Logs of block ${block} may be missing`, {
				description: `The node returned none, but the block says that there may be some, and ${LONGEST_LAG} blocks later this had not changed.`,
			}),
		);
}
