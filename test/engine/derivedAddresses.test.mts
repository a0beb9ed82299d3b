import { HDKey } from '@scure/bip32';
import { HDNodeWallet } from 'ethers';
import type { INodeParameters } from 'n8n-workflow';
import { Utilities } from '../../nodes/Utilities/Utilities.node';
import { runNode, type NodeRun } from '../harness/engine.mts';

/** These tests check that Chain Utilities can derive an address for each order from a public key alone. */

const SEED = Buffer.alloc(32, 0x42);
const account = HDKey.fromMasterSeed(SEED).derive("m/44'/60'/0'");
const DERIVE: INodeParameters = {
	resource: 'address',
	operation: 'derive',
	accountKey: account.publicExtendedKey,
	index: '={{ $json.order }}',
};

async function derive(orders: readonly unknown[], more: Partial<NodeRun> = {}) {
	const items = orders.map((order) => ({ json: { order } as never }));
	return await runNode({
		node: new Utilities(),
		credentials: {},
		items,
		...more,
		parameters: { ...DERIVE, ...more.parameters },
	});
}

function findAddress(index: number): string {
	return HDNodeWallet.fromSeed(SEED).derivePath(`m/44'/60'/0'/0/${index}`).address;
}

test('each order has the address that the wallet of the key shows, on both families', async () => {
	const orders = [0, '7', 7, 2_147_483_647];
	const { items } = await derive(orders);
	expect(items.map(({ json }) => json.evm)).toEqual(orders.map((one) => findAddress(Number(one))));
	expect(items[1]?.json).toEqual({
		index: 7,
		path: '0/7',
		evm: findAddress(7),
		witnessBase58: expect.stringMatching(/^T\w{33}$/),
	});
	const { items: converted } = await derive([7], {
		parameters: { operation: 'convert', address: String(items[1]?.json.witnessBase58) },
	});
	expect(converted[0]?.json.evm).toBe(findAddress(7));
});

test('many orders of several shops come in their order', async () => {
	const shops = [account, account.deriveChild(0)].map(({ publicExtendedKey }) => publicExtendedKey);
	const { items } = await derive(
		Array.from({ length: 150 }, (_, order) => order),
		{
			parameters: {
				accountKey: `={{ ${JSON.stringify(shops)}[$json.order % 2] }}`,
			},
		},
	);
	expect(items.map(({ json }) => json.index)).toEqual(items.map((_, order) => order));
	expect(items.map(({ json }) => json.path)).toEqual(
		items.map((_, order) => (order % 2 === 0 ? `0/${order}` : String(order))),
	);
	for (const order of [0, 1, 63, 64, 65, 149])
		expect(items[order]?.json.evm).toBe(findAddress(order));
});

test.each([
	[-1, /'Index' must be a whole number, 0 to 2147483647/],
	[2_147_483_648, /'Index' must be a whole number, 0 to 2147483647/],
	[1.5, /'Index' must be a whole number/],
	['', /'Index' is required/],
	['one', /'Index' must be a whole number/],
])('the order %j is refused, and the others are not', async (order, message) => {
	const { items } = await derive([1, order, 2], { onError: 'continueRegularOutput' });
	expect(items[1]?.json.error).toMatch(message);
	expect([items[0]?.json.evm, items[2]?.json.evm]).toEqual([findAddress(1), findAddress(2)]);
});

test.each([
	['as it is', (key: string) => key],
	['by an expression', (key: string) => `={{ "${key.slice(0, 40)}" + "${key.slice(40)}" }}`],
])('a private key %s is refused before the order, and not repeated', async (_name, write) => {
	const key = account.privateExtendedKey;
	const { error } = await derive([-1], { parameters: { accountKey: write(key) } });
	expect(error?.message).toContain('a private key does not belong here');
	const shown = JSON.stringify([error, { ...error }, error?.stack, error?.cause]);
	for (let at = 0; at + 8 <= key.length; at++) expect(shown).not.toContain(key.slice(at, at + 8));
});
