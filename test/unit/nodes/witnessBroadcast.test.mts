import { createHash } from 'node:crypto';
import { utils } from 'tronweb';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { collectResults } from '../../../nodes/core/run';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { parseSignedTransaction } from '../../../nodes/core/witness/signedTransaction';
import { broadcast } from '../../../nodes/WitnessWallet/broadcast';
import { createContext } from '../support/chains.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

/** These tests check a broadcast whose answer is lost, is a temporary refusal, or belongs to another transaction. */

const NOW = Date.parse('2026-01-15T10:00:00Z');
const KEY = '1'.repeat(64);

/** Builds and signs a transfer in the way of the library tronweb. */
function signedTransfer({
	expiration = NOW + 60_000,
	visible = false,
	type = 'TransferContract',
} = {}) {
	const hexOf = (byte: string) => `41${byte.repeat(20)}`;
	const write = (hex: string) => (visible ? utils.address.fromHex(hex) : hex);
	const value = { owner_address: write(hexOf('ab')), to_address: write(hexOf('cd')), amount: 5 };
	const rawData = {
		contract: [{ type, parameter: { value, type_url: `type.googleapis.com/protocol.${type}` } }],
		ref_block_bytes: '0001',
		ref_block_hash: '0000000000000001',
		expiration,
		timestamp: NOW,
	};
	const message: unknown = utils.transaction.txJsonToPb({ visible, raw_data: rawData });
	const transaction = {
		visible,
		txID: utils.transaction.txPbToTxID(message).slice(2),
		raw_data: rawData,
		raw_data_hex: utils.transaction.txPbToRawDataHex(message).toLowerCase(),
	};
	return utils.crypto.signTransaction(KEY, transaction as never) as object as typeof transaction & {
		signature: string[];
	};
}

const lost = new RequestFailure('gone', { retry: { because: 'lost' }, maybeExecuted: true });
const POST = '/wallet/broadcasttransaction';

interface Node {
	/** Gives the answer to each broadcast. */
	readonly answer: (sending: number, body: unknown) => unknown;
	/** Gives the answer to each search for the transaction. */
	readonly find?: (path: string) => unknown;
	/** The time of the newest irreversible block. */
	readonly solidTime?: () => number;
}

/** Broadcasts to a node that answers as given. Waits take no time, but move the clock. */
function open({ answer, find = () => ({}), solidTime = () => Date.now() - 57_000 }: Node) {
	const asked: string[] = [];
	const bodies: unknown[] = [];
	const waits: number[] = [];
	const memory = createShared();
	const head = (time: number) => ({
		blockID: '0'.repeat(15) + '7' + 'a'.repeat(48),
		block_header: { raw_data: { number: 7, timestamp: time, parentHash: 'b'.repeat(64) } },
	});
	const reply = ({ path, body }: RestRequest): unknown => {
		if (path === POST) return answer(bodies.push(body) - 1, body);
		if (path.endsWith('/getnowblock'))
			return head(path.startsWith('/walletsolidity') ? solidTime() : Date.now());
		return find(path);
	};
	const call = async (request: RestRequest) => {
		asked.push(request.path);
		expect(request.atMostOnce ?? false).toBe(request.path === POST);
		const found = await Promise.resolve(reply(request));
		if (found instanceof Error) throw found;
		return found;
	};
	const wait = async (milliseconds: number) => {
		waits.push(milliseconds);
		jest.setSystemTime(Date.now() + milliseconds);
		await Promise.resolve();
	};
	const send = async (transaction: object) =>
		await collectResults(
			broadcast,
			{ transaction: parseSignedTransaction(transaction) },
			createContext(call, { shared: memory, wait }),
		);
	return { asked, bodies, waits, send };
}

beforeEach(() =>
	jest.useFakeTimers({ now: NOW, doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] }),
);
afterEach(() => jest.useRealTimers());

describe.each([true, false])('visible %s:', (visible) => {
	const transaction = signedTransfer({ visible });
	const { txID } = transaction;

	test('one that the node takes was not known', async () => {
		const { asked, send } = open({ answer: () => ({ result: true, txid: txID }) });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: false },
		]);
		expect(asked).toEqual([POST]);
	});

	test('one that it has already is a success, and was known', async () => {
		const message = visible ? 'Dup transaction.' : Buffer.from('Dup transaction.').toString('hex');
		const answer = () => ({ code: 'DUP_TRANSACTION_ERROR', txid: txID, message });
		const { bodies, waits, send } = open({ answer, find: () => ({ txID }) });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: true },
		]);
		expect([bodies.length, waits]).toEqual([1, []]);
	});

	test.each(['gettransactionbyid', 'gettransactionfrompending'])(
		'one whose answer was lost is found by %s: nobody knows whose request brought it',
		async (method) => {
			const found = { txID: txID.toUpperCase() };
			const find = (path: string) => (path === `/wallet/${method}` ? found : {});
			const { bodies, waits, send } = open({ answer: () => lost, find });
			expect(await send(transaction)).toEqual([
				{ result: true, transactionId: txID, txid: txID, wasKnown: true },
			]);
			expect([bodies.length, waits]).toEqual([1, []]);
		},
	);
});

const transaction = signedTransfer();
const { txID } = transaction;
const failureOf = async (sending: Promise<unknown>) =>
	await sending.then(
		() => undefined,
		(failure: RequestFailure) => failure,
	);

describe('a lost transaction', () => {
	test('is found as soon as a block has it', async () => {
		let look = 0;
		const find = (path: string) =>
			path === '/wallet/gettransactionbyid' && ++look === 4 ? { txID } : {};
		const { bodies, waits, send } = open({ answer: () => lost, find });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: true },
		]);
		expect([bodies.length, waits]).toEqual([1, [1000, 2000, 4000]]);
	});

	test('has failed once it has expired, and an irreversible block is later', async () => {
		const { bodies, waits, send } = open({ answer: () => lost });
		const failure = await failureOf(send(transaction));
		expect(failure?.message).toBe(`The transaction ${txID} has expired, and was not carried out`);
		expect(failure?.description).toMatch(/gone.*No block up to 7 has the transaction/);
		expect(failure?.maybeExecuted).toBe(false);
		expect(bodies).toHaveLength(1);
		// The wait ends soon after the block becomes irreversible, but not before.
		const waited = waits.reduce((sum, one) => sum + one, 0);
		expect(waited).toBeGreaterThan(117_000);
		expect(waited).toBeLessThan(140_000);
	});

	test('is in doubt while the irreversible blocks stand still, however late it is', async () => {
		const { send } = open({ answer: () => lost, solidTime: () => NOW });
		const failure = await failureOf(send(transaction));
		expect(failure?.message).toBe('gone');
		expect(failure?.description).toBe(
			`The transaction was looked up, and not found yet. Its txID is ${txID}; it expires at 2026-01-15T10:01:00.000Z.`,
		);
		expect(failure?.maybeExecuted).toBe(true);
	});

	test('is in doubt where it cannot be looked up, though the chain has gone on', async () => {
		const find = () => new RequestFailure('closed', { httpCode: 404 });
		const { send } = open({ answer: () => lost, find, solidTime: () => NOW + 600_000 });
		const failure = await failureOf(send(transaction));
		expect([failure?.message, failure?.maybeExecuted]).toEqual(['gone', true]);
	});

	test('is found by its ID, where the pending ones are not served', async () => {
		const find = (path: string) =>
			path.endsWith('frompending') ? new RequestFailure('no', { httpCode: 404 }) : { txID };
		const { send } = open({ answer: () => lost, find });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: true },
		]);
	});

	test('is not found in an answer with another ID', async () => {
		const { send } = open({ answer: () => lost, find: () => ({ txID: 'ab'.repeat(32) }) });
		expect((await failureOf(send(transaction)))?.message).toMatch(/has expired/);
	});

	test.each([
		['that holds for a day', signedTransfer({ expiration: NOW + 86_400_000 })],
		['whose bytes are of a rare kind, without an expiration', withoutExpiration()],
	])('%s is searched for fifteen seconds', async (_, given) => {
		const { waits, send } = open({ answer: () => lost });
		const failure = await failureOf(send(given));
		expect([failure?.message, failure?.maybeExecuted]).toEqual(['gone', true]);
		expect(waits.reduce((sum, one) => sum + one, 0)).toBe(15_000);
	});
});

function withoutExpiration() {
	const hex = '0a020001';
	const id = createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
	return { txID: id, raw_data_hex: hex, signature: ['00'] };
}

describe('what the chain node could not take at this moment', () => {
	const CODES = [
		'SERVER_BUSY',
		'NO_CONNECTION',
		'NOT_ENOUGH_EFFECTIVE_CONNECTION',
		'BLOCK_UNSOLIDIFIED',
	];

	test.each(CODES)('is sent again, the same bytes: %s', async (code) => {
		const answer = (sending: number) => (sending < 2 ? { code, message: '' } : { result: true });
		const { bodies, waits, send } = open({ answer });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: false },
		]);
		expect(bodies).toHaveLength(3);
		expect(new Set(bodies).size).toBe(1);
		expect(waits).toEqual([1000, 2000]);
	});

	test.each(['SERVER_BUSY', 'NO_CONNECTION', 'BLOCK_UNSOLIDIFIED'])(
		'is given up after four attempts, and has certainly failed: %s',
		async (code) => {
			const { asked, send } = open({ answer: () => ({ code, message: '6e6f' }) });
			const failure = await failureOf(send(transaction));
			expect(failure?.message).toBe('no');
			expect(failure?.description).toBe(
				`The broadcast failed with code ${code}. Its txID is ${txID}.`,
			);
			expect(failure?.maybeExecuted).toBe(false);
			expect(asked).toEqual([POST, POST, POST, POST]);
		},
	);

	test('may have been taken by a node that reached no other: it is known the second time', async () => {
		const answer = (sending: number) => ({
			code: sending === 0 ? 'NOT_ENOUGH_EFFECTIVE_CONNECTION' : 'DUP_TRANSACTION_ERROR',
		});
		const { send } = open({ answer, find: () => ({ txID }) });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: true },
		]);
	});

	test('may have been taken, whatever the node says afterwards: it is looked up', async () => {
		const answer = (sending: number) => ({
			code: sending === 0 ? 'NOT_ENOUGH_EFFECTIVE_CONNECTION' : 'CONTRACT_VALIDATE_ERROR',
		});
		const { send } = open({ answer, find: () => ({ txID }) });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: true },
		]);
	});

	test('is looked up where an answer is lost on the way', async () => {
		const answer = (sending: number) => (sending === 0 ? { code: 'SERVER_BUSY' } : lost);
		const { bodies, send } = open({ answer, find: () => ({ txID }) });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: true },
		]);
		expect(bodies).toHaveLength(2);
	});
});

test.each(['TRANSACTION_EXPIRATION_ERROR', 'TAPOS_ERROR'])(
	'one that was carried out long ago is refused with %s, and is a success',
	async (code) => {
		const { asked, send } = open({ answer: () => ({ code }), find: () => ({ txID }) });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: true },
		]);
		expect(asked).toHaveLength(3);
	},
);

test.each(['TRANSACTION_EXPIRATION_ERROR', 'TAPOS_ERROR'])(
	'a look-up that fails hides no refusal: %s',
	async (code) => {
		const find = () => new RequestFailure('busy', { retry: { because: 'limit' } });
		const { send } = open({ answer: () => ({ code }), find });
		const failure = await failureOf(send(transaction));
		expect(failure?.message).toBe(`The chain node did not accept the transaction: ${code}`);
		// The transaction may have been carried out when it was first sent.
		expect(failure?.maybeExecuted).toBe(true);
		expect(failure?.description).not.toMatch(/build/i);
		expect(failure?.description).toContain(txID);
	},
);

test.each([{ result: true }, { code: 'DUP_TRANSACTION_ERROR' }])(
	'a node that answers %j for another transaction is not asked further',
	async (answer) => {
		const other = 'cd'.repeat(32);
		const { asked, send } = open({ answer: () => ({ ...answer, txid: other }) });
		const failure = await failureOf(send(transaction));
		expect(failure?.message).toBe(
			`The chain node says that it accepted another transaction: "${other}" instead of ${txID}`,
		);
		expect(failure?.maybeExecuted).toBe(true);
		expect(asked).toEqual([POST]);
	},
);

test.each([
	['an ID that is not the hash of the bytes', { txID: 'ab'.repeat(32) }],
	[
		'bytes of another transaction',
		{ raw_data_hex: signedTransfer({ expiration: 1 }).raw_data_hex },
	],
	['bytes that are none', { raw_data_hex: 'xy' }],
	['bytes that are no text', { raw_data_hex: [7] }],
])('nothing is sent with %s', (_, change) => {
	expect(() => parseSignedTransaction({ ...transaction, ...change })).toThrow(/raw_data_hex/);
});

test('the expiration is that of the bytes, whatever is beside them', () => {
	const raw_data = { ...transaction.raw_data, expiration: 1 };
	const given = { ...transaction, raw_data };
	expect(parseSignedTransaction(given).expiration).toBe(BigInt(NOW + 60_000));
	const { raw_data_hex: _, ...withoutBytes } = given;
	expect(parseSignedTransaction(withoutBytes).expiration).toBe(1n);
});

describe('a node that keeps the IDs of what it refused', () => {
	/** The node first looks for the ID in its cache. It adds the ID to the cache before it checks the transaction. */
	const createNode = () => {
		const cache = new Set<string>();
		return (_sending: number, body: unknown) => {
			const { txID: id } = JSON.parse(String(body)) as { txID: string };
			if (cache.has(id)) return { code: 'DUP_TRANSACTION_ERROR', message: '' };
			cache.add(id);
			return { code: 'CONTRACT_VALIDATE_ERROR', message: '' };
		};
	};

	test('does not make a success of it by saying that it has it', async () => {
		const { bodies, send } = open({ answer: createNode() });
		const first = await failureOf(send(transaction));
		expect([first?.message, first?.maybeExecuted]).toEqual([
			'The chain node did not accept the transaction: CONTRACT_VALIDATE_ERROR',
			false,
		]);
		const second = await failureOf(send(transaction));
		expect(second?.message).toBe(`The transaction ${txID} has expired, and was not carried out`);
		expect(bodies).toHaveLength(2);
	});

	test('leaves doubt while it can still come', async () => {
		const answer = createNode();
		const { send } = open({ answer, solidTime: () => NOW });
		await failureOf(send(transaction));
		const second = await failureOf(send(transaction));
		expect(second?.message).toBe(
			'The chain node says that it has the transaction already, but cannot find it: the outcome is not known',
		);
		expect([second?.maybeExecuted, second?.description]).toEqual([
			true,
			expect.stringContaining(txID),
		]);
	});
});

test.each([{ error: 'upstream timed out' }, { Error: 'context deadline exceeded' }])(
	'a gateway that lost the answer leaves doubt: %j',
	async (answer) => {
		const { send } = open({ answer: () => answer, find: () => ({ txID }) });
		expect(await send(transaction)).toEqual([
			{ result: true, transactionId: txID, txid: txID, wasKnown: true },
		]);
		const gone = open({ answer: () => answer, solidTime: () => NOW });
		expect((await failureOf(gone.send(transaction)))?.maybeExecuted).toBe(true);
	},
);
