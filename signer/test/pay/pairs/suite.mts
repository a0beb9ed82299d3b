import { parseUnits } from 'viem';
import type { Family } from '../../../../nodes/core';
import { takeRows, TRIES_ALL } from '../../../../test/harness/caseCount.mts';
import type { Sandbox } from '../../../../test/harness/sandbox.mts';
import { runPay } from '../payNode.mts';
import { buildScene, GIVES_ALL_COINS, type PayScene } from '../scenes.mts';

const PAIRS = TRIES_ALL ? 50 : 1;
/**
 * How many pairs of executions run at a time, each pair with its own payer and receiver. A payment whose nonce the
 * other payment has used takes half a minute to fail.
 */
const PAIRS_AT_ONCE = 25;
const TIMEOUT_MS = 120_000 + PAIRS * 60_000;

let count = 0;
/** Returns a new amount for each pair of executions, so that Guard sees no earlier payment of the same amount. */
const nextAmount = () => `0.00${String(++count).padStart(4, '0')}`;

const EQUAL = 'an equal ID';
const IDS = [
	[EQUAL, (pair: number) => [`invoice-${pair}`, `invoice-${pair}`]],
	['another ID', (pair: number) => [`invoice-${pair}`, `invoice-${pair}-b`]],
	['no ID', () => ['', '']],
	['an ID, and none', (pair: number) => [`invoice-${pair}`, '']],
] as const;
const GUARDS = [0, 10];
const CELLS = IDS.flatMap(([name, chooseIds]) =>
	GUARDS.map((guard) => ({ name, guard, chooseIds })),
);

/**
 * Defines tests in which two executions pay the same amount to the same receiver at the same time. Each family has its own file, because
 * the tests mostly wait and can run in parallel.
 */
export function testPairs(sandbox: Sandbox, chain: Family) {
	let scene: PayScene;
	beforeEach(async () => (scene = await buildScene(sandbox, chain)));

	async function payPair(ids: readonly string[], guard: number, amount: string) {
		const { to, rules, readBalance } = await scene.openOthers();
		const token = GIVES_ALL_COINS[chain] ? null : scene.token;
		const before = await readBalance();
		const runs = ids.map(async (paymentId) => {
			const { items, error } = await runPay(
				sandbox,
				{
					operation: 'pay',
					chain,
					token: token?.address ?? '',
					to,
					amount,
					paymentId,
					waitFor: 90,
					options: { guard },
				},
				{ rules: { ...scene.rules, ...rules } },
			);
			return error ? { error: error.message } : { ...items[0]?.json };
		});
		const told = await Promise.all(runs);
		const arrived = (await readBalance()) - before;
		return { told, arrived, value: parseUnits(amount, (token ?? scene).decimals) };
	}

	function checkPair(name: string, { told, arrived, value }: Awaited<ReturnType<typeof payPair>>) {
		const confirmed = told.filter((one) => 'status' in one && one.status === 'confirmed');
		const hashes = new Set(confirmed.map((one) => 'status' in one && one.transactionHash));
		// Each payment that is reported as paid must have arrived by a transaction of its own.
		expect({ told, arrived }).toEqual({ told, arrived: value * BigInt(hashes.size) });
		if (name === EQUAL) {
			expect({ told, confirmed, hashes: hashes.size }).toMatchObject({
				confirmed: [{}, {}],
				hashes: 1,
			});
			return;
		}
		expect({ told, hashes: hashes.size }).toEqual({ told, hashes: confirmed.length });
		expect(confirmed.length).toBeGreaterThan(0);
		for (const one of told) {
			if ('error' in one) expect(one.error).toMatch(/^The same payment was made/);
			else expect(['confirmed', 'failed']).toContain(one.status);
		}
	}

	test.each(takeRows(CELLS, 8))(
		'$name, with Guard on $guard',
		async ({ name, guard, chooseIds }) => {
			for (let done = 0; done < PAIRS; done += PAIRS_AT_ONCE) {
				const round = Array.from({ length: Math.min(PAIRS_AT_ONCE, PAIRS - done) }, async () => {
					const amount = nextAmount();
					return await payPair(chooseIds(count), guard, amount);
				});
				for (const pair of await Promise.all(round)) checkPair(name, pair);
			}
		},
		TIMEOUT_MS,
	);
}
