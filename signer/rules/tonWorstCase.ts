import { formatUnspent } from './budget';
import { formatDay } from './clock';
import type { TonRules } from './tonRules';
import {
	describeSpending,
	describeTokens,
	formatAddresses,
	formatCoins,
	formatOnlyTo,
} from './worstClauses';

/** Lists the worst that can be done with the wallets of a key on the TON chain. */
export function listTonClauses(rules: TonRules): readonly string[] {
	if (rules.maxFee === 0n) return [];
	return [
		describeCoins(rules),
		describeOtherWallets(rules),
		MASTERCHAIN_WALLETS,
		...describeSmallBalances(rules),
		...describeTokens(rules),
		...describeBodies(rules),
	];
}

function describeCoins(rules: TonRules): string {
	return describeSpending(rules, {
		of: `of the ${rules.walletType} wallet`,
		beside: '',
		unspent: ({ firstDay }) => ` since ${formatDay(firstDay)}, plus what earlier days left unspent`,
		whom: (what) => formatOnlyTo(rules, what, formatTrusted(rules)),
	});
}

/** An address that a rule names is trusted with the coins sent along. */
function formatTrusted({ contracts, tokenLimits }: TonRules): string {
	const toContracts = contracts.named.size > 0 ? ' or to Contracts' : '';
	return toContracts + (tokenLimits.size > 0 ? ' or along with jettons' : '');
}

/** Other wallets of the key take the same signatures, or are signed for as well. A wallet without coins loses nothing. */
function describeOtherWallets(rules: TonRules): string {
	const { budget, maxFee, walletType } = rules;
	if (walletType === 'v4r2')
		return 'spend all coins of the v3 wallets of this key and of its lockup wallets, and as much again of a v4r1 wallet';
	if (walletType === 'v5r1')
		return 'spend as much again of the v5r1 wallet that this key has for the test network';
	const fees = budget
		? `${formatCoins(rules, budget.daily * maxFee)} coins a day on fees (${budget.daily} × ${formatCoins(rules, maxFee)})`
		: 'all coins on fees';
	const unspent = budget ? formatUnspent(budget) : '';
	return `spend as much again of a v3r1 wallet of this key, all coins of its lockup wallets, and ${fees} of its v4 wallets${unspent}`;
}

/** Their fees are a multiple of those that Max Fee bounds, and what is signed does not say to which workchain it belongs. */
const MASTERCHAIN_WALLETS =
	'spend all coins of wallets of this key in the masterchain that have the same wallet ID';

/** A balance that pays the import of a message, and less than its gas, is charged whole, and the wallet keeps its seqno. */
function describeSmallBalances(rules: TonRules): readonly string[] {
	const { budget, maxAmount, maxFee } = rules;
	if (!budget || maxAmount === 'unlimited') return [];
	return [
		`burn the balance of any of these wallets whenever it is below ${formatCoins(rules, maxFee)}`,
	];
}

function describeBodies({ contracts: { any, named } }: TonRules): readonly string[] {
	if (any) return ['send any body to any contract, and so move every jetton and NFT'];
	return named.size > 0
		? [`send any body to ${formatAddresses([...named.keys()])}, whatever it moves`]
		: [];
}
