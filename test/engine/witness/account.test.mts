import type { INodeParameters } from 'n8n-workflow';
import { createBuilders } from './support/builders.mts';
import { createWallet, hexOf, LEADER, OWNER, SECOND, vote, votes } from './support/wallet.mts';

const walletOfTest = createWallet();
const { sandbox, wallet, first } = walletOfTest;
const { transfer, freeze, unfreeze, carryOut } = createBuilders(walletOfTest);

const account = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'account',
	operation: 'get',
	address: OWNER,
	...more,
});

test('an account has its amounts in whole coins', async () => {
	expect(await first(account())).toEqual({
		address: OWNER,
		balance: '20000',
		value: '20000000000',
		amount: '20000',
		frozenForEnergy: '0',
		frozenForBandwidth: '1000',
		votes: [],
		votesLeft: 1000,
		energyLeft: 0,
		bandwidthLeft: 10_600,
		exists: true,
	});
});

test('its coins are those that are not frozen', async () => {
	const coins = { symbol: 'TRX', decimals: 6, value: '20000000000', amount: '20000' };
	expect(await first({ ...account(), operation: 'getBalance' })).toEqual({
		address: OWNER,
		...coins,
		balance: '20000',
	});
});

test('what it does moves balances, votes and resources', async () => {
	await carryOut(transfer({ toAddress: SECOND, amount: '0.000001' }));
	await carryOut(freeze({ amount: '100', forResource: 'energy' }));
	await carryOut(unfreeze({ amount: '10' }));
	await carryOut(vote({ votes: votes([LEADER, 700], [SECOND, 300]) }));
	const mine = await first(account());
	expect(mine).toMatchObject({
		balance: '19899.999999',
		frozenForEnergy: '100',
		frozenForBandwidth: '990',
		votes: [
			{ voteAddress: LEADER, voteCount: 700 },
			{ voteAddress: SECOND, voteCount: 300 },
		],
		votesLeft: 90,
		energyLeft: 10_000,
	});
	expect(mine.bandwidthLeft).toBeLessThan(10_500);
	expect(await first(account({ address: SECOND }))).toMatchObject({ balance: '20000.000001' });
});

test('in hex, votes are in hex, too', async () => {
	await carryOut(vote());
	const address = hexOf(OWNER).toUpperCase();
	expect(await first(account({ address, visible: false }))).toMatchObject({
		address,
		votes: [{ voteAddress: hexOf(LEADER), voteCount: 5 }],
	});
});

test('one that does not exist has nothing', async () => {
	await sandbox.control('PUT', '/wallet', { defaultFrozen: 0, defaultBalance: 0 });
	expect(await first(account())).toEqual({
		address: OWNER,
		balance: '0',
		value: '0',
		amount: '0',
		frozenForEnergy: '0',
		frozenForBandwidth: '0',
		votes: [],
		votesLeft: 0,
		energyLeft: 0,
		bandwidthLeft: 0,
		exists: false,
	});
});

test('a balance above 2^53 has all its digits', async () => {
	const body = '{"address":"T","balance":9007199254740993}'.replace('"T"', `"${OWNER}"`);
	await sandbox.fault({ path: 'getaccount$', do: { status: 200, body } });
	expect(await first(account())).toMatchObject({ balance: '9007199254.740993' });
});

test('frozen entries without a type are for bandwidth, and none without an amount counts', async () => {
	const frozenV2 = [
		{ amount: 5_000_000 },
		{ type: 'ENERGY' },
		{ type: 'TRON_POWER', amount: 7 },
		{},
	];
	const body = { address: OWNER, frozenV2, account_resource: { delegated_frozenV2_balance: 5 } };
	await sandbox.fault({ path: 'getaccount$', do: { status: 200, body } });
	expect(await first(account())).toMatchObject({ frozenForBandwidth: '5', frozenForEnergy: '0' });
});

test('what is left is never below 0: what others freeze may take from a limit', async () => {
	const body = {
		freeNetLimit: 600,
		NetLimit: 100,
		NetUsed: 400,
		EnergyUsed: 5,
		EnergyLimit: 3,
		tronPowerUsed: 5,
	};
	await sandbox.fault({ path: 'getaccountresource$', do: { status: 200, body } });
	expect(await first(account())).toMatchObject({
		bandwidthLeft: 600,
		energyLeft: 0,
		votesLeft: 0,
	});
});

test.each([
	['another account', { address: LEADER, balance: 5 }],
	['no object', []],
	['a list of votes that is none', { address: OWNER, votes: 5 }],
	['an amount that is none', { address: OWNER, balance: 'much' }],
	['an amount in a list', { address: OWNER, balance: [5] }],
	['an amount in pieces', { address: OWNER, balance: 1.5 }],
	['an endless amount', { address: OWNER, balance: 1e21 }],
	['less than nothing', { address: OWNER, balance: -5 }],
	['no amount', { address: OWNER, frozenV2: [{ amount: null }] }],
	['a vote for nobody', { address: OWNER, votes: [{ vote_count: 5 }] }],
])('an answer with %s is refused', async (_name, body) => {
	await sandbox.fault({ path: 'getaccount$', do: { status: 200, body } });
	expect((await wallet(account())).error?.message).toMatch(/did not answer with/);
});
