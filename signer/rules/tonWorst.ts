import { formatUnits, NANOCOIN_DECIMALS } from '../../nodes/core';
import { formatDay } from './clock';
import { formatList } from './list';
import { formatAmount } from './tokenLimits';
import { formatTonAddress, type TonAddress } from './tonAddresses';
import type { TonRules } from './tonRules';

/** Says in one sentence the worst that somebody can do who may ask for any transfer. */
export function describeTonWorst(rules: TonRules): string {
	if (rules.maxFee === 0n) return 'Someone who controls the workflow gets nothing signed.';
	const clauses = [
		describeCoins(rules),
		describeOtherWallets(rules),
		MASTERCHAIN_WALLETS,
		...describeJettons(rules),
		...describeContracts(rules),
	];
	return `At worst, someone who controls the workflow can ${clauses.join('; ')}.`;
}

function describeCoins(rules: TonRules): string {
	const { budget, maxAmount, maxFee, walletType } = rules;
	const of = `of the ${walletType} wallet`;
	if (maxAmount === 'unlimited') return `spend all coins ${of} at once${formatWhom(rules, '')}`;
	const most = formatCoins(maxAmount);
	const each = `${most} + ${formatCoins(maxFee)}`;
	const whom = maxAmount > 0n ? formatWhom(rules, `the ${most} `) : '';
	if (!budget) return `spend all coins ${of}, ${each} for the fee at a time${whom}`;
	const { daily, firstDay } = budget;
	const total = formatCoins(daily * (maxAmount + maxFee));
	return `spend ${total} coins a day (${daily} × (${each})) ${of} since ${formatDay(firstDay)}, plus what earlier days left unspent${whom}`;
}

/** Other wallets of the key take the same signatures, or are signed for as well. A wallet without coins loses nothing. */
function describeOtherWallets({ budget, maxFee, walletType }: TonRules): string {
	if (walletType === 'v4r2') return 'spend all coins of the v3 wallets of this key';
	if (walletType === 'v5r1')
		return 'spend as much again of the v5r1 wallet that this key has for the test network';
	const fees = budget
		? `${formatCoins(budget.daily * maxFee)} coins a day on fees (${budget.daily} × ${formatCoins(maxFee)})`
		: 'all coins on fees';
	return `spend as much again of a v3r1 wallet of this key, and ${fees} of its v4 wallets`;
}

/** Their fees are a multiple of those that Max Fee bounds, and what is signed does not say to which workchain it belongs. */
const MASTERCHAIN_WALLETS =
	'spend all coins of wallets of this key in the masterchain that have the same wallet ID';

function formatCoins(amount: bigint): string {
	return formatUnits(amount, NANOCOIN_DECIMALS);
}

/** An address that a rule names is trusted with the coins sent along. */
function formatWhom(
	{ contracts, tokenLimits: jettonLimits, recipients }: TonRules,
	what: string,
): string {
	if (recipients.length === 0) return '';
	const toContracts = contracts.named.size > 0 ? ' or to Contracts' : '';
	const withJettons = jettonLimits.size > 0 ? ' or along with jettons' : '';
	return `, ${what}to ${formatAddresses(recipients)}${toContracts}${withJettons} only`;
}

function describeJettons({ budget, tokenLimits: jettonLimits, recipients }: TonRules): string[] {
	const whom = recipients.length > 0 ? `, to ${formatAddresses(recipients)} only` : '';
	return [...jettonLimits].map(([wallet, limit]) => {
		const unit = limit.decimals === undefined ? 'smallest units' : 'jettons';
		const name = `${unit} of the jetton wallet ${formatTonAddress(wallet)}`;
		const each = formatAmount(limit.most, limit);
		if (!budget) return `send all ${name}, ${each} at a time${whom}`;
		const total = formatAmount(budget.daily * limit.most, limit);
		return `send ${total} ${name} a day (${budget.daily} × ${each})${whom}`;
	});
}

function describeContracts({ contracts: { any, named } }: TonRules): string[] {
	if (any) return ['send any body to any contract, and so move every jetton and NFT'];
	return named.size > 0
		? [`send any body to ${formatAddresses([...named.keys()])}, whatever it moves`]
		: [];
}

const MAX_LISTED = 3;

function formatAddresses(addresses: readonly TonAddress[]): string {
	return formatList(addresses.map(formatTonAddress), MAX_LISTED);
}
