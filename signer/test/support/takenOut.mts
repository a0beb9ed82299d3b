/** What refuses a transaction beside the rules, by the words that it does it with. */
const CHECKS: Readonly<Record<string, RegExp>> = {
	'the canonical encoding': / is not encoded in the one canonical way$/,
	'the gas': /^The transaction has \d+ gas, and needs at least \d+$/,
	'the owner': /^The owner of the transaction is /,
	'the permission': /^The transaction is for permission \d+ of its account/,
	'TRC-10': /^The transaction sends tokens of TRC-10/,
};

/** The rule or the check that a refusal is of; undefined where the transaction could not even be read. */
export function refuserIn(message: string): string | undefined {
	const [, rule] = /^The rule (.+?) forbids it: /.exec(message) ?? [];
	return rule ?? Object.keys(CHECKS).find((name) => CHECKS[name]!.test(message));
}

const takenOut = new Set<string>();
let areAllOut = false;

/** A rule refuses nothing from now on, as if its check were missing in the code. */
export const takeOut = (refuser: string) => void takenOut.add(refuser);
export const takeAllOut = () => void (areAllOut = true);

export function putBack(): void {
	takenOut.clear();
	areAllOut = false;
}

type Refusal = typeof import('../../rules/refusal');

/** The module that all refusals go through, with refusals that tests can take out. */
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
		throwForbidden: unlessTakenOut(refusal.throwForbidden) as Refusal['throwForbidden'],
		throwRefused: unlessTakenOut(refusal.throwRefused) as Refusal['throwRefused'],
	};
}
