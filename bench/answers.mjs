const toWord = (value) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;

/** Builds a block without transactions, in the form of a current node. */
export function buildBlock(tag) {
	const number = tag === 'latest' ? '0x1' : tag;
	return {
		number,
		hash: toWord(number),
		parentHash: toWord(BigInt(number) - 1n),
		timestamp: '0x69000000',
		gasLimit: '0x1c9c380',
		gasUsed: '0x5208',
		baseFeePerGas: '0x3b9aca00',
		miner: `0x${'11'.repeat(20)}`,
		size: '0x220',
		difficulty: '0x0',
		extraData: '0x',
		logsBloom: `0x${'00'.repeat(256)}`,
		stateRoot: toWord(2),
		receiptsRoot: toWord(3),
		transactionsRoot: toWord(4),
		transactions: [],
	};
}

const PROJECT_COUNT = 20_000;
const PAGE_ROWS = 100;

export function buildProjectPage(query, origin) {
	const page = Number(query.get('page') ?? 1);
	const results = Array.from({ length: PAGE_ROWS }, (_, index) => ({
		id: `PR-${(page - 1) * PAGE_ROWS + index}`,
		name: `Project ${index}`,
		type: 'public',
		networks: 2,
		created_at: '2026-01-01T00:00:00Z',
		creator: { id: 'UR-1', email: 'a@example.com', first_name: 'A', last_name: 'B' },
	}));
	const next = page * PAGE_ROWS < PROJECT_COUNT ? `${origin}/v1/projects/?page=${page + 1}` : null;
	return { count: PROJECT_COUNT, next, previous: null, results };
}

const TRACE_COUNT = 100_000;
const PARTY_ADDRESS = `0x${'22'.repeat(20)}`;

export function buildTraces({ after = 0, count = TRACE_COUNT }) {
	const length = Math.max(0, Math.min(count, TRACE_COUNT - after));
	return Array.from({ length }, (_, index) => ({
		action: {
			from: PARTY_ADDRESS,
			to: PARTY_ADDRESS,
			callType: 'call',
			gas: '0x0',
			input: '0x',
			value: '0x1',
		},
		blockHash: toWord(1),
		blockNumber: 1 + Math.floor((after + index) / 100),
		result: { gasUsed: '0x0', output: '0x' },
		subtraces: 0,
		traceAddress: [],
		transactionHash: toWord(after + index),
		transactionPosition: (after + index) % 100,
		type: 'call',
	}));
}
