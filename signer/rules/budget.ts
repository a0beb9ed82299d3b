import { parseText, wholeNumberParser, type Parse, InvalidValue, raise } from '../../nodes/core';
import { DAY_MS, formatDay, toDay } from './clock';
import { forbid } from './refusal';
import { optionalListParser, type ParseRule } from './ruleParser';

/**
 * A bound of all transactions together that needs no state: the chain takes each nonce once, so who gets no signature
 * for a nonce of a later day can send no more than those of the days so far.
 */
export interface Budget {
	/** The number of nonces that each day adds. */
	readonly daily: bigint;
	readonly firstNonce: bigint;
	/** The day in UTC, counted since 1970. */
	readonly firstDay: bigint;
}

/** Returns undefined if nothing limits the total. */
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

/** Parses how many a day are allowed; undefined if nothing limits them. */
export const parseDaily: Parse<bigint | undefined> = (given) => {
	const text = parseText(given);
	return text === '' ? undefined : BigInt(parseWholeDaily(text));
};

const parseFirstNonce: Parse<bigint> = (given) => BigInt(parseWholeNonce(parseText(given)));

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;

/** Date.parse turns February 30 into March 2. */
const parseFirstDay: Parse<bigint> = (given) => {
	const text = parseText(given);
	const start = DAY_PATTERN.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
	const isReal = !Number.isNaN(start) && formatDay(BigInt(start) / DAY_MS) === text;
	return isReal ? BigInt(start) / DAY_MS : raise(new InvalidValue('a day such as 2026-11-24'));
};

/** Each chain counts its own nonces, so a budget over several chains would allow the number on each. */
export function chainIdsParser(
	budget: Budget | undefined,
	parseChainId: Parse<bigint>,
): Parse<readonly bigint[]> {
	const parseList = optionalListParser(parseChainId);
	return (given) => {
		const ids = [...new Set(parseList(given))];
		return budget && ids.length > 1
			? raise(
					new InvalidValue(
						'one chain ID, because Daily Transactions counts the nonces of one chain',
					),
				)
			: ids;
	};
}

/** Refuses a nonce of a later day. The nonce has the name that its chain gives it; `now` is in milliseconds since 1970. */
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

/** Refuses a nonce before the first one. There are many such numbers, which only other accounts of the key may use. */
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
 * While Daily Transactions is set, refuses requests without a nonce, such as messages. A chain accepts them any number
 * of times, so the rule could not count them.
 */
export function checkTakesNonce(budget: Budget | undefined, what: string): void {
	if (!budget) return;
	forbid('dailyTransactions', {
		wants: `${what} takes no nonce, so the rule could not count it`,
		allowed: 'Allowed: transactions with a nonce',
	});
}

/** Refuses a numbered transaction of a family that shares its key with the family whose numbers are counted. */
export function checkCounted(budget: Budget | undefined, number: bigint): void {
	if (!budget) return;
	forbid('dailyTransactions', {
		wants: `the transaction has the number ${number} of a chain whose transactions are not counted`,
		allowed: 'Allowed: those of the chains that are counted',
	});
}

/** The first nonce that is not allowed yet on a day. */
function computeEnd({ daily, firstNonce, firstDay }: Budget, day: bigint): bigint {
	return day < firstDay ? firstNonce : firstNonce + daily * (day - firstDay + 1n);
}

/** The first day on which the nonce is allowed. */
function findDay({ daily, firstNonce, firstDay }: Budget, nonce: bigint): bigint {
	return firstDay + (nonce - firstNonce) / daily;
}

/** A sentence after the total of a day: unused nonces of earlier days remain. */
export function formatUnspent({ firstDay }: Budget): string {
	return `. What earlier days since ${formatDay(firstDay)} left unspent is added`;
}
