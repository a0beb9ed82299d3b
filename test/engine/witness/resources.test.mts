import { createWallet, LEADER, OWNER, vote } from './support/wallet.mts';
import { createBuilders } from './support/builders.mts';

const walletOfTest = createWallet();
const { sandbox, wallet, first } = walletOfTest;
const { freeze, unfreeze, delegate, undelegate, withdraw, carryOut } = createBuilders(walletOfTest);

const account = async (address: string) =>
	await first({ resource: 'account', operation: 'get', address });

test('energy that is lent is used by another, and comes back', async () => {
	await carryOut(freeze({ forResource: 'energy', amount: '100' }));
	await carryOut(delegate({ forResource: 'energy', amount: '40' }));
	expect(await account(OWNER)).toMatchObject({ frozenForEnergy: '60', energyLeft: 6000 });
	expect(await account(LEADER)).toMatchObject({ frozenForEnergy: '0', energyLeft: 4000 });
	await carryOut(undelegate({ forResource: 'energy', amount: '0.5' }));
	await carryOut(undelegate({ forResource: 'energy', amount: '39.5' }));
	expect(await account(OWNER)).toMatchObject({ frozenForEnergy: '100', energyLeft: 10_000 });
	expect(await account(LEADER)).toMatchObject({ energyLeft: 0 });
});

test('what is locked stays', async () => {
	await carryOut(delegate({ lockDays: 1 }));
	const { error } = await wallet(undelegate());
	expect(error?.message).toBe(
		'insufficient delegatedFrozenBalance(BANDWIDTH), request=1500000, unlock_balance=0',
	);
});

test('unfrozen coins and rewards can be spent again', async () => {
	await sandbox.control('PUT', '/wallet', { unfreezingTime: 0 });
	await carryOut(vote());
	await carryOut(unfreeze({ amount: '5' }));
	const { balance } = await account(OWNER);
	await carryOut(withdraw());
	await carryOut(withdraw({ what: 'rewards' }));
	expect(Number((await account(OWNER)).balance) - Number(balance)).toBeGreaterThan(4.9);
	expect((await wallet(withdraw())).error?.message).toBe('no unFreeze balance to withdraw');
	expect((await wallet(withdraw({ what: 'rewards' }))).error?.message).toMatch(
		/^The last withdraw time is \d+, less than 24 hours$/,
	);
});
