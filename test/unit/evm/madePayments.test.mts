import fc from 'fast-check';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readMadePayments } from '../../../nodes/core/evm/madePayments';
import { buildHash, EvmChain, numberToHex as hex } from '../../harness/evmChain.mts';
import { createChain } from '../support/chains.mts';
import { getSeed } from '../../harness/caseCount.mts';

const account = `0x${'a1'.repeat(20)}`;
const payee = `0x${'b2'.repeat(20)}`;
const START = 1_700_000_000;

interface Model {
	/** The number of payments of the account in each block. */
	readonly sent: readonly number[];
	/** The number of pending payments. */
	readonly waiting?: number;
	/** Gives a false answer in place of the true answer. */
	readonly lie?: (method: string, params: readonly string[], tell: () => unknown) => unknown;
}

/**
 * Models a chain with a block every 2 seconds. The amount of each payment equals its nonce. The calls are recorded,
 * and the node may lie.
 */
function chainOf({ sent, waiting = 0, lie = (_method, _params, tell) => tell() }: Model) {
	const counts = [...sent, waiting];
	let next = 0;
	const nonces = counts.map((count) => Array.from({ length: count }, () => next++));
	const model = new EvmChain((number) => ({
		time: START + number * 2,
		transactions: nonces[number]?.map((nonce) => ({
			from: account,
			to: payee,
			nonce: hex(nonce),
			value: hex(nonce + 1),
		})),
	}));
	model.height = sent.length - 1;
	let calls = 0;
	const chain = createChain((method, params) => {
		calls++;
		return lie(method, params, () => model.call(method, params));
	});
	const timeOf = (nonce: number) =>
		(START + nonces.findIndex((all) => all.includes(nonce)) * 2) * 1000;
	return { chain, total: next - waiting, timeOf, calls: () => calls };
}

const read = async (model: Model, since = 0, tokens: readonly string[] = []) =>
	await readMadePayments(chainOf(model).chain, account, { since, tokens });

const refuse = (message: string) => {
	throw new RequestFailure(message, { answer: { code: -32000, message } });
};

const nonces = ({ payments }: Awaited<ReturnType<typeof read>>) =>
	payments.map(({ value }) => Number(value) - 1).sort((a, b) => a - b);

test('whatever of the old state a node has, nothing is missing from `since` on', async () => {
	const model = fc.record({
		sent: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 })), {
			minLength: 1,
			maxLength: 400,
		}),
		waiting: fc.integer({ min: 0, max: 2 }),
		kept: fc.integer({ min: 1, max: 500 }),
		gone: fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 3 }),
		ago: fc.integer({ min: 0, max: 900 }),
	});
	const property = fc.asyncProperty(model, async ({ sent, waiting, kept, gone, ago }) => {
		const head = sent.length - 1;
		const isGone = (block: number) => block < head && (block < head - kept || gone.includes(block));
		const made = chainOf({
			sent: [0, ...sent.slice(1)],
			waiting,
			lie: (method, [, block], tell) =>
				method === 'eth_getTransactionCount' && isGone(Number(block)) ? refuse('pruned') : tell(),
		});
		const wanted = (START + head * 2 - ago) * 1000;
		const found = await readMadePayments(made.chain, account, { since: wanted, tokens: [] });
		expect(found.since).toBeGreaterThanOrEqual(wanted);
		if (kept > head && gone.length === 0) expect(found.since).toBe(wanted);
		const all = Array.from({ length: made.total + waiting }, (_, nonce) => nonce);
		const isRecent = (since: number) => (nonce: number) =>
			nonce >= made.total || made.timeOf(nonce) >= since;
		expect(nonces(found)).toEqual(expect.arrayContaining(all.filter(isRecent(found.since))));
		expect(all.filter(isRecent(wanted))).toEqual(expect.arrayContaining(nonces(found)));
	});
	await fc.assert(property, { seed: getSeed(20261127), numRuns: 150 });
});

test('a busy account is read as far back as a bounded number of calls allows', async () => {
	const busy = chainOf({ sent: Array.from({ length: 5000 }, () => 3) });
	const found = await readMadePayments(busy.chain, account, { since: 0, tokens: [] });
	expect(busy.calls()).toBeLessThan(3000);
	const all = Array.from({ length: busy.total }, (_, nonce) => nonce);
	const known = all.filter((nonce) => busy.timeOf(nonce) >= found.since);
	expect(known.length).toBeGreaterThan(300);
	expect(nonces(found)).toEqual(expect.arrayContaining(known));
});

test('of full blocks no more are read than hold 30,000 transactions', async () => {
	const others = Array<object>(1000).fill({ from: payee });
	const full = chainOf({
		sent: Array<number>(100).fill(1),
		lie: (method, [, isFull], tell) => {
			const answer = tell();
			if (method !== 'eth_getBlockByNumber' || !isFull) return answer;
			const block = answer as { readonly transactions: readonly object[] };
			return { ...block, transactions: [...others, ...block.transactions] };
		},
	});
	const found = await readMadePayments(full.chain, account, { since: 0, tokens: [] });
	const read = nonces(found);
	expect(read.length).toBeGreaterThanOrEqual(30);
	expect(read.length).toBeLessThan(35);
	expect(found.since).toBeGreaterThan(full.timeOf(full.total - read.length - 1));
	expect(found.since).toBeLessThanOrEqual(full.timeOf(full.total - read.length));
});

test('what the block being made does not show is looked for in the pool', async () => {
	const pool = {
		pending: { 3: { hash: buildHash(3), from: account, to: payee, nonce: '0x3', value: '0x4' } },
	};
	const hidden: Model = {
		sent: [0, 3, 0],
		waiting: 1,
		lie: (method, [block], tell) => {
			if (method === 'txpool_contentFrom') return pool;
			return block === 'pending' ? null : tell();
		},
	};
	expect(await read(hidden)).toMatchObject({ since: 0, payments: { length: 4 } });
});

test.each([
	['shows none', null],
	['refuses', () => refuse('the method txpool_contentFrom does not exist')],
])('of a node that %s of what it counts, only the present is complete', async (_, answer) => {
	const hidden: Model = {
		sent: [0, 3, 0],
		waiting: 1,
		lie: (method, [block], tell) => {
			if (method === 'txpool_contentFrom') return typeof answer === 'function' ? answer() : answer;
			return block === 'pending' ? null : tell();
		},
	};
	const before = Date.now();
	const found = await read(hidden);
	expect(found.since).toBeGreaterThanOrEqual(before);
	expect(nonces(found)).toEqual([0, 1, 2]);
});

const count = (lie: (block: number, tell: () => unknown) => unknown): Model['lie'] => {
	return (method, [, block], tell) =>
		method === 'eth_getTransactionCount' && String(block).startsWith('0x')
			? lie(Number(block), tell)
			: tell();
};

test.each([
	['counts less in a later block', count((block) => hex(9 - block)), /contradicts itself/],
	['has no count of its head', count((block, tell) => (block === 9 ? null : tell())), /block 9/],
	['gives no number', count(() => 'many'), /did not answer with a transaction count/],
	[
		'cannot be reached',
		count(() => {
			throw new RequestFailure('lost', { retry: { because: 'lost' } });
		}),
		/^lost$/,
	],
	[
		'has no head',
		(_method, [block], tell) => (block === 'latest' ? null : tell()),
		/its latest block/,
	],
	[
		'gives another block',
		(method, [block, isFull], tell) =>
			method === 'eth_getBlockByNumber' && isFull && block !== 'pending'
				? { ...(tell() as object), number: '0x1' }
				: tell(),
		/did not answer with block/,
	],
	[
		'leaves the transactions out',
		(method, [, isFull], tell) =>
			method === 'eth_getBlockByNumber' && isFull
				? { ...(tell() as object), transactions: undefined }
				: tell(),
		/the transactions of a block/,
	],
	[
		'gives an amount that is none',
		(method, [, isFull], tell) =>
			method === 'eth_getBlockByNumber' && isFull
				? {
						...(tell() as object),
						transactions: [
							{ from: account, hash: buildHash(1), nonce: '0x1', to: payee, value: 'all' },
						],
					}
				: tell(),
		/with its value/,
	],
] satisfies Array<[string, Model['lie'], RegExp]>)(
	'a node that %s is a failure',
	async (_, lie, message) => {
		await expect(read({ sent: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], lie })).rejects.toThrow(message);
	},
);

test.each([
	['counts more than there is', count((block, tell) => (block === 9 ? hex(2n ** 200n) : tell()))],
	[
		'no longer has a block whole',
		(method, [, isFull], tell) => (method === 'eth_getBlockByNumber' && isFull ? null : tell()),
	],
	[
		'refuses logs',
		(method, _params, tell) => (method === 'eth_getLogs' ? refuse('no logs here') : tell()),
	],
] satisfies Array<[string, Model['lie']]>)('a node that %s shortens the time', async (_, lie) => {
	const found = await read({ sent: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], lie }, START * 1000, [payee]);
	expect(found.since).toBe((START + 18) * 1000 + 1);
});

test('of a node that no longer has the blocks below 8, the later payments are known', async () => {
	const lie: Model['lie'] = (method, [block], tell) =>
		method === 'eth_getBlockByNumber' && Number(block) < 8 ? null : tell();
	const found = await read({ sent: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], lie }, START * 1000);
	expect(found.since).toBe((START + 16) * 1000 + 1);
	expect(nonces(found)).toEqual([4]);
});
