import { RequestFailure } from '../../nodes/core/errors/requestFailure';
import { readMadePayments } from '../../nodes/core/stark/madePayments';
import { createStarkNode } from '../../nodes/core/stark/reader';
import { createRandom } from '../harness/random.mts';
import { padFelt, type StarkCall } from '../harness/starkChain.mts';
import { openStarkNode } from '../sandbox/support/starkNode.mts';
import { createChain } from '../unit/support/chains.mts';
import { createShared } from '../../nodes/core/net/pacing/shared';

/**
 * These tests list payments on the sandbox's rollup: in an old and a new kind of token, and in the token of the
 * fees.
 */

const stark = openStarkNode();
const TOKENS = ['newToken', 'oldToken', 'strk'] as const;
type TokenName = (typeof TOKENS)[number];

interface Paid {
	readonly to: string;
	readonly token: string | null;
	readonly value: bigint;
}

type Change = (
	method: string,
	params: readonly unknown[],
	truth: () => Promise<unknown>,
) => unknown;

function openNode(change: Change = async (_method, _params, truth) => await truth()) {
	const methods: string[] = [];
	const chain = createChain(async (method, params) => {
		methods.push(method);
		return await change(method, params, async () => {
			const { result, error } = await stark.ask(method, params);
			if (error) throw new RequestFailure(error.message, { answer: error });
			return result;
		});
	}, createShared());
	return { node: createStarkNode(chain, 'starknet'), methods };
}

const read = async (since: number, { node } = openNode()) =>
	await readMadePayments(node, padFelt(stark.accountOf(0)), {
		since,
		tokens: [stark.contractOf('newToken'), stark.contractOf('oldToken')].map(padFelt),
	});

const paying = (name: TokenName, receiver: number, value: number) => ({
	call: {
		to: stark.contractOf(name),
		function: 'transfer',
		calldata: [stark.accountOf(receiver), `0x${value.toString(16)}`, '0x0'],
	} satisfies StarkCall,
	paid: {
		to: padFelt(stark.accountOf(receiver)),
		token: padFelt(stark.contractOf(name)),
		value: BigInt(value),
	},
});

/** Returns the time of the latest block in milliseconds. */
async function now(): Promise<number> {
	const { timestamp } = await stark.read<{ timestamp: number }>('getBlockWithTxHashes', 'latest');
	return timestamp * 1000;
}

const format = ({ hash, to, token, value }: Paid & { hash: string }) =>
	[hash, to, token, value].join(' ');
const sorted = (payments: ReadonlyArray<Paid & { hash: string }>) => payments.map(format).sort();

test.each(['0.8', '0.10'])(
	'of random payments, exactly those in the window are found, and neither fees nor what failed: version %s',
	async (version) => {
		await stark.set({ version });
		const random = createRandom(61);
		const start = (await now()) + 1;
		const made: Array<Paid & { readonly hash: string; readonly time: number }> = [];
		for (let round = 0; round < 12; round++) {
			const several = Array.from({ length: 1 + random.upTo(1) }, () =>
				paying(random.oneOf(TOKENS), 1 + random.upTo(1), 1 + random.upTo(2)),
			);
			const isDoomed = random.upTo(4) === 0;
			const calls = several.map(({ call }) => call);
			// The added call makes the transaction fail, because it sends more tokens than the account has.
			if (isDoomed) calls.push(paying('newToken', 1, 2 ** 52).call);
			const hash = await stark.sendCalls(...calls);
			const time = await now();
			if (!isDoomed) for (const { paid } of several) made.push({ ...paid, hash, time });
			await stark.control('blocks', { count: 1 + random.upTo(20), seconds: 1 + random.upTo(20) });
		}
		expect(made.length).toBeGreaterThan(8);
		const moments = made.filter((_, at) => at % 3 === 0).map(({ time }) => time);
		for (const since of [start, ...moments, ...moments.map((time) => time + 1)]) {
			const found = await read(since);
			expect(found.since).toBe(since);
			expect(sorted(found.payments)).toEqual(sorted(made.filter(({ time }) => time >= since)));
			for (const { hash, time } of found.payments)
				expect(made.find((one) => one.hash === hash)?.time).toBe(time);
		}
	},
);

test.each(['0.8', '0.9', '0.10'])(
	'what is in the block being made is found, and once when that is accepted: version %s',
	async (version) => {
		await stark.set({ version, inclusion: 'making' });
		const since = (await now()) + 1;
		const several = TOKENS.map((name) => paying(name, 1, 5));
		const hash = await stark.sendCalls(...several.map(({ call }) => call));
		const wanted = several.map(({ paid }) => ({ ...paid, hash }));
		const waiting = await read(since);
		expect(sorted(waiting.payments)).toEqual(sorted(wanted));
		expect(waiting.since).toBe(since);
		await stark.addBlocks(1);
		expect(sorted((await read(since)).payments)).toEqual(sorted(wanted));
	},
);

test('a quiet account on a long chain takes few calls', async () => {
	await stark.control('blocks', { count: 5000, seconds: 2 });
	const opened = openNode();
	const since = (await now()) - 600_000;
	expect(await read(since, opened)).toEqual({ payments: [], since, hidesWaiting: false });
	expect(opened.methods.length).toBeLessThan(60);
});

/**
 * Opens a chain node on which `oldToken` has endless events: a search that begins at the block `last` or before always
 * finds more.
 */
async function floodUpTo(
	last: number,
	change: Change = async (_method, _params, truth) => await truth(),
) {
	const [from_address, event] = [
		stark.contractOf('oldToken'),
		'0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9',
	];
	const { block_hash } = await stark.read<{ block_hash: string }>('getBlockWithTxHashes', {
		block_number: last,
	});
	const counted = { pages: 0 };
	const flood = () => ({
		events: Array.from({ length: 1000 }, () => ({
			from_address,
			keys: [event],
			data: ['0x1', '0x2', '0x3', '0x0'],
			block_number: last,
			block_hash,
			transaction_hash: '0x7',
		})),
		continuation_token: String(counted.pages++),
	});
	const isFlooded = (filter: unknown) => {
		const { address, from_block: from } = filter as Record<'address' | 'from_block', never>;
		const { block_number: first = 0 } = from as { block_number?: number };
		return BigInt(address) === BigInt(from_address) && first <= last;
	};
	const opened = openNode(async (method, params, truth) =>
		method.endsWith('getEvents') && isFlooded(params[0])
			? flood()
			: await change(method, params, truth),
	);
	return { opened, counted };
}

test('of a token with too many events, the known part is reported', async () => {
	await stark.addBlocks(30);
	const { opened, counted } = await floodUpTo(Number(await stark.read('blockNumber')));
	expect(await read(0, opened)).toEqual({
		payments: [],
		since: (await now()) + 1,
		hidesWaiting: false,
	});
	expect(counted.pages).toBe(5);
});

test.each([
	['as unknown', 24, 'Block not found'],
	['in words of its own', -32000, 'header pruned'],
])(
	'where the node lacks the first block that is known, %s, the head counts',
	async (_, code, words) => {
		await stark.addBlocks(80);
		const head = Number(await stark.read('blockNumber'));
		const { opened } = await floodUpTo(head - 60, async (method, [id], truth) => {
			const { block_number: number = head } = (id ?? {}) as { block_number?: number };
			if (!method.endsWith('getBlockWithTxHashes') || number !== head - 49) return await truth();
			throw new RequestFailure(words, { answer: { code } });
		});
		expect((await read(0, opened)).since).toBe(await now());
	},
);

test('where the block being made is not shown, only the present is complete', async () => {
	await stark.set({ inclusion: 'making' });
	await stark.sendCalls(paying('strk', 1, 5).call);
	const before = Date.now();
	const opened = openNode(async (method, _params, truth) => {
		if (method !== 'starknet_getBlockWithReceipts') return await truth();
		throw new RequestFailure('method not found', { answer: { code: -32601 } });
	});
	expect((await read(0, opened)).since).toBeGreaterThanOrEqual(before);
});

test('blocks that a node no longer has make the time later', async () => {
	await stark.sendCalls(paying('strk', 1, 5).call);
	await stark.addBlocks(50);
	const hash = await stark.sendCalls(paying('strk', 1, 6).call);
	const kept = Number(await stark.read('blockNumber')) - 20;
	const opened = openNode(async (_method, [id], truth) => {
		const { block_number: number = kept } = (id ?? {}) as { block_number?: number };
		if (number >= kept) return await truth();
		throw new RequestFailure('Block not found', { answer: { code: 24 } });
	});
	const found = await read(0, opened);
	expect(found.payments.map((one) => one.hash)).toEqual([hash]);
	expect(found.since).toBeGreaterThan((await now()) - 21 * 4000);
});

test.each<[string, Change, RegExp]>([
	[
		'has no head',
		(method, _, truth) => (method.endsWith('blockNumber') ? -1 : truth()),
		/a block number/,
	],
	[
		'has no times',
		async (method, _, truth) => {
			const answer = await truth();
			return method.endsWith('getBlockWithTxHashes')
				? { ...(answer as object), timestamp: 'now' }
				: answer;
		},
		/a block with its time/,
	],
	[
		'has no nonce',
		(method, _, truth) => (method.endsWith('getNonce') ? '0xz' : truth()),
		/a nonce/,
	],
	[
		'gives no events',
		(method, _, truth) => (method.endsWith('getEvents') ? {} : truth()),
		/a page of events/,
	],
	[
		'cannot be reached',
		() => {
			throw new RequestFailure('lost', { retry: { because: 'lost' } });
		},
		/^lost$/,
	],
])('a node that %s is a failure', async (_, change, message) => {
	await expect(read(0, openNode(change))).rejects.toThrow(message);
});
