import { parseSignature, type Hex } from 'viem';
import { deployContract } from '../../test/harness/contract.mts';
import { createSandbox, TEST_ADDRESS } from '../../test/harness/sandbox.mts';
import { setClock } from './support/clock.mts';
import { nonceOf as computeNonce } from './support/nonces.mts';
import { FRIEND, signWith, STRANGER, TOKEN, CONTRACT } from './support/signerNode.mts';
import {
	authorizationOf,
	cancellationOf,
	NOW,
	permitBatchOf,
	permitOf,
	permitTransferOf,
	signTypedData,
	type TypedData,
} from './support/typedData.mts';

afterEach(() => jest.restoreAllMocks());

const RULES = {
	chainIds: '31337',
	tokenLimits: `${TOKEN} 100`,
	typedDataKinds: ['permit', 'transferWithAuthorization', 'permit2'],
	dailyAuthorizations: '3',
};
const DAY = 86_400;
const START = Date.parse('2026-11-24T00:00:00Z') / 1000;
const TIMES = { validAfter: START, validBefore: START + DAY - 1 };

const nonceOf = (number: number, day = START / DAY, token = TOKEN) =>
	computeNonce(number, day, token);

const own = (number: number, more: object = {}, value = 100n) =>
	authorizationOf(value, FRIEND, { ...TIMES, nonce: nonceOf(number), ...more });

async function messageOf(data: TypedData, rules: object = RULES): Promise<string | undefined> {
	const { error } = await signWith(signTypedData(data), { rules: rules as never });
	return error?.message;
}

describe('with Daily Authorizations', () => {
	beforeEach(() => setClock(NOW));

	test.each<[string, TypedData]>([
		['the first', own(0)],
		['the last', own(2)],
		[
			'one that is received',
			authorizationOf(1n, FRIEND, own(1).message, 'ReceiveWithAuthorization'),
		],
		['a cancellation, which moves nothing', cancellationOf()],
		[
			'one of tomorrow, from tomorrow on',
			own(0, {
				validAfter: START + DAY,
				validBefore: START + DAY + 43_000,
				nonce: nonceOf(0, START / DAY + 1),
			}),
		],
	])('%s is signed', async (_, data) => {
		expect(await messageOf(data)).toBeUndefined();
	});

	const NONCES = `Allowed on 2026-11-24 (UTC): ${[0, 1, 2].map((at) => nonceOf(at)).join(', ')}`;
	const day = (text: string) => `The rule Daily Authorizations forbids it: ${text}`;

	test.each<[string, TypedData, string]>([
		['one more', own(3), day(`the authorization has the nonce ${nonceOf(3)}. ${NONCES}`)],
		['any other nonce', own(0, { nonce: `0x${'5a'.repeat(32)}` }), NONCES],
		['a nonce of another day', own(0, { nonce: nonceOf(0, START / DAY + 1) }), NONCES],
		['a nonce of another token', own(0, { nonce: nonceOf(0, START / DAY, CONTRACT) }), NONCES],
		['a nonce whose number was changed', own(0, { nonce: nonceOf(0).slice(0, -1) + '1' }), NONCES],
		[
			'one that could be used on the day before',
			own(0, {
				validAfter: START + DAY - 1,
				validBefore: START + DAY + 60,
				nonce: nonceOf(0, START / DAY + 1),
			}),
			day(
				'the authorization ends on 2026-11-25 (UTC) and can be used from 2026-11-24T23:59:59.000Z on. Allowed: from 2026-11-25T00:00:00.000Z on',
			),
		],
		[
			'a permit',
			permitOf(1n),
			day('the typed data is a Permit, of the kind permit. Allowed: authorizations of EIP-3009'),
		],
		['a permit of nothing', permitOf(0n), 'The rule Daily Authorizations forbids it'],
		['allowances of nothing', permitBatchOf([]), 'The rule Daily Authorizations forbids it'],
		['a transfer by Permit2', permitTransferOf(1n), 'The rule Daily Authorizations forbids it'],
		[
			'what the rules can not read',
			{ ...permitOf(1n), primaryType: 'EIP712Domain', message: {} },
			day('the typed data is no authorization of EIP-3009. Allowed: authorizations of EIP-3009'),
		],
		['more than the limit', own(0, {}, 101n), 'The rule Token Limits forbids it'],
		[
			'a token without a limit',
			authorizationOf(
				1n,
				FRIEND,
				{ ...TIMES, nonce: nonceOf(0, START / DAY, CONTRACT) },
				undefined,
				CONTRACT,
			),
			'The rule Token Limits forbids it',
		],
	])('%s is not', async (_, data, words) => {
		expect(await messageOf(data)).toContain(words);
		expect(await messageOf(data, { ...RULES, allowTypedData: true })).toContain(words);
	});

	test('the kind must be allowed, whatever Allow Typed Data says', async () => {
		const rules = { ...RULES, typedDataKinds: [], allowTypedData: true };
		expect(await messageOf(own(0), rules)).toMatch(/^The rule Typed Data Kinds forbids it/);
	});

	test('the nonces depend neither on their number nor on the chain or the domain', async () => {
		expect(await messageOf(own(0), { ...RULES, dailyAuthorizations: '1000000' })).toBeUndefined();
		const data = own(2);
		const elsewhere = {
			...data,
			domain: { ...data.domain, chainId: 1, name: 'Other', version: '7' },
		};
		expect(await messageOf(elsewhere, { ...RULES, chainIds: '1' })).toBeUndefined();
	});

	test.each(['0', '-1', '1.5', 'many'])('%s is no number of them', async (dailyAuthorizations) => {
		expect(await messageOf(own(0), { ...RULES, dailyAuthorizations })).toBe(
			"The rule Daily Authorizations of the credential can't be read: it must be a whole number, 1 or more",
		);
	});

	test('beside Daily Transactions, authorizations are signed only with it', async () => {
		const budget = { dailyTransactions: '1', firstNonce: '0', firstDay: '2026-11-24' };
		expect(await messageOf(own(0), { ...RULES, ...budget })).toBeUndefined();
		const unbound = { ...RULES, ...budget, dailyAuthorizations: '', allowTypedData: true };
		expect(await messageOf(own(0), unbound)).toMatch(/^The rule Daily Transactions forbids it/);
		const data = permitOf(1n);
		expect(await messageOf(data, { ...RULES, ...budget })).toContain('Daily Authorizations');
	});
});

describe('on a chain', () => {
	const sandbox = createSandbox({ chain: true });
	let token: Awaited<ReturnType<typeof deployContract>>;
	let at = 0;

	beforeAll(async () => {
		token = await deployContract(sandbox, 'Dollar', { file: 'Dollars' });
		const data = token.data('transfer(address,uint256)', BigInt(TEST_ADDRESS), 10n ** 9n);
		await sandbox.mined({ from: token.owner, to: token.address, data });
		const { timestamp } = (await sandbox.chain('eth_getBlockByNumber', 'latest', false)) as {
			timestamp: string;
		};
		// The tests use a day after the chain's present day, because the chain's clock cannot go back.
		at = (Math.floor(Number(timestamp) / DAY) + 2) * DAY;
	});

	const readBalance = async (owner: string) => {
		const data = token.data('balanceOf(address)', BigInt(owner));
		return BigInt(String(await sandbox.chain('eth_call', { to: token.address, data }, 'latest')));
	};

	/** Requests many authorizations, as a workflow under an attacker's control would, and returns those that the rules allow. */
	async function attack(day: number, rules: object, workers: number) {
		const wishes = Array.from({ length: 40 }, (_, number) => {
			const start = (day + (number % 3) - 1) * DAY;
			const nonce = nonceOf(number % 5, day + (number % 3) - 1, token.address);
			return [start - 10, start, start + 7].map((validAfter) => ({
				json: {
					data: {
						...authorizationOf(
							100n,
							[FRIEND, STRANGER][number % 2],
							{ validAfter, validBefore: start + DAY - 1 - number, nonce },
							undefined,
							token.address,
						),
						domain: {
							name: 'Test Dollar',
							version: '2',
							chainId: 31337,
							verifyingContract: token.address,
						},
					},
				},
			}));
		}).flat();
		const runs = Array.from({ length: workers }, async () => {
			const parameters = {
				resource: 'typedData',
				operation: 'sign',
				typedData: '={{ $json.data }}',
			};
			const onError = 'continueRegularOutput' as const;
			return await signWith(parameters, { rules: rules as never, items: wishes as never, onError });
		});
		return (await Promise.all(runs)).flatMap(({ items }) =>
			items.flatMap(({ json: { signature } }, place) =>
				typeof signature === 'string' ? [{ signature, data: wishes[place]!.json.data }] : [],
			),
		);
	}

	/** Sends an authorization to the chain, which decides whether it is valid. */
	async function settle({ signature, data }: { signature: string; data: TypedData }) {
		const { r, s, yParity } = parseSignature(signature as Hex);
		const { from, to, value, validAfter, validBefore, nonce } = data.message;
		const words = [from, to, value, validAfter, validBefore, nonce].map((one) =>
			BigInt(String(one)),
		);
		const call = token.data(
			'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
			...words,
			27 + yParity,
			BigInt(r),
			BigInt(s),
		);
		const sent = { from: token.owner, to: token.address, data: call };
		return await sandbox.mined({ ...sent, gas: '0x493e0' }).catch(() => undefined);
	}

	test('of all authorizations that can be had, a day takes as many as the rule says', async () => {
		const rules = { ...RULES, tokenLimits: `${token.address} 100` };
		for (const today of [at / DAY, at / DAY + 1]) {
			const noon = today * DAY + DAY / 2;
			setClock(new Date(noon * 1000).toISOString());
			const authorizations = await attack(today, rules, 2);
			expect(authorizations.length).toBeGreaterThan(20);
			await sandbox.chain('evm_setNextBlockTimestamp', noon);
			await sandbox.chain('evm_mine');
			const before = await readBalance(TEST_ADDRESS);
			for (const one of authorizations) await settle(one);
			expect(before - (await readBalance(TEST_ADDRESS))).toBe(3n * 100n);
		}
	});
});
