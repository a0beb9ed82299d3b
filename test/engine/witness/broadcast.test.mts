import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sendJson, startServer } from '../../harness/server.mts';
import {
	asItem,
	broadcast,
	createWallet,
	DOUBT,
	GOOD,
	GOOD_ID,
	hexVote,
	LEADER,
	signed,
	vote,
	votes,
} from './support/wallet.mts';

const { sandbox, wallet, first, sent } = createWallet();

const sentTransactions = async () =>
	(await sandbox.record()).filter(({ path }) => path.endsWith('/broadcasttransaction')).length;

describe('a broadcast', () => {
	test('takes the object that was built and signed, and says its txid', async () => {
		const transaction = signed(await first(vote({ votes: votes([LEADER, 5]) })));
		const { items } = await wallet(broadcast('={{ $json }}'), asItem(transaction));
		expect(items).toEqual([
			{
				json: {
					result: true,
					transactionId: transaction.txID,
					txid: transaction.txID,
					wasKnown: false,
				},
				pairedItem: { item: 0 },
			},
		]);
		expect((await sent()).at(-1)).toEqual({
			path: '/wallet/broadcasttransaction',
			body: transaction,
		});
		expect(await sandbox.control('GET', '/wallet')).toMatchObject([
			{ txid: transaction.txID, type: 'VoteWitnessContract' },
		]);
	});

	test.each<[string, (transaction: IDataObject) => string]>([
		['plain', (transaction) => JSON.stringify(transaction)],
		['indented', (transaction) => `\n${JSON.stringify(transaction, null, 2)}\n`],
		['made by an expression', () => '={{ JSON.stringify($json) }}'],
	])('takes JSON text, %s', async (_, textOf) => {
		const transaction = signed(await first(hexVote()));
		expect(await first(broadcast(textOf(transaction)), asItem(transaction))).toEqual({
			result: true,
			transactionId: transaction.txID,
			txid: transaction.txID,
			wasKnown: false,
		});
	});

	test('sends text to the letter, for a large integer in it would lose digits', async () => {
		const server = await startServer((_received, response) =>
			sendJson(response, 200, { result: true }),
		);
		const txID = 'ab'.repeat(32);
		const given = `{ "txID": "${txID}", "raw_data": {"fee_limit": 9223372036854775807},  "signature": ["00"] }`;
		const { items } = await wallet(broadcast(given), { credentials: server.credentials.token });
		await server.stop();
		expect(server.received.map(({ text }) => text)).toEqual([given]);
		// The ID is complete, although some nodes do not repeat it in their answer.
		expect(items[0]?.json).toEqual({
			result: true,
			transactionId: txID,
			txid: txID,
			wasKnown: false,
		});
	});

	test('of the same transaction succeeds the second time, and says that it was known', async () => {
		const transaction = signed(await first(vote()));
		const txid = transaction.txID;
		const send = async () => await first(broadcast('={{ $json }}'), asItem(transaction));
		expect(await send()).toEqual({ result: true, transactionId: txid, txid, wasKnown: false });
		expect(await send()).toEqual({ result: true, transactionId: txid, txid, wasKnown: true });
	});

	test('by five runs at once says to one of them that it was new', async () => {
		const transaction = signed(await first(vote()));
		const send = async () => await first(broadcast('={{ $json }}'), asItem(transaction));
		const answers = await Promise.all(Array.from({ length: 5 }, send));
		const known = answers.map(({ wasKnown }) => wasKnown);
		expect(known.toSorted()).toEqual([false, true, true, true, true]);
	});

	test.each<[string, () => INodeParameters]>([
		['as text', () => vote()],
		['as hex', hexVote],
	])('that was taken is found, when its answer is lost: built %s', async (_, built) => {
		const transaction = signed(await first(built()));
		await sandbox.fault({ path: 'broadcasttransaction', do: { reset: 'after' } });
		expect(await first(broadcast('={{ $json }}'), asItem(transaction))).toEqual({
			result: true,
			transactionId: transaction.txID,
			txid: transaction.txID,
			wasKnown: true,
		});
		expect(await sentTransactions()).toBe(1);
	});

	test('that was taken by a node without peers is known when it is sent again', async () => {
		const transaction = signed(await first(vote()));
		const patch = { result: false, code: 'NOT_ENOUGH_EFFECTIVE_CONNECTION', message: 'no peers' };
		await sandbox.fault({ path: 'broadcasttransaction', do: { patch } });
		expect(await first(broadcast('={{ $json }}'), asItem(transaction))).toMatchObject({
			result: true,
			wasKnown: true,
		});
		expect(await sentTransactions()).toBe(2);
	});

	test('that a busy node refused is sent again', async () => {
		const transaction = signed(await first(vote()));
		const body = { code: 'SERVER_BUSY', message: 'Slow down.' };
		await sandbox.fault({ path: 'broadcasttransaction', do: { status: 200, body } });
		expect(await first(broadcast('={{ $json }}'), asItem(transaction))).toMatchObject({
			result: true,
			wasKnown: false,
		});
		expect(await sentTransactions()).toBe(2);
	});

	test.each<[string, () => INodeParameters]>([
		['as text', () => vote()],
		['as hex', hexVote],
	])('with a wrong signature fails in words that came %s', async (_, built) => {
		const transaction = signed(await first(built()), '2'.repeat(64));
		const { error } = await wallet(broadcast('={{ $json }}'), asItem(transaction));
		expect(error?.message).toMatch(
			/^Validate signature error: it is signed by 41[0-9a-f]{40}, not/,
		);
		expect(error?.description).toMatch(/^The broadcast failed with code SIGERROR\. Sign with/);
	});

	test.each([
		['hex that is text', '65787069726564', 'expired'],
		['hex that is none', 'ff00', 'ff00'],
		[
			'no message',
			undefined,
			'The chain node did not accept the transaction: TRANSACTION_EXPIRATION_ERROR',
		],
	])('says why: %s', async (_, message, words) => {
		const body = { result: false, code: 'TRANSACTION_EXPIRATION_ERROR', message };
		await sandbox.fault({ do: { status: 200, body } });
		const { error } = await wallet(broadcast(GOOD));
		expect(error?.message).toBe(words);
		expect(error?.description).toMatch(/expires after a minute/);
		expect(error?.description).not.toMatch(DOUBT);
	});

	test.each<[string, object]>([
		['a connection reset before it', { reset: 'before' }],
		['an answer that is none', { status: 200, body: {} }],
		['an unnamed error', { status: 200, body: { code: 'OTHER_ERROR', message: 'null' } }],
	])('is sent once, and has failed when it is not found and has expired: %s', async (_, fault) => {
		await sandbox.fault({ path: 'broadcasttransaction', do: fault });
		const { error } = await wallet(broadcast(GOOD));
		expect(error?.message).toBe(`The transaction ${GOOD_ID} has expired, and was not carried out`);
		expect(error?.description).toMatch(/^The broadcast had no clear answer \(/);
		expect(error?.description).not.toMatch(DOUBT);
		expect(await sentTransactions()).toBe(1);
	});

	test.each<[string, object]>([
		['a 429', { status: 429, body: { message: 'Slow down.' } }],
		['an error of the chain', { status: 200, body: { Error: 'class java.lang.X : Slow down.' } }],
	])('is sent once, and the error is certain: %s', async (_, fault) => {
		await sandbox.fault({ do: fault });
		const { error } = await wallet(broadcast(GOOD));
		expect(error?.message).toBe('Slow down.');
		expect(error?.description ?? '').not.toMatch(DOUBT);
		expect(await sandbox.record()).toHaveLength(1);
	});

	test.each(['cd'.repeat(32), `0x${GOOD_ID}`, '', 5, ['ab'.repeat(32)], {}])(
		'whose ID is %p in the answer may be another: both are named, and nothing is sent again',
		async (txid) => {
			await sandbox.fault({ do: { status: 200, body: { result: true, txid } } });
			const { error, items } = await wallet(broadcast(GOOD));
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				`The chain node says that it accepted another transaction: ${JSON.stringify(txid)} instead of ${GOOD_ID}`,
			);
			expect(error?.description).toMatch(
				/^The chain node accepted a transaction with another hash. Yours may/,
			);
			expect(error?.description).toMatch(/Send only this same signed transaction again/);
			expect(error?.description).toMatch(DOUBT);
			expect(await sandbox.record()).toHaveLength(1);
		},
	);

	test.each([GOOD_ID.toUpperCase(), null, undefined])(
		'whose ID is %p in the answer is this one',
		async (txid) => {
			await sandbox.fault({ do: { status: 200, body: { result: true, txid } } });
			expect(await first(broadcast(GOOD))).toEqual({
				result: true,
				transactionId: GOOD_ID,
				txid: GOOD_ID,
				wasKnown: false,
			});
		},
	);

	test('has no advice for a code that nobody knows', async () => {
		await sandbox.fault({ do: { status: 200, body: { code: 'constructor', message: 'no' } } });
		const { error } = await wallet(broadcast(GOOD));
		expect(error?.description).toBe(
			`The broadcast failed with code constructor. Its txID is ${GOOD_ID}.`,
		);
	});
});

test('an integer that an item holds as text is sent as a number, with all its digits', async () => {
	const contract = [{ parameter: { value: { amount: '9007199254740993' } } }];
	const raw_data = { contract, ref_block_hash: '1234567890123456' };
	const { raw_data_hex: _, ...good } = JSON.parse(GOOD) as IDataObject;
	const transaction = { ...good, raw_data };
	await sandbox.fault({ do: { status: 200, body: { result: true } } });
	await first(broadcast('={{ $json }}'), asItem(transaction as IDataObject));
	const [seen] = await sandbox.record();
	// The amount lost a digit when the sandbox recorded the request, so only its type is compared.
	expect(seen?.body).toMatchObject({
		raw_data: {
			contract: [{ parameter: { value: { amount: expect.any(Number) } } }],
			ref_block_hash: '1234567890123456',
		},
	});
});

test('a limit that the node names with status 200 was before anything was carried out', async () => {
	const Error = 'class java.lang.IllegalAccessException : lack of computing resources';
	await sandbox.fault({ do: { status: 200, body: { Error } } });
	const transaction = signed(await first(vote()));
	expect(await first(broadcast('={{ $json }}'), asItem(transaction))).toHaveProperty('txid');
});
