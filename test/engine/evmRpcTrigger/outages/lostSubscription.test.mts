import { NO_ANSWER } from '../../../harness/fakeNode.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { AMPLE, shortenTimes } from '../support/shortTimes.mts';
import { moment, numbersOf, waitUntil } from '../support/scene.mts';

const { node, listening } = fakeScene();

beforeEach(() => {
	shortenTimes({ idleMs: 100 });
	node.setAnswers({ eth_subscribe: () => latest() });
});

const asked = (method: string) => node.calls.filter((call) => call.method === method);

const isOfHead = ({ params: [block] }: { params: readonly unknown[] }) => block === 'latest';

/** Gives the ID of the latest subscription. The node sends nothing to earlier subscriptions. */
const latest = () => `0x${node.countCalls('eth_subscribe')}`;

function announce(result: unknown): void {
	node.send({ method: 'eth_subscription', params: { subscription: latest(), result } });
}

/** Waits until the trigger has subscribed again, because the first subscription was silent. */
async function renewed(): Promise<void> {
	await waitUntil(() => node.countCalls('eth_subscribe') > 1);
	shortenTimes({ idleMs: AMPLE });
	await waitUntil(() => node.countCalls('eth_unsubscribe') > 0);
	expect(asked('eth_unsubscribe')[0]?.params).toEqual(['0x1']);
	expect(node.handshakes).toHaveLength(1);
}

test('a lost subscription to blocks is renewed on the same connection', async () => {
	const trigger = await listening();
	await waitUntil(() => asked('eth_getBlockByNumber').filter(isOfHead).length > 1);
	node.height = 11;
	await renewed();
	node.height = 12;
	announce(node.buildBlock(12));
	expect(numbersOf(await trigger.has(2))).toEqual([11, 12]);
});

test('a lost subscription to pending transactions too, though nobody ends the old one', async () => {
	node.setAnswers({ eth_subscribe: () => latest(), eth_unsubscribe: () => NO_ANSWER });
	const trigger = await listening({ event: 'pendingTransaction' });
	await renewed();
	shortenTimes({ idleMs: AMPLE, requestTimeoutMs: 500 });
	const hash = `0x${'a'.repeat(64)}`;
	// The pause is longer than the time limit for answers.
	await moment(1_000);
	announce(hash);
	expect(await trigger.has(1)).toEqual([{ result: hash }]);
	expect(trigger.failures).toEqual([]);
	expect(node.handshakes).toHaveLength(1);
});

test('while the chain makes no blocks, a subscription to blocks is left alone', async () => {
	await listening();
	await waitUntil(() => node.countCalls('eth_blockNumber') > 2);
	expect(node.countCalls('eth_subscribe')).toBe(1);
});
