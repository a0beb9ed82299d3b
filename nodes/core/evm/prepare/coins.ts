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

/** Plans to pay in the coin of the chain. */
export function planCoinTransfer({ to, amount }: CoinTransfer, context: IntentContext): Intent {
	checkReceiver('To', to, context);
	return { sentence: formatDataSent(to, amount, '0x'), to, value: amount, data: '0x' };
}

/** The effects of a transaction whose fields are all that is known. */
export function formatDataSent(to: string | undefined, amount: bigint, encoded: string): string {
	const along = formatCoinsAlong(amount);
	if (to === undefined) return `Deploy a contract of ${countBytes(encoded.slice(2))} bytes${along}`;
	return encoded === '0x'
		? `Send ${formatCoins(amount)} to ${checksumAddress(to)}`
		: `Send the data ${shortenBytes(encoded)} to ${checksumAddress(to)}${along}`;
}
