import type { INodeParameters } from 'n8n-workflow';
import { WitnessWallet } from '../../../nodes/WitnessWallet/WitnessWallet.node';
import { listOf } from '../../harness/lists.mts';
import { createBuilders } from './support/builders.mts';
import { createWallet, hexOf, LEADER, OWNER, SECOND } from './support/wallet.mts';

/** These tests check the list of accounts to which the sender of a delegation has lent energy or bandwidth. */

const walletOfTest = createWallet();
const { sandbox, first } = walletOfTest;
const { carryOut, delegate, prepareAll, undelegate } = createBuilders(walletOfTest);

async function listed(filter?: string, typed: INodeParameters = {}) {
	const node = new WitnessWallet();
	const parameters = { authentication: 'token', ownerAddress: OWNER, visible: true, ...typed };
	const form = { node, parameters, credentials: sandbox.credentials.token };
	return await listOf(node.methods.listSearch.receivers, form, filter);
}

test('those who were lent something are listed once, and found by their address', async () => {
	expect(await listed()).toEqual([]);
	await prepareAll();
	await carryOut(delegate({ receiverAddress: SECOND }));
	const both = [LEADER, SECOND].map((one) => ({ name: one, value: one }));
	expect(await listed()).toEqual(both);
	expect(await listed(SECOND.slice(5, 20).toUpperCase())).toEqual(both.slice(1));
});

test('they are spelled as the addresses of the form are', async () => {
	await prepareAll();
	const typed = { ownerAddress: hexOf(OWNER), visible: false };
	expect(await listed('', typed)).toEqual([{ name: hexOf(LEADER), value: hexOf(LEADER) }]);
});

test('a sender is needed, and said to be', async () => {
	await expect(listed('', { ownerAddress: '' })).rejects.toThrow(/^'From' must be an address/);
	expect(await sandbox.record()).toEqual([]);
});

test.each([
	['what is no address is left out', { toAccounts: [7, 'T', '=x', LEADER] }, 1],
	['more than can be looked through is not shown', { toAccounts: Array(3000).fill(LEADER) }, 500],
])('%s', async (_what, body, count) => {
	await sandbox.fault({ do: { status: 200, body } });
	const found = await listed();
	expect(found).toHaveLength(count);
	expect(found[0]?.value).toBe(LEADER);
});

test.each([{ toAccounts: 'none' }, [], { Error: 'class X : no such thing' }])(
	'%o is refused in a sentence, without the token',
	async (body) => {
		await sandbox.fault({ do: { status: 200, body } });
		const failure = await listed().catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(Error);
		expect(String(failure)).not.toContain(sandbox.authToken);
	},
);

/** Workflows that were saved when the field was still a text field contain only the address. */
test.each([
	['from the list', { __rl: true, mode: 'list', value: LEADER, cachedResultName: LEADER }],
	['by its address', { __rl: true, mode: 'address', value: LEADER }],
	['as it was stored before', LEADER],
])(
	'a receiver that was given %s is lent to, and taken back from',
	async (_how, receiverAddress) => {
		await prepareAll();
		for (const build of [delegate, undelegate]) {
			const { summary } = await first(build({ receiverAddress, amount: '1' }));
			expect(summary).toContain(LEADER);
		}
	},
);
