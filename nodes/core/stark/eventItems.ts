import { mapInParallel } from '../net/pacing/concurrency';
import { createEventDecoder, type DecodeEvent } from './abi/event';
import { findContractAbi } from './contracts';
import type { StarkEvent } from './events';
import { formatFelt } from './felts';
import type { RpcReader } from '../chain/reader';
import { sharedKey } from '../net/pacing/shared';

/** The number of contracts whose ABIs are read at the same time. */
const CONTRACT_CONCURRENCY = 20;

const DECODER_MEMORY = sharedKey(
	'stark.decoderMemory',
	() => new Map<bigint, DecodeEvent | undefined>(),
);

/** Makes a function that decodes each event by the ABI of the contract that emitted it. */
export async function readEventDecoders(
	reader: RpcReader,
	events: ReadonlyArray<Pick<StarkEvent, 'contract'>>,
): Promise<DecodeContractEvent> {
	const known = reader.shared(DECODER_MEMORY);
	const contracts = [...new Set(events.map(({ contract }) => contract))];
	const unknown = contracts.filter((contract) => !known.has(contract));
	await mapInParallel(unknown.length, CONTRACT_CONCURRENCY, async (index) => {
		const contract = unknown[index] ?? 0n;
		const abi = await findContractAbi(reader, contract);
		known.set(contract, abi && createEventDecoder(abi, abi.events));
	});
	return (event) => known.get(event.contract)?.(event);
}

export type DecodeContractEvent = (
	event: Pick<StarkEvent, 'contract' | 'keys' | 'data'>,
) => ReturnType<DecodeEvent>;

/** Formats an event for an output item. An event that cannot be decoded keeps its keys and data as felts. */
export function formatEvent(
	event: Pick<StarkEvent, 'contract' | 'keys' | 'data'>,
	decode: DecodeContractEvent,
) {
	const decoded = decode(event);
	return {
		contract: formatFelt(event.contract),
		event: decoded?.event ?? null,
		args: decoded?.args ?? null,
		...(decoded === undefined && {
			keys: event.keys.map(formatFelt),
			data: event.data.map(formatFelt),
		}),
	};
}

/** Formats the position of an event on the chain. */
export function formatEventPosition(event: StarkEvent) {
	return {
		blockNumber: event.blockNumber,
		blockHash: event.blockHash === null ? null : formatFelt(event.blockHash),
		transactionHash: event.transactionHash === null ? null : formatFelt(event.transactionHash),
	};
}
