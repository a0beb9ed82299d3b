import {
	firstYoung,
	headerAt,
	headersBetween,
	heightOf,
	hex,
	isYoung,
	LONGEST_LAG,
	NodeLagging,
	ReorgDuringRead,
	type BlockRange,
	type Head,
	type Header,
} from '../chain/blocks';
import { readLogs, searchLogs, type LogFilter } from '../chain/logs';
import { listOfObjects, type ChainObject } from '../chain/objects';
import { isPermanent, RequestFailure } from '../errors/requestFailure';
import type { ChainReader } from '../rpc/chain';
import { bloomIn, bloomOf, isBlankBloom, matches, mayHold } from './bloom';
import { learned, logProofs, owe } from './logProofs';

type Logs = readonly ChainObject[];

/** All logs of a block, null if the node does not have all of them yet, undefined if it can't tell. */
type Proof = () => Promise<Logs | null | undefined>;

/** The block by which age is told, and the blocks that are read together, in order. */
interface Around {
	readonly head: Head;
	readonly blocks: readonly Header[];
}

/** An index may be late with the logs of a block. */
export class LogsLate extends NodeLagging {
	constructor(
		block: number,
		/** False where nothing that the node has could prove that they are all there. */
		readonly isProvable: boolean,
	) {
		super(block, 'with all its logs');
	}
}

/** An index that should have the logs of a block by now gave none. */
export class LogsMissing extends RequestFailure {
	constructor(blocks: readonly number[]) {
		const [first, ...others] = blocks;
		const rest = others.length > 0 ? `, and of ${others.length} others,` : '';
		super(`Logs of block ${first}${rest} may be missing`, {
			description: `The node returned none, but the header of the block says that there may be some, and ${LONGEST_LAG.seconds} seconds and ${LONGEST_LAG.blocks} blocks later this had not changed.`,
		});
	}
}

/**
 * The logs that a filter lets through. That a node gives none is no proof that there are none: its index may be behind
 * its head. The block's bloom can prove it; where it leaves room for doubt, all logs of the block or its receipts do.
 */
export class ProvenLogs {
	private readonly doubted = new Set<string>();

	constructor(
		private readonly chain: ChainReader,
		private readonly filter: LogFilter,
		/** Hears of a block whose logs may be missing for good. */
		private readonly doubt: (block: number) => void,
	) {}

	/** The logs of some blocks. Those so far below the head that no index is still behind need no proof. */
	async between(range: BlockRange, head: Head): Promise<Logs> {
		const found = await this.get({ fromBlock: hex(range.from), toBlock: hex(range.to) });
		const logs = found.filter(({ blockNumber }) => isIn(heightOf(blockNumber), range));
		const blocks = await this.toProve(range, head);
		const missing = await Promise.all(
			blocks.map(
				async (header) => await this.missing(header, logs, { head, blocks }).catch(valueIfLate),
			),
		);
		// The first of them, so that the blocks before it can be read.
		const late = missing.filter((one) => one instanceof LogsLate);
		const owed = late.find(({ isProvable }) => isProvable);
		if (owed) owe(this.proofs, { from: owed.block, to: range.to }, range);
		if (late[0]) return await Promise.reject(late[0]);
		return [...logs, ...(missing as readonly Logs[]).flat()];
	}

	/** The logs of the head. */
	async inBlock(header: Header): Promise<Logs> {
		const logs = await this.get({ blockHash: header.hash });
		const around = { head: header, blocks: [header] };
		return [...logs, ...(await this.missing(header, logs, around))];
	}

	private get proofs() {
		return this.chain.memory(logProofs);
	}

	/** The blocks that an index may not have yet, and those that one was late with. */
	private async toProve({ from, to }: BlockRange, head: Head): Promise<readonly Header[]> {
		const { owed } = this.proofs;
		const young = await firstYoung(this.chain, { from, to }, head);
		const first = owed.to < from ? young : Math.min(young, Math.max(from, owed.from));
		const headers = await headersBetween(this.chain, first, to);
		return headers.filter((header) => isIn(header.number, owed) || isYoung(header, head));
	}

	/** The logs of a block if none of them was found. */
	private async missing(header: Header, found: Logs, around: Around): Promise<Logs> {
		const logs = found.filter((log) => isOf(log, header.number));
		assertIn(header, logs);
		this.learn(header, logs);
		return logs.length > 0 || this.hasNone(header) ? [] : await this.proven(header, around);
	}

	private async proven(header: Header, around: Around): Promise<Logs> {
		let isProvable = false;
		for (const proof of this.proofsFor(header, around)) {
			const all = await undefinedIfRefused(proof);
			if (all) {
				const logs = all.filter((log) => matches(log, this.filter));
				this.learn(header, logs, all);
				return logs;
			}
			isProvable ||= all === null;
		}
		if (isYoung(header, around.head)) {
			throw new LogsLate(header.number, isProvable);
		}
		if (isProvable) this.giveUp(header);
		return [];
	}

	/** A range may be read more than once. */
	private giveUp({ hash, number }: Header): void {
		if (this.doubted.has(hash)) return;
		this.doubted.add(hash);
		this.doubt(number);
	}

	private hasNone({ json }: Header): boolean {
		const { blooms } = this.proofs;
		const bloom = bloomIn(json);
		if (!bloom || blooms === 'incomplete' || mayHold(bloom, this.filter)) return false;
		return blooms === 'used' || !isBlankBloom(bloom) || json.gasUsed === '0x0';
	}

	/** On some chains, blooms leave out the logs of the system; some gateways give blank ones now and then. */
	private learn({ json }: Header, logs: Logs, all = logs): void {
		const bloom = bloomIn(json);
		if (!bloom) return;
		if (!isBlankBloom(bloom)) {
			const isIncomplete = logs.length > 0 && !mayHold(bloom, this.filter);
			learned(this.proofs, isIncomplete ? 'incomplete' : 'used');
		} else if (all.length > 0 && json.gasUsed !== '0x0') learned(this.proofs, 'mixed');
	}

	private proofsFor(header: Header, around: Around): readonly Proof[] {
		const bloom = bloomIn(header.json);
		const isTelling = bloom && !isBlankBloom(bloom) && this.proofs.blooms !== 'incomplete';
		const receipts = async () => await this.logsOfReceipts(header);
		return isTelling
			? [async () => await this.allLogs(header, bloom), receipts]
			: [receipts, async () => await this.indexedLogs(header, around)];
	}

	private async allLogs({ hash }: Header, bloom: Buffer): Promise<Logs | null> {
		const logs = await readLogs(this.chain, { blockHash: hash });
		return bloomOf(logs).equals(bloom) ? logs : null;
	}

	/** Each transaction has a receipt. */
	private async logsOfReceipts({ number, hash, json }: Header): Promise<Logs | null | undefined> {
		const block = 'transactions' in json ? { hash, json } : await headerAt(this.chain, number);
		if (block?.hash !== hash) return null;
		const { transactions } = block.json;
		if (!Array.isArray(transactions)) return undefined;
		if (transactions.length === 0) return [];
		const answer = await this.chain.call('eth_getBlockReceipts', [hash]);
		const receipts = answer === null ? [] : listOfObjects('a list of receipts')(answer);
		if (receipts.length < transactions.length) return null;
		return receipts.flatMap(({ logs }) => listOfObjects('a list of logs')(logs));
	}

	/** An index that shows any log of the block, or one of a later block in the same answer, has all of them. */
	private async indexedLogs(header: Header, { blocks }: Around): Promise<Logs | undefined> {
		const logs = await readLogs(this.chain, { blockHash: header.hash });
		if (logs.length > 0) return logs;
		const next = blocks.filter(({ number }) => number > header.number).slice(0, NEXT_BLOCKS);
		const last = next.at(-1);
		if (!last) return undefined;
		const range = { fromBlock: hex(header.number), toBlock: hex(last.number) };
		const all = await readLogs(this.chain, range);
		const hashes = new Set(next.map(({ hash }) => hash));
		if (!all.some(({ blockHash }) => hashes.has(String(blockHash).toLowerCase()))) return undefined;
		const own = all.filter((log) => isOf(log, header.number));
		assertIn(header, own);
		return own;
	}

	private async get(where: object): Promise<Logs> {
		const logs = await searchLogs(this.chain, [this.filter], where);
		return logs.filter((log) => matches(log, this.filter));
	}
}

/** In so many blocks after one without a log, another is looked for. */
const NEXT_BLOCKS = 8;

async function valueIfLate(failure: unknown): Promise<LogsLate> {
	return failure instanceof LogsLate ? failure : await Promise.reject(failure);
}

async function undefinedIfRefused(proof: Proof): Promise<Logs | null | undefined> {
	try {
		return await proof();
	} catch (failure) {
		return isPermanent(failure) ? undefined : await Promise.reject(failure);
	}
}

function isIn(number: number, { from, to }: BlockRange): boolean {
	return number >= from && number <= to;
}

function isOf({ blockNumber }: ChainObject, block: number): boolean {
	return heightOf(blockNumber) === block;
}

/** The same number may be another block on another branch. */
function assertIn({ number, hash }: Header, logs: Logs): void {
	const isOther = logs.some(({ blockHash }) => String(blockHash).toLowerCase() !== hash);
	if (isOther) throw new ReorgDuringRead(number);
}
