import type { RpcReader } from '../../chain/reader';
import type { JsonObject } from '../../values/json';
import { rethrow } from '../../values/parse';
import { NodeLagging } from '../../errors/nodeLagging';
import {
	readFirstRecent,
	readHeader,
	readHeaders,
	parseBlockNumber,
	isRecent,
	MAX_INDEX_LAG,
	type Header,
} from '../blocks';
import { numberToHex } from '../../values/numbers';
import { matchesFilter, readLogs, searchLogs, type LogFilter } from '../logs';
import { objectListParser } from '../chainObjects';
import { isPermanent, RequestFailure } from '../../errors/requestFailure';
import { ReorgDuringRead, type BlockRange, type Head } from '../../chain/blocks';
import {
	addUnproven,
	buildBloom,
	isBlankBloom,
	mayContainLogs,
	parseBloom,
	PROOF_STATE,
	raiseTrust,
} from './logProofs';

type Logs = readonly JsonObject[];

/** The logs of a block at the node: all of them (`whole`), too few (`incomplete`), or not known to be all (`unknown`). */
type ProofResult =
	| { readonly kind: 'whole'; readonly logs: Logs }
	| { readonly kind: 'incomplete' }
	| { readonly kind: 'unknown' };

type LogProof = () => Promise<ProofResult>;

const INCOMPLETE: ProofResult = { kind: 'incomplete' };
const UNKNOWN: ProofResult = { kind: 'unknown' };

/** The latest block, from which ages are counted, and the blocks that are read together, in order. */
interface BlocksRead {
	readonly head: Head;
	readonly blocks: readonly Header[];
}

/** Is thrown if the node's index of logs may not have all logs of a block yet. */
export class LogsLate extends NodeLagging {
	constructor(
		block: number,
		/** False if nothing on the node could prove that it has all logs of the block. */
		readonly isProvable: boolean,
	) {
		super(block, 'with all its logs');
	}
}

/** Is thrown if the node's index of logs has no logs for blocks that it should have by now. */
export class LogsMissing extends RequestFailure {
	constructor(blocks: readonly number[]) {
		const [first, ...others] = [...blocks].sort((a, b) => a - b);
		const last = others.at(-1);
		const rest = last === undefined ? '' : `, and of ${others.length} others,`;
		const range = last === undefined ? `block ${first}` : `the blocks ${first} to ${last}`;
		super(`Logs of block ${first}${rest} may be missing`, {
			description: `A block header shows whether the block may have logs. Here it may, but the chain node returned none, and still none ${MAX_INDEX_LAG.seconds} seconds and ${MAX_INDEX_LAG.blocks} blocks later. The trigger goes on with later blocks. To find the logs, search ${range} with Log: Get Many of Chain EVM RPC.`,
		});
	}
}

/**
 * Reads the logs that match a filter, and proves that none is missing, because a node's index of logs may be late. The
 * bloom of a block can prove it; in doubt, all logs of the block or its receipts do.
 */
export class ProvenLogs {
	private readonly doubtedBlocks = new Set<string>();

	constructor(
		private readonly reader: RpcReader,
		private readonly filter: LogFilter,
		/** Reports a block whose logs may be missing for good. */
		private readonly reportDoubt: (block: number) => void,
	) {}

	/** Reads the logs of a range of blocks. Old blocks need no proof, because every node has their logs. */
	async readBetween(range: BlockRange, head: Head): Promise<Logs> {
		const found = await this.searchMatching({
			fromBlock: numberToHex(range.from),
			toBlock: numberToHex(range.to),
		});
		const logs = found.filter(({ blockNumber }) => isInRange(parseBlockNumber(blockNumber), range));
		const blocks = await this.readBlocksToProve(range, head);
		const missing = await Promise.all(
			blocks.map(
				async (header) => await this.readMissing(header, logs, { head, blocks }).catch(lateAsValue),
			),
		);
		// The error is about the first late block, so that the blocks before it can be read.
		const late = missing.filter((one) => one instanceof LogsLate);
		const unproven = late.find(({ isProvable }) => isProvable);
		if (unproven) addUnproven(this.proofs, { from: unproven.block, to: range.to }, range);
		if (late[0]) return rethrow(late[0]);
		return [...logs, ...(missing as readonly Logs[]).flat()];
	}

	/** The logs of the head. */
	async readInBlock(header: Header): Promise<Logs> {
		const logs = await this.searchMatching({ blockHash: header.hash });
		const around = { head: header, blocks: [header] };
		return [...logs, ...(await this.readMissing(header, logs, around))];
	}

	private get proofs() {
		return this.reader.shared(PROOF_STATE);
	}

	/**
	 * Reads the headers of blocks whose logs the node's index may lack: recent blocks, and blocks whose logs were late
	 * before.
	 */
	private async readBlocksToProve(
		{ from, to }: BlockRange,
		head: Head,
	): Promise<readonly Header[]> {
		const { unproven } = this.proofs;
		const young = await readFirstRecent(this.reader, { from, to }, head);
		const first = unproven.to < from ? young : Math.min(young, Math.max(from, unproven.from));
		const headers = await readHeaders(this.reader, first, to);
		return headers.filter((header) => isInRange(header.number, unproven) || isRecent(header, head));
	}

	/** Reads the logs of a block again if no log of it was found, unless the bloom in its header proves that there are none. */
	private async readMissing(header: Header, found: Logs, around: BlocksRead): Promise<Logs> {
		const logs = found.filter((log) => isOfBlock(log, header.number));
		checkSameBlock(header, logs);
		this.updateTrust(header, logs);
		return logs.length > 0 || this.provesNone(header) ? [] : await this.readProven(header, around);
	}

	private async readProven(header: Header, around: BlocksRead): Promise<Logs> {
		let isProvable = false;
		for (const proof of this.getProofs(header, around)) {
			const result = await unknownIfRefused(proof);
			if (result.kind === 'whole') {
				const logs = result.logs.filter((log) => matchesFilter(log, this.filter));
				this.updateTrust(header, logs, result.logs);
				return logs;
			}
			isProvable ||= result.kind === 'incomplete';
		}
		if (isRecent(header, around.head)) {
			throw new LogsLate(header.number, isProvable);
		}
		if (isProvable) this.reportMissing(header);
		return [];
	}

	/** Reports a block once, even if its range is read several times. */
	private reportMissing({ hash, number }: Header): void {
		if (this.doubtedBlocks.has(hash)) return;
		this.doubtedBlocks.add(hash);
		this.reportDoubt(number);
	}

	private provesNone({ json }: Header): boolean {
		const { blooms } = this.proofs;
		const bloom = parseBloom(json);
		if (!bloom || blooms === 'incomplete' || mayContainLogs(bloom, this.filter)) return false;
		return blooms === 'used' || !isBlankBloom(bloom) || json.gasUsed === '0x0';
	}

	/**
	 * Notes what a block shows about the blooms of the node. On some chains they leave out logs of the system, and some
	 * gateways return empty blooms.
	 */
	private updateTrust({ json }: Header, logs: Logs, all = logs): void {
		const bloom = parseBloom(json);
		if (!bloom) return;
		if (!isBlankBloom(bloom)) {
			const isIncomplete = logs.length > 0 && !mayContainLogs(bloom, this.filter);
			raiseTrust(this.proofs, isIncomplete ? 'incomplete' : 'used');
		} else if (all.length > 0 && json.gasUsed !== '0x0') raiseTrust(this.proofs, 'mixed');
	}

	private getProofs(header: Header, around: BlocksRead): readonly LogProof[] {
		const bloom = parseBloom(header.json);
		const isDecisive = bloom && !isBlankBloom(bloom) && this.proofs.blooms !== 'incomplete';
		const receipts = async () => await this.readLogsOfReceipts(header);
		return isDecisive
			? [async () => await this.readAllLogs(header, bloom), receipts]
			: [receipts, async () => await this.readIndexedLogs(header, around)];
	}

	private async readAllLogs({ hash }: Header, bloom: Buffer): Promise<ProofResult> {
		const logs = await readLogs(this.reader, { blockHash: hash });
		return buildBloom(logs).equals(bloom) ? { kind: 'whole', logs } : INCOMPLETE;
	}

	/** Each transaction has a receipt. */
	private async readLogsOfReceipts({ number, hash, json }: Header): Promise<ProofResult> {
		const block = 'transactions' in json ? { hash, json } : await readHeader(this.reader, number);
		if (block?.hash !== hash) return INCOMPLETE;
		const { transactions } = block.json;
		if (!Array.isArray(transactions)) return UNKNOWN;
		if (transactions.length === 0) return { kind: 'whole', logs: [] };
		const answer = await this.reader.call('eth_getBlockReceipts', [hash]);
		const receipts = answer === null ? [] : objectListParser('a list of receipts')(answer);
		if (receipts.length < transactions.length) return INCOMPLETE;
		const logs = receipts.flatMap((receipt) => objectListParser('a list of logs')(receipt.logs));
		return { kind: 'whole', logs };
	}

	/**
	 * Reads the logs of a block from the node's index. They are complete if there is a log of the block, or of a later
	 * block in the same answer.
	 */
	private async readIndexedLogs(header: Header, { blocks }: BlocksRead): Promise<ProofResult> {
		const logs = await readLogs(this.reader, { blockHash: header.hash });
		if (logs.length > 0) return { kind: 'whole', logs };
		const next = blocks.filter(({ number }) => number > header.number).slice(0, MAX_NEXT_BLOCKS);
		const last = next.at(-1);
		if (!last) return UNKNOWN;
		const range = { fromBlock: numberToHex(header.number), toBlock: numberToHex(last.number) };
		const all = await readLogs(this.reader, range);
		const hashes = new Set(next.map(({ hash }) => hash));
		if (!all.some(({ blockHash }) => hashes.has(String(blockHash).toLowerCase()))) return UNKNOWN;
		const own = all.filter((log) => isOfBlock(log, header.number));
		checkSameBlock(header, own);
		return { kind: 'whole', logs: own };
	}

	private async searchMatching(where: object): Promise<Logs> {
		const logs = await searchLogs(this.reader, [this.filter], where);
		return logs.filter((log) => matchesFilter(log, this.filter));
	}
}

/** How many later blocks are searched for a log. A log of a later block shows that the node's index has passed the block without logs. */
const MAX_NEXT_BLOCKS = 8;

async function lateAsValue(failure: unknown): Promise<LogsLate> {
	return failure instanceof LogsLate ? failure : rethrow(failure);
}

async function unknownIfRefused(proof: LogProof): Promise<ProofResult> {
	try {
		return await proof();
	} catch (failure) {
		return isPermanent(failure) ? UNKNOWN : rethrow(failure);
	}
}

function isInRange(number: number, { from, to }: BlockRange): boolean {
	return number >= from && number <= to;
}

function isOfBlock({ blockNumber }: JsonObject, block: number): boolean {
	return parseBlockNumber(blockNumber) === block;
}

/** Throws if a log is of another block with the same number, as after a reorganization. */
function checkSameBlock({ number, hash }: Header, logs: Logs): void {
	const isOther = logs.some(({ blockHash }) => String(blockHash).toLowerCase() !== hash);
	if (isOther) throw new ReorgDuringRead(number);
}
