import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { getSeed } from '../../../harness/caseCount.mts';
import { createRandom, type Random } from '../../../harness/random.mts';
import { createWorld } from '../support/world.mts';

/**
 * These tests change a balance in every block, and poll every few blocks. A model knows which blocks the polls have
 * read, and asks the chain itself for the balances.
 */

const world = createWorld();
const WATCHED = `0x${'77'.repeat(20)}`;
const ETHER = 10n ** 18n;
const BLOCKS = 800;
/** The time limit is long enough for all blocks on a busy machine. */
const PATIENCE_MS = 900_000;

/** Draws a balance that is at a threshold, one unit beside a threshold, or anywhere. */
const drawBalance = (random: Random): bigint =>
	random.oneOf([1n, 2n, 3n]) * ETHER +
	random.oneOf([-1n, 0n, 1n, ETHER / 2n, BigInt(random.upTo(1_000_000))]);

interface Seen {
	readonly block: number;
	readonly wei: bigint;
}

const toWhole = (wei: bigint) => {
	const digits = String(wei).padStart(19, '0');
	return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0*$/, '');
};

interface Line {
	readonly parameters: INodeParameters;
	/** Finds the balances that must start the workflow. Each comes with the earlier balance that it is compared with. */
	find(seen: readonly Seen[]): ReadonlyArray<readonly [Seen, Seen | undefined]>;
}

/** Models a threshold. The model judges each balance by all earlier balances, and stores no state. */
const borderLine = (compare: 'fallsBelow' | 'risesAbove', at: bigint, back: bigint): Line => ({
	parameters: { compare, threshold: toWhole(at), rearmAt: toWhole(back) },
	find: (seen) => {
		const sign = compare === 'fallsBelow' ? 1n : -1n;
		const starts: Array<readonly [Seen, Seen | undefined]> = [];
		let last = -1;
		for (const [index, one] of seen.entries()) {
			const wasBack = seen.slice(last + 1, index).some(({ wei }) => sign * wei >= sign * back);
			if (sign * one.wei >= sign * at || (last >= 0 && !wasBack)) continue;
			starts.push([one, seen[index - 1]]);
			last = index;
		}
		return starts;
	},
});

const LINES: readonly Line[] = [
	borderLine('fallsBelow', 2n * ETHER, 2n * ETHER),
	borderLine('fallsBelow', 2n * ETHER, 3n * ETHER),
	borderLine('risesAbove', 2n * ETHER, 2n * ETHER),
	borderLine('risesAbove', 2n * ETHER, ETHER),
	{
		parameters: { compare: 'changesBy', threshold: '50%' },
		find: (seen) => {
			const starts: Array<readonly [Seen, Seen]> = [];
			for (const one of seen) {
				const before = starts.at(-1)?.[0] ?? seen[0];
				const change = before ? one.wei - before.wei : 0n;
				if (before && change !== 0n && 2n * (change < 0n ? -change : change) >= before.wei)
					starts.push([one, before]);
			}
			return starts;
		},
	},
];

/** Makes the node lag by a number of blocks, or fail, during the next polls. */
type Trouble = (random: Random) => Promise<number | 'lost'>;

/** Creates a workflow that watches the balance with the given threshold. */
function watch({ parameters, find }: Line) {
	const polled = world.workflow({
		event: 'value',
		address: WATCHED,
		options: { maxRetries: 0 },
		...parameters,
	});
	const items: IDataObject[] = [];
	return {
		activate: async () => items.push(...(await polled.activate()).items),
		poll: async (isLost: boolean) => {
			const result = await polled.poll();
			items.push(...result.items);
			expect(result.error !== undefined).toBe(isLost);
		},
		check: (seen: readonly Seen[]) => {
			expect(items).not.toEqual([]);
			expect(items.map(withoutWords)).toEqual(
				find(seen).map(([now, before]) => ({
					measure: 'coinBalance',
					compare: parameters.compare,
					threshold: String(parameters.threshold),
					value: toWhole(now.wei),
					previous: before ? toWhole(before.wei) : null,
					unit: null,
					blockNumber: now.block,
					previousBlockNumber: before?.block ?? null,
				})),
			);
		},
	};
}

const withoutWords = ({ summary: _summary, timestamp: _timestamp, ...item }: IDataObject) => item;

/** Changes the balance block by block, while a workflow for each threshold polls. */
async function live(random: Random, trouble: Trouble) {
	const { sandbox, height } = world;
	const workflows = LINES.map(watch);
	const seen: Seen[] = [];
	const grow = async () => {
		const wei = drawBalance(random);
		await sandbox.chain('anvil_setBalance', WATCHED, `0x${wei.toString(16)}`);
		await sandbox.chain('anvil_mine', '0x1');
	};
	/** Reads the balance from the chain itself, and not from the lagging node. */
	const look = async (block: number) => {
		const wei = await sandbox.chain('eth_getBalance', WATCHED, `0x${block.toString(16)}`);
		seen.push({ block, wei: BigInt(String(wei)) });
	};
	await grow();
	for (const { activate } of workflows) await activate();
	await look(await height());
	for (let blocks = 0; blocks < BLOCKS; ) {
		for (let few = random.upTo(8); few >= 0; few--, blocks++) await grow();
		const behind = await trouble(random);
		for (const { poll } of workflows) await poll(behind === 'lost');
		const block = behind === 'lost' ? 0 : (await height()) - behind;
		if (block > (seen.at(-1)?.block ?? 0)) await look(block);
	}
	for (const { check } of workflows) check(seen);
}

describe('a balance that is another one in every block starts as the model says', () => {
	test(
		'at a node without trouble',
		async () => {
			await live(createRandom(getSeed(7602)), async () => await Promise.resolve(0));
		},
		PATIENCE_MS,
	);

	test(
		'at a node that is behind or fails',
		async () => {
			const { sandbox, setLag } = world;
			await live(createRandom(getSeed(7603)), async (random) => {
				await sandbox.reset();
				const kind = random.upTo(5);
				if (kind === 0) {
					const rpcMethod = random.oneOf(['eth_getBalance', 'eth_getBlockByNumber', 'eth_chainId']);
					await sandbox.fault({ rpcMethod, times: 1_000, do: { status: 502 } });
					return 'lost';
				}
				const blocks = kind < 4 ? random.upTo(12) : 0;
				await setLag({ backends: { blocks } });
				return blocks;
			});
		},
		PATIENCE_MS,
	);
});
