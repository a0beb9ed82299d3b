import { runManually } from '../../../harness/engine.mts';
import type { TestedNode } from '../../../harness/workflow.mts';
import { buildHash } from '../../../harness/evmChain.mts';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { shortenTimes } from '../support/shortTimes.mts';
import { moment, scene, waitUntil } from '../support/scene.mts';

const { sandbox, on, mine, drop, set, sockets, open, listening } = scene();
const node = createFakeNode();

/** Runs the trigger by hand, and presses n8n's Stop button after the given number of milliseconds. */
const stopped = async (tested: TestedNode, stopAfter: number) => {
	const run = { ...tested, stopAfter };
	return await runManually(run);
};

const items = ({ items: all }: Awaited<ReturnType<typeof runManually>>) =>
	all.map(({ json }) => json);

test('one event comes, and the socket is closed', async () => {
	const run = runManually(on());
	await listening();
	const [first] = await mine(3);
	const result = await run;
	expect(result.status).toBe('success');
	expect(items(result)).toEqual([expect.objectContaining({ number: first })]);
	await open(0);
	await mine(2);
	await moment(100);
	expect(await sockets()).toMatchObject({ open: 0, opened: 1 });
});

test('an event that comes at once is not lost', async () => {
	node.setAnswers({
		eth_getBlockByNumber: () => (setImmediate(() => node.mine()), node.buildBlock(10)),
	});
	const result = await runManually(on({}, node.credentials));
	expect(items(result)).toEqual([expect.objectContaining({ hash: buildHash(11) })]);
	await waitUntil(() => node.clients.size === 0);
});

test.each(['log', 'pendingTransaction'])('%s comes, too', async (event) => {
	const run = runManually(on({ event }));
	await (event === 'log'
		? listening()
		: waitUntil(async () => (await sockets()).subscriptions === 1));
	const [from, to] = (await sandbox.chain('eth_accounts')) as string[];
	const data = event === 'log' ? { data: '0x60006000a000' } : { to };
	const { transactionHash } = await sandbox.mined({ from, ...data });
	const [item] = items(await run);
	expect(item?.transactionHash ?? item?.result).toBe(transactionHash);
	await open(0);
});

test('an event comes across a cut', async () => {
	const run = runManually(on());
	await listening();
	await drop('reset');
	const [first] = await mine(1);
	expect(items(await run)).toEqual([expect.objectContaining({ number: first })]);
	await open(0);
});

test.each([
	['while it waits', {}],
	['during the handshake', { refuse: 'hang' }],
	['before the node answers', { silent: true }],
])('Stop ends it %s', async (_when, settings) => {
	await set(settings);
	const { status } = await stopped(on(), 150);
	expect(status).toBe('canceled');
	await set({});
	await open(0);
	const { opened } = await sockets();
	await moment(100);
	expect(await sockets()).toMatchObject({ open: 0, opened });
});

test('a refused credential is an error', async () => {
	const { chainNodeTokenApi } = sandbox.credentials.token;
	const wrong = { chainNodeTokenApi: { ...chainNodeTokenApi, authToken: 'wrong' } };
	const { error, status } = await runManually(on({}, wrong));
	expect(status).toBe('error');
	expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '401' });
});

test('an outage ends it with an error, and nothing goes on', async () => {
	shortenTimes({ outageMs: 300 });
	const run = runManually(on());
	await listening();
	await set({ refuse: 503 });
	await drop('reset');
	const { error, status } = await run;
	expect(status).toBe('error');
	expect(error).toMatchObject({ httpCode: '503', description: 'GET /ws/*** answered 503.' });
	const { refused } = await sockets();
	await set({});
	await moment(400);
	expect(await sockets()).toMatchObject({ open: 0, opened: 1, refused });
});
