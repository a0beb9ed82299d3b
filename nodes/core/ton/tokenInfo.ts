import { catching, InvalidValue, isRecord } from '../values/parse';
import { parseTonAccount, formatTonAddresses } from './address';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Finds what the service fetched from beyond the chain; undefined where it fetched nothing. */
export type FindTokenInfo = (raw: string) => JsonRecord | undefined;

/** An entry that cannot be read is left out: an addition to an answer is not worth a failure. */
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

/** Returns null for an empty text, and for what is no text. */
export function getText(record: unknown, key: string): string | null {
	const value = getValue(record, key);
	return typeof value === 'string' ? value : null;
}

/** Returns null for an empty text, which says as little as none. */
export function getValue(record: unknown, key: string): unknown {
	const value = isRecord(record) && Object.hasOwn(record, key) ? record[key] : null;
	return value === '' ? null : value;
}
