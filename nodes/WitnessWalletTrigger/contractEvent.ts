import type { Abi } from '../core/evm/abi/abi';
import { decodeEventLog, matchesTopics } from '../core/evm/abi/event';
import { buildTopics } from '../core/evm/logs';
import { mapWithPauses } from '../core/net/pacing/slices';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { toWitnessAbi } from '../core/witness/abi';
import { formatWitnessAddresses } from '../core/witness/address';
import type { BlockLog } from '../core/witness/blockTransactions';
import type { WitnessView } from '../core/witness/follow';
import { formatBlockTime } from '../core/witness/readBlocks';
import { listLogs } from '../core/witness/tokenTransfers';
import { eventField } from '../fields/logFields';
import { contracts, where, type WitnessSource } from './watchedFields';

const signature = eventField('Event Signature', 'eventSignature');

const fields = [contracts, signature, where] as const;

export const contractEvent = triggerEvent<typeof fields, WitnessSource, WitnessView>({
	name: 'Contract Event',
	action: 'On contract event (log)',
	description:
		'Starts the workflow when a contract writes an event, which is decoded if you fill in Event Signature',
	fields,
	getChoices: (p) => ['contractEvent', p.contracts, JSON.stringify(buildChoice(p).topics)],
	createView: (p) => {
		const { event, topics } = buildChoice(p);
		const addresses = new Set(p.contracts.map((contract) => `0x${contract}`));
		const isWanted = (log: BlockLog) =>
			(addresses.size === 0 || addresses.has(log.address)) && matchesTopics(log.topics, topics);
		return {
			findItems: async (block) => {
				const wanted = listLogs(block).filter(({ log }) => isWanted(log));
				return await mapWithPauses(wanted, ({ log, place }) => ({
					...formatBlockLog(log),
					...place,
					...decode(event, log),
					timestamp: formatBlockTime(block),
				}));
			},
		};
	},
});

interface Choice {
	readonly eventSignature: Abi | undefined;
	readonly where: Readonly<Record<string, unknown>>;
}

/** Gives the event with the address types of this chain, and the topics of its logs. */
function buildChoice({ eventSignature, where: conditions }: Choice) {
	const event = eventSignature && toWitnessAbi(eventSignature);
	return {
		event,
		topics: buildTopics({ event, where: conditions, topics: [] }, signature.displayName),
	};
}

function decode(event: Abi | undefined, log: BlockLog) {
	return event && decodeEventLog(event.events, log);
}

/** Formats a log with base58 addresses and with hex without 0x, as the chain writes them. */
function formatBlockLog({ address, topics, data }: BlockLog) {
	return {
		address: formatWitnessAddresses(address.slice(2)).base58,
		topics: topics.map((topic) => topic.slice(2)),
		data: data.slice(2),
	};
}
