import { InvalidInput } from '../../../credentials/invalidInput';
import type { Abi } from '../abi/abi';
import { decodeLog, eventTopics, type Topic } from '../abi/event';
import { simpleLog, type ChainObject } from './objects';

/** Which logs are wanted. Without addresses those of all contracts, without topics those of all events. */
export interface LogFilter {
	readonly addresses: readonly string[];
	readonly topics: readonly Topic[];
}

/** The filter as a node takes it. */
export function asParameter({ addresses, topics }: LogFilter): object {
	return {
		...(addresses.length > 0 && { address: addresses }),
		...(topics.length > 0 && { topics }),
	};
}

/** The values of which a log must have one, position by position; the address counts as the first. */
export function alternatives({ addresses, topics }: LogFilter): ReadonlyArray<readonly string[]> {
	return [addresses, ...topics.map(valuesOf)];
}

/** No values at all let everything through. */
function valuesOf(topic: Topic): readonly string[] {
	if (topic === null) return [];
	if (typeof topic === 'string') return [topic];
	return topic.every((one) => one !== null) ? topic : [];
}

/** Whether a filter lets a log through: not every node heeds it. */
export function matches({ address, topics }: ChainObject, filter: LogFilter): boolean {
	const there = [address, ...(Array.isArray(topics) ? (topics as unknown[]) : [])];
	return filter.topics.length < there.length && alternatives(filter).every(hasOneAt(there));
}

function hasOneAt(there: readonly unknown[]) {
	return (values: readonly string[], position: number): boolean => {
		const value = String(there[position]).toLowerCase();
		return values.length === 0 || values.some((one) => one.toLowerCase() === value);
	};
}

/** What the user chose: an event with conditions, or topics. */
export interface EventChoice {
	readonly event: Abi | undefined;
	readonly where: Readonly<Record<string, unknown>>;
	readonly topics: readonly Topic[];
}

/** The topics that a node filters by. The label is that of the field with the event. */
export function topicsOf({ event, where, topics }: EventChoice, label: string): readonly Topic[] {
	if (event && topics.length > 0) {
		throw new InvalidInput(`'Topics' must be empty when '${label}' is given: both filter by topic`);
	}
	if (!event && Object.keys(where).length > 0) {
		throw new InvalidInput(`'Where' needs '${label}', which says what its arguments are`);
	}
	return event ? eventTopics(event.events, where) : topics;
}

/** A log with its numbers made readable, and decoded if its event is known. */
export function readableLog({ event }: Pick<EventChoice, 'event'>, log: ChainObject): ChainObject {
	return { ...simpleLog(log), ...(event && decodeLog(event.events, log)) };
}
