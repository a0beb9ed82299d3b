import { nullIfRefused } from '../chain/blocks';
import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { isRecord } from '../values/parse';
import { resolveBlockId, type BlockId } from './blocks';
import { parseEvent, type StarkEvent } from './events';
import { encodeFelt, feltParser, tryParseFelt } from './felts';
import { ERROR_CODES, nullIfUnknown } from './reader';
import { raise } from '../errors/raise';

/** The events of the block being made. */
interface WaitingEvents {
	readonly events: readonly StarkEvent[];
	readonly sequencer: bigint | undefined;
	/**
	 * Whether the events are complete. They are not if the account has a transaction in the block, and the node does
	 * not show the block.
	 */
	readonly areAll: boolean;
}

/** Reads the events of the block being made, if the account has a transaction in it. */
export async function readWaitingEvents(
	reader: RpcReader,
	account: bigint,
): Promise<WaitingEvents> {
	const tag = await resolveBlockId(reader, 'pending');
	const [accepted, made] = await Promise.all([
		readNonce(reader, 'latest', account),
		readNonce(reader, tag, account).catch(nullIfRefused),
	]);
	const none = { events: [], sequencer: undefined };
	if ((made ?? 0n) <= (accepted ?? 0n)) return { ...none, areAll: true };
	const block = await reader
		.call('getBlockWithReceipts', [tag], { isFresh: true })
		.catch(nullIfRefused);
	if (block === null) return { ...none, areAll: false };
	return isRecord(block) && Array.isArray(block.transactions)
		? {
				events: block.transactions.flatMap(listEvents),
				sequencer: tryParseFelt(block.sequencer_address),
				areAll: true,
			}
		: raise(invalidResponseError('the block that is being made', block));
}

const parseNonce = feltParser('a nonce');

/** Reads the nonce of an account at a block. Returns null if the account does not exist. */
async function readNonce(
	reader: RpcReader,
	block: BlockId,
	account: bigint,
): Promise<bigint | null> {
	const asking = reader.call('getNonce', [block, encodeFelt(account)], { isFresh: true });
	const nonce = await nullIfUnknown(asking, ERROR_CODES.contractUnknown);
	return nonce === null ? nonce : parseNonce(nonce);
}

/** Lists the events of a transaction and its receipt. The events of a receipt do not name their transaction. */
function listEvents(executed: unknown): StarkEvent[] {
	const receipt = isRecord(executed) ? executed.receipt : undefined;
	if (!isRecord(receipt) || !Array.isArray(receipt.events))
		throw invalidResponseError('a receipt with its events', executed);
	const { transaction_hash: hash, events } = receipt;
	return events.map((one: unknown) =>
		parseEvent(isRecord(one) ? { ...one, transaction_hash: hash } : one),
	);
}
