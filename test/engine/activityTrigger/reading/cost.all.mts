import { figure } from '../../../harness/figure.mts';
import { createLateIndex, TOKEN_ADDRESS, type LateIndex } from '../../../harness/lateIndex.mts';
import { createFakeWorld } from '../support/world.mts';

const { node, active } = createFakeWorld();

test.each<[string, LateIndex, number]>([
	['its bloom says that it is quiet', { seconds: 0, blooms: 'right', receipts: 'there' }, 1.6],
	['it has no bloom', { seconds: 0, blooms: 'blank', receipts: 'there' }, 2.3],
	['blooms are mixed', { seconds: 0, blooms: 'mixed', receipts: 'there' }, 2.2],
	['nothing but the index can prove it', { seconds: 0, blooms: 'missing', receipts: 'refused' }, 6],
])('a poll a minute: what a block costs where %s', async (what, lag, most) => {
	const { answers, pass } = createLateIndex(node, lag);
	node.height = 1000;
	node.setAnswers(answers);
	const { poll } = await active({ event: 'tokenTransfer', tokens: TOKEN_ADDRESS });
	const pollAfterAMinute = async () => {
		pass(60);
		expect((await poll()).error).toBeUndefined();
	};
	await pollAfterAMinute();
	const before = node.calls.length;
	for (let polls = 3; polls > 0; polls--) await pollAfterAMinute();
	const calls = (node.calls.length - before) / (3 * 60 * 4);
	figure(
		`Calls for a block of a poll a minute, four blocks a second, where ${what}: ${calls.toFixed(2)}`,
	);
	expect(calls).toBeLessThanOrEqual(most);
});
