import { createSandbox } from '../../../test/harness/sandbox.mts';
import { deposit, DESTINATION } from './sweepNode.mts';
import {
	base58,
	deployWitnessToken,
	openWitness,
	PAYER,
	sweptBy,
	TO,
	type WitnessScene,
} from './witnessNode.mts';

/** Coins and tokens of deposit addresses on the witness chain. Its node, asked by tronweb, is the judge of where they are. */

const sandbox = createSandbox({ chain: true });
let scene: WitnessScene;
beforeAll(async () => void (scene = await openWitness(sandbox)));

let used = 0;
/** Addresses that no other test has funded: the chain outlives the tests. */
const take = (count: number) => Array.from({ length: count }, () => used++);
const swept = async (
	...given: Parameters<typeof sweptBy> extends [unknown, ...infer Rest] ? Rest : never
) => await sweptBy(scene, ...given);
const COIN = 1_000_000;

test('coins go to the destination, to the last unit', async () => {
	const indexes = take(3);
	const amounts = [5 * COIN, 2 * COIN + 7, 12_345_678];
	for (const [at, index] of indexes.entries()) await scene.giveCoins(index, amounts[at] ?? 0);
	const before = await scene.coins(TO);
	const items = await swept({ indexes: `${indexes[0]}-${indexes[2]}`, paymentId: 'night' });
	expect(items).toEqual(
		indexes.map((index, at) =>
			expect.objectContaining({
				paymentId: 'night',
				chain: 'witness',
				status: 'confirmed',
				depositIndex: index,
				from: base58(index),
				to: TO,
				token: null,
				symbol: 'TRX',
				decimals: 6,
				value: String(amounts[at]),
				fee: '0',
				reason: null,
				transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
				fundingTransactionHash: null,
				fundingAmount: null,
			}),
		),
	);
	expect((await scene.coins(TO)) - before).toBe(BigInt(19_345_685 - 0));
	for (const index of indexes) expect(await scene.coins(base58(index))).toBe(0n);
	expect(items[0]?.summary).toMatch(/^Swept 5 TRX to T\w+, in block \d+, for a fee of 0 TRX\.$/);
});
