import { createFakeNode } from '../../../harness/fakeNode.mts';
import { AMPLE, shortenTimes } from '../support/shortTimes.mts';
import { moment, scene, waitUntil } from '../support/scene.mts';

const { sandbox, on, active, drop, set, open } = scene();
const node = createFakeNode();

const pending = () => on({ event: 'pendingTransaction' });

beforeEach(async () => await sandbox.chain('evm_setAutomine', false));
afterEach(async () => {
	await sandbox.chain('evm_setAutomine', true);
	await sandbox.chain('evm_mine');
});

/** Sends a transaction, and returns its hash while it is pending. */
async function send(): Promise<unknown> {
	const [from, to] = (await sandbox.chain('eth_accounts')) as string[];
	return await sandbox.chain('eth_sendTransaction', { from, to, value: '0x1', gas: '0x5208' });
}

const results = (hashes: readonly unknown[]) => hashes.map((result) => ({ result }));

test('transactions come while they wait', async () => {
	const trigger = await active(pending());
	const hashes = [await send(), await send(), await send()];
	expect(await trigger.has(3)).toEqual(results(hashes));
	await sandbox.chain('evm_mine');
	const last = await send();
	expect((await trigger.has(4)).at(-1)).toEqual({ result: last });
	expect(trigger.items()).toHaveLength(4);
});

test('those of a moment come together', async () => {
	shortenTimes({ gatheringMs: AMPLE });
	const trigger = await active(on({ event: 'pendingTransaction' }, node.credentials));
	const [first, second, third] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(64)}`);
	node.announce(first);
	await trigger.has(1);
	node.announce(second);
	await moment(50);
	node.announce(third);
	// The two waiting items must not be lost when the connection ends.
	for (const client of node.clients) client.close();
	await trigger.has(3);
	expect(trigger.executions).toEqual([results([first]), results([second, third])]);
});

test('each comes once, however often it is announced', async () => {
	await set({ duplicate: true });
	const trigger = await active(pending());
	const hashes = [await send(), await send()];
	await trigger.has(2);
	await drop('reset');
	await open(1);
	hashes.push(await send());
	expect(await trigger.has(3)).toEqual(results(hashes));
	await moment(60);
	expect(trigger.items()).toHaveLength(3);
	expect(trigger.failures).toEqual([]);
});

test('a heartbeat is no transaction', async () => {
	const trigger = await active(pending());
	const heartbeats = async () =>
		(await sandbox.record()).filter(({ body }) =>
			JSON.stringify(body).includes('"eth_blockNumber"'),
		);
	// The trigger sends the second heartbeat only after the answer to the first.
	await waitUntil(async () => (await heartbeats()).length > 1);
	expect(trigger.items()).toEqual([]);
});

test('a node may send whole transactions, and nonsense', async () => {
	const trigger = await active(on({ event: 'pendingTransaction' }, node.credentials));
	const hash = `0x${'a'.repeat(64)}`;
	for (const event of [null, 5, 'x', [], {}, { hash: 1 }, '0x12']) node.announce(event);
	node.announce({ hash, value: '0x1' });
	node.announce(hash);
	expect(await trigger.has(1)).toEqual([{ hash, value: '0x1' }]);
	await moment(60);
	expect(trigger.items()).toHaveLength(1);
});

test('what was gathered when the workflow is deactivated does not start it', async () => {
	shortenTimes({ gatheringMs: AMPLE });
	const trigger = await active(on({ event: 'pendingTransaction' }, node.credentials));
	node.announce(`0x${'a'.repeat(64)}`);
	await trigger.has(1);
	node.announce(`0x${'b'.repeat(64)}`);
	await moment(50);
	await trigger.close();
	await moment(50);
	expect(trigger.items()).toEqual([{ result: `0x${'a'.repeat(64)}` }]);
});
