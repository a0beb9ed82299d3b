import { Answer } from '../chain/answer';
import type { RestReader } from '../chain/reader';
import { RequestFailure, repeatedPageError } from '../errors/requestFailure';
import { findMessage, invalidResponseError } from '../net/responses/response';
import { catching, isRecord } from '../values/parse';
import { formatTonAddresses, parseTonAccount } from './address';

/** A list means that the parameter occurs several times. */
export type Query = Readonly<
	Record<string, string | number | bigint | readonly string[] | undefined>
>;

const API_PATH = '/api/v3/';
/** The service accepts a thousand, but a gateway accepts only a URL of a few thousand characters. */
export const MAX_ADDRESSES_PER_REQUEST = 50;
export const MAX_PAGE_ROWS = 500;
/** The service gives no more rows at once, whatever is asked for. */
const MAX_ANSWERED_ROWS = 1000;

export async function readApi({ call }: RestReader, method: string, query: Query) {
	const pairs = Object.entries(query).flatMap(([key, value]) =>
		[value ?? []].flat().map((one): [string, string] => [key, String(one)]),
	);
	const path = `${API_PATH}${method}?${new URLSearchParams(pairs).toString()}`;
	return throwIfRefused(await call({ path }));
}

/** Sends a request with parameters in the body. */
export async function postApi({ call }: RestReader, method: string, body: object) {
	return throwIfRefused(await call({ path: `${API_PATH}${method}`, body }));
}

/**
 * Passes a signed message, a bag in base64, to the chain. The same bytes count once. An error may come from one of several
 * nodes that got it.
 */
export async function postMessage({ call }: RestReader, boc: string) {
	const path = `${API_PATH}message`;
	const answer = await call({ path, body: { boc }, atMostOnce: true, countsOnce: true });
	const failure = catching(RequestFailure, () => throwIfRefused(answer));
	if (!(failure instanceof RequestFailure)) return answer;
	throw new RequestFailure(failure.message, { ...failure, maybeExecuted: true });
}

/** Some errors come with status 200: as `{"ok": false, "error": "…"}`, or with the error alone. */
export function throwIfRefused(answer: unknown): unknown {
	if (!isRecord(answer) || (answer.ok !== false && !answer.error)) return answer;
	throw new RequestFailure(findMessage(answer) ?? 'The node gave no reason', {
		description: 'The chain node refused the request.',
	});
}

/** Part of a list, with the service's data about all addresses in it. */
interface Page {
	readonly rows: readonly unknown[];
	readonly addressBook: unknown;
	readonly metadata: unknown;
}

export function parsePage(promised: string, key: string, json: unknown): Page {
	const answer = Answer.parse(promised, json);
	const rows = answer.readList(key);
	if (rows.length > MAX_ANSWERED_ROWS) {
		throw invalidResponseError(`${promised} in at most ${MAX_ANSWERED_ROWS} rows`, json);
	}
	return {
		rows,
		addressBook: answer.get('address_book'),
		metadata: answer.get('metadata'),
	};
}

interface PagedList {
	readonly method: string;
	/** The name of the list in an error, and the key of its rows. */
	readonly promised: string;
	readonly key: string;
	readonly query: Query;
}

/** Reads a list of contracts page by page. Each contract comes once, even if others are added or removed meanwhile. */
export async function* readContractPages(
	reader: RestReader,
	{ method, promised, key, query }: PagedList,
	wanted: number,
): AsyncGenerator<Page> {
	const limit = Math.min(wanted, MAX_PAGE_ROWS);
	const seen = new Set<string>();
	for (let offset = 0; ; ) {
		const page = parsePage(
			promised,
			key,
			await readApi(reader, method, { ...query, limit, offset }),
		);
		const rows = page.rows.filter((row) => rememberIfNew(seen, promised, row));
		if (page.rows.length > 0 && rows.length === 0) throw repeatedPageError();
		yield { ...page, rows };
		if (page.rows.length < limit) return;
		offset += page.rows.length;
	}
}

function rememberIfNew(seen: Set<string>, promised: string, row: unknown): boolean {
	const before = seen.size;
	seen.add(formatTonAddresses(Answer.parse(promised, row).read('address', parseTonAccount)).raw);
	return seen.size > before;
}
