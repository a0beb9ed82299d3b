import { attempt } from './attempt';
import { chainData, Undecodable, WORD } from './types/chainData';
import type { AbiEvent } from './declared/entry';
import { byKey, type Parameter } from './types/parameter';
import { readParts } from './types/parts';

interface DecodedLog {
	/** The name of the event; null for a log of none of them. */
	readonly event: string | null;
	/** Null for a log that does not fit its event. */
	readonly args: Readonly<Record<string, unknown>> | null;
}

interface Log {
	readonly topics?: unknown;
	readonly data?: unknown;
}

/** What a log tells, if it is of one of these events. */
export function decodeLog(events: readonly AbiEvent[], { topics, data }: Log): DecodedLog {
	const given: readonly unknown[] = Array.isArray(topics) ? topics : [];
	const [first] = given;
	const topic = typeof first === 'string' ? first.toLowerCase() : undefined;
	let event: string | null = null;
	for (const candidate of events) {
		if (!candidate.isAnonymous && candidate.topic !== topic) continue;
		const args = argsOf(candidate, candidate.isAnonymous ? given : given.slice(1), data);
		if (args) return { event: candidate.name, args };
		event ??= candidate.name;
	}
	return { event, args: null };
}

function argsOf(event: AbiEvent, topics: readonly unknown[], data: unknown) {
	if (topics.length !== event.indexed.length) return undefined;
	const args = attempt(Undecodable, () => {
		const indexed = event.indexed.map((one, index) => topicValue(one, topics[index]));
		return inOrder(event, indexed, readParts(event.inData, chainData(data), 0));
	});
	return args instanceof Undecodable ? undefined : args;
}

/** What is hashed to fit into its topic stays a hash. */
function topicValue({ type }: Parameter, topic: unknown): unknown {
	const data = chainData(topic);
	if (data.bytes.length !== WORD) throw new Undecodable('a topic is not one word');
	return type.pack ? topic : type.read(data, 0);
}

function inOrder(event: AbiEvent, indexed: readonly unknown[], inData: readonly unknown[]) {
	let [nextIndexed, nextInData] = [0, 0];
	return byKey(
		event.inputs,
		event.inputs.map(({ isIndexed }) =>
			isIndexed ? indexed[nextIndexed++] : inData[nextInData++],
		),
	);
}
