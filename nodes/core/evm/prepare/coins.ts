import { shortenBytes } from '../abi/callText';
import { countBytes } from '../abi/data';
import { checksumAddress } from '../address';
import { checkReceiver, type Intent, type IntentContext } from './intent';
import { formatCoins, formatCoinsAlong } from './summary';

interface CoinTransfer {
	readonly to: string;
	/** The amount is in wei. */
	readonly amount: bigint;
}

/** Plans a payment in the coin of the chain, such as ether. */
export function planCoinTransfer({ to, amount }: CoinTransfer, context: IntentContext): Intent {
	checkReceiver('To', to, context);
	return { sentence: formatDataSent(to, amount, '0x'), to, value: amount, data: '0x' };
}

/** Describes a transaction by its fields alone, because nothing else is known of it. */
export function formatDataSent(to: string | undefined, amount: bigint, encoded: string): string {
	const along = formatCoinsAlong(amount);
	if (to === undefined) return `Deploy a contract of ${countBytes(encoded.slice(2))} bytes${along}`;
	return encoded === '0x'
		? `Send ${formatCoins(amount)} to ${checksumAddress(to)}`
		: `Send the data ${shortenBytes(encoded)} to ${checksumAddress(to)}${along}`;
}
