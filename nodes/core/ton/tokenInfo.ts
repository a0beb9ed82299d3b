import { catching, InvalidValue, isRecord } from '../values/parse';
import { parseTonAccount, formatTonAddresses } from './address';

type JsonRecord = Readonly<Record<string, unknown>>;

/** What the service fetched of what is not on the chain; undefined where it did not, or could not. */
export type FindTokenInfo = (raw: string) => JsonRecord | undefined;

/** What the service says beside its answers is not worth a failure. */
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

/** Null for what is no text, or an empty one. */
export function getText(record: unknown, key: string): string | null {
	const value = isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined;
	return typeof value === 'string' && value !== '' ? value : null;
}
