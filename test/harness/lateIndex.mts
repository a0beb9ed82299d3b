import { deposit } from './accountKey.mts';
import { createRandom } from './random.mts';
import { withLogs, type Block, type Log, type LogContents } from './evmChain.mts';
import type { Answer, FakeNode } from './fakeNode.mts';

export const TOKEN_ADDRESS = `0x${'70'.repeat(20)}`;
const OTHER_ADDRESS = `0x${'0e'.repeat(20)}`;
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The log topic of an address that belongs to the account key of the tests. */
const PARTY_TOPIC = `0x${deposit(1).slice(2).padStart(64, '0')}`;
const BLANK_BLOOM = `0x${'0'.repeat(512)}`;

/** The number of blocks per second on the fastest of the common chains. */
const BLOCKS_PER_SECOND = 4;

/** The lag of a node of a fast chain, and the answers by which the node could prove that it is up to date. */
export interface LateIndex {
	/** The number of seconds, in block time, by which the index of logs is behind the newest block. */
	readonly seconds: number;
	/** The blooms in blocks: right, blank, missing, or blank in only some of the answers. */
	readonly blooms: 'right' | 'blank' | 'missing' | 'mixed';
	/** When receipts are available: at once, together with the index, or never. */
	readonly receipts: 'there' | 'late' | 'refused';
}

/**
 * Makes a node lag. In its chain, every third block has a transfer, every third block has another log, and the other
 * blocks are empty.
 * The value of a log depends on its block and its branch. The node hides what its index, blooms and receipts do not
 * have yet.
 */
export function createLateIndex(
	node: FakeNode,
	lag: { -readonly [Key in keyof LateIndex]: LateIndex[Key] },
) {
	const random = createRandom(1);
	const timeOf = (number: number) => Math.floor(number / BLOCKS_PER_SECOND);
	const valueOf = (number: number, branch: number) => number + branch * 1_000_000;
	node.contentsOf = (number, branch) => ({
		time: timeOf(number),
		...withLogs(...(number % 3 === 2 ? [] : [logOf(number % 3 === 0, valueOf(number, branch))])),
	});

	function isIndexed(number: number) {
		return timeOf(number) <= timeOf(node.height) - lag.seconds;
	}

	function hideBloom({ logsBloom, ...block }: Block) {
		const isBlank = lag.blooms === 'blank' || (lag.blooms === 'mixed' && random.upTo(1) === 1);
		return {
			...block,
			...(lag.blooms !== 'missing' && { logsBloom: isBlank ? BLANK_BLOOM : logsBloom }),
		};
	}

	const answers = {
		eth_getBlockByNumber: (call) => {
			const block = node.truth(call) as Block | null;
			return block && hideBloom(block);
		},
		eth_getLogs: (call) =>
			(node.truth(call) as Log[]).filter(({ blockNumber }) => isIndexed(Number(blockNumber))),
		eth_getBlockReceipts: (call) => {
			if (lag.receipts === 'refused') throw { code: -32601, message: 'no such method' };
			const receipts = node.truth(call) as Log[] | null;
			const isThere = lag.receipts === 'there' || isIndexed(Number(receipts?.[0]?.blockNumber));
			return isThere ? receipts : null;
		},
	} satisfies Record<string, Answer>;

	return {
		answers,
		headerOf: (number: number) => hideBloom(node.buildBlock(number)),
		/** Returns the values of all transfers after a block. */
		transfersAfter: (block: number) =>
			Array.from({ length: node.height - block }, (_, at) => node.logsIn(block + 1 + at))
				.flat()
				.filter(({ address }) => address === TOKEN_ADDRESS)
				.map(({ data }) => Number(data)),
		/** Lets a number of seconds pass on the chain. */
		pass: (seconds: number) => (node.height += seconds * BLOCKS_PER_SECOND),
	};
}

function logOf(isTransfer: boolean, value: number): LogContents {
	return {
		address: isTransfer ? TOKEN_ADDRESS : OTHER_ADDRESS,
		topics: [TRANSFER_TOPIC, PARTY_TOPIC, PARTY_TOPIC],
		data: `0x${value.toString(16).padStart(64, '0')}`,
	};
}
