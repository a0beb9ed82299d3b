import { type Answer, NO_ANSWER } from '../../../harness/fakeNode.mts';
import { fails, fakeScene, first } from '../support/fakeScene.mts';
import { AMPLE, shortenTimes } from '../support/shortTimes.mts';
import { lasting, moment, numbersOf, waitUntil } from '../support/scene.mts';

const { node, listening, goesOn } = fakeScene();

beforeEach(() => shortenTimes({ idleMs: 100 }));

describe('a node that', () => {
	test('says it in bytes is understood', async () => {
		const trigger = await listening();
		node.height = 11;
		const params = { subscription: '0x1', result: node.buildBlock(11) };
		node.send(Buffer.from(JSON.stringify({ method: 'eth_subscription', params })));
		expect(numbersOf(await trigger.has(1))).toEqual([11]);
	});

	test('says several things at once is understood', async () => {
		shortenTimes({ idleMs: AMPLE });
		const trigger = await listening();
		await moment(50);
		node.height = 12;
		const notice = (result: object) => ({
			method: 'eth_subscription',
			params: { subscription: '0x1', result },
		});
		node.send([notice(node.buildBlock(11)), notice(node.buildBlock(12))]);
		expect(numbersOf(await trigger.has(2))).toEqual([11, 12]);
	});

	test('floods', async () => {
		shortenTimes({ idleMs: AMPLE });
		const trigger = await listening();
		node.mine(1);
		for (let count = 0; count < 5_000; count++) node.announce(node.buildBlock(11));
		await goesOn(trigger);
		expect(node.calls.length).toBeLessThan(20);
	});

	test('announces what it does not have yet', async () => {
		const trigger = await listening();
		node.announce(node.buildBlock(12));
		await moment(50);
		expect(trigger.items()).toEqual([]);
		node.height = 12;
		await goesOn(trigger);
	});

	test.each<[string, Answer]>([
		['null', () => null],
		['nonsense', () => 'a block'],
		['another block', () => node.buildBlock(5)],
		['an error', fails(-32000)],
	])('answers with %s instead of a block, for a while', async (_what, bad) => {
		const trigger = await listening();
		node.setAnswers({ eth_getBlockByNumber: first(4, bad, node.truth) });
		node.height = 13;
		node.announce(node.buildBlock(13));
		await goesOn(trigger);
	});

	test('changes its mind on every question is asked politely', async () => {
		const trigger = await listening();
		let count = 0;
		node.setAnswers({
			eth_getBlockByNumber: ({ params: [block] }) => ({
				...node.buildBlock(block === 'latest' ? 12 : Number(block)),
				hash: `0x${count++}`,
			}),
		});
		node.announce(node.buildBlock(12));
		const before = node.calls.length;
		const seconds = await lasting(500);
		// The trigger waits at least 20 ms before it reads the block again, and sends a few calls each time.
		expect(node.calls.length - before).toBeLessThan(800 * seconds);
		expect(trigger.items()).toEqual([]);
	});
});

describe('an activation', () => {
	test.each<[string, Record<string, Answer>, RegExp]>([
		['without subscriptions', { eth_subscribe: fails(-32601) }, /^not now\. eth_/],
		['without a chain', { eth_chainId: fails(-32000) }, /^not now\. eth_/],
		[
			'with nonsense for a chain',
			{ eth_chainId: () => 'mainnet' },
			/^The service did not answer with a chain ID\. /,
		],
		[
			'with nonsense for a block',
			{ eth_getBlockByNumber: () => null },
			/^The service did not answer with its latest block\. /,
		],
		[
			'that nobody answers',
			{ eth_subscribe: () => NO_ANSWER },
			/^The connection to the chain node was lost\. eth_subscribe was not answered\.$/,
		],
	])('%s is an error', async (_what, answers, message) => {
		shortenTimes({ requestTimeoutMs: 200 });
		node.setAnswers(answers);
		await expect(listening()).rejects.toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(message),
		});
		await waitUntil(() => node.clients.size === 0);
	});

	test('does not need the first block of the chain', async () => {
		const refused = fails(-32000);
		node.setAnswers({
			eth_getBlockByNumber: (call, client) =>
				call.params[0] === '0x1' ? refused(call, client) : node.truth(call),
		});
		await goesOn(await listening());
	});

	test.each<[string, Record<string, Answer>]>([
		['an error', { eth_chainId: fails(-32000) }],
		['silence', { eth_chainId: () => NO_ANSWER }],
		[
			'the ids of others',
			{ eth_chainId: ({ id }) => node.send({ id: id + 7, result: '0x1' }) ?? NO_ANSWER },
		],
	])('again, that meets %s, is tried until it works', async (_what, answers) => {
		shortenTimes({ requestTimeoutMs: 400, idleMs: 100 });
		const trigger = await listening();
		node.setAnswers(answers);
		node.disconnect();
		await waitUntil(() => node.handshakes.length > 2);
		node.height = 13;
		node.setAnswers({});
		await trigger.has(3);
		expect(numbersOf(trigger.items())).toEqual([11, 12, 13]);
	});
});
