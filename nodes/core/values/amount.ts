import { wholeAmount } from './quantity';
import { unfit, type Read } from './read';

/** How many decimals each unit has more than wei. */
const UNITS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, eth: 18, ether: 18 };

/** Longer than any amount of 256 bits. */
const LONGEST = 120;

const WITH_UNIT = /^(\d+)(?:\.(\d+))?\s*(wei|gwei|eth|ether)$/i;

/** An amount in wei, as a number of wei or with its unit: `1.5 ether`, `20 gwei`. */
export const amountInWei: Read<bigint> = (given) => {
	const text = typeof given === 'string' ? given.trim().slice(0, LONGEST) : '';
	const [, whole, fraction = '', unit = ''] = WITH_UNIT.exec(text) ?? [];
	if (whole === undefined) return wholeAmount(given);
	const decimals = UNITS[unit.toLowerCase()] ?? 0;
	const digits = fraction.replace(/0*$/, '');
	if (digits.length > decimals) return unfit('an amount of whole wei: it has too many decimals');
	return wholeAmount(whole + digits.padEnd(decimals, '0'));
};

/** The same as JSON-RPC wants it. */
export const weiQuantity: Read<string> = (given) => `0x${amountInWei(given).toString(16)}`;
