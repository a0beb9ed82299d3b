import { ETHER_DECIMALS, formatUnits, SUN_DECIMALS } from '../../nodes/core';
import { formatAddress, type Address } from './addresses';
import { formatUnspent } from './budget';
import { formatFunctions, type AllowedFunctions } from './contracts';
import { formatList } from './list';
import type { Policy } from './policy';
import type { Rules } from './rules';
import { formatAmount, type TokenLimit } from './tokenLimits';
import { USUAL_BYTES_SUN } from './witness';

/** Says in one sentence the worst that somebody can do who may ask for any signature. */
export function describeWorst(rules: Rules): string {
	const clauses = [...describeEvm(rules), ...(rules.budget ? [] : describeNonceless(rules))];
	return clauses.length > 0
		? `At worst, someone who controls the workflow can ${clauses.join('; ')}.`
		: 'Someone who controls the workflow gets nothing signed.';
}

/** Returns the rules of a signer that signs EVM transactions and nothing else. */
export function withoutOtherKinds(rules: Rules): Rules {
	return {
		...rules,
		allowMessages: false,
		allowTypedData: false,
		typedData: { ...rules.typedData, kinds: [] },
		witness: { ...rules.witness, kinds: [] },
	};
}

function describeEvm(rules: Rules): string[] {
	if (rules.chainIds.length === 0) return [];
	return [
		describeCoins(rules),
		...describeTokens(rules, isEvm),
		...describeContracts(rules, isEvm),
		...(rules.allowDeployments ? ['deploy contracts'] : []),
	];
}

/** Describes what a chain takes without a nonce. */
function describeNonceless(rules: Rules): string[] {
	const { allowMessages, allowTypedData, chainIds, typedData } = rules;
	const { kinds = [] } = typedData;
	const areSignaturesRead = !allowTypedData && kinds.length > 0 && chainIds.length > 0;
	const isTokenMoved = areSignaturesRead && describeTokens(rules, isEvm).length > 0;
	return [
		...(allowMessages ? ['sign any message, such as a login as this account'] : []),
		...(allowTypedData ? ['sign any typed data, and so move every token on any chain'] : []),
		...(isTokenMoved ? ['move these tokens by signatures, without a fee'] : []),
		...describeWitness(rules.witness),
	];
}

function describeCoins(rules: Rules): string {
	const { budget, chainIds, maxAmount: most1, maxFee } = rules;
	const maxAmount = most1 as bigint;
	const [most, fee] = [formatEther(maxAmount), formatEther(maxFee)];
	const on = `on ${chainIds.length === 1 ? 'chain' : 'chains'} ${formatList(chainIds.map(String), MAX_LISTED)}`;
	const dataFee = mayCostDataFee(rules) ? 'the data fee where the chain is a rollup' : '';
	if (maxAmount + maxFee === 0n) return `spend no coins ${on}${dataFee && ` but ${dataFee}`}`;
	const beside = dataFee && `, plus ${dataFee}`;
	const whom = maxAmount > 0n ? formatCoinReceivers(rules, isEvm, `the ${most} `) : '';
	if (!budget)
		return `spend all coins ${on}, ${most} + ${fee} for the fee at a time${beside}${whom}`;
	const { daily } = budget;
	const total = formatEther(daily * (maxAmount + maxFee));
	return `spend ${total} coins a day (${daily} × (${most} + ${fee})) ${on}${beside}${formatUnspent(budget)}${whom}`;
}

/** Ethereum and its test networks. Any other chain may be a rollup. */
const CHAINS_WITHOUT_DATA_FEE: readonly bigint[] = [1n, 11_155_111n, 17_000n, 560_048n];

/** Rollups charge for the place of a transaction on another chain, beside gas and its price: no field bounds it. */
function mayCostDataFee({ chainIds }: Rules): boolean {
	return chainIds.some((id) => !CHAINS_WITHOUT_DATA_FEE.includes(id));
}

type IsOnChain = (address: Address) => boolean;
const isEvm: IsOnChain = (address) => address.startsWith('0x');
const isWitness: IsOnChain = (address) => !isEvm(address);

/** The contracts that a rule names are trusted with the coins sent along. */
function formatCoinReceivers(
	{ contracts, recipients }: Policy,
	isOnChain: IsOnChain,
	what = '',
): string {
	if (recipients.length === 0) return '';
	const isAnyNamed = [...contracts.named.keys()].some(isOnChain);
	const others = isAnyNamed ? ' or along with a call of Contracts' : '';
	return `, ${what}to ${formatAddresses(recipients.filter(isOnChain))}${others} only`;
}

function describeTokens(rules: Policy, isOnChain: IsOnChain): string[] {
	const { budget, recipients, spenders, tokenLimits } = rules;
	const parties = [...new Set([...recipients, ...spenders])].filter(isOnChain);
	const whom = recipients.length > 0 ? `, for ${formatAddresses(parties)} only` : '';
	const limits = [...tokenLimits].filter(([token]) => isOnChain(token));
	return limits.map(([token, limit]) => {
		const name = `${formatUnitName(limit)} of ${formatAddress(token)}`;
		const each = formatAmount(limit.most, limit);
		if (!budget) return `take all ${name}, ${each} at a time${whom}`;
		const total = formatAmount(budget.daily * limit.most, limit);
		return `take ${total} ${name} a day (${budget.daily} × ${each})${formatUnspent(budget)}${whom}`;
	});
}

function formatUnitName({ decimals }: TokenLimit): string {
	return decimals === undefined ? 'smallest units' : 'tokens';
}

function describeContracts({ contracts }: Policy, isOnChain: IsOnChain): string[] {
	const named = [...contracts.named].filter(([contract]) => isOnChain(contract));
	const calls = named.map(([contract, functions]) => describeFunctions(contract, functions));
	return contracts.any
		? [...calls, 'call any function of any contract but the account, and so move every token']
		: calls;
}

function describeFunctions(contract: Address, functions: AllowedFunctions): string {
	const names =
		functions === 'all' ? 'every function' : formatList(formatFunctions(functions), MAX_LISTED);
	return `call ${names} of ${formatAddress(contract)}, whatever it moves`;
}

function describeWitness(rules: Policy): string[] {
	const { kinds: witnessKinds = [], maxFee: witnessMaxFee } = rules;
	if (witnessKinds.length === 0) return [];
	const fee = formatSun(witnessMaxFee + USUAL_BYTES_SUN);
	return [
		`spend all coins of the witness chain on fees, ${fee} and what the chain itself asks at a time`,
		...describeWitnessCoins(rules),
		...witnessKinds.flatMap((kind) => WITNESS_CLAUSES[kind]?.(rules) ?? []),
	];
}

function describeWitnessCoins(rules: Policy): string[] {
	const { kinds: witnessKinds = [], maxAmount: most } = rules;
	const isTransferred = witnessKinds.includes('transfer');
	const isCalled = witnessKinds.includes('contractCall');
	if (most === 0n || !(isTransferred || isCalled)) return [];
	const whom = isCalled ? formatCoinReceivers(rules, isWitness) : formatOnlyTo(rules.recipients);
	return [`send all coins of the witness chain, ${formatSun(most as bigint)} at a time${whom}`];
}

/** Each kind of transactions of the witness chain may cost this, beside fees and coins. */
const WITNESS_CLAUSES: Readonly<Record<string, (rules: Policy) => readonly string[]>> = {
	contractCall: (rules) => [
		...describeTokens(rules, isWitness),
		...describeContracts(rules, isWitness),
	],
	vote: () => ['vote for anybody on the witness chain'],
	freeze: () => ['freeze and unfreeze all coins of the witness chain'],
	registration: () => ["register as a witness, for the chain's own fee"],
	delegate: ({ recipients }) => [
		`lend all energy and bandwidth of the witness chain${formatOnlyTo(recipients)}`,
	],
	withdraw: () => ['take out rewards and what is unfrozen, into the account itself'],
};

function formatOnlyTo(recipients: readonly Address[]): string {
	return recipients.length > 0 ? `, to ${formatAddresses(recipients.filter(isWitness))} only` : '';
}

const MAX_LISTED = 3;

function formatAddresses(addresses: readonly Address[]): string {
	return addresses.length > 0 ? formatList(addresses.map(formatAddress), MAX_LISTED) : 'nobody';
}

function formatEther(amount: bigint): string {
	return formatUnits(amount, ETHER_DECIMALS);
}

function formatSun(amount: bigint): string {
	return formatUnits(amount, SUN_DECIMALS);
}
