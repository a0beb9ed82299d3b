import { FAMILY_NAMES } from '../../nodes/core';
import { FAMILIES_OF_KEYS } from '../credentials/families';
import type { Effects } from '../rules/effects';
import { FAMILY_TERMS } from '../rules/families';
import { judge } from '../rules/judge';
import { parseStarkRules } from '../rules/starkRules';

/** Checks that the form of a family has a field for each rule. Families with the same key share one form. */
test.each(FAMILY_NAMES)(
	'each rule that the judge names for %s is a field of its form',
	(family) => {
		const { curve, rules } = FAMILY_TERMS[family];
		const fields = Object.values(FAMILIES_OF_KEYS)
			.filter((other) => other.curve === curve)
			.flatMap((other) => [...other.fields, ...other.otherSignatures])
			.map(({ name }) => name);
		const named = Object.values(rules).filter((name) => name !== null);
		expect(fields).toEqual(expect.arrayContaining(named));
	},
);

const EFFECTS: Effects = {
	own: '0x1',
	chain: undefined,
	nonce: 0n,
	expiry: undefined,
	coins: { amount: 1n, wants: 'the transaction sends 1 coin' },
	fee: undefined,
	calls: [],
	moves: [],
	approvals: [],
};

test('what a form has no rule for is refused', () => {
	expect(() => judge(parseStarkRules({}), EFFECTS, Date.now())).toThrow(
		expect.objectContaining({
			message: 'No rule allows it: the transaction sends 1 coin. Allowed: at most 0',
			rule: null,
		}),
	);
});
