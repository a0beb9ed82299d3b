import { keccak256, type Hex } from 'viem';

/** The fields of a log that a test sets. The chain adds the block, the transaction and the index. */
export interface LogContents {
	readonly address: string;
	readonly topics?: readonly string[];
	readonly data?: string;
	/** The index of the log. Some chains count it within the transaction instead of the block. */
	readonly logIndex?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** The content of a block. The time of a block is its number unless a time is given. */
export interface BlockContents {
	readonly time?: number;
	readonly transactions?: ReadonlyArray<Json & { readonly logs?: readonly LogContents[] }>;
	readonly traces?: ReadonlyArray<Json & { readonly action: Json }>;
}

/** Builds a block in which one transaction has all the given logs. */
export const withLogs = (...logs: readonly LogContents[]): BlockContents => ({
	transactions: [{ logs }],
});

/** The filter of a search for logs or traces. */
interface Search {
	readonly fromBlock?: string;
	readonly toBlock?: string;
	readonly blockHash?: string;
	readonly address?: string | readonly string[];
	readonly topics?: ReadonlyArray<string | readonly string[] | null>;
	readonly fromAddress?: readonly string[];
	readonly toAddress?: readonly string[];
	readonly after?: number;
	readonly count?: number;
}

export const numberToHex = (number: number | bigint): Hex => `0x${number.toString(16)}`;

const GAS_OF_A_TRANSACTION = 21_000;
const MARK = 'b'.repeat(8);

/** Builds the hash of a block. The hash contains the number and the branch of the block. */
export const buildHash = (number: number, branch = 0) =>
	number < 0
		? `0x${'0'.repeat(64)}`
		: `0x${MARK}${MARK}${branch.toString(16).padStart(16, '0')}${number.toString(16).padStart(32, '0')}`;

/**
 * Builds the hash of a transaction: the hash of its block, with the index of the transaction in place of the first
 * digits.
 */
export const buildTransactionHash = (blockHash: string, index: number) =>
	`0x${index.toString(16).padStart(MARK.length, '0')}${blockHash.slice(2 + MARK.length)}`;

/** Returns whether each value is one of the wanted values at the same position. An empty position accepts any value. */
const fits = (values: readonly unknown[], wanted: readonly unknown[]) =>
	wanted
		.map((some): unknown[] => [some ?? []].flat())
		.every((some, at) => some.length === 0 || some.includes(values[at]));

const bloomBits = new Map<string, bigint>();

/**
 * Returns the bits that an address or a topic sets in a bloom. Three pairs of bytes of its hash name three of the 2,048
 * bits.
 */
function getBloomBits(value: string): bigint {
	const known = bloomBits.get(value);
	if (known !== undefined) return known;
	const hash = keccak256(value as Hex);
	const bits = [2, 6, 10]
		.map((at) => 1n << BigInt(`0x${hash.slice(at, at + 4)}`) % 2048n)
		.reduce((all, one) => all | one);
	bloomBits.set(value, bits);
	return bits;
}

/** Builds the bloom of logs. The code is independent of the nodes, whose code reads blooms. */
export function buildBloom(logs: readonly LogContents[]): Hex {
	const values = logs.flatMap(({ address, topics = [] }) => [address, ...topics]);
	const bits = values.reduce((all, value) => all | getBloomBits(value), 0n);
	return `0x${bits.toString(16).padStart(512, '0')}`;
}

/**
 * An EVM chain in memory that answers like an honest node.
 * Each block is computed from its number and branch and none is stored, so a chain of millions of blocks costs nothing.
 */
export class EvmChain {
	height = 10;
	/**
	 * The forks of the chain. Each number is the first block of a new branch, which replaces all blocks from there on.
	 */
	forks: readonly number[] = [];

	constructor(public contentsOf: (number: number, branch: number) => BlockContents = () => ({})) {}

	/** Replaces the block `first` and all later blocks by the blocks of a new branch. */
	reorganize(first: number, height = this.height): void {
		this.forks = [...this.forks, first];
		this.height = height;
	}

	/** Builds the block with this number, even if it is above the newest block. */
	buildBlock(number: number, branch = this.branchOf(number)) {
		const { time = number, transactions = [] } = this.contentsOf(number, branch);
		const hash = buildHash(number, branch);
		return {
			number: numberToHex(number),
			hash,
			parentHash: buildHash(number - 1, this.branchOf(number - 1, branch)),
			timestamp: numberToHex(time),
			logsBloom: buildBloom(transactions.flatMap(({ logs = [] }) => logs)),
			gasUsed: numberToHex(transactions.length * GAS_OF_A_TRANSACTION),
			transactions: transactions.map((_, index): unknown => buildTransactionHash(hash, index)),
		};
	}

	logsIn(number: number, branch?: number) {
		return this.receiptsIn(number, branch).flatMap(({ logs }) => logs);
	}

	tracesIn(number: number, branch = this.branchOf(number)) {
		const { traces = [] } = this.contentsOf(number, branch);
		const blockHash = buildHash(number, branch);
		return traces.map((trace) => ({
			blockNumber: number,
			blockHash,
			transactionHash: buildTransactionHash(blockHash, Number(trace.transactionPosition ?? 0)),
			...trace,
		}));
	}

	/** Returns the answer to a call. If the chain refuses the call, it throws a JSON-RPC error. */
	call(method: string, params: readonly unknown[]): unknown {
		const answers: Readonly<Record<string, (...params: readonly never[]) => unknown>> = {
			eth_chainId: () => '0x1',
			eth_blockNumber: () => numberToHex(this.height),
			// No account has code.
			eth_call: () => '0x',
			eth_getBlockByNumber: (block: string, isFull: boolean) =>
				this.getBlock(this.parseBlock(block), isFull),
			eth_getBlockByHash: (hash: string, isFull: boolean) => this.getBlock(this.find(hash), isFull),
			eth_getLogs: (search: Search) => this.getLogs(search),
			eth_getBlockReceipts: (hash: string) => this.getReceipts(hash),
			eth_getTransactionReceipt: (hash: string) =>
				this.getReceipts(`0x${MARK}${hash.slice(2 + MARK.length)}`)?.[Number(hash.slice(0, 10))],
			eth_getTransactionCount: (account: string, block: string) =>
				numberToHex(this.countTransactions(account, this.parseBlock(block))),
			trace_filter: (search: Search) => this.getTraces(search),
		};
		const answer = answers[method];
		if (!answer) throw { code: -32601, message: `the method ${method} does not exist` };
		return answer(...(params as readonly never[])) ?? null;
	}

	/**
	 * Returns the branch that a block belongs to. It is the number of the latest fork at or below the block, or 0 before
	 * the first fork.
	 */
	private branchOf(number: number, branches = this.forks.length): number {
		return this.forks.slice(0, branches).findLastIndex((first) => first <= number) + 1;
	}

	private receiptsIn(number: number, branch = this.branchOf(number)) {
		const { transactions = [] } = this.contentsOf(number, branch);
		let logIndex = 0;
		return transactions.map(({ logs = [] }, index) => {
			const blockHash = buildHash(number, branch);
			const place = {
				blockNumber: numberToHex(number),
				blockHash,
				transactionHash: buildTransactionHash(blockHash, index),
				transactionIndex: numberToHex(index),
			};
			const buildLog = ({ topics = [], data = '0x', ...log }: LogContents) => {
				return { ...place, topics, data, logIndex: numberToHex(logIndex++), ...log };
			};
			return { ...place, status: '0x1', logs: logs.map(buildLog) };
		});
	}

	private getBlock(number: number | undefined, isFull: boolean) {
		if (number === undefined) return null;
		const block = this.buildBlock(number);
		const { transactions = [] } = this.contentsOf(number, this.branchOf(number));
		const all = transactions.map(({ logs: _, ...one }, at) => ({
			hash: block.transactions[at],
			...one,
		}));
		return isFull ? { ...block, transactions: all } : block;
	}

	private getLogs({ blockHash, fromBlock, toBlock, address, topics = [] }: Search) {
		const numbers = blockHash ? [this.find(blockHash)] : this.listBlocks(fromBlock, toBlock);
		const logs = numbers.flatMap((number) => {
			if (number === undefined) throw { code: -32000, message: 'unknown block' };
			return this.logsIn(number);
		});
		return logs.filter((log) => fits([log.address, ...log.topics], [address, ...topics]));
	}

	private getReceipts(blockHash: string) {
		const number = this.find(blockHash);
		return number === undefined ? null : this.receiptsIn(number);
	}

	/**
	 * Returns one more than the nonce of the latest transaction of the account, which is the number of its transactions.
	 */
	private countTransactions(account: string, last = -1): number {
		for (let number = last; number >= 0; number--) {
			const { transactions = [] } = this.contentsOf(number, this.branchOf(number));
			const sent = transactions.findLast(({ from }) => from === account);
			if (sent) return Number(sent.nonce) + 1;
		}
		return 0;
	}

	private getTraces({ fromBlock = '0x0', toBlock, ...search }: Search) {
		const { fromAddress, toAddress, after = 0, count = Infinity } = search;
		return this.listBlocks(fromBlock, toBlock)
			.flatMap((number) => this.tracesIn(number))
			.filter(({ action: { from, to } }) => fits([from, to], [fromAddress, toAddress]))
			.slice(after, after + count);
	}

	/** Lists the numbers of the blocks in a range, up to the newest block. */
	private listBlocks(from = 'latest', to = 'latest'): number[] {
		const numberOf = (end: string) => (end === 'latest' ? this.height : Number(end));
		const first = numberOf(from);
		const length = Math.max(0, Math.min(numberOf(to), this.height) - first + 1);
		return Array.from({ length }, (_, at) => first + at);
	}

	/**
	 * Returns the number of a block. The pending block is the one above the newest block; higher blocks give undefined.
	 */
	private parseBlock(block: string): number | undefined {
		if (block === 'pending') return this.height + 1;
		const number = block === 'latest' ? this.height : Number(block);
		return number <= this.height ? number : undefined;
	}

	/** Returns the number of the block with this hash, or undefined if the current branch does not contain the block. */
	private find(hash: string): number | undefined {
		const number = this.parseBlock(`0x${hash.slice(-32)}`) ?? -1;
		return buildHash(number, this.branchOf(number)) === hash ? number : undefined;
	}
}

export type Block = ReturnType<EvmChain['buildBlock']>;
export type Log = ReturnType<EvmChain['logsIn']>[number];
