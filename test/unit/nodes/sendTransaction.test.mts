import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { collectResults } from '../../../nodes/core/run';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import { hashSignedTransaction } from '../../../nodes/core/evm/transactions/signedHash';
import { send } from '../../../nodes/EvmRpc/transaction/send';
import { createContext } from '../support/chains.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const signed = (mark = '00') => `0xf86b${mark.repeat(60)}`;
const hash = hashSignedTransaction(signed());
const taken = { result: hash, transactionHash: hash, wasKnown: false };
/** The result for a transaction that the node already had, so it is not known who sent it. */
const known = { ...taken, wasKnown: true };
const refusal = (message: string, code = -32000, data?: unknown) =>
	rpcError('eth_sendRawTransaction', { code, message, data });
const lost = new RequestFailure('gone', { retry: { because: 'lost' }, maybeExecuted: true });

interface Node {
	readonly answer: (sending: number) => unknown;
	/** Gives the answer to each request by which the operation looks for the transaction on the chain. */
	readonly lookUp?: (method: string, count: number) => unknown;
}

/** Sends a transaction to a node that answers as given, and records the requests and the waits. */
function sending({ answer, lookUp = () => null }: Node) {
	const asked: string[] = [];
	const waits: number[] = [];
	const memory = createShared();
	const call = async ({ method, isFresh }: RpcRequest) => {
		const count = asked.filter((one) => one === method).length;
		asked.push(method);
		if (method !== 'eth_sendRawTransaction') expect(isFresh).toBe(true);
		const result = method === 'eth_sendRawTransaction' ? answer(count) : lookUp(method, count);
		if (result instanceof Error) throw result;
		return result;
	};
	const wait = async (milliseconds: number) => await Promise.resolve(void waits.push(milliseconds));
	const perform = async (transaction = signed()) =>
		await collectResults(
			send,
			{ path: '', signedTransaction: transaction },
			createContext(call, { shared: memory, wait }),
		);
	return { asked, waits, perform };
}

const ONCE = ['eth_sendRawTransaction', 'eth_getTransactionByHash', 'eth_getTransactionReceipt'];
const is = (wanted: string, found: object) => (method: string) =>
	method === wanted ? found : null;

describe('a refused transaction that the node has all the same is a success:', () => {
	const pending = is('eth_getTransactionByHash', { hash, blockNumber: null });
	const mined = is('eth_getTransactionReceipt', {
		transactionHash: hash.toUpperCase(),
		status: '0x0',
	});
	const reverted =
		"Error: VM Exception while processing transaction: reverted with reason string 'No.'";
	test.each([
		[
			'Ganache, mined',
			refusal("the tx doesn't have the correct nonce. account has nonce of: 3 tx has nonce of: 1"),
			mined,
		],
		['Ganache, waiting', refusal('transaction underpriced'), pending],
		['geth, mined', refusal('nonce too low: next nonce 4, tx nonce 3'), mined],
		[
			'hardhat, mined and reverted',
			refusal(reverted, -32603, { message: reverted, txHash: hash, data: '0x08c379a0' }),
			mined,
		],
		['hardhat, mined without gas', refusal('Transaction ran out of gas'), mined],
		['one that says it by a status', new RequestFailure('no', { httpCode: 400 }), pending],
	])('%s', async (_server, failure, lookUp) => {
		const { asked, perform } = sending({ answer: () => failure, lookUp });
		expect(await perform()).toEqual([known]);
		expect(asked).toEqual(ONCE);
	});

	test.each([
		'already known',
		'ALREADY_EXISTS: already known',
		'AlreadyKnown',
		'Known transaction',
		'known transaction: 0xabc',
		'transaction already imported',
		'Transaction with the same hash was already imported.',
		'known transaction. transaction with hash 0xabc is already in the system',
		'tx already in mempool',
		'tx is already in the TxPool',
	])('one whose words say it: %s', async (words) => {
		const { asked, perform } = sending({ answer: () => refusal(words) });
		expect(await perform()).toEqual([known]);
		expect(asked).toEqual(['eth_sendRawTransaction']);
	});
});

test.each([
	['is not found', () => null],
	['is another one', () => ({ hash: `0x${'12'.repeat(32)}` })],
	['cannot be looked up', () => refusal('the method does not exist', -32601)],
	['cannot be looked up, as the node is gone', () => lost],
])('a refusal stays one where the transaction %s, and names the hash', async (_what, lookUp) => {
	const failure = refusal('insufficient funds for gas * price + value');
	const { asked, waits, perform } = sending({ answer: () => failure, lookUp });
	await expect(perform()).rejects.toMatchObject({
		message: 'insufficient funds for gas * price + value',
		description: `eth_sendRawTransaction failed with code -32000. Its hash is ${hash}.`,
		maybeExecuted: false,
	});
	expect([asked, waits]).toEqual([ONCE, []]);
});

test.each([
	'unknown transaction type: 4',
	'a transaction with this nonce already exists in the pool',
	'nonce 3 is already in the mempool',
	'execution reverted: Pool already exists',
	"VM Exception while processing transaction: reverted with reason string 'already known'",
])('"%s" does not say that the chain node has the transaction', async (words) => {
	const { asked, perform } = sending({ answer: () => refusal(words) });
	await expect(perform()).rejects.toThrow(words);
	expect(asked).toEqual(ONCE);
});

test.each([
	['a limit', new RequestFailure('slow down', { retry: { because: 'limit', after: 5 } })],
	['a limit by its words', refusal('Too many requests')],
	['a quota', refusal("You've reached your monthly quota", -32005)],
	['a refused secret', new RequestFailure('no', { httpCode: 401 })],
	['a connection that was never made', new RequestFailure('no', { retry: { because: 'lost' } })],
])('%s names the hash; nothing is looked up', async (_what, failure) => {
	const { asked, perform } = sending({ answer: () => failure });
	await expect(perform()).rejects.toMatchObject({ description: expect.stringContaining(hash) });
	expect(asked).toEqual(['eth_sendRawTransaction']);
});

describe('after a lost answer the transaction is looked up', () => {
	test('and found at the end', async () => {
		const lookUp = (_method: string, count: number) => (count < 4 ? null : { hash });
		const { asked, waits, perform } = sending({ answer: () => lost, lookUp });
		expect(await perform()).toEqual([known]);
		expect(waits).toEqual([1_000, 2_000, 4_000, 7_500]);
		expect(asked.filter((method) => method === 'eth_sendRawTransaction')).toHaveLength(1);
	});

	test.each([
		['lost', lost],
		['none', null],
	])('and not found: the answer that is %s is reported with doubt', async (_what, answer) => {
		const { asked, waits, perform } = sending({ answer: () => answer });
		await expect(perform()).rejects.toMatchObject({
			maybeExecuted: true,
			description: expect.stringContaining(`Its hash is ${hash}.`),
		});
		expect(waits.reduce((sum, one) => sum + one)).toBeLessThan(15_000);
		expect(asked.filter((method) => method === 'eth_sendRawTransaction')).toHaveLength(1);
	});
});

test('the next one is not sent before the look-up of the one before it is over', async () => {
	const { asked, perform } = sending({
		answer: (count) =>
			count === 0 ? refusal('nonce too low') : hashSignedTransaction(signed('11')),
		lookUp: is('eth_getTransactionReceipt', { transactionHash: hash }),
	});
	await Promise.all([perform(), perform(signed('11'))]);
	expect(asked).toEqual([...ONCE, 'eth_sendRawTransaction']);
});

describe('another hash than that of what was sent', () => {
	const other = `0x${'12'.repeat(32)}`;
	const failure = (reported: string, own: string) => ({
		message: `The chain node says that it accepted another transaction: ${JSON.stringify(reported)} instead of ${own}`,
		maybeExecuted: true,
	});

	test.each([other, '0x', 'sent', '', `${other} `])(
		'is a failure that nothing changes, and the chain node is asked no more: %j',
		async (answer) => {
			const lookUp = is('eth_getTransactionByHash', { hash });
			const { asked, perform } = sending({ answer: () => answer, lookUp });
			await expect(perform()).rejects.toMatchObject(failure(answer, hash));
			expect(asked).toEqual(['eth_sendRawTransaction']);
		},
	);

	test('is not the same one in capitals', async () => {
		const { perform } = sending({ answer: () => hash.toUpperCase().replace('0X', '0x') });
		expect(await perform()).toEqual([taken]);
	});

	test('is that of typed data on rollups that hash it, where it is one', async () => {
		const typed = `0x71${signed().slice(2)}`;
		expect(await sending({ answer: () => other }).perform(typed)).toEqual([
			{ result: other, transactionHash: other, wasKnown: false },
		]);
		await expect(sending({ answer: () => '0x12' }).perform(typed)).rejects.toMatchObject(
			failure('0x12', hashSignedTransaction(typed)),
		);
	});
});

describe('a nonce that is used', () => {
	const used = refusal('nonce too low: next nonce 4, tx nonce 3');
	const mined = { transactionHash: hash };
	const never = 'this transaction will never be carried out';

	test('is that of this one, where the node that is asked has its block a little later', async () => {
		const lookUp = (method: string, count: number) =>
			method === 'eth_getTransactionReceipt' && count === 2 ? mined : null;
		const { waits, perform } = sending({ answer: () => used, lookUp });
		expect(await perform()).toEqual([known]);
		expect(waits).toEqual([1_000, 2_000]);
	});

	test('is another one where the node does not have this one', async () => {
		const { perform } = sending({ answer: () => used });
		await expect(perform()).rejects.toMatchObject({
			maybeExecuted: false,
			description: expect.stringContaining(never),
		});
	});

	test.each([
		['of both kinds', () => lost],
		[
			'for receipts',
			(method: string) =>
				method === 'eth_getTransactionReceipt'
					? refusal('transaction indexing is in progress')
					: null,
		],
	])('may be that of this one where look-ups %s fail', async (_, lookUp) => {
		const { asked, perform } = sending({ answer: () => used, lookUp });
		await expect(perform()).rejects.toMatchObject({
			maybeExecuted: true,
			description: expect.not.stringContaining(never),
		});
		expect(asked.filter((method) => method === 'eth_sendRawTransaction')).toHaveLength(1);
	});
});

describe('a node that says that it failed, or was late,', () => {
	const cases = [
		['geth, late', refusal('request timed out', -32002)],
		['one behind a gateway', refusal('Post "https://sequencer": context deadline exceeded')],
		['any', refusal('Internal error', -32603)],
		['one whose sequencer hung up', refusal('forwarding failed: EOF', -32603)],
	] as const;

	test.each(cases)('may have taken the transaction: %s', async (_, failure) => {
		const { waits, perform } = sending({ answer: () => failure });
		await expect(perform()).rejects.toMatchObject({
			message: failure.message,
			maybeExecuted: true,
			description: expect.stringContaining(`Its hash is ${hash}.`),
		});
		expect(waits).toEqual([1_000, 2_000, 4_000, 7_500]);
	});

	test.each(cases)('has it once it is found: %s', async (_, failure) => {
		const lookUp = (_method: string, count: number) => (count < 2 ? null : { hash });
		const { perform } = sending({ answer: () => failure, lookUp });
		expect(await perform()).toEqual([known]);
	});
});
