import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { takeRows } from '../../../test/harness/caseCount.mts';
import { putBack, refuserIn, takeAllOut, takeOut } from './takenOut.mts';

export interface Attacked<Given> {
	readonly rules: ICredentialDataDecryptedObject;
	/** Transactions that the rules allow. They show that the rules do not simply refuse everything. */
	readonly allowed: readonly Given[];
	/** Transactions that a rule or a check refuses; behind the message stand the others that refuse it as well, in their order. */
	readonly refused: readonly Refused<Given>[];
	/** Transactions that cannot be parsed under any rules. */
	readonly unreadable?: ReadonlyArray<readonly [way: string, given: Given, words: RegExp]>;
}

type Refused<Given> = readonly [way: string, given: Given, words: RegExp, ...others: string[]];

/** Returns the error message for a transaction under the rules, or undefined if it is signed. */
type MessageOf<Given> = (
	given: Given,
	rules: ICredentialDataDecryptedObject,
) => Promise<string | undefined>;

/**
 * Defines the tests of a table. A rule refuses each attack. The attack is signed only after this rule and the other named rules are removed
 * with `withoutThoseTakenOut`.
 */
export function testAttacks<Given>(
	table: Readonly<Record<string, Attacked<Given>>>,
	messageOf: MessageOf<Given>,
): void {
	describe.each(Object.entries(table))('%s', (_rule, { rules, allowed, refused, unreadable }) => {
		afterEach(putBack);

		if (allowed.length > 0) {
			test('what it allows is signed', async () => {
				for (const given of allowed) {
					expect([given, await messageOf(given, rules)]).toEqual([given, undefined]);
				}
			});
		}

		for (const [way, given, words, ...others] of takeRows(refused, 4)) {
			test(`refuses ${way}`, async () => {
				const message = await messageOf(given, rules);
				expect(message).toMatch(words);
				expect(await takenOutUntilSigned(given, message)).toEqual([
					refuserIn(message ?? ''),
					...others,
				]);
			});
		}

		for (const [way, given, words] of takeRows(unreadable ?? [], 4)) {
			test(`can't read ${way}`, async () => {
				for (const change of [putBack, takeAllOut]) {
					change();
					const message = await messageOf(given, rules);
					expect(message).toMatch(words);
					expect(message).toMatch(/^'Transaction( > \w+)?' must be /);
				}
			});
		}

		/** Removes one refusing rule after another until the transaction is signed. */
		async function takenOutUntilSigned(given: Given, first: string | undefined) {
			const refusers: string[] = [];
			for (let message = first; message !== undefined; message = await messageOf(given, rules)) {
				const refuser = refuserIn(message);
				if (refuser === undefined || refusers.includes(refuser)) throw new Error(message);
				takeOut(refuser);
				refusers.push(refuser);
			}
			return refusers;
		}
	});
}
