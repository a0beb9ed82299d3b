import { numberToHex, NO_ANSWER } from '../../../harness/fakeNode.mts';
import {
	buildTransfers,
	createTransferAnswers,
	TOKEN_ADDRESS,
} from '../../../harness/transfersChain.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { hurry } from '../support/hurry.mts';

const { node, listening } = fakeScene();

const transfers = { event: 'tokenTransfer' };
const OTHER_ADDRESS = `0x${'d0'.repeat(20)}`;

test('a token over which the node falls silent is emitted all the same, and holds up no other', async () => {
	hurry({ requestTimeoutMs: 100 });
	const answers = createTransferAnswers(node, 'once', {
		logsIn: (number, fork) =>
			buildTransfers(number, fork)
				.slice(0, 2)
				.map((log, at) => ({ ...log, address: [TOKEN_ADDRESS, OTHER_ADDRESS][at] ?? '' })),
	});
	node.setAnswers({
		...answers,
		eth_call: ({ params: [call] }) =>
			(call as { to: string }).to === OTHER_ADDRESS ? NO_ANSWER : `0x${'6'.padStart(64, '0')}`,
	});
	const trigger = await listening(transfers);
	node.mine(2);
	const items = await trigger.has(4);
	expect(items.map(({ decimals }) => decimals)).toEqual([6, null, 6, null]);
});

test('a hundred new tokens in one block are asked a few at a time', async () => {
	let [open, most] = [0, 0];
	const answers = createTransferAnswers(node, 'once', {
		logsIn: (number, fork) =>
			Array.from({ length: 100 }, (_, index) => ({
				...(buildTransfers(number, fork)[0] as ReturnType<typeof buildTransfers>[number]),
				address: `0x${(index + 1).toString(16).padStart(40, 'd')}`,
				logIndex: numberToHex(index),
			})),
	});
	node.setAnswers({
		...answers,
		eth_call: ({ id }, client) => {
			most = Math.max(most, ++open);
			setTimeout(() => {
				open--;
				client.send(JSON.stringify({ jsonrpc: '2.0', id, result: '0x' }));
			}, 1);
			return NO_ANSWER;
		},
	});
	const trigger = await listening(transfers);
	node.mine();
	expect((await trigger.has(100)).map(({ logIndex }) => logIndex)).toEqual(
		Array.from({ length: 100 }, (_, index) => index),
	);
	expect(most).toBeLessThanOrEqual(10);
});
