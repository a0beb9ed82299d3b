import { hash as clientHash, type InvocationsSignerDetails } from 'starknet';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { collectResults } from '../../../nodes/core/run';
import { parseSentInvoke } from '../../../nodes/core/stark/sentInvoke';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import { send } from '../../../nodes/Stark/send';
import { createContext } from '../support/chains.mts';

const CHAIN_ID = '0x534e5f5345504f4c4941';
const bound = { max_amount: '0x1', max_price_per_unit: '0x2' };
const signed = {
	type: 'INVOKE',
	version: '0x3',
	sender_address: '0x5',
	calldata: ['0x0'],
	signature: ['0x1', '0x2'],
	nonce: '0x7',
	resource_bounds: { l1_gas: bound, l2_gas: bound, l1_data_gas: bound },
	tip: '0x0',
	paymaster_data: [],
	account_deployment_data: [],
	nonce_data_availability_mode: 'L1',
	fee_data_availability_mode: 'L1',
};

/** Computes the hash of the transaction with the library starknet.js. */
function computeHash(): string {
	const exact = { max_amount: 1n, max_price_per_unit: 2n };
	const found = clientHash.calculateInvokeTransactionHash({
		senderAddress: signed.sender_address,
		version: '0x3',
		compiledCalldata: signed.calldata,
		chainId: CHAIN_ID as InvocationsSignerDetails['chainId'],
		nonce: signed.nonce,
		accountDeploymentData: [],
		nonceDataAvailabilityMode: 0,
		feeDataAvailabilityMode: 0,
		resourceBounds: { l1_gas: exact, l2_gas: exact, l1_data_gas: exact },
		tip: signed.tip,
		paymasterData: [],
	});
	return `0x${found.slice(2).padStart(64, '0')}`;
}

const hash = computeHash();

const refusal = (code: number) => new RequestFailure('refused', { answer: { code } });
const UNKNOWN = refusal(29);
const RECEIVED = { finality_status: 'RECEIVED' };

/**
 * Sends a transaction. The node gives one answer to the sending, and one to each look-up in turn. An error as an
 * answer is thrown.
 */
async function sendTo(sending: unknown, ...lookUps: unknown[]) {
	const asked: string[] = [];
	const call = async ({ method }: RpcRequest) => {
		const name = method.replace('l2_', '');
		asked.push(name);
		const answers: Readonly<Record<string, () => unknown>> = {
			chainId: () => CHAIN_ID,
			getTransactionStatus: () => (lookUps.length > 1 ? lookUps.shift() : lookUps[0]),
			addInvokeTransaction: () => sending,
		};
		const answer = answers[name]?.();
		return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
	};
	const given = { transaction: parseSentInvoke(signed), path: '', options: {} };
	const outcome = await collectResults(send, given, createContext(call)).catch(
		(failure: unknown) => failure as RequestFailure,
	);
	return { outcome, sent: asked.filter((name) => name === 'addInvokeTransaction').length };
}

const sentAs = (wasKnown: boolean) => [{ result: hash, transactionHash: hash, wasKnown }];
const lost = new RequestFailure('cut', { maybeExecuted: true, retry: { because: 'lost' } });
const padded = (digits: string) => ({ transaction_hash: `0x${digits.padStart(64, '0')}` });

test.each<[string, unknown, unknown[], boolean, number]>([
	['taken', { transaction_hash: hash }, [UNKNOWN], false, 1],
	['taken with a bare hash', hash.replace(/^0x0+/, '0x'), [UNKNOWN], false, 1],
	['waiting already by code 59', refusal(59), [UNKNOWN], true, 1],
	['looked up before', padded('5'), [RECEIVED], true, 0],
	[
		'rejected before, and taken now',
		{ transaction_hash: hash },
		[{ finality_status: 'REJECTED' }],
		false,
		1,
	],
	['refused by its nonce, and arrived meanwhile', refusal(52), [UNKNOWN, RECEIVED], true, 1],
	['lost, and found at the third look', lost, [UNKNOWN, UNKNOWN, lost, RECEIVED], true, 1],
	[
		'refused by its nonce, and known a little later',
		refusal(52),
		[UNKNOWN, UNKNOWN, RECEIVED],
		true,
		1,
	],
	['refused as the node failed, and arrived', refusal(63), [UNKNOWN, UNKNOWN, RECEIVED], true, 1],
	['refused by an internal error, and arrived', refusal(-32603), [UNKNOWN, RECEIVED], true, 1],
])('a transaction that is %s', async (_, sending, lookUps, wasKnown, times) => {
	const { outcome, sent } = await sendTo(sending, ...lookUps);
	expect(outcome).toEqual(sentAs(wasKnown));
	expect(sent).toBe(times);
});

test.each([padded('5'), padded('abc'), { transaction_hash: 5 }, 'x'.repeat(5000)])(
	'a node that gives another hash is a failure that names both: %j',
	async (told) => {
		const { outcome, sent } = await sendTo(told, UNKNOWN, RECEIVED);
		expect(outcome).toBeInstanceOf(RequestFailure);
		const { message, maybeExecuted } = outcome as RequestFailure;
		const named = JSON.stringify(typeof told === 'string' ? told : told.transaction_hash);
		expect(message).toContain(
			`The chain node says that it accepted another transaction: ${named.slice(0, 70)}`,
		);
		expect(message).toMatch(new RegExp(` instead of ${hash}$`));
		expect(message.length).toBeLessThan(300);
		expect([maybeExecuted, sent]).toEqual([true, 1]);
	},
);

test.each([{ hash }, null, {}])('an answer without a hash is looked up: %j', async (told) => {
	expect((await sendTo(told, UNKNOWN, RECEIVED)).outcome).toEqual(sentAs(true));
	expect((await sendTo(told, UNKNOWN)).outcome).toMatchObject({
		message: 'The service did not answer with the hash of the transaction',
		description: expect.stringContaining(`Its hash is ${hash}.`),
		maybeExecuted: true,
	});
});

test.each<[string, unknown, unknown, RegExp]>([
	['lost', lost, UNKNOWN, /^Its hash is 0x[0-9a-f]{64}\.$/],
	[
		'refused by its nonce',
		refusal(52),
		UNKNOWN,
		/^Its nonce is 7, .*know its hash 0x[0-9a-f]{64}\./,
	],
])(
	'one that is %s and not found is a failure that names its hash',
	async (_, sending, lookUp, words) => {
		const { outcome, sent } = await sendTo(sending, lookUp);
		expect((outcome as RequestFailure).description).toMatch(words);
		expect((outcome as RequestFailure).description).toContain(hash);
		expect(sent).toBe(1);
	},
);

test.each([lost, { finality_status: 'DONE' }, 5])(
	'nothing is sent where the look-up before fails: %j',
	async (lookUp) => {
		const { outcome, sent } = await sendTo({ transaction_hash: hash }, lookUp);
		expect(outcome).toBeInstanceOf(RequestFailure);
		expect(sent).toBe(0);
	},
);

test.each<[string, RequestFailure, unknown[]]>([
	['an unexpected error', refusal(63), [UNKNOWN]],
	['an internal error', refusal(-32603), [UNKNOWN]],
	['words of a gateway', new RequestFailure('Gateway: context deadline exceeded'), [UNKNOWN]],
	['a used nonce, and look-ups that fail', refusal(52), [UNKNOWN, lost]],
])('%s leaves it open whether the transaction was taken', async (_, sending, lookUps) => {
	const { outcome, sent } = await sendTo(sending, ...lookUps);
	expect(outcome).toMatchObject({
		maybeExecuted: true,
		description: expect.stringContaining(hash),
	});
	expect((outcome as RequestFailure).description).not.toContain('prepare it again');
	expect(sent).toBe(1);
});

test('of two runs at once one gets false, though the answer of the other is lost on its way there', async () => {
	let isThere = false;
	let looks = 0;
	let open: () => void = () => {};
	const bothHaveLooked = new Promise<void>((resolve) => (open = resolve));
	const lookUp = async () => {
		if (++looks === 2) open();
		await bothHaveLooked;
		return isThere ? RECEIVED : await Promise.reject(UNKNOWN);
	};
	const run = async (isLost: boolean) => {
		const add = async () => {
			if (isLost) return await Promise.reject(lost);
			isThere = true;
			return await Promise.resolve({ transaction_hash: hash });
		};
		const call = async ({ method }: RpcRequest) => {
			if (method.endsWith('chainId')) return CHAIN_ID;
			return await (method.endsWith('getTransactionStatus') ? lookUp() : add());
		};
		const given = { transaction: parseSentInvoke(signed), path: '', options: {} };
		return await collectResults(send, given, createContext(call));
	};
	expect(await Promise.all([run(true), run(false)])).toEqual([sentAs(true), sentAs(false)]);
});
