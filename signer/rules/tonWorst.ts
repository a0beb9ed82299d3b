import { formatUnits, NANOCOIN_DECIMALS } from '../../nodes/core';
import { formatDay } from './clock';
import { formatList } from './list';
import { formatAmount } from './tokenLimits';
import { formatTonAddress, type TonAddress } from './tonAddresses';
import type { TonRules } from './tonRules';

/** Says in one sentence the worst that somebody can do who may ask for any transfer. */
export function describeTonWorst(rules: TonRules): string {
	const clauses = [describeCoins(rules), ...describeJettons(rules), ...describeContracts(rules)];
	return `At worst, who owns the workflow can ${clauses.join('; ')}.`;
}

function describeCoins(rules: TonRules): string {
	const { budget, maxAmount } = rules;
	const whom = formatCoinReceivers(rules);
	if (maxAmount === 'unlimited') return `spend all coins of each wallet at once${whom}`;
	const most = formatUnits(maxAmount, NANOCOIN_DECIMALS);
	if (!budget) {
		return maxAmount === 0n
			? 'spend all coins of each wallet on fees'
			: `spend all coins of each wallet, ${most} and the fees at a time${whom}`;
	}
	const { daily, firstDay } = budget;
	const total = formatUnits(daily * maxAmount, NANOCOIN_DECIMALS);
	return `spend ${daily} × ${most} = ${total} coins of each wallet a day, and the fees (some thousandths of a coin for each of up to 255 messages), since ${formatDay(firstDay)}, what was not spent before on top${whom}`;
}

/** An address that a rule names is trusted with the coins sent along. */
function formatCoinReceivers({ contracts, jettonLimits, recipients }: TonRules): string {
	if (recipients.length === 0) return '';
	const toContracts = contracts.named.length > 0 ? ' or to Contracts' : '';
	const withJettons = jettonLimits.size > 0 ? ' or along with jettons' : '';
	return `, to ${formatAddresses(recipients)}${toContracts}${withJettons} only`;
}

function describeJettons({ budget, jettonLimits, recipients }: TonRules): string[] {
	const whom = recipients.length > 0 ? `, to ${formatAddresses(recipients)} only` : '';
	return [...jettonLimits].map(([wallet, limit]) => {
		const unit = limit.decimals === undefined ? 'smallest units' : 'jettons';
		const name = `${unit} of the jetton wallet ${formatTonAddress(wallet)}`;
		const each = formatAmount(limit.most, limit);
		if (!budget) return `send all ${name}, ${each} at a time${whom}`;
		const total = formatAmount(budget.daily * limit.most, limit);
		return `send ${budget.daily} × ${each} = ${total} ${name} a day${whom}`;
	});
}

function describeContracts({ contracts: { any, named } }: TonRules): string[] {
	if (any) return ['send any body to any contract, and so move every jetton and NFT'];
	return named.length > 0 ? [`send any body to ${formatAddresses(named)}, whatever it moves`] : [];
}

const MAX_LISTED = 3;

function formatAddresses(addresses: readonly TonAddress[]): string {
	return formatList(addresses.map(formatTonAddress), MAX_LISTED);
}
