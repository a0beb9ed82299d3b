/** The messages of checks that refuse a transaction independently of the rules. */
const CHECKS: Readonly<Record<string, RegExp>> = {
	'the canonical encoding': / is not encoded in the one canonical way$/,
	'the gas': /^The transaction has \d+ gas, and needs at least \d+$/,
	'the owner': /^The owner of the transaction is /,
	'the permission': /^The transaction is for permission \d+ of its account/,
	'the owner of tokens': /^The \w+ is about tokens of /,
	'the deadline': /^The \w+ can be used until .+, which is more than a day from now$/,
	'TRC-10': /^The transaction sends tokens of TRC-10/,
};

/** Returns the rule or the check that a refusal names. Returns undefined for other errors. */
export function refuserIn(message: string): string | undefined {
	const [, rule] = /^The rule (.+?) forbids it: /.exec(message) ?? [];
	return rule ?? Object.keys(CHECKS).find((name) => CHECKS[name]!.test(message));
}

const takenOut = new Set<string>();
let areAllOut = false;

/** Makes a rule refuse nothing, as if its check were missing in the code. */
export const takeOut = (refuser: string) => void takenOut.add(refuser);
export const takeAllOut = () => void (areAllOut = true);

export function putBack(): void {
	takenOut.clear();
	areAllOut = false;
}

type Refusal = typeof import('../../rules/refusal');

/** Wraps the module that makes refusals, so that tests can switch single refusals off. */
export function withoutThoseTakenOut(refusal: Refusal): Refusal {
	const unlessTakenOut =
		<Args extends readonly unknown[]>(refuse: (...args: Args) => never) =>
		(...args: Args) => {
			try {
				refuse(...args);
			} catch (error) {
				const refuser = refuserIn((error as Error).message);
				if (!areAllOut && !takenOut.has(refuser ?? '')) throw error;
			}
		};
	return {
		...refusal,
		forbid: unlessTakenOut(refusal.forbid) as Refusal['forbid'],
		refuse: unlessTakenOut(refusal.refuse) as Refusal['refuse'],
	};
}
