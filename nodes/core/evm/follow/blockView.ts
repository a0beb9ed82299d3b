import type { ChainObject } from '../objects/chainObject';
import { headerAt, headersBetween, type Ask, type Header } from '../header';
import type { LiveView } from './advance';
import type { ChainEvent } from './cursor';

/** Every block, in the form that is emitted. */
export function blockView(ask: Ask, form: (block: ChainObject) => ChainObject): LiveView {
	const asEvent = (block: Header): ChainEvent => ({ block, json: form(block.json) });
	return {
		isTakenBack: false,
		blockRef: async (number) => await headerAt(ask, number),
		events: async ({ from, to }) => (await headersBetween(ask, from, to)).map(asEvent),
		eventsIn: async (header) => [asEvent(header)],
	};
}
