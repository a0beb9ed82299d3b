import { formatUnits } from '../../nodes/core';
import { formatAddress } from './addresses';
import type { DepositRules, SweepPolicy } from './depositRules';
import { formatList } from './list';
import { MAX_LISTED } from './worstClauses';

/** Describes where the signatures of the deposits key can send coins and tokens, and how much they can waste on fees. */
export function describeDeposits({ evm, witness }: DepositRules): string {
	const chains = formatList(evm.chainIds.map(String), MAX_LISTED);
	const onEvm = `on ${evm.chainIds.length === 1 ? 'chain' : 'chains'} ${chains}`;
	const open = [
		...(evm.chainIds.length > 0 ? describe(evm, onEvm) : []),
		...describe(witness, 'on TRON'),
	];
	if (open.length === 0) return 'Someone who controls the workflow gets nothing signed.';
	const places = open.map(({ place }) => place).join('; ');
	const fees = open.map(({ fee }) => fee).join(', and ');
	return `All that is signed goes to these destinations: ${places}. At worst, someone who controls the workflow can burn fees: at most ${fees}, plus the fees that the chain itself sets. Even if a chain node lies, fees burn at most half of the coins of an address, plus the coins that it holds for sending tokens.`;
}

interface Described {
	readonly place: string;
	readonly fee: string;
}

function describe({ family, maxFee, sweep, tokens }: SweepPolicy, on: string): Described[] {
	const { destination } = sweep;
	if (destination === undefined) return [];
	const listed = formatList(tokens.map(formatAddress), MAX_LISTED);
	const what = tokens.length > 0 ? `coins and the tokens ${listed}` : 'coins';
	return [
		{
			place: `${formatAddress(destination)} gets ${what} ${on}`,
			fee: `${formatUnits(maxFee, family.coinDecimals)} coins for each transaction ${on}`,
		},
	];
}
