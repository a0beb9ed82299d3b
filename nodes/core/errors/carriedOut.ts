import { isRecord } from '../values/parseJson';
import { RequestFailure, withAdvice } from './requestFailure';
import { Refusal } from '../../../credentials/refusal';

/** What became of an item that spends, stores or sends. */
export type Spent =
	| { readonly item: number; readonly things: readonly unknown[] }
	| { readonly item: number; readonly failure: unknown };

/** This many items are named one by one. */
const MOST = 1000;

/** Where an answer names what was done, the best first. */
const NAMES = ['transactionHash', 'txid', 'cid', 'hash', 'result', 'url', 'id'];

/**
 * The failure of a run, with what was carried out all the same: n8n throws the output of a failed node away, and
 * with it the hashes of what was sent.
 */
export function withCarriedOut(failure: unknown, spent: readonly Spent[]): unknown {
	const words = summaryOf(spent);
	if (words === '') return failure;
	if (failure instanceof RequestFailure) return withAdvice(failure, words);
	if (!(failure instanceof Refusal)) return failure;
	return new Refusal(failure.message, [failure.description, words].filter(Boolean).join(' '));
}

function summaryOf(spent: readonly Spent[]): string {
	const done = spent.flatMap((one) =>
		'things' in one ? [`item ${one.item}${receipt(one.things)}`] : [],
	);
	const unclear = spent.flatMap((one) =>
		'failure' in one && isUnclear(one.failure) ? [`item ${one.item}`] : [],
	);
	return [
		...(done.length > 0 ? [`Carried out: ${listed(done)}.`] : []),
		...(unclear.length > 0 ? [`Outcome unknown: ${listed(unclear)}.`] : []),
	].join(' ');
}

function listed(items: readonly string[]): string {
	const others = items.length - MOST;
	const last = items.slice(-1).join('');
	return items.slice(0, MOST).join(', ') + (others > 0 ? ` and ${others} more, to ${last}` : '');
}

function receipt([thing]: readonly unknown[]): string {
	const name = isRecord(thing) ? NAMES.find((key) => typeof thing[key] === 'string') : undefined;
	const text = isRecord(thing) ? thing[name ?? ''] : thing;
	return typeof text === 'string' ? ` (${text.slice(0, 200)})` : '';
}

function isUnclear(failure: unknown): boolean {
	return failure instanceof RequestFailure && failure.unsure;
}
