import { beginCell } from '@ton/core';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { createShared } from '../../../nodes/core/operation/results';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { send } from '../../../nodes/Ton/transaction/send';
import {
	bocOf,
	commentCell,
	externalOf,
	failureOf,
	FakeTon,
	freezeTime,
	hashOf,
	messageRow,
	runTon,
	transactionRow,
	upperRaw,
	type WalletName,
	WALLETS,
	walletState,
} from '../support/tonService.mts';

/** A signed body of a wallet: its order is that of its place in all of them. */
function bodyOf(name: WalletName, seqno: number, validUntil = 2 ** 32 - 1) {
	const builder = beginCell();
	if (name === 'v5r1') builder.storeUint(0x7369676e, 32);
	else builder.storeBuffer(Buffer.alloc(64, 9));
	return builder.storeUint(1, 32).storeUint(validUntil, 32).storeUint(seqno, 32).endCell();
}

const signed = (seqno: number, name: WalletName = 'v5r1') => externalOf(name, bodyOf(name, seqno));

/** A chain on which a wallet is at a seqno, which a sent transfer raises after a while. */
function createChain(name: WalletName = 'v5r1', seqno = 7) {
	const ton = new FakeTon();
	const chain = { ton, seqno, waits: [] as number[] };
	ton.changes.accountStates = () => ({ accounts: [walletState(name, chain.seqno)] });
	const shared = createShared();
	const wait = async (milliseconds: number) => {
		chain.waits.push(milliseconds);
		jest.setSystemTime(Date.now() + milliseconds);
		if (ton.sent.length > chain.seqno - seqno) chain.seqno++;
		await Promise.resolve();
	};
	const perform = async (base64: string) =>
		await runTon(send, { signedMessage: base64 }, ton, { shared, wait });
	return { chain, ton, perform };
}

/** The message is in a block. */
function include(ton: FakeTon, hash: string, name: WalletName = 'v5r1') {
	const account = upperRaw(WALLETS[name].address);
	const norm = { hash: hashOf('plain'), hash_norm: Buffer.from(hash, 'hex').toString('base64') };
	ton.transactions.push(
		transactionRow(account, 1, { in_msg: messageRow(null, account, null, norm) }),
	);
}

freezeTime();

const normalizedOf = async (base64: string, name?: WalletName, seqno?: number) => {
	const { perform } = createChain(name, seqno);
	const [found] = await perform(base64);
	return String(found?.result);
};

test.each(['v3r2', 'v4r2', 'v5r1'] as const)(
	'a message of a wallet %s is sent as it is, and has the hash that does not depend on its wrapping',
	async (name) => {
		const { base64, hash } = signed(7, name);
		const { ton, perform } = createChain(name);
		const [found] = await perform(base64);
		expect(ton.sent).toEqual([base64]);
		expect(found?.result).toMatch(/^[0-9a-f]{64}$/);
		const result = found?.result;
		expect(found).toEqual({ result, messageHash: result, wasKnown: false });
		const wrapped = externalOf(name, bodyOf(name, 7), true);
		expect(wrapped.hash).not.toBe(hash);
		expect(await normalizedOf(wrapped.base64, name)).toBe(found?.result);
	},
);

test('those of one wallet are sent in order, each once the wallet is at its seqno', async () => {
	const { chain, ton, perform } = createChain();
	const messages = [7, 8, 9].map((seqno) => signed(seqno).base64);
	await Promise.all(messages.map(perform));
	expect(ton.sent).toEqual(messages);
	expect(chain.waits).toEqual([1000, 1000]);
});

test('one that was made already is a success when it is found, and refused when it was another', async () => {
	const { ton, perform } = createChain('v5r1', 9);
	const { base64 } = signed(8);
	expect(await failureOf(perform(base64))).toMatch(
		/^The wallet has made another transfer with the seqno 8: the next one is 9. Nothing was sent/,
	);
	include(ton, await normalizedOf(signed(7).base64));
	expect(await perform(signed(7).base64)).toMatchObject([{ wasKnown: true }]);
	expect(ton.sent).toEqual([]);
});

test('one that the index does not list yet is looked for before it is reported as another', async () => {
	const { base64 } = signed(8);
	const hash = await normalizedOf(base64, 'v5r1', 8);
	const { chain, ton, perform } = createChain('v5r1', 9);
	ton.changes.transactionsByMessage = (answer, _query, count) => {
		if (count === 1) throw new RequestFailure('The index is down');
		if (count === 2) include(ton, hash);
		return answer;
	};
	expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
	expect([ton.sent, chain.waits]).toEqual([[], [1000, 2000, 4000]]);

	const down = createChain('v5r1', 9);
	down.ton.changes.transactionsByMessage = () => {
		throw new RequestFailure('The index is down');
	};
	expect(await failureOf(down.perform(base64))).toBe('The index is down');
});

test('one that expired long ago is not waited for', async () => {
	const { chain, ton, perform } = createChain('v5r1', 9);
	const { base64 } = externalOf('v5r1', bodyOf('v5r1', 8, 1_767_225_600 - 61));
	expect(await failureOf(perform(base64))).toMatch(/^The wallet has made another transfer/);
	expect([ton.sent, chain.waits]).toEqual([[], []]);
});

test('of several with the same bytes in a run, all but the first were known', async () => {
	const { base64 } = signed(7);
	const { ton, perform } = createChain();
	const found = await Promise.all([base64, base64, base64].map(perform));
	expect(found.map(([one]) => one?.wasKnown)).toEqual([false, true, true]);
	expect(ton.sent).toHaveLength(1);
});

test('one that was refused because the chain has it was known', async () => {
	const { base64 } = signed(7);
	const hash = await normalizedOf(base64);
	const { ton, perform } = createChain();
	ton.changes.message = () => {
		include(ton, hash);
		throw new RequestFailure('External message was not accepted\nexitcode=133', {
			httpCode: 500,
			maybeExecuted: true,
		});
	};
	expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
});

test('it is sent at most once, and says that the same bytes count once', async () => {
	const { ton } = createChain();
	const requests: RestRequest[] = [];
	const call = async (request: RestRequest) => {
		requests.push(request);
		return await ton.call(request);
	};
	const { base64 } = signed(7);
	await runTon(send, { signedMessage: base64 }, { call }, { shared: createShared() });
	expect(requests.filter(({ body }) => body)).toEqual([
		{ path: '/api/v3/message', body: { boc: base64 }, atMostOnce: true, countsOnce: true },
	]);
});

test('one whose turn does not come is refused when it has expired', async () => {
	const { ton, perform } = createChain();
	const { base64 } = externalOf('v5r1', bodyOf('v5r1', 9, 1_767_225_600 + 30));
	expect(await failureOf(perform(base64))).toMatch(
		/^The wallet did not get to the seqno 9: it is at 7. Nothing was sent/,
	);
	expect(ton.sent).toEqual([]);
});

test('those behind one that is never made do not wait one after another', async () => {
	const { chain, ton, perform } = createChain();
	const messages = [9, 10, 11].map((seqno) => signed(seqno).base64);
	const failures = await Promise.all(
		messages.map(async (message) => await failureOf(perform(message))),
	);
	expect(failures).toEqual(
		[9, 10, 11].map((seqno) =>
			expect.stringContaining(`did not get to the seqno ${seqno}: it is at 7`),
		),
	);
	expect(ton.sent).toEqual([]);
	expect(chain.waits).toHaveLength(600);
});

test('a lost answer is looked up, and the message is never sent again', async () => {
	const lost = new RequestFailure('gone', { retry: { because: 'lost' }, maybeExecuted: true });
	const { base64 } = signed(7);
	const hash = await normalizedOf(base64);
	const { chain, ton, perform } = createChain();
	ton.changes.message = () => {
		throw lost;
	};
	ton.changes.transactionsByMessage = (answer, _query, count) => {
		if (count === 2) include(ton, hash);
		return answer;
	};
	expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
	expect(ton.sent).toHaveLength(1);
	expect(chain.waits).toEqual([1000, 2000, 4000]);

	const other = createChain();
	other.ton.changes.message = ton.changes.message;
	expect(await failureOf(other.perform(base64))).toBe(`gone. Its hash is ${hash}.`);
	expect(other.ton.sent).toHaveLength(1);
});

test('an answer that names no message is looked up as a lost one', async () => {
	const { base64 } = signed(7);
	const hash = await normalizedOf(base64);
	const { ton, perform } = createChain();
	ton.changes.message = () => ({});
	expect(await failureOf(perform(base64))).toMatch(/^The service did not answer with the hash/);
	expect(ton.count('transactionsByMessage')).toBeGreaterThan(1);
	include(ton, hash);
	expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
});

test.each([
	[
		'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\nexitcode=135, steps=20',
		/^The wallet did not accept the message: exit code 135 \(the signature is wrong\)/,
	],
	['External message was not accepted', /^The wallet did not accept the message\. The node said/],
])('a refusal names the code in words: %s', async (words, expected) => {
	const { chain, ton, perform } = createChain();
	ton.changes.message = () => {
		throw new RequestFailure(words, { httpCode: 500, maybeExecuted: true });
	};
	const failure = await failureOf(perform(signed(7).base64));
	expect(failure).toMatch(expected);
	expect(failure).toMatch(/Its hash is [0-9a-f]{64}\.$/);
	expect(chain.waits).toEqual([]);
});

test.each([
	[{ message_hash: hashOf('another') }, /^The node says that it took another message: /],
	[{ message_hash_norm: hashOf('another') }, /^The node says that it took another message: /],
	[{ message_hash: 'x' }, /Its message_hash must be a hash/],
])('a node that answers %j is a failure that names it', async (wrong, words) => {
	const { ton, perform } = createChain();
	ton.changes.message = (answer) => ({ ...answer, ...wrong });
	expect(await failureOf(perform(signed(7).base64))).toMatch(words);
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
		const { base64 } = signed(7, name);
		const hash = await normalizedOf(base64, name);
		const { chain, ton, perform } = createChain(name);
		ton.changes.message = () => {
			const code = name === 'v5r1' ? 133 : 33;
			throw new RequestFailure(`External message was not accepted\nexitcode=${code}, steps=9`, {
				httpCode: 500,
				maybeExecuted: true,
			});
		};
		ton.changes.transactionsByMessage = (answer, _query, count) => {
			if (count === 3) include(ton, hash, name);
			return answer;
		};
		expect(await perform(base64)).toEqual([{ result: hash, messageHash: hash, wasKnown: true }]);
		expect(ton.sent).toHaveLength(1);
		expect(chain.waits.length).toBeGreaterThan(1);
	},
);

test.each(['LITE_SERVER_NETWORK: timeout', 'Failed to send to one of the nodes'])(
	'an error with status 200 that is no refusal of the wallet leaves doubt: %s',
	async (error) => {
		const { base64 } = signed(7);
		const hash = await normalizedOf(base64);
		const { ton, chain, perform } = createChain();
		ton.changes.message = () => ({ ok: false, error }) as never;
		const failure = await perform(base64).catch((given: unknown) => given);
		expect(failure).toMatchObject({
			message: error,
			maybeExecuted: true,
			description: expect.stringContaining(hash),
		});
		expect(chain.waits.reduce((sum, one) => sum + one, 0)).toBe(30_000);
	},
);
