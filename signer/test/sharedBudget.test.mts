import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { FAMILY_NAMES } from '../../nodes/core';
import type { Effects } from '../rules/effects';
import { FAMILY_TERMS } from '../rules/families';
import { judge } from '../rules/judge';
import { parseSecp256k1Rules } from '../rules/rules';

const CURVES = [...new Set(FAMILY_NAMES.map((family) => FAMILY_TERMS[family].curve))];

/** Only one family of a key may be counted. With two, Daily Transactions would allow twice as many transactions. */
test.each(CURVES)('of the families that a key of %s signs for, one alone is counted', (curve) => {
	const families = FAMILY_NAMES.filter((family) => FAMILY_TERMS[family].curve === curve);
	const counted = families.filter((family) => FAMILY_TERMS[family].counted);
	expect([families, counted]).toEqual([families, [expect.any(String)]]);
});

const BUDGET = { dailyTransactions: '20', firstNonce: '0', firstDay: '2026-11-24' };

const EFFECTS: Effects = {
	own: '0x1',
	chain: undefined,
	nonce: 0n,
	expiry: undefined,
	coins: undefined,
	fee: undefined,
	calls: [],
	moves: [],
	approvals: [],
};

/** Checks the first transaction of a family that has numbers but is not counted by Daily Transactions. */
function judgeUncounted(credential: ICredentialDataDecryptedObject): void {
	const policy = {
		...parseSecp256k1Rules(credential),
		family: { ...FAMILY_TERMS.evm, counted: null },
	};
	judge(policy, EFFECTS, Date.now());
}

test('beside a budget, a number that is not counted is refused; without one it binds nothing', () => {
	expect(() => judgeUncounted(BUDGET)).toThrow(
		expect.objectContaining({ rule: 'dailyTransactions' }),
	);
	expect(() => judgeUncounted({})).not.toThrow();
});
