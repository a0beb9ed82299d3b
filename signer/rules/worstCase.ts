import { formatUnits } from '../../nodes/core';
import type { SharingFamily } from '../credentials/families';
import type { WitnessKind } from '../credentials/rules';
import { formatUnspent } from './budget';
import type { DepositRules } from './depositRules';
import { describeDeposits } from './depositsWorstCase';
import { formatList } from './list';
import type { Policy } from './policy';
import type { Secp256k1Rules, WitnessPolicy } from './rules';
import type { StarkRules } from './starkRules';
import { listTonClauses } from './tonWorstCase';
import type { TonRules } from './tonRules';
import { USUAL_BYTES_SUN } from './witness';
import {
	countCoins,
	describeContracts,
	describeSpending,
	describeTokens,
	formatCoinReceivers,
	formatCoins,
	formatDaily,
	formatReceivers,
	MAX_LISTED,
} from './worstClauses';

/** Describes the worst that somebody could do who can have anything signed that the rules allow. */
export function describeWorstCase(
	rules: Secp256k1Rules | StarkRules | TonRules | DepositRules,
): string {
	return rules.curve === 'deposits' ? describeDeposits(rules) : formatWorst(listClauses(rules));
}

/** Describes the worst case of a signer that signs only EVM transactions. */
export function describeWorstTransactions(rules: Secp256k1Rules): string {
	return formatWorst(listEvmClauses(rules));
}

function formatWorst(clauses: readonly string[]): string {
	return clauses.length > 0
		? `At worst, someone who controls the workflow can ${clauses.join('. This person can ')}.`
		: 'Someone who controls the workflow gets nothing signed.';
}

function listClauses(rules: Secp256k1Rules | StarkRules | TonRules): readonly string[] {
	switch (rules.curve) {
		case 'secp256k1':
			return [
				...listEvmClauses(rules),
				...(rules.allowMessages && !rules.budget ? [MESSAGES_CLAUSE] : []),
				...listTypedDataClauses(rules),
				...listSharingClauses(rules),
			];
		case 'stark':
			return listStarkClauses(rules);
		case 'ed25519':
			return listTonClauses(rules);
	}
}

function listEvmClauses(rules: Secp256k1Rules): readonly string[] {
	if (rules.chainIds.length === 0) return [];
	return [
		describeEvmCoins(rules),
		...describeTokens(rules),
		...describeContracts(rules),
		...(rules.allowDeployments ? ['deploy contracts'] : []),
	];
}

function describeEvmCoins(policy: Policy): string {
	const { chainIds, maxAmount, maxFee } = policy;
	const on = `on ${chainIds.length === 1 ? 'chain' : 'chains'} ${formatChains(policy)}`;
	const hasDataFee = mayCostDataFee(policy);
	if (maxAmount === 0n && maxFee === 0n) {
		return `spend no coins ${on}${hasDataFee ? ', except the data fee of a rollup' : ''}`;
	}
	return describeSpending(policy, {
		of: on,
		beside: hasDataFee ? '. A rollup charges its data fee on top' : '',
		whom: (what) => formatCoinReceivers(policy, what),
	});
}

/** The chain IDs of Ethereum and its test networks. Any other chain may be a rollup, which charges a fee for data. */
const CHAINS_WITHOUT_DATA_FEE: readonly bigint[] = [1n, 11_155_111n, 17_000n, 560_048n];

/** Rollups charge for their data on another chain, in addition to gas and its price. No field limits this charge. */
function mayCostDataFee({ chainIds }: Policy): boolean {
	return chainIds.some((id) => !CHAINS_WITHOUT_DATA_FEE.includes(id));
}

function formatChains({ chainIds, family }: Policy): string {
	return formatList(chainIds.map(family.formatChainId), MAX_LISTED);
}

const MESSAGES_CLAUSE = 'sign any message, such as a login as this account';

/** Lists what signed typed data could do. With Daily Transactions, only typed data with its own daily limit is signed. */
function listTypedDataClauses({
	allowTypedData,
	budget,
	chainIds,
	typedData,
}: Secp256k1Rules): readonly string[] {
	const { dailyAuthorizations, kinds } = typedData;
	const clauses = chainIds.length > 0 ? describeTokens(typedData) : [];
	if (dailyAuthorizations !== undefined) {
		return kinds.includes('transferWithAuthorization') ? clauses : [];
	}
	if (budget) return [];
	if (allowTypedData) return ['sign any typed data, and so move every token on any chain'];
	return kinds.length > 0 && clauses.length > 0
		? ['move these tokens by signatures, too, within the same limits and without a fee']
		: [];
}

/** For each family that shares the key of EVM chains: what the account may lose there. */
const SHARING: Readonly<Record<SharingFamily, (rules: Secp256k1Rules) => readonly string[]>> = {
	witness: ({ witness }) => listWitnessClauses(witness),
};

/**
 * Lists the losses on the families that share the key. With Daily Transactions, uncounted families are left out, because nothing is signed
 * for them.
 */
function listSharingClauses(rules: Secp256k1Rules): readonly string[] {
	const families = Object.keys(SHARING) as SharingFamily[];
	return families
		.filter((name) => !rules.budget || rules[name].family.counted)
		.flatMap((name) => SHARING[name](rules));
}

function listWitnessClauses(policy: WitnessPolicy): readonly string[] {
	const { kinds, maxFee } = policy;
	if (kinds.length === 0) return [];
	const fee = countCoins(policy, maxFee + USUAL_BYTES_SUN);
	return [
		`spend all coins of the account on TRON on fees: each transaction costs at most ${fee}, plus the fees that the chain itself sets`,
		...describeWitnessCoins(policy),
		...kinds.flatMap((kind) => WITNESS_CLAUSES[kind](policy)),
	];
}

function describeWitnessCoins(policy: WitnessPolicy): readonly string[] {
	const { kinds, maxAmount: most } = policy;
	const isTransferred = kinds.includes('transfer');
	const isCalled = kinds.includes('contractCall');
	if (most === 0n || !(isTransferred || isCalled)) return [];
	const whom = isCalled
		? formatCoinReceivers(policy, 'the coins')
		: formatReceivers(policy, 'the coins');
	const each = `each transaction sends at most ${formatCoins(policy, most)}`;
	return [`send all coins of the account on TRON: ${each}${whom}`];
}

/** For each kind of TRON transaction: what it may cost in addition to fees and coins. */
const WITNESS_CLAUSES: Readonly<Record<WitnessKind, (policy: Policy) => readonly string[]>> = {
	transfer: () => [],
	contractCall: (policy) => [...describeTokens(policy), ...describeContracts(policy)],
	vote: () => ['vote for anybody on TRON'],
	freeze: () => ['freeze and unfreeze all coins of the account on TRON'],
	registration: () => ["register as a witness, for the chain's own fee"],
	delegate: (policy) => [
		`lend all energy and bandwidth of the account on TRON${formatReceivers(policy, 'the energy and bandwidth')}`,
	],
	withdraw: () => ['move rewards and unfrozen coins to the account itself'],
};

function listStarkClauses(policy: Policy): readonly string[] {
	if (policy.chainIds.length === 0) return [];
	return [describeStarkFees(policy), ...describeTokens(policy), ...describeContracts(policy)];
}

function describeStarkFees(policy: Policy): string {
	const { budget, family, maxFee } = policy;
	const on = `on ${formatChains(policy)}`;
	if (maxFee === 0n) return `pay no fees ${on}`;
	const fee = formatUnits(maxFee, family.coinDecimals);
	if (!budget) return `spend all STRK on fees ${on}: each transaction costs at most ${fee} STRK`;
	const total = formatUnits(budget.daily * maxFee, family.coinDecimals);
	return `spend ${total} STRK a day on fees ${on}: ${formatDaily(budget.daily)} costs at most ${fee} STRK${formatUnspent(budget)}`;
}
