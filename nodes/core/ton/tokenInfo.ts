import { catching, InvalidValue, isRecord } from '../values/parse';
import { parseTonAccount, formatTonAddresses } from './address';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Finds the facts about a token that the service fetched from outside the chain; undefined if it fetched none. */
export type FindTokenInfo = (raw: string) => JsonRecord | undefined;

/**
 * Indexes the facts by raw address. An entry that cannot be read is left out, because it is optional and should not
 * make the whole answer fail.
 */
export function createTokenInfoFinder(metadata: unknown, type: string): FindTokenInfo {
	const entries = isRecord(metadata) ? Object.entries(metadata) : [];
	const known = new Map(
		entries.flatMap(([address, entry]) => {
			const info = findInfo(entry, type);
			const account = catching(InvalidValue, () => parseTonAccount(address));
			return info && !(account instanceof InvalidValue)
				? [[formatTonAddresses(account).raw, info] as const]
				: [];
		}),
	);
	return (raw) => known.get(raw);
}

function findInfo(entry: unknown, type: string): JsonRecord | undefined {
	const list: readonly unknown[] =
		isRecord(entry) && Array.isArray(entry.token_info) ? entry.token_info : [];
	return list.filter(isRecord).find((one) => one.type === type && one.valid !== false);
}

/** Returns a text of a record. Returns null for an empty text, and for a value that is not text. */
export function getText(record: unknown, key: string): string | null {
	const value = getValue(record, key);
	return typeof value === 'string' ? value : null;
}

/** Returns a value of a record. An empty text counts as no value, and gives null. */
export function getValue(record: unknown, key: string): unknown {
	const value = isRecord(record) && Object.hasOwn(record, key) ? record[key] : null;
	return value === '' ? null : value;
}
