import { InvalidInput } from '../../nodes/core';
import { formatList } from './list';
import { getRuleLabel } from './ruleParser';

interface RefusalTexts {
	/** The end of a sentence such as "the transaction sends 2 coins". */
	readonly wants: string;
	/** The end of a sentence such as "allowed: at most 1". */
	readonly allowed: string;
}

/** A rule forbids it. The message has both values, because an agent reads it as well. */
export function throwForbidden(rule: string, { wants, allowed }: RefusalTexts): never {
	throw new InvalidInput(
		`The rule ${getRuleLabel(rule)} forbids it: ${wants}; ${allowed}`,
		'The rules stand in the credential, where no workflow can change them. Nothing was signed.',
	);
}

/** Throws a refusal that no rule can change. */
export function throwRefused(why: string, advice: string): never {
	throw new InvalidInput(why, `${advice} Nothing was signed.`);
}

const MAX_LISTED_VALUES = 10;

/** Formats `allowed: A, B`. */
export function listAllowed(values: readonly string[]): string {
	return `allowed: ${values.length > 0 ? formatList(values, MAX_LISTED_VALUES) : 'none'}`;
}
