import type { IDataObject } from 'n8n-workflow';
import { watchingKey } from '../../harness/accountKey.mts';
import { createLateIndex, TOKEN_ADDRESS, type LateIndex } from '../../harness/lateIndex.mts';
import { waitUntil } from '../../harness/until.mts';
import { shortenTimes } from '../evmRpcTrigger/support/shortTimes.mts';
import { DRIVERS } from './support/driver.mts';
import { createFakeScene } from './support/fakeScene.mts';

const TRANSFERS = { event: 'tokenTransfer', tokens: TOKEN_ADDRESS };

/**
 * The watched events. Triggers that poll also watch the addresses of an account key, with few addresses and with
 * many.
 */
const WATCHED = [
	...DRIVERS.map(([by, createDriver]) => [by, createDriver, TRANSFERS] as const),
	...DRIVERS.filter(([by]) => by === 'polls').flatMap(([by, createDriver]) =>
		[10, 150].map((count) => [by, createDriver, { ...TRANSFERS, ...watchingKey(count) }] as const),
	),
];

/** Returns the values of the items. Each removal must take back the latest value. */
function valuesIn(items: readonly IDataObject[]): number[] {
	const values: number[] = [];
	for (const { value, removed } of items) {
		if (removed) expect(values.pop()).toBe(Number(value));
		else values.push(Number(value));
	}
	return values;
}

const KINDS: Array<[string, Pick<LateIndex, 'blooms' | 'receipts'>]> = [
	['with blooms and receipts', { blooms: 'right', receipts: 'there' }],
	['with blooms alone', { blooms: 'right', receipts: 'refused' }],
	['with blank blooms and receipts', { blooms: 'blank', receipts: 'there' }],
	['with blank blooms, and receipts that are late', { blooms: 'blank', receipts: 'late' }],
	['with blank blooms alone', { blooms: 'blank', receipts: 'refused' }],
	['without blooms, with receipts', { blooms: 'missing', receipts: 'there' }],
	['with neither', { blooms: 'missing', receipts: 'refused' }],
];

/** The seconds between two reads. A block on a socket is announced at once, but polls may be frequent or rare. */
const INTERVALS: Readonly<Record<string, { readonly often: number; readonly seldom: number }>> = {
	'a socket': { often: 1, seldom: 1 },
	polls: { often: 15, seldom: 60 },
};

describe.each(WATCHED)('by %s, %#', (by, createDriver, parameters) => {
	const { node, start } = createFakeScene(createDriver);
	const { often, seldom } = INTERVALS[by] ?? { often: 1, seldom: 1 };

	beforeEach(() => shortenTimes({ idleMs: 100 }));

	/**
	 * Starts a trigger on a chain node whose index of logs is behind the newest block. The trigger reads the chain
	 * every `interval` seconds.
	 */
	async function following(lag: LateIndex, interval: number) {
		const settings = { ...lag };
		const chain = createLateIndex(node, settings);
		node.height = 1000;
		node.setAnswers(chain.answers);
		const trigger = await start(parameters);
		const begun = node.height;

		/** Lets time pass on the chain, and announces each new block. */
		function announce(seconds: number): void {
			const before = node.height;
			chain.pass(seconds);
			for (let number = before + 1; number <= node.height; number++)
				node.announce(chain.headerOf(number));
		}

		async function pass(seconds: number): Promise<void> {
			for (let left = seconds; left > 0; left -= interval) {
				announce(Math.min(left, interval));
				await trigger.read();
			}
		}

		return {
			settings,
			trigger,
			announce,
			pass,
			/** Expects all transfers so far to come in the end, each once and in order, and no others. */
			expectAll: async () => {
				const made = chain.transfersAfter(begun);
				announce(settings.seconds + 10);
				const values = await waitUntil(async () => {
					await trigger.read();
					const all = valuesIn(trigger.items());
					return all.length >= made.length && all;
				});
				expect(values.slice(0, made.length)).toEqual(made);
				expect(trigger.failures).toEqual([]);
			},
		};
	}

	describe.each(KINDS)('a chain of four blocks a second, %s', (_what, kind) => {
		test('an index 10 s late: no transfer is lost, none comes twice', async () => {
			const { pass, expectAll } = await following({ seconds: 10, ...kind }, often);
			await pass(25);
			await expectAll();
		});

		test('an index 59 s late, and cuts of 30 s: no transfer is lost, none comes twice', async () => {
			const { pass, announce, expectAll } = await following({ seconds: 59, ...kind }, seldom);
			for (const seconds of [5, 20]) {
				await pass(seconds);
				node.disconnect();
				announce(30);
			}
			await pass(70);
			await expectAll();
		});

		test.each([10, 40])(
			'a reorganization of %i blocks, some of which an index did not have: what is left is what there is',
			async (depth) => {
				const { trigger, pass, announce, expectAll } = await following({ seconds: 5, ...kind }, 15);
				await pass(30);
				node.reorganize(node.height - depth);
				await trigger.read();
				announce(20);
				await trigger.read();
				await expectAll();
			},
		);
	});

	test('once a gateway has shown a log in a block with a blank bloom, none is lost that is late in such a block', async () => {
		const { settings, pass, expectAll } = await following(
			{ seconds: 0, blooms: 'mixed', receipts: 'there' },
			often,
		);
		await pass(30);
		settings.seconds = 30;
		await pass(60);
		node.disconnect();
		await pass(60);
		await expectAll();
	});

	test('an index that never has the logs of a block is reported, and the next blocks come', async () => {
		const { settings, trigger, announce } = await following(
			{ seconds: 0, blooms: 'right', receipts: 'refused' },
			1,
		);
		settings.seconds = 100_000;
		announce(1);
		// The trigger asks for receipts only after all other ways to prove that a block has no logs have failed.
		await waitUntil(async () => {
			await trigger.read();
			return node.calls.some(({ method }) => method === 'eth_getBlockReceipts');
		});
		await trigger.read();
		expect(trigger.failures).toEqual([]);
		node.disconnect();
		announce(300);
		await waitUntil(async () => {
			await trigger.read();
			return trigger.failures.length > 0;
		});
		settings.seconds = 0;
		announce(1);
		const last = node.height - (node.height % 3);
		await waitUntil(async () => {
			await trigger.read();
			return Number(trigger.items().at(-1)?.value) === last;
		});
		expect(trigger.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Logs of block 1002 may be missing/),
		]);
	});
});
