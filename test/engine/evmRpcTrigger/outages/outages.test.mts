import { NodeApiError } from 'n8n-workflow';
import type { ActiveTrigger } from '../../../harness/trigger.mts';
import { createFakeNode, AUTH_TOKEN } from '../../../harness/fakeNode.mts';
import { shortenTimes, timing } from '../support/shortTimes.mts';
import { moment, numbersOf, scene, waitUntil } from '../support/scene.mts';

const { sandbox, on, active, mine, drop, set, sockets, open } = scene();
const node = createFakeNode();

beforeEach(() => shortenTimes({ outageMs: 350, maxBackoffMs: 150 }));

type Refusal = number | 'reset' | 'hang';

/** Causes an outage that lasts until the condition holds, and then a little longer. */
async function outage(refuse: Refusal, untilThen: () => Promise<unknown>): Promise<void> {
	await set({ refuse });
	await drop('reset');
	await untilThen();
	const { refused } = await sockets();
	await waitUntil(async () => (await sockets()).refused > refused + 1);
	await set({});
	await open(1);
}

const reported = (trigger: ActiveTrigger, count: number) => async () =>
	await waitUntil(() => trigger.failures.length >= count);

/** Returns all texts of the reported failures, and checks that they contain no secret. */
function words({ failures }: ActiveTrigger): string {
	const all = failures.map((error) => `${error.stack}${error.description}${JSON.stringify(error)}`);
	for (const secret of [sandbox.authToken, new URL(sandbox.nodeUrl).host, AUTH_TOKEN]) {
		expect(all.join()).not.toContain(secret);
	}
	return all.join();
}

test('each long one is reported once', async () => {
	const trigger = await active();
	for (const [count, refuse] of ([503, 'hang'] as const).entries()) {
		shortenTimes({
			outageMs: 350,
			maxBackoffMs: 150,
			...(refuse === 'hang' && { openingMs: 300 }),
		});
		await outage(refuse, reported(trigger, count + 1));
		const numbers = await mine(1);
		await trigger.has(count + 1);
		expect(numbersOf(trigger.items()).at(-1)).toBe(numbers[0]);
		expect(trigger.failures).toHaveLength(count + 1);
	}
	const [first, second] = trigger.failures;
	expect(first).toBeInstanceOf(NodeApiError);
	expect(first).toMatchObject({
		message: 'No sockets at the moment.',
		httpCode: '503',
		description:
			'GET /ws/*** answered 503. The trigger keeps trying. Events from this time are read as soon as the chain node is back.',
	});
	expect(second?.message).toBe('The chain node did not open a WebSocket within 0.3 s');
	expect(words(trigger)).not.toBe('');
});

test('a credential that is revoked is reported, and works again when it is back', async () => {
	const trigger = await active(on({ event: 'pendingTransaction' }));
	await outage(401, reported(trigger, 1));
	expect(trigger.failures).toHaveLength(1);
	expect(trigger.failures[0]).toMatchObject({
		httpCode: '401',
		description: expect.stringContaining(
			'The trigger keeps trying. Transactions announced meanwhile',
		),
	});
	expect(words(trigger)).not.toBe('');
	expect(trigger.executions).toEqual([]);
});

test('one from the first moment on is reported, too', async () => {
	await set({ refuse: 503 });
	const trigger = await active(on(), { mode: 'init' });
	await waitUntil(() => trigger.failures.length > 0);
	await moment(timing.maxBackoffMs * 2);
	expect(trigger.failures).toHaveLength(1);
});

test('one that a deactivation ends is not reported', async () => {
	shortenTimes({ outageMs: 100, maxBackoffMs: 150 });
	const trigger = await active();
	await set({ refuse: 'hang' });
	await drop('reset');
	await moment(timing.outageMs + timing.maxBackoffMs);
	expect(trigger.failures).toEqual([]);
	await trigger.close();
	await moment(50);
	expect(trigger.failures).toEqual([]);
});

test('a node that quotes the request is not quoted', async () => {
	const trigger = await active(on({}, node.credentials));
	const quote = () => {
		throw {
			code: -32000,
			message: `no route /ws/${AUTH_TOKEN}`,
			data: { url: node.host, TOKEN: AUTH_TOKEN },
		};
	};
	node.setAnswers({ eth_getBlockByNumber: quote });
	node.disconnect();
	await waitUntil(() => trigger.failures.length > 0);
	expect(trigger.failures[0]).toMatchObject({ message: 'no route /ws/***' });
	expect(words(trigger)).not.toContain(node.host);
});

test('a chain that cannot be read is an outage, though the connection holds', async () => {
	const trigger = await active(on({ event: 'log' }, node.credentials));
	node.setAnswers({
		eth_getLogs: () => {
			throw { code: -32000, message: `the index of ${AUTH_TOKEN} is broken` };
		},
	});
	node.mine(3);
	await waitUntil(() => trigger.failures.length > 0);
	expect(trigger.failures[0]?.message).toBe('the index of *** is broken');
	expect(words(trigger)).not.toBe('');
	await moment(300);
	expect(trigger.failures).toHaveLength(1);
});
