import type { RestReader } from '../chain/reader';
import { tryParseJson } from '../values/json';
import { isRecord } from '../values/parse';
import { readBlock } from './blocks';
import type { SignedTransaction } from './signedTransaction';

/**
 * A transaction refers to a block by the last two bytes of its number. After this many blocks (two days) they repeat.
 */
const REFERENCE_CYCLE = 65_536;
/** The search for the block goes back by at most this many cycles. */
const MAX_CYCLES = 60;
const [HASH_FROM, HASH_TO] = [16, 32];

/**
 * Whether the block that a transaction refers to is on this chain. If it is not, nothing on this chain proves that
 * the transaction has expired.
 */
export async function isOfChain(
	reader: RestReader,
	{ body, expiration = 0n }: SignedTransaction,
	irreversible: number,
): Promise<boolean> {
	const json = tryParseJson(body);
	const raw = isRecord(json) && isRecord(json.raw_data) ? json.raw_data : {};
	const place = Number(`0x${String(raw.ref_block_bytes)}`);
	if (!Number.isSafeInteger(place)) return false;
	let number = irreversible - ((irreversible - place) % REFERENCE_CYCLE);
	for (let cycle = 0; cycle < MAX_CYCLES && number > 0; cycle++) {
		const { hash, timestamp } = await readBlock(reader, number);
		if (BigInt(timestamp) <= expiration)
			return hash.slice(HASH_FROM, HASH_TO) === String(raw.ref_block_hash).toLowerCase();
		number -= REFERENCE_CYCLE;
	}
	return false;
}
