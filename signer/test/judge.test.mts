import { parseEther, zeroAddress, type Hex } from 'viem';
import { TRIES_ALL } from '../../test/harness/caseCount.mts';
import { createRandom, type Random } from '../../test/harness/random.mts';
import {
	ADDRESS,
	CONTRACT,
	FRIEND,
	signed,
	signTransaction,
	STRANGER,
	TOKEN,
} from './support/signerNode.mts';
import { setClock } from './support/clock.mts';
import {
	abi,
	brokenBy,
	credentialOf,
	encodeCall,
	expectSigned,
	leastGas,
	written,
	type Given,
	type Ruled,
} from './support/judge.mts';
import { refuserIn } from './support/takenOut.mts';

/** The number of random sets of rules, and of transactions for each set. Separate code with viem says which of them must be signed. */
const SETS_OF_RULES = TRIES_ALL ? 40 : 10;
const TRANSACTIONS_EACH = 50;

const OWN = ADDRESS.toLowerCase();
const PEOPLE = [OWN, FRIEND, STRANGER, zeroAddress].map((one) => one.toLowerCase());
const CONTRACTS = [TOKEN, CONTRACT, STRANGER].map((one) => one.toLowerCase());
const AMOUNTS = [0n, 1n, 99n, 100n, 101n, 2n ** 255n, 2n ** 256n - 1n];
const COINS = [0n, 0n, 0n, 1n, parseEther('0.5'), parseEther('0.5') + 1n, parseEther('1')];

const FUNCTIONS = [
	['mint(address,uint256)'],
	['0x12345678', 'approve(address,uint256)'],
	['0xa9059cbb', 'setApprovalForAll(address,bool)'],
];

function someOf<T>(random: Random, all: readonly T[]): T[] {
	return all.filter(() => random.upTo(1) === 0);
}

function rulesFrom(random: Random): Ruled {
	const limited = random.oneOf([[], [TOKEN], [TOKEN], [TOKEN, CONTRACT]]);
	const chainIds = random.oneOf([[31337], [31337], [31337, 1]]);
	return {
		chainIds,
		maxAmount: random.oneOf([parseEther('0.5'), parseEther('1')]),
		maxFee: random.oneOf([parseEther('0.001'), parseEther('0.01')]),
		recipients: random.oneOf([[], someOf(random, [...PEOPLE, CONTRACT.toLowerCase()])]),
		spenders: random.oneOf([[], someOf(random, PEOPLE)]),
		functions: new Map(someOf(random, CONTRACTS).map((one) => [one, random.oneOf(FUNCTIONS)])),
		endOfNonces: chainIds.length === 1 ? random.oneOf([undefined, 3n, 4n, 9n]) : undefined,
		contracts: [...someOf(random, CONTRACTS), ...(random.upTo(3) === 0 ? ['*'] : [])],
		limits: new Map(limited.map((one) => [one.toLowerCase(), random.oneOf([0n, 100n])])),
		allowDeployments: random.upTo(1) === 0,
	};
}

function callFrom(random: Random): Hex {
	const item = random.oneOf(abi);
	const valueOf: Readonly<Record<string, () => unknown>> = {
		address: () => random.oneOf(PEOPLE),
		uint256: () => random.oneOf(AMOUNTS),
		'uint256[]': () => [random.oneOf(AMOUNTS), random.oneOf([0n, 1n])],
		bool: () => random.upTo(1) === 0,
		bytes: () => random.oneOf(['0x', '0x12']),
	};
	const args = item.inputs.map(({ type }) => valueOf[type]!());
	const data = encodeCall(item, args);
	return random.oneOf([
		data,
		data,
		data,
		data,
		data,
		data,
		data,
		data,
		`${data}00`,
		data.slice(0, -2),
		data.slice(0, 10),
		`${data.slice(0, 10)}01${data.slice(12)}`,
	]) as Hex;
}

function transactionFrom(random: Random): Given {
	const to = random.oneOf([...CONTRACTS, ...CONTRACTS, TOKEN.toLowerCase(), ...PEOPLE, undefined]);
	const isPayment = to !== undefined && random.upTo(4) === 0;
	const others = ['0x12', '0x12345678'] as const;
	const call = random.upTo(5) === 0 ? random.oneOf(others) : callFrom(random);
	const data: Hex = isPayment ? '0x' : call;
	const accessList = random.oneOf([
		[],
		[],
		[{ address: random.oneOf(PEOPLE), storageKeys: [`0x${'12'.repeat(32)}` as const] }],
	]);
	const given = { to, data, accessList };
	const least = leastGas(given);
	return {
		...given,
		nonce: BigInt(random.oneOf([0, 3, 3, 3, 4])),
		chainId: random.upTo(19) === 0 ? 1 : 31337,
		value: random.oneOf(COINS),
		gas: random.oneOf([least, least, least + 50_000n, 1_000_000n, least - 1n]),
		maxFeePerGas: random.oneOf([1n, 1_000_000_000n, 10_000_000_000n]),
	};
}

beforeEach(() => setClock('2026-11-24T12:00:00Z'));
afterEach(() => jest.restoreAllMocks());

test(`of ${SETS_OF_RULES * TRANSACTIONS_EACH} transactions, those are signed that break no rule, and no others`, async () => {
	const said = new Map<string, number>();
	for (let seed = 1; seed <= SETS_OF_RULES; seed++) {
		const random = createRandom(9000 + seed);
		const rules = rulesFrom(random);
		const all = Array.from({ length: TRANSACTIONS_EACH }, () => transactionFrom(random));
		const items = all.map((given) => ({ json: { transaction: written(given) as never } }));
		const parameters = { ...signTransaction({}), transaction: '={{ $json.transaction }}' };
		const onError = 'continueRegularOutput' as const;
		const results = await signed(parameters, { items, rules: credentialOf(rules), onError });
		for (const [index, result] of results.entries()) {
			const given = all[index]!;
			const broken = brokenBy(given, rules);
			const refuser = result.error === undefined ? undefined : refuserIn(String(result.error));
			const about = JSON.stringify({ given: written(given), rules: credentialOf(rules), result });
			expect([about, result.error === undefined]).toEqual([about, broken.size === 0]);
			if (result.error === undefined) await expectSigned(result.signedTransaction as Hex, given);
			else expect([about, [...broken]]).toEqual([about, expect.arrayContaining([refuser])]);
			said.set(refuser ?? 'signed', (said.get(refuser ?? 'signed') ?? 0) + 1);
		}
	}
	// Each rule must have refused at least one transaction.
	for (const name of REFUSERS) expect([name, said.get(name)]).toEqual([name, expect.any(Number)]);
	expect(said.get('signed')).toBeGreaterThan((SETS_OF_RULES * TRANSACTIONS_EACH) / 8);
});

const REFUSERS = [
	'Chain IDs',
	'Max Amount',
	'Max Fee',
	'Daily Transactions',
	'Recipients',
	'Spenders',
	'Contracts',
	'Token Limits',
	'Allow Deployments',
	'the canonical encoding',
	'the gas',
];
