import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asItem, broadcast, createWallet, sha256, signed, vote } from './support/wallet.mts';
import { createBuilders } from './support/builders.mts';

const walletOfTest = createWallet();
const { sandbox, wallet, first } = walletOfTest;
const { transfer, carryOut } = createBuilders(walletOfTest);

const about = (operation: string, transactionId: string, more: INodeParameters = {}) => ({
	resource: 'transaction',
	operation,
	transactionId,
	...more,
});

const carriedOut = async () => String((await carryOut(transfer())).txid);

const blocks = async (blockTime: number, more: object = {}) =>
	await sandbox.control('PUT', '/wallet', { blockTime, ...more });
const EVERYTHING = {
	blockNumber: expect.any(Number) as number,
	timestamp: expect.stringMatching(/^20..-..-..T/) as string,
};
/** A block time that is longer than the test, so that no block comes. */
const NEVER = 3_600_000;

describe('what became of a transaction', () => {
	test('it waits, then it is in a block, with what it cost', async () => {
		await blocks(NEVER);
		const transactionId = await carriedOut();
		expect(await first(about('get', transactionId))).toEqual({
			transactionId,
			status: 'pending',
			blockNumber: null,
			timestamp: null,
			fee: null,
			energyUsed: null,
			bandwidthUsed: null,
			contractResult: null,
			reason: null,
		});
		await blocks(1);
		expect(await first(about('wait', transactionId))).toEqual({
			transactionId,
			status: 'success',
			...EVERYTHING,
			fee: '0',
			energyUsed: 0,
			bandwidthUsed: expect.any(Number),
			contractResult: null,
			reason: null,
		});
		expect(await first(about('get', transactionId.toUpperCase()))).toMatchObject({
			transactionId,
			status: 'success',
		});
	});

	test('one that is not known is null', async () => {
		expect(await first(about('get', 'ab'.repeat(32)))).toEqual({ result: null });
	});

	test.each([
		{ status: 405 },
		{ status: 404 },
		{ status: 200, body: { Error: 'this API is unavailable due to config' } },
	])('nor is one where a node does not return what is pending: %o', async (fault) => {
		await sandbox.fault({ path: 'frompending', do: fault });
		expect(await first(about('get', 'ab'.repeat(32)))).toEqual({ result: null });
	});

	test('and a node that fails is not one that does not know', async () => {
		await sandbox.fault({ path: 'frompending', do: { status: 200, body: { Error: 'busy' } } });
		expect((await wallet(about('get', 'ab'.repeat(32)))).error?.message).toBe('busy');
	});

	test.each(['={{ "" }}', 'ab', `0x${'ab'.repeat(32)}`, 'xy'.repeat(32), 5])(
		'%p is no ID, and nothing is asked',
		async (transactionId) => {
			const { error } = await wallet(about('get', transactionId as string));
			expect(error?.message).toMatch(/^'Transaction ID' (must be|is required)/);
			expect(await sandbox.record()).toEqual([]);
		},
	);

	const id = 'cd'.repeat(32);
	const errorString = `08c379a0${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${Buffer.from('no!').toString('hex').padEnd(64, '0')}`;

	test.each([
		[
			{ contractResult: [errorString], receipt: { result: 'REVERT' }, resMessage: '5245' },
			{ status: 'failed', contractResult: 'REVERT', reason: 'no!' },
		],
		[
			{
				contractResult: [''],
				fee: 27_601_000,
				receipt: { result: 'OUT_OF_ENERGY', energy_usage_total: 65_000, net_usage: 345 },
				resMessage: Buffer.from("Not enough energy for 'SSTORE'").toString('hex'),
			},
			{
				status: 'failed',
				fee: '27.601',
				energyUsed: 65_000,
				bandwidthUsed: 345,
				contractResult: 'OUT_OF_ENERGY',
				reason: "Not enough energy for 'SSTORE'",
			},
		],
		[
			{ receipt: {}, result: 'FAILED' },
			{ status: 'failed', reason: 'The chain gave no reason' },
		],
		[
			{ receipt: { net_fee: 1 }, fee: 1 },
			{ status: 'success', fee: '0.000001', contractResult: null },
		],
		[
			{ receipt: { result: 'SUCCESS' } },
			{ status: 'success', contractResult: 'SUCCESS', reason: null },
		],
	])('is read from %o', async (info, expected) => {
		const body = { id, blockNumber: 5, blockTimeStamp: 1_700_000_000_000, ...info };
		await sandbox.fault({ path: 'infobyid', do: { status: 200, body } });
		expect(await first(about('get', id))).toMatchObject({
			blockNumber: 5,
			timestamp: '2023-11-14T22:13:20.000Z',
			...expected,
		});
	});

	test.each([
		[{ id: 'ab'.repeat(32), blockNumber: 5 }],
		[{ id }],
		[{ id, blockNumber: 5, receipt: { result: 2 } }],
		[{ id, blockNumber: 5, result: 1 }],
		[{ id, blockNumber: 5, fee: [5] }],
		[{ id, blockNumber: 5.5 }],
		[{ id, blockNumber: 5, blockTimeStamp: 1e17 }],
		[null],
		[{ blockNumber: 5 }],
		[{ id, blockNumber: 'five' }],
		[{ id, blockNumber: 5, fee: -5 }],
		[{ id, blockNumber: 5, receipt: 5 }],
		[[]],
		[5],
	])('%o is no answer', async (body) => {
		await sandbox.fault({ path: 'infobyid', do: { status: 200, body } });
		expect((await wallet(about('get', id))).error?.message).toBe(
			'The service did not answer with the outcome of a transaction',
		);
	});
});

describe('waiting', () => {
	test('asks the solidified view, and nothing else', async () => {
		await blocks(1);
		const transactionId = await carriedOut();
		expect((await wallet(about('wait', transactionId))).hints).toEqual([]);
		const paths = (await sandbox.record()).map(({ path }) => path).slice(2);
		expect(new Set(paths)).toEqual(new Set(['/walletsolidity/gettransactioninfobyid']));
	});

	test('counts 19 blocks where a node has no such view', async () => {
		await blocks(20, { solidified: false });
		const transactionId = await carriedOut();
		const { items, hints } = await wallet(about('wait', transactionId));
		const outcome = items[0]!.json;
		expect(outcome).toMatchObject({ status: 'success' });
		expect(hints).toEqual([expect.stringMatching(/19 blocks on top count instead/)]);
		const head = (await first({
			resource: 'api',
			operation: 'request',
			path: 'wallet/getnowblock',
		})) as { block_header: { raw_data: { number: number } } };
		const on = head.block_header.raw_data.number - Number(outcome.blockNumber);
		expect(on).toBeGreaterThanOrEqual(19);
		const paths = (await sandbox.record()).map(({ path }) => path);
		expect(paths.filter((path) => path.startsWith('/walletsolidity'))).toHaveLength(1);
	});

	test.each([
		{ status: 405 },
		{ status: 501 },
		{ status: 200, body: { Error: 'this API is unavailable due to config' } },
	])('counts them, too, where the view is not served: %o', async (fault) => {
		await blocks(1);
		const transactionId = await carriedOut();
		await sandbox.fault({ path: 'walletsolidity', times: -1, do: fault });
		expect(await first(about('wait', transactionId))).toMatchObject({ status: 'success' });
		const paths = (await sandbox.record()).map(({ path }) => path);
		expect(paths.filter((path) => path.startsWith('/walletsolidity'))).toHaveLength(1);
	});

	test('a block that is another after a reorganization counts anew', async () => {
		await sandbox.control('PUT', '/wallet', { solidified: false });
		const transactionId = 'cd'.repeat(32);
		const answer = async (path: string, times: number, body: object) =>
			await sandbox.fault({ path, times, do: { status: 200, body } });
		const head = (number: number) => ({ block_header: { raw_data: { number } } });
		const info = (blockNumber: number) => ({ id: transactionId, blockNumber });
		await answer('/wallet/.*info', 1, info(5));
		await answer('/wallet/.*info', 1, {});
		await answer('/wallet/.*info', -1, info(7));
		await answer('getnowblock', 1, head(23));
		await answer('getnowblock', 1, head(25));
		await answer('getnowblock', -1, head(26));
		expect(await first(about('wait', transactionId))).toMatchObject({ blockNumber: 7 });
		expect(await sandbox.record()).toHaveLength(7);
	});

	test('never says to build again where nobody knows whether it is in a block', async () => {
		await blocks(NEVER);
		const transactionId = await carriedOut();
		await sandbox.fault({
			path: '/wallet/.*info',
			times: -1,
			do: { status: 200, body: { Error: 'busy' } },
		});
		const { error } = await wallet(about('wait', transactionId, { waitFor: 0 }));
		expect(error?.message).toBe('busy');
		expect(error?.description).toMatch(/The transaction was not irreversible after 0 s\.$/);
	});

	test.each([1.5, -1, 604_801, '={{ [5] }}'])('a wait of %p is refused', async (waitFor) => {
		const { error } = await wallet(about('wait', 'ab'.repeat(32), { waitFor }));
		expect(error?.message).toMatch(/^'Wait For' must be a whole number, 0 to 604800/);
		expect(await sandbox.record()).toEqual([]);
	});

	test.each([
		[18, /^The transaction is in a block, but not irreversible/],
		[19, undefined],
	])('where it counts, %d blocks on top are so many', async (onTop, words) => {
		await blocks(NEVER, { solidified: false });
		const transactionId = 'cd'.repeat(32);
		const always = (body: object) => ({ times: -1, do: { status: 200, body } });
		await sandbox.fault({
			path: '/wallet/.*info',
			...always({ id: transactionId, blockNumber: 5 }),
		});
		const block_header = { raw_data: { number: 5 + onTop } };
		await sandbox.fault({ path: 'getnowblock', ...always({ block_header }) });
		const { error, items } = await wallet(about('wait', transactionId, { waitFor: 0 }));
		if (words) expect(error?.message).toMatch(words);
		else expect(items[0]?.json).toMatchObject({ status: 'success', blockNumber: 5 });
	});

	test('outlasts a node that stumbles', async () => {
		await blocks(1);
		const transactionId = await carriedOut();
		await sandbox.fault({ path: 'walletsolidity', times: 3, do: { status: 500 } });
		await sandbox.fault({
			path: 'walletsolidity',
			times: 2,
			do: { status: 200, body: { Error: 'busy' } },
		});
		expect(await first(about('wait', transactionId))).toMatchObject({ status: 'success' });
	});

	test('ends when the time is over, and says how far it came', async () => {
		await blocks(NEVER);
		const transactionId = await carriedOut();
		const none = await wallet(about('wait', transactionId, { waitFor: 0 }));
		expect(none.error?.message).toBe('The transaction is not in a block after 0 s');
		expect(none.error?.description).toMatch(/expired/);
		await blocks(1);
		const nothing = { do: { status: 200, body: {} } };
		await sandbox.fault({ path: 'walletsolidity', times: -1, ...nothing });
		const some = await wallet(about('wait', transactionId, { waitFor: 0 }));
		expect(some.error?.message).toBe(
			'The transaction is in a block, but not irreversible after 0 s',
		);
		expect(some.error?.description).toMatch(/^The transaction is in block \d+\. 'Wait For' sets/);
	});
});

test('from build to irreversible', async () => {
	await blocks(1);
	const built = await first(vote());
	const { txid } = await first(broadcast('={{ $json }}'), asItem(signed(built)));
	expect(txid).toBe(sha256(Buffer.from(String(built.raw_data_hex), 'hex')));
	expect(
		await first(about('wait', '={{ $json.txid }}'), asItem({ txid } as IDataObject)),
	).toMatchObject({
		transactionId: txid,
		status: 'success',
		contractResult: null,
	});
});
