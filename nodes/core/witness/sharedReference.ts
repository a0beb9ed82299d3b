import { findFirstAfter } from '../chain/blockAtTime';
import type { PatientRestReader, RestReader } from '../chain/reader';
import { NodeLagging } from '../errors/nodeLagging';
import { RequestFailure } from '../errors/requestFailure';
import { readOnce, sharedKey } from '../net/pacing/shared';
import { rethrow } from '../values/parse';
import { readBlockHeader, readHeads, type BlockHeader } from './blocks';
import { getPeriod, PERIOD_MS, type Reference, type SharedPeriod } from './mark';

/**
 * Nothing is built in the first seconds of a period (a minute). So the node has received the transactions from the end of the previous
 * period.
 */
const QUIET_MS = 6_000;
/**
 * A period refers to a block from two minutes before it. Such a block is irreversible on every node that keeps up
 * with the chain.
 */
const AGE_MS = 2 * PERIOD_MS;

const REFERENCES = sharedKey('witness.references', () => new Map<number, Promise<Reference>>());

/** Reads the present period (a minute) by the clock of the chain, and the block to which all transactions of the period refer. */
export async function readSharedPeriod(reader: PatientRestReader): Promise<SharedPeriod> {
	const { latest, irreversible } = await readHeads(reader);
	if (!irreversible)
		throw new RequestFailure('The chain has no irreversible block yet', {
			description: 'Nothing was signed. Run the workflow again in a minute.',
		});
	const period = getPeriod(latest.timestamp);
	const since = latest.timestamp - period;
	if (since < QUIET_MS) await reader.wait(QUIET_MS - since);
	const references = reader.shared(REFERENCES);
	const find = async () => await findReference(reader, period - AGE_MS, irreversible);
	return { period, reference: await readOnce(references, period, find) };
}

/** Finds the last block up to a moment. All nodes agree on this block, because it is irreversible. */
async function findReference(
	reader: RestReader,
	moment: number,
	irreversible: BlockHeader,
): Promise<Reference> {
	const { number, hash } = await findLastAt(reader, moment, irreversible);
	return {
		refBlockBytes: number.toString(16).padStart(4, '0').slice(-4),
		refBlockHash: hash.slice(16, 32),
	};
}

async function findLastAt(
	reader: RestReader,
	moment: number,
	head: BlockHeader,
): Promise<BlockHeader> {
	if (head.timestamp <= moment) return head;
	const later = { number: head.number, time: head.timestamp };
	const first = await findFirstAfter(
		moment,
		later,
		async (number) => await readTime(reader, number),
	);
	return await readBlockHeader(reader, Math.max(first - 1, 0));
}

async function readTime(reader: RestReader, number: number): Promise<number | undefined> {
	try {
		return (await readBlockHeader(reader, number)).timestamp;
	} catch (failure) {
		return failure instanceof NodeLagging ? undefined : rethrow(failure);
	}
}
