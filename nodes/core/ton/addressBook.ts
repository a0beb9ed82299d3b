import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { catching, InvalidValue, isRecord } from '../values/parse';

export type FormatAddress = (account: TonAccount) => string;

interface Entry {
	readonly isWallet: boolean;
}

/**
 * Makes a function that formats addresses as people know them: those of wallets non-bounceable, all others
 * bounceable.
 */
export function addressFormatter(addressBook: unknown, isTestOnly: boolean): FormatAddress {
	const entries = parseAddressBook(addressBook);
	return ({ workchain, hash }) => {
		const { raw, bounceable, nonBounceable } = formatTonAddresses({ workchain, hash, isTestOnly });
		return entries.get(raw)?.isWallet ? nonBounceable : bounceable;
	};
}

/**
 * Parses the address book, keyed by raw address. An entry that cannot be read is left out, because it is optional and
 * should not make the whole answer fail.
 */
function parseAddressBook(addressBook: unknown): ReadonlyMap<string, Entry> {
	if (!isRecord(addressBook)) return new Map();
	const entries = Object.entries(addressBook).map(
		([raw, entry]) => [raw.toLowerCase(), parseEntry(entry)] as const,
	);
	return new Map(entries);
}

/** A user-friendly address that begins with U or 0 is non-bounceable. */
const NON_BOUNCEABLE_PATTERN = /^[U0]/;

function parseEntry(entry: unknown): Entry {
	if (!isRecord(entry)) return { isWallet: false };
	const { interfaces, user_friendly: friendly } = entry;
	const names: readonly unknown[] = Array.isArray(interfaces) ? interfaces : [];
	if (names.length > 0)
		return { isWallet: names.some((one) => typeof one === 'string' && one.startsWith('wallet')) };
	const isAddress = !(
		catching(InvalidValue, () => parseTonAccount(friendly)) instanceof InvalidValue
	);
	return { isWallet: isAddress && NON_BOUNCEABLE_PATTERN.test(String(friendly)) };
}
