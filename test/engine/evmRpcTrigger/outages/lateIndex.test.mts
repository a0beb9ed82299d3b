import { createLateIndex, TOKEN_ADDRESS, type LateIndex } from '../../../harness/lateIndex.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { hurry } from '../support/hurry.mts';
import { moment } from '../support/scene.mts';

const { node, listening } = fakeScene();

beforeEach(() => hurry({ idleMs: 100 }));

/** A trigger on a chain with this lag, which advances by a second at a time, four blocks each. */
async function following(lag: LateIndex) {
	const settings = { ...lag };
	const chain = createLateIndex(node, settings);
	node.height = 1000;
	node.setAnswers(chain.answers);
	const trigger = await listening({ event: 'tokenTransfer', tokens: TOKEN_ADDRESS });
	const start = node.height;

	async function pass(seconds: number, pause = 10) {
		for (let left = seconds; left > 0; left--) {
			const before = node.height;
			chain.pass(1);
			for (let number = before + 1; number <= node.height; number++)
				node.announce(chain.headerOf(number));
			await moment(pause);
		}
	}

	return {
		settings,
		pass,
		/** Expects everything so far to arrive in the end, once and in order. */
		allComes: async () => {
			const made = chain.transfersAfter(start);
			await pass(120, 1);
			const items = await trigger.has(made.length);
			expect(items.slice(0, made.length).map(({ value }) => Number(value))).toEqual(made);
			expect(trigger.failures).toEqual([]);
		},
	};
}

const KINDS: Array<[string, Pick<LateIndex, 'blooms' | 'receipts'>]> = [
	['with blooms alone', { blooms: 'right', receipts: 'refused' }],
	['with blank blooms and receipts', { blooms: 'blank', receipts: 'there' }],
	['with blank blooms, and receipts that are late', { blooms: 'blank', receipts: 'late' }],
	['with blank blooms alone', { blooms: 'blank', receipts: 'refused' }],
	['with neither', { blooms: 'missing', receipts: 'refused' }],
];

describe.each(KINDS)('a chain of four blocks a second, %s', (_what, kind) => {
	test('an index 10 s late: no transfer is lost, none comes twice', async () => {
		const { pass, allComes } = await following({ seconds: 10, ...kind });
		await pass(30);
		await allComes();
	});

	test('an index 30 s late, and cuts that last as long: no transfer is lost, none comes twice', async () => {
		const { pass, allComes } = await following({ seconds: 30, ...kind });
		for (const seconds of [5, 20]) {
			await pass(seconds);
			node.disconnect();
			await pass(30, 1);
		}
		await allComes();
	});
});

test('once a gateway has shown a log in a block with a blank bloom, none is lost that is late in such a block', async () => {
	const { settings, pass, allComes } = await following({
		seconds: 0,
		blooms: 'mixed',
		receipts: 'there',
	});
	await pass(10, 50);
	settings.seconds = 10;
	await pass(20);
	node.disconnect();
	await pass(20);
	await allComes();
});
