import { catching, InvalidValue, isRecord } from '../values/parse';
import { parseTonAccount, formatTonAddresses } from './address';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Finds what the service fetched from outside of the chain; undefined if it fetched nothing. */
export type FindTokenInfo = (raw: string) => JsonRecord | undefined;

/** An entry that cannot be read is left out, because an optional part should not make an answer fail. */
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

/** Returns null for an empty text, and for a value that is not text. */
export function getText(record: unknown, key: string): string | null {
	const value = getValue(record, key);
	return typeof value === 'string' ? value : null;
}

/** Returns null for an empty text, which has no meaning. */
export function getValue(record: unknown, key: string): unknown {
	const value = isRecord(record) && Object.hasOwn(record, key) ? record[key] : null;
	return value === '' ? null : value;
}
