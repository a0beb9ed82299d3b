import { TronWeb, utils } from 'tronweb';
import { request } from 'undici';
import type { IDataObject } from 'n8n-workflow';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { parseWitnessAccount } from '../../../nodes/core/witness/address';
import { preparePayment, type PreparedPayment } from '../../../nodes/core/witness/prepare/prepare';
import { reservePayment } from '../../../nodes/core/witness/prepare/purse';
import { createContext } from '../../unit/support/chains.mts';
import { createContracts, LEADER, NOWHERE, OTHER, OWNER } from './support/contracts.mts';

/** An account that has never received anything, so that it does not exist on the chain. */
const NEW = utils.address.fromPrivateKey('3'.repeat(64)) as string;

const { sandbox, first, contracts, carryOut } = createContracts();
const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });

/** Creates a reader of the sandbox's chain. Each reader remembers its own answers, as each run of an n8n node does. */
function createReader() {
	const { nodeUrl, authToken } = sandbox.credentials.token.chainNodeTokenApi;
	return createContext<RestRequest>(async ({ path, body }) => {
		const answer = await request(`${nodeUrl}/${authToken}${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
		return await answer.body.json();
	});
}

type Reader = ReturnType<typeof createReader>;

interface Coins {
	readonly to: string;
	readonly coins: number;
	readonly memo?: string;
}

const SUN = 1_000_000;

async function payCoins({ to, coins, memo = '' }: Coins, reader: Reader = createReader()) {
	const [from, receiver] = [OWNER, to].map(parseWitnessAccount) as [string, string];
	const place = reservePayment(reader, from);
	const amount = BigInt(coins * SUN);
	try {
		return await preparePayment(reader, place, { from, to: receiver, amount, memo });
	} finally {
		place.release();
	}
}

interface Tokens {
	readonly value: bigint;
	readonly from?: string;
	readonly token?: string;
	readonly feeLimit?: number;
}

async function payTokens(
	{ value, from = OWNER, token = contracts.coin, feeLimit = 100 }: Tokens,
	reader: Reader = createReader(),
) {
	const accounts = { from: parseWitnessAccount(from), to: parseWitnessAccount(LEADER) };
	const place = reservePayment(reader, accounts.from);
	const limit = { token: parseWitnessAccount(token), feeLimit: BigInt(feeLimit * SUN) };
	try {
		return await preparePayment(reader, place, { ...accounts, ...limit, value });
	} finally {
		place.release();
	}
}

const toItem = ({ transaction }: PreparedPayment) => transaction as object as IDataObject;

const balanceOf = async (address: string) =>
	Number((await first({ resource: 'account', operation: 'get', address })).balance);

describe('a payment of coins', () => {
	test('has the bytes of tronweb, memo and all', async () => {
		const { transaction } = await payCoins({ to: LEADER, coins: 1.5, memo: 'Rechnung Ω7' });
		const {
			contract: _contract,
			data: _data,
			...blockHeader
		} = transaction.raw_data as IDataObject;
		const options = { blockHeader } as never;
		const plain = await transactionBuilder.sendTrx(LEADER, 1.5 * SUN, OWNER, options);
		const theirs = await transactionBuilder.addUpdateData(plain, 'Rechnung Ω7', 'utf8', {
			txLocal: true,
		});
		expect(transaction).toMatchObject({ txID: theirs.txID, raw_data_hex: theirs.raw_data_hex });
	});

	test.each([
		['to an account', { to: LEADER, coins: 1.5 }],
		['to a new account with a memo', { to: NEW, coins: 2, memo: 'x' }],
	])('%s costs what was said', async (_, payment) => {
		await sandbox.control('PUT', '/wallet', {
			defaultBalance: 0,
			balances: { [OWNER]: 50, [LEADER]: 1 },
		});
		const prepared = await payCoins(payment);
		const { status, fee } = await carryOut(toItem(prepared));
		expect({ status, fee }).toEqual({ status: 'success', fee: prepared.fee });
		expect(await balanceOf(OWNER)).toBeCloseTo(50 - Number(prepared.maxCost), 6);
	});

	test('is a sentence', async () => {
		const { summary } = await payCoins({ to: LEADER, coins: 1.5, memo: 'for "you"\n' });
		expect(summary).toMatch(
			/^Send 1\.5 TRX to THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC with the memo "for 'you' ", for a fee of at most 1 TRX, valid until 20\d\d-.*Z\.$/,
		);
	});

	test.each([
		[{ to: LEADER, coins: 5 }, / 5 TRX .* 4 TRX /],
		[{ to: LEADER, coins: 4, memo: 'x' }, / 5 TRX .* 4 TRX /],
		[{ to: NEW, coins: 3.5 }, / 4\.5 TRX .* 4 TRX /],
	])('that the account does not have is refused: %o', async (payment, words) => {
		const balances = { [OWNER]: 4, [LEADER]: 1 };
		await sandbox.control('PUT', '/wallet', { defaultFrozen: 0, defaultBalance: 0, balances });
		const failure = payCoins(payment);
		await expect(failure).rejects.toThrow(words);
		await expect(failure).rejects.toMatchObject({
			description: expect.stringContaining(`The balance of ${OWNER} must cover`) as string,
		});
		expect((await sandbox.record()).map(({ path }) => path)).not.toContain(
			'/wallet/createtransaction',
		);
	});

	test('of one run share the funds, and one that fails takes none', async () => {
		await sandbox.control('PUT', '/wallet', { balances: { [OWNER]: 10 } });
		const reader = createReader();
		const outcomes = await Promise.allSettled([
			payCoins({ to: LEADER, coins: 6 }, reader),
			payCoins({ to: LEADER, coins: 5 }, reader),
			payCoins({ to: LEADER, coins: 4 }, reader),
		]);
		expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
		expect(outcomes[1]).toMatchObject({
			reason: { message: expect.stringMatching(/ 11 TRX .* 10 TRX /) as string },
		});
	});

	test('whose bytes are paid in coins says so', async () => {
		const body = { freeNetLimit: 600, freeNetUsed: 400, NetLimit: 200 };
		await sandbox.fault({ path: 'getaccountresource$', do: { status: 200, body } });
		const { fee, maxCost } = await payCoins({ to: LEADER, coins: 1 });
		expect(Number(fee)).toBeGreaterThan(0.2);
		expect(Number(maxCost)).toBeCloseTo(1 + Number(fee), 6);
	});
});

describe('a payment of tokens', () => {
	test('is signed and carried out for the fee that was said', async () => {
		const prepared = await payTokens({ value: 1_500_000n });
		const { status, fee } = await carryOut(toItem(prepared));
		expect(status).toBe('success');
		expect(Number(prepared.fee)).toBeGreaterThanOrEqual(Number(fee));
		expect(prepared.maxCost).toBe('100');
		expect(prepared.summary).toMatch(
			/^Send 1\.5 of the token T\w{33} \("[^"]+", 6 decimals\) to THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC, for a fee of about [\d.]+ TRX, and at most 100 TRX, valid until /,
		);
	});

	test('that the account does not have is refused with what is there', async () => {
		const failure = payTokens({ value: 10n ** 15n });
		await expect(failure).rejects.toThrow(
			/^The tokens do not suffice: 1000000000 are needed, [\d.]+ are there$/,
		);
	});

	test('of one run share the tokens', async () => {
		const reader = createReader();
		const outcomes = await Promise.allSettled([
			payTokens({ value: 300_000_000n, from: OTHER }, reader),
			payTokens({ value: 300_000_000n, from: OTHER }, reader),
		]);
		expect(outcomes[1]).toMatchObject({
			reason: { message: 'The tokens do not suffice: 600 are needed, 500 are there' },
		});
	});

	test('whose energy the account can not pay is refused', async () => {
		await sandbox.control('PUT', '/wallet', { defaultBalance: 0, balances: { [LEADER]: 1 } });
		await expect(payTokens({ value: 5n })).rejects.toThrow(/ [\d.]+ TRX .* 0 TRX /);
	});

	test('whose fee limit is too low is refused', async () => {
		await expect(payTokens({ value: 5n, feeLimit: 0.01 })).rejects.toThrow(
			/^The fee limit does not suffice: the call takes \d+ energy, which is worth [\d.]+ TRX, and the limit is 0\.01 TRX$/,
		);
	});

	test('is free where the owner of the contract pays', async () => {
		const body = {
			origin_address: `41${parseWitnessAccount(OTHER)}`,
			origin_energy_limit: 10_000_000,
		};
		const enough = { EnergyLimit: 10_000_000 };
		await sandbox.fault({ path: 'getcontract$', do: { status: 200, body } });
		await sandbox.control('PUT', '/wallet', { defaultBalance: 0, balances: { [LEADER]: 1 } });
		const reader = createReader();
		const honest = reader.call;
		const call = async (asked: RestRequest) =>
			JSON.stringify(asked.body).includes(body.origin_address) ? enough : await honest(asked);
		expect(await payTokens({ value: 5n }, { ...reader, call })).toMatchObject({ fee: '0' });
	});

	test('of what is no token is refused', async () => {
		await expect(payTokens({ value: 5n, token: NOWHERE })).rejects.toThrow(
			/^There is no token at T/,
		);
	});
});

test.each([
	['another amount', { amount: 1 }, /amount is 1, not 1500000/],
	['no memo', { extra_data: '' }, /memo is "", not "78"/],
])('a node that builds %s is found out', async (_, lie, words) => {
	const reader = createReader();
	const honest = reader.call;
	const call = async (asked: RestRequest) => {
		if (!asked.path.endsWith('createtransaction')) return await honest(asked);
		return await honest({
			...asked,
			body: { ...JSON.parse(String(asked.body)), ...lie } as object,
		});
	};
	await expect(
		payCoins({ to: LEADER, coins: 1.5, memo: 'x' }, { ...reader, call }),
	).rejects.toThrow(words);
});
