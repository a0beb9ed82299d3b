import { buildHash } from '../../../harness/evmChain.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { numberToHex } from '../support/scene.mts';

const { node, listening, goesOn } = fakeScene();

describe('frames that are nonsense', () => {
	test.each<[string, unknown]>([
		['text', 'hello'],
		['half of an answer', '{"jsonrpc":"2.0","id":1,'],
		['nothing', ''],
		['bytes', Buffer.from([0, 255, 1, 254])],
		['null', 'null'],
		['a number', '12345678901234567890123'],
		['lists of lists', [[], [[]], null, 5, 'x', { id: 1 }]],
		[
			'answers to nobody',
			[{ id: 999, result: 'x' }, { id: null, error: {} }, { id: '1' }, { id: [1] }],
		],
		['a request', { id: 5, method: 'eth_chainId', params: [] }],
		['a notification without content', { method: 'eth_subscription' }],
		['a notification of nothing', { method: 'eth_subscription', params: { result: undefined } }],
		['other prototypes', '{"__proto__":{"id":1},"constructor":{"prototype":{}}}'],
		['much', `"${'x'.repeat(1_000_000)}"`],
	])('%s', async (_what, frame) => {
		const trigger = await listening();
		for (let count = 0; count < 3; count++) node.send(frame);
		await goesOn(trigger);
		expect(node.handshakes).toHaveLength(1);
	});

	test.each<[string, unknown]>([
		['null', null],
		['a text', 'new block'],
		['a list', []],
		['an empty header', {}],
		['a number out of all bounds', { ...node.buildBlock(11), number: '0xffffffffffffffffff' }],
		['a number that is none', { ...node.buildBlock(11), number: 'eleven' }],
		['a negative number', { ...node.buildBlock(11), number: -1 }],
		['a block far ahead', node.buildBlock(1_000_000)],
		['a block from long ago', node.buildBlock(1)],
		['a forged parent', { ...node.buildBlock(11), parentHash: buildHash(3) }],
		['a forged block', { ...node.buildBlock(11), hash: buildHash(3), parentHash: buildHash(3) }],
		['a height far ahead', numberToHex(2 ** 50)],
	])('as a head: %s', async (_what, head) => {
		const trigger = await listening();
		node.announce(head);
		await goesOn(trigger, 3);
		expect(node.handshakes).toHaveLength(1);
	});
});
