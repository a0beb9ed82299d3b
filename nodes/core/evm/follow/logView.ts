import type { ChainObject } from '../chainObject';
import { headerAt, heightOf, type Ask } from '../header';
import type { LogFilter } from '../logs/logFilter';
import { ProvenLogs } from '../logs/provenLogs';
import type { LiveView } from './advance';
import { MARKS_KEPT, type ChainEvent } from './cursor';
import { onChain } from './onChain';

/** The logs that a filter lets through. Asked for by block: a subscription would lose those of an outage. */
export function logView(
	ask: Ask,
	filter: LogFilter,
	form: (log: ChainObject) => ChainObject,
	doubt: (block: number) => void,
): LiveView {
	const logs = new ProvenLogs(ask, filter, doubt);
	const asEvents = (found: readonly ChainObject[]) => inOrder(found).map(eventOf(form));
	return {
		isTakenBack: true,
		blockRef: async (number) => await headerAt(ask, number),
		events: async (range, head) => {
			const events = asEvents(await logs.between(range, head));
			const blocks = events.map(({ block }) => block);
			await onChain(
				ask,
				blocks.filter(({ number }) => number > head - MARKS_KEPT),
			);
			return events;
		},
		eventsIn: async (header) => asEvents(await logs.inBlock(header)),
		get distance() {
			return logs.distance;
		},
	};
}

function eventOf(form: (log: ChainObject) => ChainObject) {
	return (log: ChainObject): ChainEvent => ({
		block: { number: heightOf(log.blockNumber), hash: String(log.blockHash).toLowerCase() },
		json: form(log),
	});
}

/** Some nodes name a log twice. Its index alone does not tell: on some chains it counts within a transaction. */
function inOrder(logs: readonly ChainObject[]): ChainObject[] {
	const once = new Map(logs.map((log) => [JSON.stringify(log), log]));
	return [...once.values()].sort(
		(a, b) =>
			heightOf(a.blockNumber) - heightOf(b.blockNumber) ||
			heightOf(a.logIndex) - heightOf(b.logIndex),
	);
}
