import type { INodeParameters } from 'n8n-workflow';
import { Address } from '@ton/core';
import { TonTrigger } from '../../nodes/TonTrigger/TonTrigger.node';
import { buildTonScene, type TonScene } from '../cases/tonScene.mts';
import { createPollingWorkflow } from '../harness/poll.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox();
let scene: TonScene;

beforeEach(async () => (scene = await buildTonScene(sandbox.control)));

const workflow = (parameters: INodeParameters, saved?: string) =>
	createPollingWorkflow(
		{
			node: new TonTrigger(),
			parameters: { event: 'value', options: { maxRetries: 0 }, ...parameters },
			credentials: sandbox.credentials.token,
		},
		{ saved },
	);

const pay = async (to: string, amount: string) =>
	await sandbox.control('POST', '/ton/pay', { to, amount, bounce: false });

/** An account that was never paid, so that it does not exist on the chain. */
const NOBODY = `0:${'78'.repeat(32)}`;

test('coins: an account that does not exist holds 0, and numbers of blocks are null', async () => {
	const life = workflow({ address: NOBODY, compare: 'risesAbove', threshold: '0.5' });
	expect(await life.activate()).toEqual({ items: [], error: undefined });
	await pay(NOBODY, '0.75');
	const before = Date.now();
	const { items } = await life.poll();
	const address = Address.parse(NOBODY).toString({ bounceable: false });
	expect(items).toEqual([
		{
			summary: `The balance of ${address} rose to 0.75 TON, above 0.5 TON`,
			measure: 'coinBalance',
			compare: 'risesAbove',
			threshold: '0.5',
			value: '0.75',
			previous: '0',
			unit: 'TON',
			blockNumber: null,
			previousBlockNumber: null,
			timestamp: expect.any(String) as string,
		},
	]);
	const time = Date.parse(String(items[0]?.timestamp));
	expect(time >= before && time <= Date.now()).toBe(true);
});

test('jettons: an owner without a wallet holds 0', async () => {
	const first = workflow({
		measure: 'tokenBalance',
		address: NOBODY,
		token: scene.jetton,
		threshold: '1',
	});
	expect((await first.activate()).items).toMatchObject([{ value: '0', previous: null }]);
	const held = workflow({
		measure: 'tokenBalance',
		address: scene.owner,
		token: scene.jetton,
		compare: 'risesAbove',
		threshold: '1000',
	});
	const [item] = (await held.activate()).items;
	expect(item).toMatchObject({ value: '1002.5', measure: 'tokenBalance' });
	expect(item?.summary).toContain(`"${String(item?.unit)}"`);
});

test('another form of the address changes nothing, and another account begins anew', async () => {
	const parameters = { address: scene.owner, compare: 'risesAbove', threshold: '0' };
	const first = workflow(parameters);
	expect((await first.activate()).items).toHaveLength(1);
	const saved = first.inMemory();
	const raw = Address.parse(scene.owner).toRawString();
	expect((await workflow({ ...parameters, address: raw }, saved).activate()).items).toEqual([]);
	const other = { ...parameters, address: scene.payer };
	expect((await workflow(other, saved).activate()).items).toHaveLength(1);
});

test('an account that is no jetton is refused, and a refusal of the service is no value', async () => {
	await expect(
		workflow({
			measure: 'tokenBalance',
			address: NOBODY,
			token: NOBODY,
			threshold: '1',
		}).activate(),
	).rejects.toThrow(/There is no jetton/);
	const life = workflow({ address: scene.owner, threshold: '0' });
	await life.activate();
	const before = life.inMemory();
	await sandbox.fault({ times: 10, do: { status: 502 } });
	expect((await life.poll()).error).toBeDefined();
	expect(life.inMemory()).toBe(before);
});
