import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { collectResults } from '../../../nodes/core/run';
import { WaitRounds } from '../../../nodes/core/net/pacing/waitRounds';
import { Stop } from '../../../nodes/core/net/pacing/stop';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import { createContext } from '../support/chains.mts';
import { wait } from '../../../nodes/EvmRpc/transaction/wait';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

interface Moment {
	readonly head?: number;
	/** The block that contains the transaction, if any. */
	readonly block?: number;
	readonly failure?: RequestFailure;
	/** True if the node knows the transaction. */
	readonly isKnown?: boolean;
}

const hash = `0x${'ab'.repeat(32)}`;
const hex = (number: number) => `0x${number.toString(16)}`;

/** Waits for a transaction. The node is in each of the given states for a second, and stays in the last state. */
async function waiting(
	moments: readonly Moment[],
	parameters: { confirmations?: number; waitFor?: number } = {},
	stop = new Stop(),
) {
	const asked: Array<{ at: number; method: string }> = [];
	const rounds = new WaitRounds(100, stop);
	const answer = ({ method, isFresh }: RpcRequest): unknown => {
		const at = Date.now();
		expect(isFresh).toBe(true);
		asked.push({ at, method });
		const { head, block, failure, isKnown } =
			moments[Math.min(Math.floor(at / 1000), moments.length - 1)] ?? {};
		if (failure) throw failure;
		if (method === 'eth_blockNumber') return hex(head ?? 0);
		if (method === 'eth_getTransactionByHash') return isKnown ? { hash } : null;
		return block === undefined
			? null
			: { transactionHash: hash, blockNumber: hex(block), status: '0x1' };
	};
	const work = collectResults(
		wait,
		{
			transactionHash: hash,
			confirmations: 1,
			waitFor: 20,
			simplify: true,
			path: '/',
			...parameters,
		},
		createContext<RpcRequest>(
			async (request) => await Promise.resolve().then(() => answer(request)),
			{
				wait: async (milliseconds, calls = 1) => await rounds.wait(milliseconds, calls),
			},
		),
	).then(
		([found]) => ({ found, at: Date.now() }),
		(failure: RequestFailure) => ({ failure, at: Date.now() }),
	);
	await jest.advanceTimersByTimeAsync(60_000);
	return { ...(await work), asked };
}

const outcome = (came: object) => ('found' in came ? came.found : came);
const lost = new RequestFailure('No answer', { retry: { because: 'lost' }, maybeExecuted: true });
const odd = new RequestFailure('header not found');

test('ends as soon as the transaction is in a block', async () => {
	const came = await waiting([{}, {}, { block: 7 }]);
	expect(outcome(came)).toMatchObject({ status: 'success', blockNumber: 7 });
	expect(came.at).toBe(2000);
	expect([...new Set(came.asked.map(({ at }) => at))]).toEqual([0, 1000, 2000]);
});

test('does not wait for what is there already, and asks for nothing else', async () => {
	const came = await waiting([{ block: 7 }]);
	expect(came).toMatchObject({ at: 0, found: { blockNumber: 7 } });
	expect(came.asked).toHaveLength(1);
});

test('ends when there are enough confirmations, and never before', async () => {
	const moments = [{}, ...[7, 7, 8, 8, 9].map((head) => ({ head, block: 7 }))];
	expect(await waiting(moments, { confirmations: 3 })).toMatchObject({ at: 5000 });
	expect(await waiting([{ head: 100, block: 7 }], { confirmations: 94 })).toHaveProperty('found');
	expect(await waiting([{ head: 100, block: 7 }], { confirmations: 95 })).toHaveProperty('failure');
});

test('a node that is behind neither ends nor spoils it', async () => {
	const moments = [
		{ head: 9, block: 7 },
		{},
		{ head: 3 },
		{ head: 8, block: 7 },
		{ head: 10, block: 7 },
	];
	expect(await waiting(moments, { confirmations: 4 })).toMatchObject({ at: 4000 });
});

test('after a reorganization the confirmations of the new block count', async () => {
	const moments = [
		{ head: 7, block: 7 },
		{ head: 8, block: 7 },
		{ head: 8 },
		{ head: 9, block: 9 },
		{ head: 10, block: 9 },
		{ head: 11, block: 9 },
	];
	const came = await waiting(moments, { confirmations: 3 });
	expect(outcome(came)).toMatchObject({ blockNumber: 9 });
	expect(came.at).toBe(5000);
});

test('failures on the way are survived', async () => {
	const moments = [
		{ failure: odd },
		{ failure: lost },
		...Array<Moment>(9).fill({ failure: odd }),
		{ block: 7 },
	];
	expect(await waiting(moments)).toHaveProperty('found');
	expect(await waiting([{ failure: lost }], { waitFor: 15 })).toMatchObject({
		failure: { message: 'No answer', description: 'The transaction was not confirmed after 15 s.' },
	});
});

test.each([
	['a node that never does anything else', odd, 10],
	['a refused credential', new RequestFailure('No', { httpCode: 401 }), 0],
])('%s ends it', async (_, failure, seconds) => {
	const came = await waiting([{ failure }], { waitFor: 60 });
	expect(came).toMatchObject({ failure: { message: failure.message }, at: seconds * 1000 });
});

describe('when the time is over', () => {
	test('it says how many confirmations there are', async () => {
		const came = await waiting([{ head: 9, block: 7 }], { confirmations: 5, waitFor: 3 });
		expect(came).toMatchObject({
			failure: {
				message: 'The transaction has 3 of 5 confirmations after 3 s',
				description: expect.stringMatching(/block 7.*'Wait For'/),
			},
			at: 3000,
		});
	});

	test.each([
		[true, /^'Wait For' sets/],
		[false, /does not know it: it was not sent/],
	])('it says whether the chain node knows the transaction (%p)', async (isKnown, description) => {
		const came = await waiting([{ isKnown }], { waitFor: 2 });
		expect(came).toMatchObject({
			failure: {
				message: 'The transaction is not in a block after 2 s',
				description: expect.stringMatching(description),
			},
		});
	});

	test('a last look is taken', async () => {
		const came = await waiting([{}, {}, { block: 7 }], { waitFor: 2 });
		expect(came).toMatchObject({ found: { blockNumber: 7 } });
		expect(await waiting([{ block: 7 }], { waitFor: 0 })).toHaveProperty('found');
	});
});

test('a run that is stopped waits no longer', async () => {
	const stop = new Stop();
	setTimeout(() => stop.stop(), 2500);
	const came = await waiting([{}], { waitFor: 50 }, stop);
	expect(came).toMatchObject({ failure: { message: 'The execution was canceled' }, at: 2500 });
	expect([...new Set(came.asked.map(({ at }) => at))]).toEqual([0, 1000, 2000]);
});

describe('when another transaction with its nonce is in a block', () => {
	const other = `0x${'cd'.repeat(32)}`;
	const from = `0x${'11'.repeat(20)}`;

	/** Waits for a transaction whose nonce is used by the transaction `mined`, in block 150 of 200. */
	async function waitBeside(mined: object, answers: Record<string, unknown> = {}) {
		const asked: string[] = [];
		const answer = async ({ method, params }: RpcRequest): Promise<unknown> => {
			asked.push(method);
			const [, block]: readonly unknown[] = Array.isArray(params) ? params : [];
			const known: Record<string, unknown> = {
				eth_getTransactionReceipt: null,
				eth_getTransactionByHash: { hash, from, nonce: '0x7' },
				eth_blockNumber: hex(200),
				eth_getTransactionCount: Number(block === 'latest' ? 200 : block) < 150 ? '0x7' : '0x8',
				eth_getBlockByNumber: { transactions: [{ hash: from }, mined] },
				...answers,
			};
			if (method === 'eth_getBlockByNumber') expect(params).toEqual([hex(150), true]);
			const one = known[method];
			return await (one instanceof Error ? Promise.reject(one) : Promise.resolve(one));
		};
		const given = {
			transactionHash: hash,
			confirmations: 1,
			waitFor: 20,
			simplify: true,
			path: '/',
		};
		const scheduler = new WaitRounds(100, new Stop());
		const context = createContext<RpcRequest>(answer, {
			wait: async (milliseconds, calls = 1) => await scheduler.wait(milliseconds, calls),
		});
		const work = collectResults(wait, given, context).then(
			() => 'found',
			(failure: RequestFailure) => failure.message,
		);
		await jest.advanceTimersByTimeAsync(60_000);
		return { words: await work, asked };
	}

	test('it says at once which', async () => {
		const { words, asked } = await waitBeside({
			hash: other,
			from: from.toUpperCase(),
			nonce: '0x07',
		});
		expect(words).toBe(
			`The transaction was replaced: ${other} has the same number (nonce) 7, and is in block 150`,
		);
		expect(asked.length).toBeLessThan(20);
	});

	test.each([
		['it is itself', { hash, from, nonce: '0x7' }, {}],
		['the block does not have it', {}, {}],
		['its hash is none', { hash: 'x', from, nonce: '0x7' }, {}],
		['it is of another account', { hash: other, from: other, nonce: '0x7' }, {}],
		[
			'the chain node has no old state',
			{ hash: other, from, nonce: '0x7' },
			{ eth_getTransactionCount: odd },
		],
	])('it waits on where %s', async (_, mined, answers) => {
		const { words } = await waitBeside(mined, answers);
		expect(words).toBe('The transaction is not in a block after 20 s');
	});
});
