import { quoteSymbol } from '../values/quoted';
import { formatDecimal, type Decimal } from '../values/units';
import type { StartCondition } from './crossing';

/** An exact value in whole units. */
export interface MeasuredValue {
	readonly value: Decimal;
	/** The unit of the value; null if the unit is unknown. */
	readonly unit: string | null;
	/** Whether the unit is not from a contract. A unit from a contract may be any text, so it is quoted in sentences. */
	readonly isUnitKnown?: true;
	/** The beginning of a sentence about the value, such as "The balance of 0x…". */
	readonly subject: string;
}

/** Formats the item for a value that starts the workflow. */
export function formatCrossing(
	condition: StartCondition,
	found: MeasuredValue,
	previous: Decimal | null,
) {
	const threshold = formatThreshold(condition);
	const count = (text: string) => withUnit(text, found);
	const value = count(formatDecimal(found.value));
	const summary = {
		fallsBelow: `${previous ? 'fell to' : 'is'} ${value}, below ${count(threshold)}`,
		risesAbove: `${previous ? 'rose to' : 'is'} ${value}, above ${count(threshold)}`,
		changesBy: `changed from ${count(previous ? formatDecimal(previous) : '?')} to ${value}, by ${isPercentage(condition) ? threshold : count(threshold)} or more`,
	}[condition.compare];
	return formatTexts(condition, found, { summary, previous });
}

/** Formats the item for the present value, whether or not it meets the condition. */
export function formatPresent(condition: StartCondition, found: MeasuredValue) {
	const threshold = formatThreshold(condition);
	const value = withUnit(formatDecimal(found.value), found);
	const wanted = isPercentage(condition) ? threshold : withUnit(threshold, found);
	const summary = `is ${value}; the threshold is ${wanted}`;
	return formatTexts(condition, found, { summary, previous: null });
}

interface Texts {
	readonly summary: string;
	readonly previous: Decimal | null;
}

function formatTexts(
	condition: StartCondition,
	found: MeasuredValue,
	{ summary, previous }: Texts,
) {
	return {
		summary: `${found.subject} ${summary}`,
		compare: condition.compare,
		threshold: formatThreshold(condition),
		value: formatDecimal(found.value),
		previous: previous && formatDecimal(previous),
		unit: found.unit,
	};
}

function formatThreshold(condition: StartCondition): string {
	return `${formatDecimal(condition.threshold)}${isPercentage(condition) ? '%' : ''}`;
}

function isPercentage(condition: StartCondition): boolean {
	return condition.compare === 'changesBy' && condition.isPercentage;
}

function withUnit(text: string, { unit, isUnitKnown }: MeasuredValue): string {
	const shown = isUnitKnown ? unit : quoteSymbol(unit);
	return shown ? `${text} ${shown}` : text;
}
