import { Refusal } from '../../../../credentials/refusal';
import type { Abi } from '../abi/abi';
import { eventTopics, type Topic } from '../abi/filter';
import { decodeLog } from '../abi/log';
import type { ChainObject } from '../objects/chainObject';
import { simpleLog } from '../objects/simpleLog';

/** What the user chose: an event with conditions, or topics. */
export interface EventChoice {
	readonly event: Abi | undefined;
	readonly where: Readonly<Record<string, unknown>>;
	readonly topics: readonly Topic[];
}

/** The topics that a node filters by. The label is that of the field with the event. */
export function topicsOf({ event, where, topics }: EventChoice, label: string): readonly Topic[] {
	if (event && topics.length > 0) {
		throw new Refusal(`'Topics' must be empty when '${label}' is given: both filter by topic`);
	}
	if (!event && Object.keys(where).length > 0) {
		throw new Refusal(`'Where' needs '${label}', which says what its arguments are`);
	}
	return event ? eventTopics(event.events, where) : topics;
}

/** A log with its numbers made readable, and decoded if its event is known. */
export function readableLog({ event }: Pick<EventChoice, 'event'>, log: ChainObject): ChainObject {
	return { ...simpleLog(log), ...(event && decodeLog(event.events, log)) };
}
