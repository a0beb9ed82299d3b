import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import { formatEvents, readEventChoice } from '../core/stark/eventChoice';
import { readEvents, readRange } from '../core/stark/eventRange';
import type { StarkEvent } from '../core/stark/events';
import { encodeFelt } from '../core/stark/felts';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { abi, contractFilter, eventNameField, keys } from '../fields/starkFields';
import { fromBlock, openNode, prefixOptions, path, toBlock } from './fields';

const event = eventNameField('event');

const getAll = rpcOperation({
	name: 'Get Many',
	action: 'Find events of contract',
	description:
		'Find the events of contracts in any range of blocks, decoded by the ABIs of the contracts',
	fields: [
		contractFilter,
		event,
		abi,
		keys,
		fromBlock,
		toBlock,
		returnAll,
		limit,
		simplify,
		path,
		prefixOptions,
	],
	async *run(p, chain) {
		const reader = openNode(chain, p);
		const [range, choice] = await Promise.all([readRange(reader, p), readEventChoice(reader, p)]);
		const filter = { contract: p.contract, keys: choice.keys };
		// Events that a filter leaves out after decoding do not count, so the number of events to read is unknown.
		const wanted = choice.isWanted ? Infinity : p.limit;
		for await (const events of readEvents(reader, filter, range, wanted)) {
			const found = choice.isWanted ? events.filter(choice.isWanted) : events;
			yield* p.simplify
				? await formatEvents(reader, found, choice.decode)
				: found.map(formatRawEvent);
		}
	},
});

/** Formats an event with the field names of the node's documentation. */
function formatRawEvent(one: StarkEvent): object {
	return {
		from_address: encodeFelt(one.contract),
		keys: one.keys.map(encodeFelt),
		data: one.data.map(encodeFelt),
		block_number: one.blockNumber,
		block_hash: one.blockHash === null ? null : encodeFelt(one.blockHash),
		transaction_hash: one.transactionHash === null ? null : encodeFelt(one.transactionHash),
		...(one.transactionIndex !== null && { transaction_index: one.transactionIndex }),
		...(one.eventIndex !== null && { event_index: one.eventIndex }),
	};
}

export const eventResource = { name: 'Event', operations: { getAll } };
