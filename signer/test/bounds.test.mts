import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { testAttacks, type Attacked } from './support/attacks.mts';
import { setClock } from './support/clock.mts';
import {
	ADDRESS,
	CONTRACT,
	FRIEND,
	signed,
	signTransaction,
	signWith,
	STRANGER,
	TOKEN,
	TRANSFER,
} from './support/signerNode.mts';
import type * as TakenOut from './support/takenOut.mts';
import { BASE, call, to } from './support/tokenCalls.mts';
import { ALL_WITNESS, signWitness, transferOf } from './support/witness.mts';

jest.mock('../rules/refusal', () =>
	jest
		.requireActual<typeof TakenOut>('./support/takenOut.mts')
		.withoutThoseTakenOut(jest.requireActual('../rules/refusal')),
);

beforeEach(() => setClock('2026-11-24T12:00:00Z'));
afterEach(() => jest.restoreAllMocks());

const BUDGET = { ...BASE, dailyTransactions: '2', firstNonce: '5' };
const CONTRACTS = /^The rule Contracts forbids it: the transaction calls /;
const RECIPIENTS = /^The rule Recipients forbids it: /;
const SPENDERS =
	/^The rule Spenders forbids it: 0x\w{40} would be allowed to take tokens. Allowed: 0x\w{40}$/;
const UNCLEAR = /is not encoded in the one canonical way$/;
const ORDERS = [{ maker: FRIEND, price: 7n }];

const table: Readonly<Record<string, Attacked<object>>> = {
	'Daily Transactions': {
		rules: { ...BUDGET, firstDay: '2026-11-23' },
		allowed: [0, 5, 8].map((nonce) => ({ nonce })),
		refused: [
			[
				'a nonce of tomorrow',
				{ nonce: 9 },
				/^The rule Daily Transactions forbids it: the transaction has the nonce 9, which is allowed from 2026-11-25 \(UTC\) on. Allowed: those below 9 on 2026-11-24$/,
			],
			['the last nonce of tomorrow', { nonce: '0xa' }, /from 2026-11-25 \(UTC\) on/],
			['the first nonce of the day after', { nonce: '11' }, /from 2026-11-26 \(UTC\) on/],
			[
				'the last nonce of all',
				{ nonce: `0x${'f'.repeat(15)}e` },
				/from a time later than the year 275760 \(UTC\) on/,
			],
			[
				'what takes a pending transaction back, of tomorrow',
				to(ADDRESS, '0x', { nonce: 9 }),
				/^The rule Daily Transactions/,
			],
			['a deployment', { nonce: 9, to: undefined, data: '0x00' }, /Daily/, 'Allow Deployments'],
		],
	},
	'Daily Transactions, before the first day': {
		rules: { ...BUDGET, firstDay: '2026-11-25' },
		allowed: [{ nonce: 4 }],
		refused: [['its first nonce', { nonce: 5 }, /from 2026-11-25 \(UTC\) on\. .* below 5 on/]],
	},
	'Daily Transactions, long before the first day': {
		rules: { ...BUDGET, firstDay: '2030-01-01' },
		allowed: [{ nonce: 4 }],
		refused: [['its first nonce', { nonce: 5 }, /from 2030-01-01 \(UTC\) on\. .* below 5 on/]],
	},
	'Contracts, with functions': {
		rules: {
			...BASE,
			contracts: `${CONTRACT} mint(address to, uint256), 0x12345678 0x40c10f19 list((address,uint256)[])\n${TOKEN}`,
		},
		allowed: [
			to(CONTRACT, call('mint', FRIEND, 1n)),
			to(CONTRACT, call('list', ORDERS), { value: '0x1' }),
			to(CONTRACT, '0x12345678'),
			to(CONTRACT, '0x12345678abcd'),
			to(TOKEN, call('burn', 1n)),
			to(TOKEN, '0x'),
		],
		refused: [
			[
				'another function',
				to(CONTRACT, call('burn', 1n)),
				/^The rule Contracts forbids it: the transaction calls the function 0x42966c68 of 0x\w{40}. Allowed: mint\(address,uint256\), 0x12345678, list\(\(address,uint256\)\[\]\) of it$/,
			],
			['a function that the rules know', to(CONTRACT, call('transfer', FRIEND, 1n)), CONTRACTS],
			['a fallback', to(CONTRACT, '0x123456'), CONTRACTS],
			[
				'the named function with a byte more',
				to(CONTRACT, `${call('mint', FRIEND, 1n)}00`),
				UNCLEAR,
			],
			[
				'the named function with a dirty address',
				to(CONTRACT, call('mint', FRIEND, 1n).replace('40c10f1900', '40c10f1901')),
				UNCLEAR,
			],
			[
				'the named function with an odd offset',
				to(CONTRACT, call('list', ORDERS).replace(/20(0{63}1)/, '40$1')),
				UNCLEAR,
			],
			['the named function of another contract', to(STRANGER, call('mint', FRIEND, 1n)), CONTRACTS],
		],
	},
	'Contracts, with functions beside any contract': {
		rules: { ...BASE, contracts: `* ${CONTRACT} mint(address,uint256)` },
		allowed: [to(CONTRACT, call('mint', FRIEND, 1n)), to(TOKEN, call('burn', 1n))],
		refused: [['another function', to(CONTRACT, call('burn', 1n)), CONTRACTS]],
	},
	'Contracts, with functions of a token that has a limit': {
		rules: {
			...BASE,
			recipients: FRIEND,
			contracts: `${TOKEN} transferFrom(address,address,uint256) burn(uint256)`,
			tokenLimits: `${TOKEN} 100`,
		},
		allowed: [
			to(TOKEN, call('transferFrom', STRANGER, FRIEND, 100n)),
			to(TOKEN, call('burn', 101n), { value: '0x1' }),
			to(TOKEN, call('transfer', FRIEND, 100n)),
		],
		refused: [
			['more of it', to(TOKEN, call('transferFrom', STRANGER, FRIEND, 101n)), /Token Limits/],
			['it for a stranger', to(TOKEN, call('transferFrom', STRANGER, STRANGER, 1n)), RECIPIENTS],
			[
				'coins along with a function that is not named',
				to(TOKEN, call('transfer', FRIEND, 1n), { value: '0x1' }),
				RECIPIENTS,
			],
			[
				'a function that has neither',
				to(TOKEN, call('setApprovalForAll', FRIEND, false)),
				CONTRACTS,
			],
		],
	},
	Spenders: {
		rules: { ...BASE, recipients: FRIEND, spenders: STRANGER, contracts: `${TOKEN}, ${CONTRACT}` },
		allowed: [
			to(TOKEN, call('transfer', FRIEND, 1n)),
			to(TOKEN, call('approve', STRANGER, 1n)),
			to(TOKEN, call('increaseAllowance', STRANGER, 1n)),
			to(TOKEN, call('setApprovalForAll', STRANGER, true)),
			to(TOKEN, call('setApprovalForAll', FRIEND, false)),
			to(TOKEN, call('decreaseAllowance', FRIEND, 1n)),
		],
		refused: [
			['an approval of who may receive', to(TOKEN, call('approve', FRIEND, 1n)), SPENDERS],
			['a higher one', to(TOKEN, call('increaseAllowance', FRIEND, 1n)), SPENDERS],
			['an operator', to(TOKEN, call('setApprovalForAll', FRIEND, true)), SPENDERS],
			['a transfer to who may take', to(TOKEN, call('transfer', STRANGER, 1n)), RECIPIENTS],
			['coins for who may take', { to: STRANGER }, RECIPIENTS],
			['the NFT with the ID 0', to(CONTRACT, call('approve', FRIEND, 0n)), SPENDERS],
		],
	},
	'Spenders alone': {
		rules: { ...BASE, spenders: STRANGER, tokenLimits: `${TOKEN} 100` },
		allowed: [
			to(TOKEN, call('transfer', FRIEND, 1n)),
			to(TOKEN, call('approve', STRANGER, 1n)),
			to(TOKEN, call('approve', FRIEND, 0n)),
		],
		refused: [['an approval of another', to(TOKEN, call('approve', FRIEND, 1n)), SPENDERS]],
	},
	'Token Limits in whole tokens': {
		rules: { ...BASE, tokenLimits: `${TOKEN} 2.5 6\n${CONTRACT}\t3 0\n` },
		allowed: [
			to(TOKEN, call('transfer', FRIEND, 2_500_000n)),
			to(CONTRACT, call('transfer', FRIEND, 3n)),
		],
		refused: [
			[
				'one unit more',
				to(TOKEN, call('transfer', FRIEND, 2_500_001n)),
				/is about 2\.500001. Allowed: at most 2\.5 whole tokens$/,
			],
			['one more', to(CONTRACT, call('transfer', FRIEND, 4n)), /is about 4\. .* 3 whole tokens$/],
		],
	},
};

async function messageOf(change: object, rules: ICredentialDataDecryptedObject) {
	const given = { ...TRANSFER, gas: '0xf4240', ...change };
	return (await signWith(signTransaction(given), { rules })).error?.message;
}

testAttacks(table, messageOf);

describe('a rule that cannot be read refuses everything', () => {
	test.each<[string, object]>([
		['a number of none a day', { dailyTransactions: '0' }],
		['a part of a transaction', { dailyTransactions: '0.5' }],
		['fewer than none', { dailyTransactions: '-1' }],
		['a word', { dailyTransactions: 'some' }],
		['hex', { dailyTransactions: '0x10' }],
		['no first nonce', { firstNonce: '' }],
		['a first nonce below 0', { firstNonce: '-1' }],
		['a first nonce that has lost digits', { firstNonce: '12345678901234567890' }],
		['no first day', { firstDay: '' }],
		['a day that is none', { firstDay: '2026-02-30' }],
		['a time', { firstDay: '2026-11-24T00:00:00Z' }],
		['another order', { firstDay: '24.11.2026' }],
		['a year of more digits', { firstDay: '+012026-11-24' }],
		['two chains, which count nonces apart', { chainIds: '1, 31337' }],
		['functions without a contract', { contracts: 'mint(address,uint256)' }],
		['functions in a line of their own', { contracts: `${CONTRACT}\nmint(address)` }],
		['functions of any contract', { contracts: '* mint(address)' }],
		['a function that calls others', { contracts: `${CONTRACT} multicall(bytes[])` }],
		['a function that executes', { contracts: `${CONTRACT} execute(address,uint256,bytes)` }],
		['a fallback', { contracts: `${CONTRACT} fallback()` }],
		['an open signature', { contracts: `${CONTRACT} mint(address` }],
		['types that are none', { contracts: `${CONTRACT} mint(money)` }],
		['a name alone', { contracts: `${CONTRACT} mint` }],
		['a short selector', { contracts: `${CONTRACT} 0x1234567` }],
		['a contract twice', { contracts: `${CONTRACT} mint(address)\n${CONTRACT}` }],
		['a contract again', { contracts: `${CONTRACT}\n${CONTRACT.toLowerCase()} mint(address)` }],
		['decimals of part of a token', { tokenLimits: `${TOKEN} 0.0000001 6` }],
		['many decimals', { tokenLimits: `${TOKEN} 1 78` }],
		['decimals below 0', { tokenLimits: `${TOKEN} 1 -6` }],
		['more than 256 bits', { tokenLimits: `${TOKEN} ${10n ** 60n} 18` }],
		['a fourth word', { tokenLimits: `${TOKEN} 1 6 6` }],
		['spenders who are none', { spenders: 'everybody' }],
		['an unknown kind', { typedDataKinds: ['order'] }],
	])('%s', async (_, change) => {
		const rules = { ...BUDGET, firstDay: '2026-11-24', ...change };
		const message = await messageOf({ nonce: 5 }, rules);
		expect(message).toMatch(/^The rule [\w ]+ of the credential can't be read: it must be /);
	});

	test('and without them it is signed; without a number, the other two bind nothing', async () => {
		expect(await messageOf({ nonce: 5 }, { ...BUDGET, firstDay: '2026-11-24' })).toBeUndefined();
		const unbound = { ...BUDGET, dailyTransactions: '', chainIds: '1, 31337' };
		expect(await messageOf({ nonce: 500 }, unbound)).toBeUndefined();
	});
});

describe('with a budget, what takes no nonce is not signed', () => {
	const rules = { ...ALL_WITNESS, ...BUDGET, firstDay: '2026-11-24' };
	const without = { ...rules, dailyTransactions: '' };

	test.each([
		['a message', async () => ({ resource: 'message', operation: 'sign', message: 'hello' })],
		[
			'typed data',
			async () => ({
				resource: 'typedData',
				operation: 'sign',
				typedData: JSON.stringify({
					types: { Mail: [{ name: 'text', type: 'string' }] },
					domain: { name: 'Mail' },
					primaryType: 'Mail',
					message: { text: 'hello' },
				}),
			}),
		],
		['a TRON transaction', async () => signWitness(await transferOf(1))],
	])('%s', async (what, make) => {
		const parameters = await make();
		const { error, items } = await signWith(parameters, { rules });
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			`The rule Daily Transactions forbids it: ${what} takes no nonce, so the rule could not count it. Allowed: transactions with a nonce`,
		);
		expect(await signed(parameters, { rules: without })).toHaveLength(1);
	});
});
