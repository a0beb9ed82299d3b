import { formatUnspent } from './budget';
import type { TonRules } from './tonRules';
import {
	countCoins,
	describeSpending,
	describeTokens,
	formatAddresses,
	formatCoins,
	formatDaily,
	formatReceivers,
} from './worstClauses';

/** Lists the worst that somebody could do with the TON wallets of a key within these rules. */
export function listTonClauses(rules: TonRules): readonly string[] {
	if (rules.maxFee === 0n) return [];
	return [
		describeCoins(rules),
		...describeOtherWallets(rules),
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
		whom: (what) => formatReceivers(rules, what, listTrusted(rules)),
	});
}

/** Lists the addresses that may receive coins although they are not recipients. */
function listTrusted({ contracts, tokenLimits }: TonRules): readonly string[] {
	return [
		...(contracts.named.size > 0 ? ['the addresses in Contracts'] : []),
		...(tokenLimits.size > 0 ? ['the jetton wallets in Jetton Limits, along with jettons'] : []),
	];
}

/** Lists the losses of the key's other wallets. They accept the same signatures, or the signer signs for them, too. */
function describeOtherWallets(rules: TonRules): readonly string[] {
	const { walletType } = rules;
	switch (walletType) {
		case 'v5r1':
			return ['spend the same amount again from the v5r1 wallet of this key on the test network'];
		case 'v4r2':
			return [
				'spend all coins of the v3 wallets of this key',
				LOCKUP_WALLETS,
				'spend the same amount again from a v4r1 wallet of this key',
			];
		case 'v3r2':
			return [
				'spend the same amount again from a v3r1 wallet of this key',
				LOCKUP_WALLETS,
				describeFeesOfOthers(rules),
			];
	}
}

const LOCKUP_WALLETS = 'spend all coins of the lockup wallets of this key';

function describeFeesOfOthers(rules: TonRules): string {
	const { budget, maxFee } = rules;
	if (!budget) return 'spend all coins of the v4 wallets of this key on fees';
	const { daily } = budget;
	return `spend ${countCoins(rules, daily * maxFee)} a day of the v4 wallets of this key on fees: ${formatDaily(daily)} costs at most ${countCoins(rules, maxFee)}${formatUnspent(budget)}`;
}

/** Wallets in the masterchain are at risk: fees are many times higher there, and the signed data does not contain the workchain. */
const MASTERCHAIN_WALLETS =
	'spend all coins of wallets of this key whose addresses begin with -1: (the masterchain), if they have the same wallet ID';

/**
 * Describes the loss of a small balance that pays for the import of a message but not for its gas. The chain
 * takes the whole balance, and the seqno stays the same.
 */
function describeSmallBalances(rules: TonRules): readonly string[] {
	const { budget, maxAmount, maxFee } = rules;
	if (!budget || maxAmount === 'unlimited') return [];
	return [
		`burn the whole balance of any of these wallets on fees, whenever it is below ${formatCoins(rules, maxFee)}`,
	];
}

function describeBodies({ contracts: { any, named } }: TonRules): readonly string[] {
	if (any) return ['send any body to any contract, and so move every jetton and NFT'];
	return named.size > 0
		? [`send any body to ${formatAddresses([...named.keys()])}. No rule limits what it moves`]
		: [];
}
