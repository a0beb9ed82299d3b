import type { INodeParameters } from 'n8n-workflow';
import type { WebSocket } from 'ws';
import type { ActiveTrigger } from '../../../harness/trigger.mts';
import { withLogs } from '../../../harness/evmChain.mts';
import { FIRST_TRANSFER } from '../../../harness/fakeChain.mts';
import { type Answer, NO_ANSWER } from '../../../harness/fakeNode.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { shortenTimes } from '../support/shortTimes.mts';
import { moment, upTo } from '../support/scene.mts';

const { node, listening } = fakeScene();

function hangUp(client: WebSocket): symbol {
	client.close(1008);
	return NO_ANSWER;
}

/** Creates an answer that comes after the given number of milliseconds. */
function later(answer: Answer, milliseconds: number, done = () => {}): Answer {
	return (call, client) => {
		setTimeout(() => {
			done();
			client.send(JSON.stringify({ id: call.id, result: answer(call, client) }));
		}, milliseconds);
		return NO_ANSWER;
	};
}

/** Starts a trigger, and waits until it has emitted a block. */
async function caughtUp(parameters?: INodeParameters): Promise<ActiveTrigger> {
	node.contentsOf = () => withLogs(FIRST_TRANSFER);
	const trigger = await listening(parameters);
	node.mine();
	await trigger.has(1);
	return trigger;
}

/** Cuts the connection while the given number of blocks is added. Expects each block once and in order. */
async function allCome(trigger: ActiveTrigger, blocks: number): Promise<void> {
	node.disconnect();
	node.height += blocks;
	await trigger.has(1 + blocks);
	await moment(50);
	const numbers = trigger.items().map(({ number, blockNumber }) => number ?? blockNumber);
	expect(numbers).toEqual(upTo(node.height, 1 + blocks));
	expect(trigger.failures).toEqual([]);
}

test('a node that ends the connection over many blocks is asked for fewer at a time', async () => {
	const trigger = await caughtUp({ event: 'log' });
	node.setAnswers({
		eth_getLogs: (call, client) => {
			const logs = node.truth(call) as unknown[];
			return logs.length > 10 ? hangUp(client) : logs;
		},
	});
	await allCome(trigger, 50);
});

test('a node that ends the connection over many calls at once gets fewer of them', async () => {
	const trigger = await caughtUp();
	let inFlight = 0;
	node.onWelcome = () => (inFlight = 0);
	const answer = later(node.truth, 5, () => inFlight--);
	node.setAnswers({
		eth_getBlockByNumber: (call, client) =>
			++inFlight > 30 ? hangUp(client) : answer(call, client),
	});
	await allCome(trigger, 100);
});

test('a node that answers slowly but steadily is waited for', async () => {
	shortenTimes({ requestTimeoutMs: 3_000 });
	const trigger = await caughtUp();
	let freeAt = 0;
	node.setAnswers({
		eth_getBlockByNumber: (call, client) => {
			freeAt = Math.max(freeAt, Date.now()) + 40;
			return later(node.truth, freeAt - Date.now())(call, client);
		},
	});
	await allCome(trigger, 100);
	expect(node.handshakes).toHaveLength(2);
});
