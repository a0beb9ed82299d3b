import fc from 'fast-check';
import { decodeFunctionData, parseEther, parseUnits, slice, zeroAddress, type Hex } from 'viem';
import { runAtOnce } from '../../../nodes/core/net/pacing/slices';
import {
	signMessage,
	signTypedData,
	signWitnessTransaction,
} from '../../nodes/core/secp256k1Signer';
import { witnessTransaction } from '../../nodes/Signer/witnessTransaction';
import { computeNonce } from '../../rules/authorizations';
import { parseSecp256k1Rules, type Secp256k1Rules } from '../../rules/rules';
import { describeWorstCase } from '../../rules/worstCase';
import { ADDRESS as OWN, CONTRACT, FRIEND, STRANGER, TOKEN } from '../support/accounts.mts';
import { setClock } from '../support/clock.mts';
import { abi, encodeCall } from '../support/judge.mts';
import {
	allowTransaction,
	attempt,
	createTally,
	expectSame,
	key,
	keys,
} from '../support/properties.mts';
import {
	authorizationOf,
	NOW,
	permitBatchOf,
	permitOf,
	permitTransferOf,
	type TypedData,
} from '../support/typedData.mts';
import {
	ALL_WITNESS,
	asBase58,
	callOf,
	delegationTo,
	memoOf,
	otherKinds,
	transferOf,
	type Built,
} from '../support/witness.mts';
import { readWitnessTransaction } from '../support/witnessJudge.mts';

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const count = createTally();

const some = <T,>(...all: readonly T[]) => fc.subarray([...all]);
const joined = (separator: string, ...all: readonly string[]) =>
	some(...all).map((chosen) => chosen.join(separator));

const MINT = 'mint(address,uint256)';

const credential = fc.record({
	chainIds: fc.constantFrom('31337', '31337', '1', ''),
	maxAmount: fc.constantFrom('0', '1'),
	maxFee: fc.constantFrom('0', '0.01'),
	recipients: joined(' ', FRIEND, CONTRACT, asBase58(FRIEND)),
	spenders: joined(' ', STRANGER, asBase58(STRANGER)),
	contracts: joined('\n', CONTRACT, `${TOKEN} ${MINT} 0x12345678`, asBase58(CONTRACT), '*'),
	tokenLimits: joined('\n', `${TOKEN} 100`, `${CONTRACT} 2.5 1`, `${asBase58(TOKEN)} 100`),
	allowDeployments: fc.boolean(),
	allowMessages: fc.boolean(),
	allowTypedData: fc.boolean(),
	typedDataKinds: some('permit', 'transferWithAuthorization', 'permit2'),
	witnessKinds: some(...ALL_WITNESS.witnessKinds),
	witnessMaxAmount: fc.constantFrom('0', '1'),
	witnessMaxFee: fc.constantFrom('0', '10'),
	dailyTransactions: fc.constantFrom('', '', '7'),
	firstNonce: fc.constant('0'),
	firstDay: fc.constant(NOW.slice(0, 10)),
	dailyAuthorizations: fc.constantFrom('', '', '5'),
});

/** The decimals with which the limits of tokens are written. Other tokens have none. */
const DECIMALS: Readonly<Record<string, number>> = { [CONTRACT]: 1 };

/** The clauses of a sentence, as somebody reads them who knows nothing of the rules. */
function readClauses(sentence: string): readonly string[] {
	const [, text = ''] =
		/^At worst, someone who controls the workflow can (.+)\.$/.exec(sentence) ?? [];
	return text.split('. This person can ');
}

type Clauses = readonly string[];

const says = (clauses: Clauses, words: string | RegExp) => clauses.some((one) => one.match(words));

/** Whether the clause allows this receiver, by name or because it names nobody. */
function isFor(clauses: Clauses, clause: string, receiver: string): boolean {
	const [, names, others] =
		/\. Only these addresses can receive [^:]+: (\w+(?:, \w+)*)?(?:; )?(the addresses in Contracts, by a call)?$/.exec(
			clause,
		) ?? [];
	if (/\. Nobody can receive /.test(clause)) return false;
	if (!/\. Only these /.test(clause) || names?.split(', ').includes(receiver)) return true;
	return others !== undefined && says(clauses, new RegExp(`^call .+ of ${receiver}\\. No rule`));
}

/** Whether the clause covers sending so many coins to the address. A payment of the account to itself is no loss. */
function saysCoins(clauses: Clauses, clause: string, most: bigint, to: string, amount: bigint) {
	return amount === 0n || (amount <= most && (to === OWN || isFor(clauses, clause, to)));
}

function saysTokens(clauses: Clauses, token: string, party: string, amount: bigint): boolean {
	const clause = clauses.find((one) => one.startsWith('take ') && one.includes(` of ${token}`));
	const [, daily, single] =
		/^take (?:[\d.]+ [\w ]+ a day(?: by signatures, too)?: (?:one|each of \d+) \w+ moves at most ([\d.]*\d)|all [\w ]+ of \w+: at most ([\d.]*\d) at a time)/.exec(
			clause ?? '',
		) ?? [];
	const each = daily ?? single;
	return (
		clause !== undefined &&
		each !== undefined &&
		amount <= parseUnits(each, DECIMALS[token] ?? 0) &&
		isFor(clauses, clause, party)
	);
}

/** Whether the clauses cover a call of this function, or its effect. */
function saysCall(clauses: Clauses, to: string, data: Hex, write: (evm: string) => string) {
	if (
		data === '0x' ||
		(to !== OWN && says(clauses, 'call any function of any contract except the account itself'))
	) {
		return true;
	}
	const named = clauses.find((one) => one.startsWith('call ') && one.includes(` of ${to}. `)) ?? '';
	const isMint = data.startsWith(MINT_SELECTOR);
	if (named.startsWith('call every function')) return true;
	if (named.includes(isMint ? MINT : slice(data, 0, Math.min(4, data.length / 2 - 1)))) return true;
	if (isMint || data.length < MIN_CALL_CHARS) return false;
	const { functionName, args } = decodeFunctionData({ abi, data });
	const [first, second, third] = args as readonly [string, unknown, unknown];
	const isFrom = functionName === 'transferFrom';
	const [party, amount] = isFrom ? [second, third] : [first, second];
	const isTakenBack =
		functionName === 'decreaseAllowance' ||
		(functionName === 'approve' && (amount === 0n || first === zeroAddress));
	return isTakenBack
		? says(clauses, new RegExp(`^take .* of ${to}`))
		: saysTokens(clauses, to, write(String(party)), amount as bigint);
}

const MINT_SELECTOR = '0x40c10f19';
/** The length of a call with one argument: `0x`, a selector and one word in hex. */
const MIN_CALL_CHARS = 74;

interface Attempt {
	readonly sign: (rules: Secp256k1Rules) => unknown;
	/** Whether the sentence covers the signed request. */
	readonly isSaid: (clauses: Clauses) => boolean;
}

const CALLS: readonly Hex[] = [
	'0x',
	'0x12',
	'0x12345678',
	...[99n, 100n, 101n, 0n].flatMap((amount) =>
		[FRIEND, STRANGER, CONTRACT].flatMap((party) => [
			encodeCall(abi[0], [party, amount]),
			encodeCall(abi[2], [party, amount]),
			encodeCall(abi[3], [party, amount]),
		]),
	),
	encodeCall(abi[1], [FRIEND, STRANGER, 1n]),
	encodeCall(abi[4], [STRANGER, 5n]),
	encodeCall(abi[9], [STRANGER, 5n]),
];

const GAS = 100_000n;
const payment = fc
	.record({
		chainId: fc.constantFrom('31337', '31337', '1'),
		to: fc.constantFrom(FRIEND, STRANGER, TOKEN, CONTRACT, OWN, null),
		data: fc.constantFrom(...CALLS),
		value: fc.constantFrom(0n, 1n, parseEther('1')),
		gasPrice: fc.constantFrom(0n, 1n, parseEther('0.01') / GAS),
	})
	.map(
		({ chainId, to, data, value, gasPrice }): Attempt => ({
			sign: (rules) => {
				const numbers = { value: String(value), gasPrice: String(gasPrice), gas: String(GAS) };
				return allowTransaction({ chainId, to, data, nonce: '0', ...numbers }, rules);
			},
			isSaid: (clauses) => {
				const coins = clauses.find((one) => /^spend .+ on chains? /.test(one)) ?? '';
				const [, most = '0', fee = '0'] =
					/sends (?:no coins|at most ([\d.]*\d)) and costs a fee of at most ([\d.]*\d)/.exec(
						coins,
					) ?? [];
				return (
					new RegExp(`on chain ${chainId}\\b`).test(coins) &&
					GAS * gasPrice <= parseEther(fee) &&
					saysCoins(clauses, coins, parseEther(most), to ?? 'a contract', value) &&
					(to === null
						? says(clauses, /^deploy contracts$/)
						: saysCall(clauses, to, data, (one) => one))
				);
			},
		}),
	);

/** Returns times and a nonce for an authorization that the rule Daily Authorizations allows. */
function ownAuthorization() {
	const start = Date.parse(NOW.slice(0, 10)) / 1000;
	const ofDay = { token: TOKEN.toLowerCase(), day: BigInt(start / 86_400) };
	const nonce = computeNonce(key.derive, ofDay, 4n);
	return { validAfter: start, validBefore: start + 86_399, nonce };
}

const signatures: ReadonlyArray<readonly [data: TypedData, party: string, amount: bigint]> = [
	[permitOf(100n, STRANGER), STRANGER, 100n],
	[permitOf(25n, CONTRACT, {}, CONTRACT), CONTRACT, 25n],
	[authorizationOf(99n, FRIEND), FRIEND, 99n],
	[authorizationOf(98n, FRIEND, ownAuthorization()), FRIEND, 98n],
	[permitBatchOf([50n, 50n], FRIEND), FRIEND, 100n],
	[permitTransferOf(101n, FRIEND), FRIEND, 101n],
];

const signature = fc.constantFrom(...signatures).map(
	([data, party, amount]): Attempt => ({
		sign: (rules) => attempt(() => runAtOnce(signTypedData(keys, rules, key, data))),
		isSaid: (clauses) => {
			const token = data.domain.name === 'Permit2' ? TOKEN : String(data.domain.verifyingContract);
			return (
				says(clauses, 'sign any typed data') ||
				saysTokens(
					clauses.filter((one) => / signatures? moves /.test(one)),
					token,
					party,
					amount,
				) ||
				(says(clauses, 'move these tokens by signatures, too') &&
					saysTokens(clauses, token, party, amount))
			);
		},
	}),
);

const message: Attempt = {
	sign: (rules) => attempt(() => signMessage(keys, rules, key, Buffer.from('hello'))),
	isSaid: (clauses) => says(clauses, 'sign any message'),
};

const originals: Built[] = [];

beforeAll(async () => {
	setClock(NOW);
	originals.push(
		...(await Promise.all([
			transferOf(1),
			transferOf(1_000_000),
			transferOf(1, asWitnessHex(STRANGER)),
			callOf(CONTRACT, '0x12345678', { callValue: 1_000_000 }),
			callOf(TOKEN, '0x12345678', { feeLimit: 10_000_000 }),
			...CALLS.filter((data) => data.length > MIN_CALL_CHARS).map(
				async (data) => await callOf(TOKEN, data),
			),
			delegationTo(FRIEND),
			delegationTo(STRANGER),
			memoOf(11_700),
			...Object.values(otherKinds).map(async (build) => await build()),
		])),
	);
});

const [{ parse }] = witnessTransaction.operations.sign.fields;

const ofWitness = fc.nat().map((at): Attempt => {
	const read = () => {
		const { raw_data_hex } = originals[at % originals.length]!;
		return { raw_data_hex, ...readWitnessTransaction(Buffer.from(raw_data_hex, 'hex'))! };
	};
	return {
		sign: (rules) =>
			attempt(() =>
				signWitnessTransaction(rules, key, parse(JSON.stringify(originals[at % originals.length]))),
			),
		isSaid: (clauses) => {
			const { contract, parameters, rawData, raw_data_hex } = read();
			const burned = BigInt(Number(rawData.fee_limit ?? 0) + (raw_data_hex.length / 2) * 1000);
			const fee =
				/^spend all coins of the account on TRON on fees: each transaction costs at most ([\d.]*\d) coins?, plus /;
			const [, most = '-1'] = fee.exec(clauses.find((one) => fee.test(one)) ?? '') ?? [];
			return burned <= parseUnits(most, 6) && saysWitness(clauses, contract, parameters);
		},
	};
});

const asWitnessHex = (address: string) => `41${address.slice(2).toLowerCase()}`;
const toBase58 = (hex: unknown) => asBase58(`0x${String(hex).slice(2)}`);

/** The expected clauses for the kinds of transactions that move neither coins nor tokens. */
const CLAUSES: Readonly<Record<string, RegExp>> = {
	VoteWitnessContract: /^vote for anybody/,
	WitnessCreateContract: /^register as a witness/,
	WithdrawBalanceContract: /^move rewards/,
	FreezeBalanceV2Contract: /^freeze and unfreeze/,
	UnfreezeBalanceV2Contract: /^freeze and unfreeze/,
	WithdrawExpireUnfreezeContract: /^move .*unfrozen coins/,
	UnDelegateResourceContract: /^lend all/,
	DelegateResourceContract: /^lend all/,
};

function saysWitness(
	clauses: Clauses,
	contract: string,
	parameters: Readonly<Record<string, unknown>>,
): boolean {
	const { amount, call_value = amount, data, receiver_address: lent } = parameters;
	const to = toBase58(parameters.contract_address ?? parameters.to_address ?? lent);
	const coins =
		clauses.find((one) => one.startsWith('send all coins of the account on TRON')) ?? '';
	const [, most = '0'] = /TRON: each transaction sends at most ([\d.]*\d)/.exec(coins) ?? [];
	const sent = BigInt((call_value ?? 0) as number);
	const isSent = saysCoins(clauses, coins, parseUnits(most, 6), to, sent);
	if (contract === 'TransferContract') return isSent;
	if (contract === 'TriggerSmartContract') {
		const write = (evm: string) => asBase58(evm);
		return isSent && saysCall(clauses, to, `0x${String(data ?? '')}`, write);
	}
	const clause = clauses.find((one) => CLAUSES[contract]?.test(one));
	const isLent = contract === 'DelegateResourceContract';
	return clause !== undefined && (!isLent || isFor(clauses, clause, to));
}

test('whatever is signed under any rules, the sentence about the worst of these rules says it', () => {
	const one = fc.oneof(payment, payment, signature, fc.constant(message), ofWitness);
	const attempts = fc.array(one, { minLength: 5, maxLength: 5 });
	fc.assert(
		fc.property(credential, attempts, (given, all) => {
			const rules = parseSecp256k1Rules(given);
			const sentence = describeWorstCase(rules);
			for (const { sign, isSaid } of all) {
				const isSigned = sign(rules) !== undefined;
				count(isSigned);
				if (isSigned) expectSame(isSaid(readClauses(sentence)), true, { given, sentence });
			}
		}),
	);
});
