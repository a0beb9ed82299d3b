import type { ActiveTrigger } from '../../../harness/trigger.mts';
import { withLogs } from '../../../harness/evmChain.mts';
import { FIRST_TRANSFER } from '../../../harness/fakeChain.mts';
import { NO_ANSWER } from '../../../harness/fakeNode.mts';
import { fails, fakeScene, first } from '../support/fakeScene.mts';
import { shortenTimes } from '../support/shortTimes.mts';
import { lasting, waitUntil, upTo } from '../support/scene.mts';

const { node, listening } = fakeScene();

const OTHER_TOKEN = `0x${'d0'.repeat(20)}`;

beforeEach(() => shortenTimes({ idleMs: 100 }));

describe('logs that cannot be had', () => {
	beforeEach(() => (node.contentsOf = () => withLogs(FIRST_TRANSFER)));

	async function allCome(trigger: ActiveTrigger, last: number): Promise<void> {
		const items = await trigger.has(last - 10);
		expect(items.map(({ blockNumber }) => blockNumber)).toEqual(upTo(last, last - 10));
		expect(trigger.failures).toEqual([]);
	}

	test('because of a limit, are had when it says so', async () => {
		const limit = fails(-32005, { try_again_in: '250ms' });
		node.setAnswers({ eth_getLogs: first(1, limit, node.truth) });
		const trigger = await listening({ event: 'log' });
		const began = Date.now();
		node.mine(3);
		await allCome(trigger, 13);
		expect(Date.now() - began).toBeGreaterThanOrEqual(249);
		expect(node.handshakes).toHaveLength(1);
	});

	test('for another reason, are asked for again, at last on another connection', async () => {
		node.setAnswers({ eth_getLogs: first(8, fails(-32000), node.truth) });
		const trigger = await listening({ event: 'log' });
		node.mine(2);
		await allCome(trigger, 12);
		expect(node.handshakes).toHaveLength(2);
	});

	test('because nothing is answered, while heads come: the connection counts as dead', async () => {
		shortenTimes({ requestTimeoutMs: 200 });
		node.setAnswers({ eth_getLogs: first(1, () => NO_ANSWER, node.truth) });
		const trigger = await listening({ event: 'log' });
		const heads = setInterval(() => node.mine(), 50);
		await waitUntil(() => node.handshakes.length > 1);
		clearInterval(heads);
		await allCome(trigger, node.height);
	});

	test('are never asked for without a pause', async () => {
		node.setAnswers({ eth_getLogs: fails(-32000) });
		await listening({ event: 'log' });
		const heads = setInterval(() => node.mine(), 5);
		const seconds = await lasting(500);
		clearInterval(heads);
		expect(node.countCalls('eth_getLogs')).toBeLessThan(60 * seconds);
	});
});

test('a token over which the node falls silent is emitted all the same, and holds up no other', async () => {
	shortenTimes({ requestTimeoutMs: 100 });
	node.contentsOf = () =>
		withLogs(FIRST_TRANSFER, { ...FIRST_TRANSFER, address: OTHER_TOKEN, logIndex: '0x1' });
	node.setAnswers({
		eth_call: ({ params: [call] }) =>
			(call as { to: string }).to === OTHER_TOKEN ? NO_ANSWER : `0x${'6'.padStart(64, '0')}`,
	});
	const trigger = await listening({ event: 'tokenTransfer' });
	node.mine(2);
	const items = await trigger.has(4);
	expect(items.map(({ decimals }) => decimals)).toEqual([6, null, 6, null]);
});
