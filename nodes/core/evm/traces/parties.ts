import type { ChainObject } from '../chainObject';
import { simpleTrace } from '../simpleTrace';

/** The sender or the recipient of a trace. */
export type Side = 'from' | 'to';

/** Whether one of these addresses, in lower case, is on this side of a trace. */
export function hasParty(trace: ChainObject, side: Side, addresses: ReadonlySet<string>): boolean {
	return addresses.has(String(simpleTrace(trace)[side]).toLowerCase());
}
