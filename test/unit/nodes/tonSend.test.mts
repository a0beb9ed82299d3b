import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { send } from '../../../nodes/Ton/transaction/transaction';
import { SEED_SECONDS } from '../../../sandbox/apis/ton/chainState.mts';
import { bob, type WalletKind } from '../../../sandbox/apis/ton/keys.mts';
import { freezeTime, sign, TonIndex, wrap } from '../support/tonChain.mts';
import { bocOf, commentCell, failureOf, hashOf, runTon } from '../support/tonService.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

/** Signs a transfer. The wallets have already made a transfer, which deployed them. */
const signed = async (seqno: number, name: WalletKind = 'v5r1') => await sign(name, { seqno });

/** Creates a chain that carries out the sent messages while somebody waits, unless it is `stuck`. */
function createChain({ stuck = false } = {}) {
	const ton = new TonIndex();
	ton.hold();
	const chain = { ton, stuck, waits: [] as number[] };
	const shared = createShared();
	const wait = async (milliseconds: number) => {
		chain.waits.push(milliseconds);
		jest.setSystemTime(Date.now() + milliseconds);
		if (!chain.stuck) await include(ton);
	};
	const perform = async (base64: string) =>
		await runTon(send, { signedMessage: base64 }, ton, { shared, wait });
	return { chain, ton, perform };
}

/** Includes the given messages of other senders, and all waiting messages, in the chain. */
async function include(
	ton: TonIndex,
	...messages: ReadonlyArray<Awaited<ReturnType<typeof sign>>>
) {
	const ledger = await ton.ledger();
	for (const { cell } of messages) await ledger.send(cell);
	await ledger.step(1000);
}

/** Lets another node send the message after the wallet was read, but before the message is posted. */
function overtake(ton: TonIndex, message: Awaited<ReturnType<typeof sign>>): void {
	ton.changes.accountStates = async (answer, _query, count) => {
		if (count === 0) await include(ton, message);
		return answer;
	};
}

const ALL = 1000;
/** Hides new transactions from the index until it gets the request with the number `question`. */
function hideUntil(ton: TonIndex, question: number): void {
	ton.lag(ALL);
	ton.changes.transactionsByMessage = (answer, _query, count) => {
		if (count === question - 1) ton.lag(0);
		return answer;
	};
}

freezeTime();

test.each(['v3r2', 'v4r2', 'v5r1'] as const)(
	'a message of a wallet %s is sent as it is, and has the hash that does not depend on its wrapping',
	async (name) => {
		for (const init of [false, true]) {
			const { ton, perform } = createChain();
			const { base64, hash, plainHash } = await sign(name, { seqno: 1, init });
			expect(plainHash).not.toBe(hash);
			expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: false }]);
			expect(ton.sent).toEqual([base64]);
		}
		const [plain, wrapped] = [
			await sign(name, { seqno: 1 }),
			await sign(name, { seqno: 1, init: true }),
		];
		expect(plain.hash).toBe(wrapped.hash);
	},
);

test('those of one wallet are sent in order, each once the wallet is at its seqno', async () => {
	const { chain, ton, perform } = createChain();
	const messages = await Promise.all([1, 2, 3].map(async (seqno) => (await signed(seqno)).base64));
	await Promise.all(messages.map(perform));
	expect(ton.sent).toEqual(messages);
	expect(chain.waits).toEqual([1000, 1000]);
});

test('one that was made already is a success when it is found, and refused when it was another', async () => {
	const { ton, perform } = createChain();
	const [first, second] = [await signed(1), await signed(2)];
	await include(ton, first, second);
	const other = await sign('v5r1', { seqno: 2, timeout: SEED_SECONDS + 3600 });
	expect(await failureOf(perform(other.base64))).toMatch(
		/^The wallet has made another transfer with the number \(seqno\) 2: the next number is 3. Nothing was sent/,
	);
	expect(await perform(first.base64)).toMatchObject([{ wasKnown: true }]);
	expect(ton.sent).toEqual([]);
});

test('one that the index does not list yet is looked for before it is reported as another', async () => {
	const { base64, hash, ...message } = await signed(1);
	const { chain, ton, perform } = createChain();
	await include(ton, { base64, hash, ...message });
	ton.lag(ALL);
	ton.changes.transactionsByMessage = (answer, _query, count) => {
		if (count === 1) throw new RequestFailure('The index is down');
		if (count === 2) ton.lag(0);
		return answer;
	};
	expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
	expect([ton.sent, chain.waits]).toEqual([[], [1000, 2000, 4000]]);
	expect(ton.count('transactionsByMessage')).toBe(4);

	const down = createChain();
	await include(down.ton, await signed(1));
	down.ton.changes.transactionsByMessage = () => {
		throw new RequestFailure('The index is down');
	};
	expect(await failureOf(down.perform(base64))).toBe('The index is down');
});

test('one that expired long ago is not waited for', async () => {
	const { chain, ton, perform } = createChain();
	const { base64 } = await sign('v5r1', { seqno: 0, timeout: SEED_SECONDS - 61 });
	expect(await failureOf(perform(base64))).toMatch(/^The wallet has made another transfer/);
	expect([ton.sent, chain.waits]).toEqual([[], []]);
});

test('of several with the same bytes in a run, all but the first were known', async () => {
	const { base64 } = await signed(1);
	const { ton, perform } = createChain();
	const found = await Promise.all([base64, base64, base64].map(perform));
	expect(found.map(([one]) => one?.wasKnown)).toEqual([false, true, true]);
	expect(ton.sent).toHaveLength(1);
});

test('one that was refused because the chain has it was known', async () => {
	const message = await signed(1);
	const { base64, hash } = message;
	const { ton, perform } = createChain();
	overtake(ton, message);
	expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
	expect(ton.sent).toEqual([base64]);
});

test('it is sent at most once, and says that the same bytes count once', async () => {
	const { ton } = createChain();
	const requests: RestRequest[] = [];
	const call = async (request: RestRequest) => {
		requests.push(request);
		return await ton.call(request);
	};
	const { base64 } = await signed(1);
	await runTon(send, { signedMessage: base64 }, { call }, { shared: createShared() });
	expect(requests.filter(({ body }) => body)).toEqual([
		{ path: '/api/v3/message', body: { boc: base64 }, atMostOnce: true, countsOnce: true },
	]);
});

test('one whose turn does not come is refused when it has expired', async () => {
	const { ton, perform } = createChain();
	const { base64 } = await sign('v5r1', { seqno: 3, timeout: SEED_SECONDS + 30 });
	expect(await failureOf(perform(base64))).toMatch(
		/^The wallet has not reached the number \(seqno\) 3: its next number is 1. Nothing was sent/,
	);
	expect(ton.sent).toEqual([]);
});

test('those behind one that is never made do not wait one after another', async () => {
	const { chain, ton, perform } = createChain();
	const failures = await Promise.all(
		[3, 4, 5].map(async (seqno) => await failureOf(perform((await signed(seqno)).base64))),
	);
	expect(failures).toEqual(
		[3, 4, 5].map((seqno) =>
			expect.stringContaining(`has not reached the number (seqno) ${seqno}: its next number is 1`),
		),
	);
	expect(ton.sent).toEqual([]);
	expect(chain.waits).toHaveLength(600);
});

test('a lost answer is looked up, and the message is never sent again', async () => {
	const lost = new RequestFailure('gone', { retry: { because: 'lost' }, maybeExecuted: true });
	const { base64, hash } = await signed(1);
	const { chain, ton, perform } = createChain();
	const lose = () => {
		throw lost;
	};
	ton.changes.message = lose;
	hideUntil(ton, 3);
	expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
	expect(ton.sent).toHaveLength(1);
	expect(chain.waits).toEqual([1000, 2000, 4000]);

	const other = createChain({ stuck: true });
	other.ton.changes.message = lose;
	expect(await failureOf(other.perform(base64))).toBe(`gone. Its hash is ${hash}.`);
	expect(other.ton.sent).toHaveLength(1);
});

test('an answer that names no message is looked up as a lost one', async () => {
	const { base64, hash } = await signed(1);
	const { chain, ton, perform } = createChain({ stuck: true });
	ton.changes.message = () => ({});
	expect(await failureOf(perform(base64))).toMatch(/^The service did not answer with the hash/);
	expect(ton.count('transactionsByMessage')).toBeGreaterThan(1);
	chain.stuck = false;
	expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
});

/** A message to a wallet that is not deployed, so that nodes refuse it. */
const postedNowhere = async () => wrap(bob.v5r1, (await signed(0)).cell);

test.each([
	[
		'with its code in words',
		async () => await sign('v5r1', { seqno: 1, signer: bob }),
		/^The wallet did not accept the message: exit code 135 \(the signature is wrong\)\. The chain node said/,
	],
	['without a code', postedNowhere, /^The wallet did not accept the message\. The chain node said/],
])('a refusal is told %s', async (_, build, expected) => {
	const { chain, perform } = createChain();
	const { base64, hash } = await build();
	const failure = await failureOf(perform(base64));
	expect(failure).toMatch(expected);
	expect(failure).toContain(`Its hash is ${hash}.`);
	expect(chain.waits).toEqual([]);
});

test.each([
	[{ message_hash: hashOf('another') }, /^The chain node says that it accepted another message: /],
	[
		{ message_hash_norm: hashOf('another') },
		/^The chain node says that it accepted another message: /,
	],
	[{ message_hash: 'x' }, /Its message_hash must be a hash/],
])('a node that answers %j is a failure that names it', async (wrong, words) => {
	const { ton, perform } = createChain({ stuck: true });
	ton.changes.message = (answer) => ({ ...answer, ...wrong });
	expect(await failureOf(perform((await signed(1)).base64))).toMatch(words);
	expect(ton.sent).toHaveLength(1);
});

test.each(['', 'AAAA', bocOf(commentCell('hi')), 'hello'])(
	'%p is refused before anything is asked',
	async (given) => {
		const { ton, perform } = createChain();
		expect(await failureOf(perform(given))).toMatch(/^'Signed Message' (must be|is required)/);
		expect(ton.asked).toEqual([]);
	},
);

test.each(['v5r1', 'v3r2'] as const)(
	'one that a %s refuses by its seqno may be in a block that the index does not list yet',
	async (name) => {
		const message = await signed(1, name);
		const { base64, hash } = message;
		const { chain, ton, perform } = createChain();
		overtake(ton, message);
		hideUntil(ton, 4);
		expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
		expect(ton.sent).toHaveLength(1);
		expect(chain.waits.length).toBeGreaterThan(1);
	},
);

test.each(['LITE_SERVER_NETWORK: timeout', 'Failed to send to one of the nodes'])(
	'an error with status 200 that is no refusal of the wallet leaves doubt: %s',
	async (error) => {
		const { base64, hash } = await signed(1);
		const { ton, chain, perform } = createChain({ stuck: true });
		ton.changes.message = () => ({ ok: false, error });
		const failure = await perform(base64).catch((given: unknown) => given);
		expect(failure).toMatchObject({
			message: error,
			maybeExecuted: true,
			description: expect.stringContaining(hash),
		});
		expect(chain.waits.reduce((sum, one) => sum + one, 0)).toBe(30_000);
	},
);
