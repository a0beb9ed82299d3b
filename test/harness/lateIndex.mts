import { createRandom } from './random.mts';
import { buildBloom } from '../../nodes/core/evm/follow/bloom';
import { buildBlock, type Answer, type Call, type FakeNode, numberToHex } from './fakeNode.mts';

export const TOKEN_ADDRESS = `0x${'70'.repeat(20)}`;
const OTHER_ADDRESS = `0x${'0e'.repeat(20)}`;
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const PARTY_TOPIC = `0x${'a1'.padStart(64, '0')}`;
const BLANK_BLOOM = `0x${'0'.repeat(512)}`;

/** The number of blocks a second on the fastest of the usual chains. */
const BLOCKS_PER_SECOND = 4;

/** The lag of a fast chain's node, and its means to prove that it does not lag. */
export interface LateIndex {
	/** The index of logs is behind the head by this many seconds of block time. */
	readonly seconds: number;
	/** The blooms of all blocks are right, blank or missing; or blank in the answers of some of the nodes. */
	readonly blooms: 'right' | 'blank' | 'missing' | 'mixed';
	/** Receipts are available at once, with the index, or not at all. */
	readonly receipts: 'there' | 'late' | 'refused';
}

/** The fake node, except that it has logs, which its index, its blooms and its receipts hide. Every third block has a transfer of its number, every third another log, the rest none. Above a fork the values differ. */
export function createLateIndex(
	node: FakeNode,
	lag: { -readonly [Key in keyof LateIndex]: LateIndex[Key] },
) {
	const random = createRandom(1);
	const timeOf = (number: number) => Math.floor(number / BLOCKS_PER_SECOND);
	const indexed = () => BLOCKS_PER_SECOND * (timeOf(node.height) - lag.seconds + 1) - 1;
	const valueOf = (number: number) => (number < node.fork ? number : number + 1_000_000);

	function logsIn(number: number) {
		if (number % 3 === 2 || number > node.height) return [];
		const { hash } = buildBlock(number, node.fork);
		const place = {
			blockNumber: numberToHex(number),
			blockHash: hash,
			transactionHash: `${hash}-`,
		};
		const topics = [TRANSFER_TOPIC, PARTY_TOPIC, PARTY_TOPIC];
		return [
			{
				...place,
				address: number % 3 === 0 ? TOKEN_ADDRESS : OTHER_ADDRESS,
				topics,
				logIndex: '0x0',
				transactionIndex: '0x0',
				data: `0x${valueOf(number).toString(16).padStart(64, '0')}`,
			},
		];
	}

	/** Many polls request the same block. */
	const blooms = new Map<string, string>();
	function bloomIn(number: number) {
		const { hash } = buildBlock(number, node.fork);
		const bloom = blooms.get(hash) ?? `0x${buildBloom(logsIn(number)).toString('hex')}`;
		blooms.set(hash, bloom);
		return bloom;
	}

	function headerOf(number: number) {
		const { logsBloom: _, ...block } = buildBlock(number, node.fork);
		const isBlank = lag.blooms === 'blank' || (lag.blooms === 'mixed' && random.upTo(1) === 1);
		return {
			...block,
			timestamp: numberToHex(timeOf(number)),
			gasUsed: '0x5208',
			transactions: [`${block.hash}-`],
			...(lag.blooms !== 'missing' && { logsBloom: isBlank ? BLANK_BLOOM : bloomIn(number) }),
		};
	}

	const numberOf = (hash: string) => Number(`0x${hash.replace(/^0x[bc]*/, '')}`);
	const isHere = (hash: string) => buildBlock(numberOf(hash), node.fork).hash === hash;

	const answers = {
		eth_call: () => '0x',
		eth_getBlockByNumber: ({ params: [asked] }: Call) => {
			const number = asked === 'latest' ? node.height : Number(asked);
			return number > node.height ? null : headerOf(number);
		},
		eth_getLogs: ({ params: [asked] }: Call) => {
			const { fromBlock, toBlock, blockHash, address } = asked as Record<string, string>;
			if (blockHash && !isHere(blockHash)) throw { code: -32000, message: 'unknown block' };
			const [from, to] = blockHash
				? [numberOf(blockHash), numberOf(blockHash)]
				: [Number(fromBlock), Number(toBlock)];
			const last = Math.min(to, indexed());
			const numbers = Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => from + at);
			const found = numbers.flatMap(logsIn);
			return address ? found.filter((log) => address.includes(log.address)) : found;
		},
		eth_getBlockReceipts: ({ params: [hash] }: Call) => {
			if (lag.receipts === 'refused') throw { code: -32601, message: 'no such method' };
			const isThere = lag.receipts === 'there' || numberOf(String(hash)) <= indexed();
			return isThere && isHere(String(hash)) ? [{ logs: logsIn(numberOf(String(hash))) }] : null;
		},
	} satisfies Record<string, Answer>;

	return {
		answers,
		headerOf,
		/** The values of all transfers after this block. */
		transfersAfter: (block: number) =>
			Array.from({ length: node.height - block }, (_, at) => block + 1 + at)
				.filter((number) => number % 3 === 0)
				.map(valueOf),
		/** Lets this many seconds pass on the chain. */
		pass: (seconds: number) => (node.height += seconds * BLOCKS_PER_SECOND),
	};
}
