import { Address, internal, toNano } from '@ton/core';
import { encodeEventTopics, encodeFunctionData, keccak256, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
	FAMILY_NAMES,
	SOMETHING_ELSE,
	type Family,
	type RunContext,
	type SignedTransaction,
} from '../../../nodes/core';
import { signPreparedInvoke } from '../../../test/cases/starkSigning.mts';
import { openWallets, signTransfer, wrap } from '../../../test/sandbox/support/tonClient.mts';
import { createContext } from '../../../test/unit/support/chains.mts';
import { buildItem, followSigned, takeSigned } from '../../nodes/Pay/behindSignature';
import { openFamily, type PayRequest } from '../../nodes/Pay/family';
import { FRIEND, KEY, TOKEN } from '../support/accounts.mts';
import { buildInvoke } from '../support/stark.mts';
import { asWitness, callOf } from '../support/witness.mts';

const ERC20 = parseAbi([
	'function transfer(address to, uint256 amount)',
	'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const data = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [FRIEND, 5n] });
const payer = privateKeyToAccount(`0x${KEY.replace(/^0x/, '')}`);
const word = `0x${'5'.padStart(64, '0')}` as const;
const topics = encodeEventTopics({
	abi: ERC20,
	eventName: 'Transfer',
	args: { from: payer.address, to: FRIEND },
}) as string[];

/** For each family: a payment signed by a client of its chain, and the answers of a node that carries it out at once. */
const SCENES: Readonly<
	Record<Family, () => Promise<{ signed: string; answer: (name: string) => unknown }>>
> = {
	evm: async () => {
		const fees = { gas: 60_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
		const to = TOKEN as `0x${string}`;
		const signed = await payer.signTransaction({ chainId: 1, nonce: 7, to, data, ...fees });
		const hash = keccak256(signed);
		const block = { number: '0x9', hash, parentHash: hash, timestamp: '0x6', transactions: [] };
		const log = { address: TOKEN, topics, data: word };
		const receipt = { transactionHash: hash, blockNumber: '0x9', status: '0x1', logs: [log] };
		const answers: Readonly<Record<string, unknown>> = {
			eth_chainId: '0x1',
			eth_sendRawTransaction: hash,
			eth_getTransactionReceipt: receipt,
			eth_getBlockByNumber: block,
		};
		return { signed, answer: (name) => answers[name] ?? word };
	},
	witness: async () => {
		const built = await callOf(asWitness(TOKEN), data.slice(2));
		const signed = JSON.stringify({ ...built, signature: ['ab'.repeat(65)] });
		const log = {
			address: TOKEN.slice(2).toLowerCase(),
			topics: topics.map((topic) => topic.slice(2)),
			data: word.slice(2),
		};
		const info = { id: built.txID, blockNumber: 9, receipt: { result: 'SUCCESS' }, log: [log] };
		const answer = (path: string) => {
			if (path.endsWith('/broadcasttransaction')) return { result: true, txid: built.txID };
			return path.endsWith('/gettransactioninfobyid') ? info : {};
		};
		return { signed, answer };
	},
	ton: async () => {
		const wallets = openWallets({ secret: '77'.repeat(32) } as never);
		const message = internal({ to: Address.parse(`0:${'d1'.repeat(32)}`), value: toNano('1') });
		const body = signTransfer(wallets, 'v4r2', { seqno: 3, messages: [message] });
		const answer = (path: string) => (path.endsWith('masterchainInfo') ? HUGE_TIME : {});
		return await Promise.resolve({ signed: wrap(wallets.v4r2.address, body), answer });
	},
	stark: async () => {
		const call = { to: 0x77n, name: 'transfer', calldata: [0x88n, 5n, 0n] };
		const { signed, hash } = signPreparedInvoke(buildInvoke([call]) as never, '0x1234');
		const receipt = {
			transaction_hash: hash,
			finality_status: 'ACCEPTED_ON_L2',
			execution_status: 'SUCCEEDED',
			block_number: 9,
			block_hash: hash,
			events: [],
		};
		const answers: Readonly<Record<string, unknown>> = {
			l2_chainId: '0x534e5f5345504f4c4941',
			l2_addInvokeTransaction: { transaction_hash: hash },
			l2_getTransactionStatus: receipt,
			l2_getTransactionReceipt: receipt,
		};
		return await Promise.resolve({ signed, answer: (name) => answers[name] ?? null });
	},
};

/** A time that a Date cannot represent. */
const HUGE_TIME = { last: { gen_utime: '99999999999999' } };

interface Hit {
	/** The index of the request that throws. None throws by default. */
	readonly at?: number;
}

/** Settles a signed payment at a node where one request throws an unexpected error. */
async function settleAt(chain: Family, { at }: Hit = {}) {
	const { signed, answer } = await SCENES[chain]();
	let count = 0;
	const call = async ({ rpc, rest }: PayRequest) => {
		if (count++ === at) throw new RangeError('Invalid time value');
		return await Promise.resolve(answer(rpc?.method ?? rest?.path ?? ''));
	};
	const context = createContext<PayRequest>(call);
	const transaction = openFamily(chain, context, {}).parseSigned(signed);
	const item = await settle(transaction, { context, chain });
	return { item, count, text: transaction.text };
}

interface Settling {
	readonly context?: RunContext<PayRequest>;
	readonly chain?: Family;
}

async function settle(transaction: SignedTransaction, given: Settling = {}) {
	const { context = createContext<PayRequest>(fail), chain = 'evm' } = given;
	const settled = await followSigned(transaction, { seconds: 0 });
	return buildItem(context, { paymentId: 'a', chain, facts: SOMETHING_ELSE }, settled);
}

const UNKNOWN = {
	status: 'unknown',
	signedTransaction: 'signed',
	reason: expect.stringMatching(/could not be found out: .*Do not pay again, but run Finish/),
};

/** The outcomes of the payments in `SCENES` if no request throws. */
const STATUSES: Readonly<Record<Family, string>> = {
	evm: 'confirmed',
	witness: 'confirmed',
	ton: 'unknown',
	stark: 'failed',
};

describe.each(FAMILY_NAMES)('whatever is thrown behind a signature on %s', (chain) => {
	test('at any request, the payment is unknown, with what was signed', async () => {
		const { count, item: whole } = await settleAt(chain);
		expect(whole).toMatchObject({ status: STATUSES[chain] });
		expect(count).toBeGreaterThan(1);
		for (let at = 0; at < count; at++) {
			const { item, text } = await settleAt(chain, { at });
			expect(item).toMatchObject({ ...UNKNOWN, signedTransaction: text, paymentId: 'a' });
		}
	});
});

const SIGNED: SignedTransaction = {
	text: 'signed',
	settle: async () =>
		await Promise.resolve({
			status: 'confirmed',
			transactionHash: null,
			fee: null,
			blockNumber: null,
			timestamp: null,
			reason: null,
		}),
	fields: {},
	read: async () => await Promise.resolve(SOMETHING_ELSE),
};
const fail = (): never => {
	throw new RangeError('Invalid time value');
};

test('facts that cannot be formatted leave the payment unknown', async () => {
	const facts = Object.defineProperty({ ...SOMETHING_ELSE }, 'value', { get: fail });
	const settled = await followSigned(SIGNED, { seconds: 0 });
	const item = buildItem(
		createContext<PayRequest>(fail),
		{ paymentId: null, chain: 'evm', facts },
		settled,
	);
	expect(item).toMatchObject(UNKNOWN);
});

test.each<[string, Partial<SignedTransaction>]>([
	['at once', { settle: fail }],
	['later', { settle: async () => await Promise.reject(new RangeError('Invalid time value')) }],
	['as no error', { settle: async () => await Promise.reject('gone') }],
	[
		'while it is formatted',
		{
			settle: async (terms) =>
				Object.defineProperty({ ...(await SIGNED.settle(terms)) }, 'fee', { get: fail }),
		},
	],
])('what is thrown %s leaves the payment unknown', async (_, thrown) => {
	expect(await settle({ ...SIGNED, ...thrown })).toMatchObject(UNKNOWN);
});

test('what the signer gave and nobody can read is kept as it came', async () => {
	const family = { ...openFamily('evm', createContext<PayRequest>(fail), {}), takeSigned: fail };
	const taken = takeSigned(family, { signedTransaction: '0x02' });
	const signedTransaction = '{"signedTransaction":"0x02"}';
	expect(await settle(taken)).toMatchObject({ ...UNKNOWN, signedTransaction });
});
