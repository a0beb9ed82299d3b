import { ACCOUNT_KEY, deposit, OTHER_ACCOUNT_KEY } from '../../../test/harness/accountKey.mts';
import {
	FRIEND,
	signed,
	signTransaction,
	signWith,
	STRANGER,
	TRANSFER,
} from '../support/signerNode.mts';

/** Tests that exactly the first 100,000 addresses of an account key are recipients. Deriving them takes 15 seconds. */

const BASE = { chainIds: '31337', maxAmount: '1', maxFee: '0.01', contracts: '*' };
const rules = { ...BASE, recipients: `${FRIEND}, ${ACCOUNT_KEY}` };
const pay = (receiver: string) => signTransaction({ ...TRANSFER, to: receiver });
const SHOWN = `${FRIEND}, the addresses 0 to 99999 of ${ACCOUNT_KEY.slice(0, 14)}…`;

test('nobody else may receive', async () => {
	const { error } = await signWith(pay(STRANGER), { rules });
	expect(error?.message).toBe(
		`The rule Recipients forbids it: ${STRANGER} would receive. Allowed: ${SHOWN}`,
	);
});

test('a key alone is no empty list', async () => {
	const { error } = await signWith(pay(FRIEND), { rules: { ...BASE, recipients: ACCOUNT_KEY } });
	expect(error?.message).toMatch(/^The rule Recipients forbids it/);
	const other = await signWith(pay(deposit(0)), {
		rules: { ...BASE, recipients: OTHER_ACCOUNT_KEY },
	});
	expect(other.error?.message).toMatch(/^The rule Recipients forbids it/);
});

test('an address behind those that are derived first may receive', async () => {
	expect(await signed(pay(deposit(1000)), { rules })).toHaveLength(1);
});

test('the last address may receive, the next may not', async () => {
	expect(await signed(pay(deposit(99_999)), { rules })).toHaveLength(1);
	const { error } = await signWith(pay(deposit(100_000)), { rules });
	expect(error?.message).toMatch(/^The rule Recipients forbids it/);
});
