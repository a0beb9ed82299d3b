import { InvalidInput } from '../../nodes/core';
import { formatList } from './list';
import { getRuleLabel } from './ruleParser';

interface RefusalTexts {
	/** What the request does, as the end of a sentence such as "the transaction sends 2 coins". */
	readonly wants: string;
	/** The end of a sentence such as "Allowed: at most 1". */
	readonly allowed: string;
}

/** A refusal of the rules. */
export class RuleRefusal extends InvalidInput {
	constructor(
		message: string,
		description: string,
		/** The name of the rule's field. Null for a request that no rule allows. */
		readonly rule: string | null,
	) {
		super(message, description);
	}
}

/**
 * Refuses a request that a rule forbids. `rule` is null if the family has no such rule. The message has the
 * requested and the allowed value, so that AI agents can read them.
 */
export function forbid(rule: string | null, { wants, allowed }: RefusalTexts): never {
	throw new RuleRefusal(
		rule === null
			? `No rule allows it: ${wants}. ${allowed}`
			: `The rule ${getRuleLabel(rule)} forbids it: ${wants}. ${allowed}`,
		'The rules are in the credential, where no workflow can change them. Nothing was signed.',
		rule,
	);
}

/** Refuses a request that no rule could allow. */
export function refuse(why: string, advice: string): never {
	throw new RuleRefusal(why, `${advice} Nothing was signed.`, null);
}

const MAX_LISTED_VALUES = 10;

/** Formats `Allowed: A, B`. */
export function listAllowed(values: readonly string[]): string {
	return `Allowed: ${values.length > 0 ? formatList(values, MAX_LISTED_VALUES) : 'none'}`;
}
