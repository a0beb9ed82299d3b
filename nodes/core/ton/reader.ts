import { Answer } from '../chain/answer';
import type { RestReader } from '../chain/reader';
import { RequestFailure, repeatedPageError } from '../errors/requestFailure';
import { findMessage, invalidResponseError } from '../net/responses/response';
import { catching, isRecord } from '../values/parse';
import { formatTonAddresses, parseTonAccount } from './address';

/** The parameters of a URL. A list means that the parameter occurs several times. */
export type Query = Readonly<
	Record<string, string | number | bigint | readonly string[] | undefined>
>;

const API_PATH = '/api/v3/';
/**
 * The most addresses in a request. The service accepts a thousand, but gateways in front of it limit the length of a
 * URL.
 */
export const MAX_ADDRESSES_PER_REQUEST = 50;
export const MAX_PAGE_ROWS = 500;
/** The service never gives more rows in one answer, even if more are requested. */
const MAX_ANSWERED_ROWS = 1000;

export async function readApi({ call }: RestReader, method: string, query: Query) {
	const pairs = Object.entries(query).flatMap(([key, value]) =>
		[value ?? []].flat().map((one): [string, string] => [key, String(one)]),
	);
	const path = `${API_PATH}${method}?${new URLSearchParams(pairs).toString()}`;
	return throwIfRefused(await call({ path }));
}

/** Sends a request whose parameters are in its body. */
export async function postApi({ call }: RestReader, method: string, body: object) {
	return throwIfRefused(await call({ path: `${API_PATH}${method}`, body }));
}

/**
 * Posts a signed message, as a bag of cells in base64. Posting the same bytes again has no further effect. The
 * service passes the message to several nodes, and an error may come from any of them.
 */
export async function postMessage({ call }: RestReader, boc: string) {
	const path = `${API_PATH}message`;
	const answer = await call({ path, body: { boc }, atMostOnce: true, countsOnce: true });
	const failure = catching(RequestFailure, () => throwIfRefused(answer));
	if (!(failure instanceof RequestFailure)) return answer;
	throw new RequestFailure(failure.message, { ...failure, maybeExecuted: true });
}

/**
 * Throws if an answer is an error. Some errors come with status 200, as `{"ok": false, "error": "…"}` or as
 * `{"error": "…"}`.
 */
export function throwIfRefused(answer: unknown): unknown {
	if (!isRecord(answer) || (answer.ok !== false && !answer.error)) return answer;
	throw new RequestFailure(findMessage(answer) ?? 'The chain node gave no reason', {
		description: 'The chain node refused the request.',
	});
}

/** A part of a list, and the service's data about all addresses in that part. */
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
	/** The words that name the list in an error. `key` is the property of the answer that holds the rows. */
	readonly promised: string;
	readonly key: string;
	readonly query: Query;
}

/**
 * Reads a list of contracts page by page. Each contract comes once, even if contracts are added or removed meanwhile.
 */
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
