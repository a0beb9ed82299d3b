import { invalidResponse } from '../../answers/answer';
import { rpcFailure } from '../../answers/rpcErrors';
import { RequestFailure } from '../../errors/requestFailure';
import { isRecord } from '../../values/parseJson';

/** What a chain says of its blocks and transactions; all numbers are 0x-hex. */
export type ChainObject = Readonly<Record<string, unknown>>;

/** A documented null stands for "not found" and is an answer. */
export function objectOrNull(promised: string) {
	return (result: unknown): ChainObject | null =>
		result === null || isRecord(result) ? result : invalidResponse(promised, result);
}

export function hexString(promised: string) {
	return (result: unknown): string =>
		typeof result === 'string' && /^0x[0-9a-f]*$/i.test(result)
			? result
			: invalidResponse(promised, result);
}

export function listOfObjects(promised: string) {
	return (result: unknown): readonly ChainObject[] => {
		if (!Array.isArray(result) || !result.every(isRecord)) return invalidResponse(promised, result);
		const end = result.findIndex(({ error, action }) => isRecord(error) && action === undefined);
		return end < 0 ? result : brokenOff(result[end]?.error, end);
	};
}

/** Some nodes stream a list, and say at its end that they could not go on. */
function brokenOff(error: unknown, before: number): never {
	const { message } = rpcFailure('The list', error);
	throw new RequestFailure(message, {
		description: `The node broke off its answer after ${before} entries.`,
	});
}

/** A quantity that always fits a number: a block number, an index, a nonce, an amount of gas. */
export function asNumber(quantity: unknown): number | string | null {
	const exact = asBigInt(quantity);
	if (exact === undefined) return null;
	return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString();
}

/** A quantity that may not fit a number, such as an amount in wei: decimal text, exact. */
export function asDecimal(quantity: unknown): string | null {
	return asBigInt(quantity)?.toString() ?? null;
}

/** Seconds since 1970, as a date. */
export function asDate(quantity: unknown): string | null {
	const milliseconds = Number(asBigInt(quantity) ?? NaN) * 1000;
	return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : null;
}

function asBigInt(quantity: unknown): bigint | undefined {
	if (typeof quantity === 'number' && Number.isSafeInteger(quantity)) return BigInt(quantity);
	return typeof quantity === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(quantity)
		? BigInt(quantity)
		: undefined;
}

/** Leaves out the keys that the chain left out, so that a legacy transaction shows no newer fields. */
export function present(object: ChainObject): ChainObject {
	return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
