import { parseText, wholeNumberParser, type Parse, InvalidValue, raise } from '../../nodes/core';
import { DAY_MS, formatDay, toDay } from './clock';
import { forbid } from './refusal';
import { optionalListParser, type ParseRule } from './ruleParser';

/**
 * A daily limit on the number of transactions that needs no stored count. A chain accepts each nonce once, and each day allows only a fixed
 * number of further nonces.
 */
export interface Budget {
	/** The number of nonces that each day adds. */
	readonly daily: bigint;
	readonly firstNonce: bigint;
	/** The first day of the limit (UTC), in days since 1970. */
	readonly firstDay: bigint;
}

/** Returns undefined if no rule limits the number of transactions. */
export function parseBudget(rule: ParseRule): Budget | undefined {
	const daily = rule('dailyTransactions', parseDaily);
	if (daily === undefined) return undefined;
	return {
		daily,
		firstNonce: rule('firstNonce', parseFirstNonce),
		firstDay: rule('firstDay', parseFirstDay),
	};
}

const parseWholeDaily = wholeNumberParser(1);
const parseWholeNonce = wholeNumberParser(0);

/** Parses a daily limit. Returns undefined if the field is empty. */
export const parseDaily: Parse<bigint | undefined> = (given) => {
	const text = parseText(given);
	return text === '' ? undefined : BigInt(parseWholeDaily(text));
};

const parseFirstNonce: Parse<bigint> = (given) => BigInt(parseWholeNonce(parseText(given)));

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;

/** Parses a day. The result is compared with the text, because Date.parse turns February 30 into March 2. */
const parseFirstDay: Parse<bigint> = (given) => {
	const text = parseText(given);
	const start = DAY_PATTERN.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
	const isReal = !Number.isNaN(start) && formatDay(BigInt(start) / DAY_MS) === text;
	return isReal ? BigInt(start) / DAY_MS : raise(new InvalidValue('a day such as 2026-11-24'));
};

/**
 * Parses the chain IDs. With a daily limit, it accepts only one. Each chain counts its own nonces, so a second
 * chain would allow the same number of transactions again.
 */
export function chainIdsParser(
	budget: Budget | undefined,
	parseChainId: Parse<bigint>,
): Parse<readonly bigint[]> {
	const parseList = optionalListParser(parseChainId);
	return (given) => {
		const ids = [...new Set(parseList(given))];
		return budget && ids.length > 1
			? raise(new InvalidValue('one chain ID, because Daily Transactions counts on one chain only'))
			: ids;
	};
}

/** Refuses a nonce that only a later day allows. `nonceName` is the chain's word for a nonce; `now` is in milliseconds since 1970. */
export function checkBudget(
	budget: Budget | undefined,
	nonce: bigint,
	now: number,
	nonceName: string,
): void {
	if (!budget) return;
	const today = toDay(now);
	const end = computeEnd(budget, today);
	if (nonce < end) return;
	forbid('dailyTransactions', {
		wants: `the transaction has the ${nonceName} ${nonce}, which is allowed from ${formatDay(findDay(budget, nonce))} (UTC) on`,
		allowed: `Allowed: those below ${end} on ${formatDay(today)}`,
	});
}

/** Refuses a nonce below First Nonce. The account has used it, but another account of its key may still accept it. */
export function checkFirstNonce(
	budget: Budget | undefined,
	nonce: bigint,
	nonceName: string,
): void {
	if (!budget || nonce >= budget.firstNonce) return;
	forbid('firstNonce', {
		wants: `the transfer has the ${nonceName} ${nonce}`,
		allowed: `Allowed: those from ${budget.firstNonce} on`,
	});
}

/**
 * Refuses requests without a nonce, such as messages, while Daily Transactions is set. They can be used any number of times, so the rule
 * cannot count them.
 */
export function checkTakesNonce(budget: Budget | undefined, what: string): void {
	if (!budget) return;
	forbid('dailyTransactions', {
		wants: `${what} takes no nonce, so the rule could not count it`,
		allowed: 'Allowed: transactions with a nonce',
	});
}

/** Refuses a transaction with a nonce if Daily Transactions is set, but does not count its family of chains. */
export function checkCounted(budget: Budget | undefined, number: bigint): void {
	if (!budget) return;
	forbid('dailyTransactions', {
		wants: `the transaction has the number ${number} of a chain whose transactions are not counted`,
		allowed: 'Allowed: those of the chains that are counted',
	});
}

/** Returns the first nonce that is not yet allowed on the day. */
function computeEnd({ daily, firstNonce, firstDay }: Budget, day: bigint): bigint {
	return day < firstDay ? firstNonce : firstNonce + daily * (day - firstDay + 1n);
}

/** Returns the first day on which the nonce is allowed. */
function findDay({ daily, firstNonce, firstDay }: Budget, nonce: bigint): bigint {
	return firstDay + (nonce - firstNonce) / daily;
}

/** Formats the sentence that says that unused nonces of earlier days remain usable. */
export function formatUnspent({ firstDay }: Budget): string {
	return `. What was not used on earlier days since ${formatDay(firstDay)} can be used, too`;
}
