import { parseAccountKey } from '../../../nodes/core/accountKey/accountKey';
import { watchAccounts } from '../../../nodes/core/accountKey/watchedAccounts';
import { ACCOUNT_KEY, deposit, OTHER_ACCOUNT_KEY } from '../../harness/accountKey.mts';
import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';

/** These tests check that the accounts of a watched key are derived only once in a process. */

const watchFirst = (count: number, firstIndex = 0) =>
	watchAccounts({ key: parseAccountKey(ACCOUNT_KEY), firstIndex, count });

const account = (index: number) => deposit(index).slice(2);

test('accounts are found once they are derived, and others are not', async () => {
	const accounts = watchFirst(3, 1_000);
	expect(accounts.findIndex(account(1_001))).toBeUndefined();
	await accounts.derive();
	expect([999, 1_000, 1_002, 1_003].map((one) => accounts.findIndex(account(one)))).toEqual([
		undefined,
		1_000,
		1_002,
		undefined,
	]);
	expect(accounts.list()).toEqual([1_000, 1_001, 1_002].map(account));
});

test('more of them go on where the others end, and fewer find no more than they watch', async () => {
	const [few, more] = [watchFirst(5, 2_000), watchFirst(130, 2_000)];
	await Promise.all([more.derive(), few.derive(), more.derive()]);
	expect(more.list()).toHaveLength(130);
	expect(few.list()).toHaveLength(5);
	expect([few, more].map((one) => one.findIndex(account(2_129)))).toEqual([undefined, 2_129]);
});

test('what was derived is there for the next poll, at once', async () => {
	await watchFirst(5, 3_000).derive();
	expect(watchFirst(5, 3_000).findIndex(account(3_004))).toBe(3_004);
	const other = { key: parseAccountKey(OTHER_ACCOUNT_KEY), firstIndex: 3_000, count: 5 };
	expect(watchAccounts(other).findIndex(account(3_004))).toBeUndefined();
});

test('n8n is not held up while many are derived', async () => {
	let first = 10_000;
	const gap = await measureLeastGap(async () => {
		await watchFirst(3_000, (first += 10_000)).derive();
	});
	expect(gap).toBeLessThan(ALLOWED_UNITS);
});
