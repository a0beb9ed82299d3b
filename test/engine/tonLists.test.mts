import type { INodeParameters } from 'n8n-workflow';
import { Ton } from '../../nodes/Ton/Ton.node';
import { TonFee } from '../../nodes/TonFee/TonFee.node';
import { buildTonScene, type TonScene } from '../cases/tonScene.mts';
import { runNode } from '../harness/engine.mts';
import { listOf } from '../harness/lists.mts';
import { createSandbox } from '../harness/sandbox.mts';

/** These tests check the lists of the jettons and NFTs that the sender of a transfer has. */

const sandbox = createSandbox();
let scene: TonScene;

beforeAll(async () => {
	scene = await buildTonScene(sandbox.control);
});

type ListName = keyof Ton['methods']['listSearch'];

async function listed(name: ListName, filter?: string, typed: INodeParameters = {}) {
	const node = new Ton();
	const parameters = { authentication: 'token', from: scene.owner, ...typed };
	const form = { node, parameters, credentials: sandbox.credentials.token };
	return await listOf(node.methods.listSearch[name], form, filter);
}

const answers = async (path: string, body: object) =>
	await sandbox.fault({ path, times: -1, do: { status: 200, body } });

/** Returns the address of the account with the given number. */
const rawOf = (number: number) => `0:${number.toString(16).padStart(64, '0')}`;

async function holds(...jettons: ReadonlyArray<{ symbol: unknown; balance: string }>) {
	await answers('jetton/wallets', {
		jetton_wallets: jettons.map(({ balance }, index) => ({
			address: rawOf(1000 + index),
			owner: scene.owner,
			jetton: rawOf(index),
			balance,
		})),
	});
	await answers('jetton/masters', {
		jetton_masters: jettons.map(({ symbol }, index) => ({
			address: rawOf(index),
			total_supply: '1',
			mintable: true,
			jetton_content: { symbol, decimals: '6' },
		})),
	});
}

describe('the jettons to choose from', () => {
	test('are those that the sender has, with how much of each', async () => {
		expect(await listed('jettonsOfSender')).toEqual([
			{
				name: expect.stringMatching(/^"SBD" \(\d+(\.\d+)?\), EQ\S{6}…\S{8}$/),
				value: scene.jetton,
			},
		]);
	});

	test('are found by their symbol and by their address', async () => {
		expect(await listed('jettonsOfSender', ' sbd ')).toHaveLength(1);
		expect(await listed('jettonsOfSender', scene.jetton.slice(9, 30))).toHaveLength(1);
		expect(await listed('jettonsOfSender', 'USDT')).toEqual([]);
	});

	test('need the sender, and say so', async () => {
		const before = (await sandbox.record()).length;
		await expect(listed('jettonsOfSender', '', { from: '' })).rejects.toThrow(/^'From' must be/);
		expect(await sandbox.record()).toHaveLength(before);
	});

	test('may call themselves anything', async () => {
		const symbol = `U\u202eSDT\n"${'x'.repeat(100_000)}`;
		await holds({ symbol, balance: '1500000' }, { symbol: 7, balance: '2' });
		const names = (await listed('jettonsOfSender')).map(({ name }) => name);
		expect(names).toEqual([
			expect.stringMatching(/^"U\?SDT 'x{13}…" \(1\.5\), EQ\S{6}…\S{8}$/),
			expect.stringMatching(/^No symbol \(0\.000002\), EQ/),
		]);
	});

	test('are no more than can be read at once, however many there are', async () => {
		const owner = scene.owner;
		const rows = Array.from({ length: 1000 }, (_, index) => ({
			address: rawOf(5000 + index),
			owner,
			jetton: rawOf(index),
			balance: '7',
		}));
		await answers('jetton/wallets', { jetton_wallets: rows });
		await answers('jetton/masters', { jetton_masters: [] });
		const found = await listed('jettonsOfSender');
		expect(found).toHaveLength(200);
		expect(found[0]?.name).toMatch(/^No symbol \(7 of its smallest unit\), EQ/);
		expect(await sandbox.record()).toHaveLength(1 + 200 / 50);
	});

	test.each([
		['of another owner', { jetton_wallets: [{ ...walletRow(), owner: rawOf(9) }] }],
		['that are no list', { jetton_wallets: 'none' }],
		['that nobody can read', { error: 'the index is down' }],
	])('%s are refused in a sentence, without the token', async (_which, body) => {
		await answers('jetton/wallets', body);
		const failure = await listed('jettonsOfSender').catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(Error);
		expect(String(failure)).not.toContain(sandbox.authToken);
	});

	test('are offered by the estimate of a fee as well', async () => {
		const node = new TonFee();
		const form = {
			node,
			parameters: { authentication: 'token', from: scene.owner },
			credentials: sandbox.credentials.token,
		};
		expect(await listOf(node.methods.listSearch.jettonsOfSender, form)).toHaveLength(1);
	});
});

function walletRow() {
	return { address: rawOf(1), jetton: rawOf(2), balance: '1' };
}

describe('the NFTs to choose from', () => {
	test('are those of the sender', async () => {
		const found = await listed('nftsOfSender');
		expect(found.map(({ value }) => value).sort()).toEqual([scene.nft, scene.nameNft].sort());
		expect(found.map(({ name }) => name).join()).toContain('"Sandbox Piece", EQ');
		expect(await listed('nftsOfSender', 'piece')).toHaveLength(1);
	});

	test('may call themselves anything', async () => {
		const content = { name: `\u0000=${'{'.repeat(5000)}` };
		await answers('nft/items', {
			nft_items: [{ address: rawOf(1), owner_address: scene.owner, content }],
		});
		const [found] = await listed('nftsOfSender');
		expect(found?.name).toMatch(/^"\?=\{{38}…", EQ/);
	});
});

const JETTON_TRANSFER = {
	resource: 'transaction',
	operation: 'prepare',
	kind: 'jettonTransfer',
	amount: '1',
};

/**
 * Workflows that were saved when the field was still a text field contain only the address. An expression also gives
 * only the address.
 */
test.each([
	[
		'from the list',
		(value: string) => ({ __rl: true, mode: 'list', value, cachedResultName: 'x' }),
	],
	['by its address', (value: string) => ({ __rl: true, mode: 'address', value })],
	['as it was stored before', (value: string) => value],
	['by an expression', () => '={{ $json.jetton }}'],
	[
		'by an expression in the locator',
		() => ({ __rl: true, mode: 'address', value: '={{ $json.jetton }}' }),
	],
])('a jetton is paid that was given %s', async (_how, give) => {
	const parameters = {
		...JETTON_TRANSFER,
		from: scene.owner,
		to: scene.receiver,
		jetton: give(scene.jetton),
	};
	const { items, error } = await runNode({
		node: new Ton(),
		parameters,
		credentials: sandbox.credentials.token,
		items: [{ json: { jetton: scene.jetton } }],
	});
	expect(error?.message).toBeUndefined();
	expect(items[0]?.json.summary).toMatch(/^Send 1 /);
});

test('an address that was chosen from a list is read where it is typed', async () => {
	const jetton = { __rl: true, mode: 'list', value: scene.jetton };
	const { items, error } = await runNode({
		node: new Ton(),
		parameters: { resource: 'jetton', operation: 'get', jetton },
		credentials: sandbox.credentials.token,
	});
	expect(error?.message).toBeUndefined();
	expect(items[0]?.json.symbol).toBe('SBD');
});
