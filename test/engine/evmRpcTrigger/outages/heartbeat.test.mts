import type { ActiveTrigger } from '../../../harness/trigger.mts';
import { fails, fakeScene } from '../support/fakeScene.mts';
import { shortenTimes } from '../support/shortTimes.mts';
import { moment, numbersOf, waitUntil } from '../support/scene.mts';

const { node, listening, goesOn } = fakeScene();

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const heartbeats = () => node.countCalls('eth_blockNumber');

/** Starts a trigger, and waits until it has read everything and sends only heartbeats. */
async function quiet(event: string): Promise<ActiveTrigger> {
	const trigger = await listening({ event });
	await waitUntil(() => heartbeats() > 0);
	return trigger;
}

describe('a heartbeat that is answered with an error', () => {
	test.each(['newBlock', 'pendingTransaction'])(
		'ends the connection: with %s, the outage is reported once, and ends',
		async (event) => {
			shortenTimes({ outageMs: 300 });
			const trigger = await quiet(event);
			const no = fails(-32000);
			const methods = ['blockNumber', 'getBlockByNumber', 'subscribe', 'chainId'];
			node.setAnswers(Object.fromEntries(methods.map((method) => [`eth_${method}`, no])));
			await waitUntil(() => trigger.failures.length > 0);
			expect(trigger.failures[0]).toMatchObject({ name: 'NodeApiError', message: 'not now' });
			const handshakes = node.handshakes.length;
			await waitUntil(() => node.handshakes.length > handshakes + 1);
			expect(trigger.failures).toHaveLength(1);
			node.setAnswers({});
			const subscriptions = node.countCalls('eth_subscribe');
			await waitUntil(() => node.countCalls('eth_subscribe') > subscriptions);
			if (event === 'newBlock') node.mine();
			else node.announce(hash('a'));
			expect(await trigger.has(1)).toHaveLength(1);
			expect(trigger.failures).toHaveLength(1);
		},
	);

	test('alone is reason enough', async () => {
		const trigger = await quiet('newBlock');
		node.setAnswers({ eth_blockNumber: fails(-32000) });
		await waitUntil(() => node.handshakes.length > 1);
		node.setAnswers({});
		await goesOn(trigger, 2);
	});

	test('is what an outage is reported with', async () => {
		shortenTimes({ outageMs: 0 });
		const trigger = await quiet('newBlock');
		node.setAnswers({ eth_blockNumber: fails(-32000) });
		await waitUntil(() => trigger.failures.length > 0);
		expect(trigger.failures[0]).toMatchObject({
			message: 'not now',
			description: expect.stringContaining('eth_blockNumber failed'),
		});
	});

	test('because of a limit does not end it', async () => {
		const trigger = await quiet('newBlock');
		node.setAnswers({ eth_blockNumber: fails(-32005, { try_again_in: '1s' }) });
		const before = heartbeats();
		await waitUntil(() => heartbeats() > before + 2);
		await goesOn(trigger, 2);
		expect(node.handshakes).toHaveLength(1);
	});
});

describe('a dead subscription is not hidden by', () => {
	test.each<[string, unknown]>([
		['frames that keep the line open', { jsonrpc: '2.0', method: 'keepalive' }],
		['answers to nobody', { jsonrpc: '2.0', id: 987_654, result: '0x1' }],
		['nonsense', 'hello'],
		[
			'another subscription',
			{
				method: 'eth_subscription',
				params: { subscription: '0xdead', result: node.buildBlock(11) },
			},
		],
	])('%s', async (_what, frame) => {
		const trigger = await listening();
		node.mine();
		await trigger.has(1);
		const frames = setInterval(() => node.send(frame), 50);
		node.height = 15;
		await trigger.has(5);
		clearInterval(frames);
		expect(numbersOf(trigger.items())).toEqual([11, 12, 13, 14, 15]);
		expect(node.handshakes).toHaveLength(1);
	});
});

test('what another subscription brings is not emitted', async () => {
	const trigger = await listening({ event: 'pendingTransaction' });
	const params = { subscription: '0xdead', result: hash('d') };
	node.send({ jsonrpc: '2.0', method: 'eth_subscription', params });
	node.announce(hash('a'));
	await trigger.has(1);
	await moment(50);
	expect(trigger.items()).toEqual([{ result: hash('a') }]);
});
