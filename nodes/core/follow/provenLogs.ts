import type { Topic } from '../abi/event';
import {
	headerAt,
	headersBetween,
	heightOf,
	hex,
	LONGEST_LAG,
	NodeLagging,
	ReorgDuringRead,
	type BlockRange,
	type Header,
} from '../chain/blocks';
import { readLogs, searchLogs, type LogFilter } from '../chain/logs';
import { listOfObjects, type ChainObject } from '../chain/objects';
import { isPermanent } from '../errors/requestFailure';
import type { Caller } from '../rpc/chain';
import { keccak256 } from '../values/keccak';

/** Where nothing can prove that a block has none of the logs, so many others must follow it first. */
const UNPROVEN_DELAY = 3;

type Logs = readonly ChainObject[];

/** All logs of a block, null if the node does not have all of them yet, undefined if it never tells. */
type Proof = () => Promise<Logs | null | undefined>;

/**
 * The logs that a filter lets through. That a node gives none is no proof that there are none: its index may be behind
 * its head. The block's bloom can prove it; where it leaves room for doubt, all logs of the block or its receipts do.
 */
export class ProvenLogs {
	/** How far to stay behind the head. */
	distance = 0;
	/** Blooms of nothing but zeros come from chains that have none, too. */
	private blooms: 'unseen' | 'used' | 'incomplete' = 'unseen';
	private readonly doubtful = new Set<number>();

	constructor(
		private readonly chain: Caller,
		private readonly filter: LogFilter,
		/** Hears of a block whose logs may be missing for good. */
		private readonly doubt: (block: number) => void,
	) {}

	/** The logs of some blocks. Those so far below the head that no index is still behind need no proof. */
	async between({ from, to }: BlockRange, head: number): Promise<Logs> {
		const found = await this.get({ fromBlock: hex(from), toBlock: hex(to) });
		const logs = found.filter(({ blockNumber }) => isIn(heightOf(blockNumber), from, to));
		const young = Math.max(from, head - LONGEST_LAG + 1);
		this.settle({ from, to: Math.min(to, young - 1) }, logs);
		const headers = await headersBetween(this.chain, young, to);
		const late = headers.map(async (header) => await this.missing(header, logs, head));
		return [...logs, ...(await Promise.all(late)).flat()];
	}

	/** The logs of the head. */
	async inBlock(header: Header): Promise<Logs> {
		const logs = await this.get({ blockHash: header.hash });
		return [...logs, ...(await this.missing(header, logs, header.number))];
	}

	/** The logs of a block if none of them was found. */
	private async missing(header: Header, found: Logs, head: number): Promise<Logs> {
		const logs = found.filter((log) => isOf(log, header.number));
		this.learn(header, logs.length > 0);
		if (logs.some(({ blockHash }) => String(blockHash).toLowerCase() !== header.hash)) {
			throw new ReorgDuringRead(header.number);
		}
		return logs.length > 0 || this.hasNone(header) ? [] : await this.proven(header, head);
	}

	private async proven(header: Header, head: number): Promise<Logs> {
		let isPossible = false;
		for (const proof of this.proofsFor(header)) {
			const all = await nothingIfRefused(proof);
			if (all) return all.filter((log) => matches(log, this.filter));
			isPossible ||= all === null;
		}
		this.distance = isPossible ? 0 : UNPROVEN_DELAY;
		if (!isPossible && header.number <= head - UNPROVEN_DELAY) return [];
		if (isPossible) this.doubtful.add(header.number);
		throw new NodeLagging(header.number, 'with all its logs');
	}

	private hasNone({ json }: Header): boolean {
		const bloom = bloomIn(json);
		if (!bloom || this.blooms === 'incomplete' || mayHold(bloom, this.filter)) return false;
		return this.blooms === 'used' || !isBlankBloom(bloom) || json.gasUsed === '0x0';
	}

	/** On some chains, blooms leave out the logs of the system. */
	private learn({ json }: Header, isFound: boolean): void {
		const bloom = bloomIn(json);
		if (!bloom || isBlankBloom(bloom) || this.blooms === 'incomplete') return;
		this.blooms = isFound && !mayHold(bloom, this.filter) ? 'incomplete' : 'used';
	}

	private proofsFor(header: Header): readonly Proof[] {
		const bloom = bloomIn(header.json);
		const isTelling = bloom && !isBlankBloom(bloom) && this.blooms !== 'incomplete';
		const receipts = async () => await this.logsOfReceipts(header);
		return isTelling ? [async () => await this.allLogs(header, bloom), receipts] : [receipts];
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

	/** Blocks that could not be proven while they were young are taken as they are, but not in silence. */
	private settle({ from, to }: BlockRange, logs: Logs): void {
		for (const block of [...this.doubtful].filter((one) => one <= to)) {
			this.doubtful.delete(block);
			if (block >= from && !logs.some((log) => isOf(log, block))) this.doubt(block);
		}
	}

	private async get(where: object): Promise<Logs> {
		const logs = await searchLogs(this.chain, [this.filter], where);
		return logs.filter((log) => matches(log, this.filter));
	}
}

async function nothingIfRefused(proof: Proof): Promise<Logs | null | undefined> {
	try {
		return await proof();
	} catch (failure) {
		return isPermanent(failure) ? undefined : await Promise.reject(failure);
	}
}

function isIn(number: number, from: number, to: number): boolean {
	return number >= from && number <= to;
}

function isOf({ blockNumber }: ChainObject, block: number): boolean {
	return heightOf(blockNumber) === block;
}

const BYTES = 256;

/** The logsBloom of a block's header: it says which logs the block can't have. Undefined if there is none. */
export function bloomIn({ logsBloom }: ChainObject): Buffer | undefined {
	const isWhole = typeof logsBloom === 'string' && /^0x[0-9a-f]{512}$/i.test(logsBloom);
	return isWhole ? Buffer.from(logsBloom.slice(2), 'hex') : undefined;
}

export function isBlankBloom(bloom: Buffer): boolean {
	return bloom.every((byte) => byte === 0);
}

/** Whether a block with this bloom can have logs that the filter lets through. */
export function mayHold(bloom: Buffer, filter: LogFilter): boolean {
	if (isBlankBloom(bloom)) return false;
	return alternatives(filter).every(
		(values) => values.length === 0 || values.some((value) => holds(bloom, value)),
	);
}

/** The bloom of a block that has these logs and no others. */
export function bloomOf(logs: readonly ChainObject[]): Buffer {
	const bloom = Buffer.alloc(BYTES);
	const values = logs.flatMap(({ address, topics }) => [
		address,
		...(Array.isArray(topics) ? (topics as unknown[]) : []),
	]);
	for (const value of new Set(values.map(String))) {
		for (const { byte, bit } of bitsOf(value)) bloom[byte] = (bloom[byte] ?? 0) | bit;
	}
	return bloom;
}

function holds(bloom: Buffer, value: string): boolean {
	return bitsOf(value).every(({ byte, bit }) => ((bloom[byte] ?? 0) & bit) !== 0);
}

/** Each address and each topic sets three bits, which its hash names. */
function bitsOf(value: string) {
	const hash = keccak256(Buffer.from(value.slice(2), 'hex'));
	return [0, 2, 4].map((at) => {
		const position = hash.readUInt16BE(at) % (BYTES * 8);
		return { byte: BYTES - 1 - (position >> 3), bit: 1 << (position & 7) };
	});
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

/** The values of which a log must have one, position by position; the address counts as the first. */
function alternatives({ addresses, topics }: LogFilter): ReadonlyArray<readonly string[]> {
	return [addresses, ...topics.map(valuesOf)];
}

/** No values at all let everything through. */
function valuesOf(topic: Topic): readonly string[] {
	if (topic === null) return [];
	if (typeof topic === 'string') return [topic];
	return topic.every((one) => one !== null) ? topic : [];
}
