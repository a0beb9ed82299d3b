import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { examples } from '../../demo/examples/examples.mts';
import { placeTenOrders, type Order } from '../../demo/examples/orders.mts';
import { collectResults } from '../../demo/examples/results.mts';
import { importExample, waitForExecution } from '../../demo/examples/run.mts';
import { approveSweep } from '../../demo/examples/visitors.mts';
import { DEPOSITS_DESTINATION } from '../../demo/run/credentials.mts';
import { thorough } from './folder.mts';
import { COINS, payAsCustomer, readCost, readHeld } from './money.mts';
import { demo } from './world.mts';

const ETHER = 10n ** 18n;
const SHOP = 'an-address-for-each-order';
const EVENING = 'sweep-every-evening';
/** The index of the first customer who pays in coins. All later customers pay in coins as well. */
const FIRST_IN_COINS = 6;

interface SweptItem {
	readonly status: string;
	readonly reason: string | null;
	readonly depositIndex: number;
	readonly transactionHash: string;
	readonly fundingTransactionHash: string | null;
}

const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

/** Runs the example that sweeps deposit addresses, for one token or for coins. Returns the output of its node Sweep. */
async function sweep(token: string, orders: readonly Order[], isAsked = false) {
	const example = examples.find(({ file }) => file === EVENING)!;
	const indexes = orders.map(({ order }) => order);
	const settings = async () => ({
		...(await example.settings?.(demo)),
		token,
		firstIndex: Math.min(...indexes),
		lastIndex: Math.max(...indexes),
		minAmount: '0.01',
		askAbove: isAsked ? '0.01' : '1000000',
	});
	const { id } = await importExample(demo, { ...example, settings });
	const execution = await demo.api.runWorkflow(id, 'Run by Hand');
	if (isAsked) await approveSweep(demo, execution);
	const ended = await waitForExecution(demo.api, execution);
	assert.equal(ended.status, 'success', ended.data.resultData.error?.message);
	const { all } = collectResults(ended);
	assert.equal(all('Put the Question').length, isAsked ? 1 : 0);
	assert.equal(all('Save Row').length, all('Sweep').length);
	return all<SweptItem>('Sweep');
}

describe('a day of a shop that ends with a sweep', thorough, () => {
	const paid = new Map<string, bigint>();
	const swept: SweptItem[] = [];
	/** The amounts that the destination has received. The keys are the tokens, or the word for coins. */
	const arrived = new Map<string, bigint>();
	let orders: readonly Order[];
	let again: readonly SweptItem[];
	/** The coins that the deposit addresses, the destination and the account of the signing key have lost together. */
	let lost: bigint;

	before(async () => {
		await importExample(demo, examples.find(({ file }) => file === SHOP)!);
		const { token, dollar, treasury } = demo.chain;
		orders = (await placeTenOrders(demo)).toSorted((one, other) => one.order - other.order);
		const payments: ReadonlyArray<readonly [number, string, bigint]> = [
			[0, token, 3n * ETHER],
			[1, token, ETHER],
			[1, token, 2n * ETHER],
			[2, token, 7n * ETHER + 1n],
			[3, dollar, 3_000_000n],
			[4, dollar, 3_000_001n],
			[5, dollar, 12_345_678n],
			[FIRST_IN_COINS, COINS, ETHER / 10n],
			[FIRST_IN_COINS + 1, COINS, ETHER / 5n + 7n],
			[FIRST_IN_COINS + 2, COINS, ETHER / 50n],
			// The customer with index 9 pays in all three kinds of money.
			[9, token, 4n * ETHER],
			[9, dollar, 5_000_000n],
			[9, COINS, ETHER / 4n],
		];
		for (const [at, kind, value] of payments) {
			await payAsCustomer(kind, orders[at]!.address, value);
			paid.set(kind, (paid.get(kind) ?? 0n) + value);
		}
		const owners = [...orders.map(({ address }) => address), DEPOSITS_DESTINATION, treasury];
		const count = async () =>
			sum(await Promise.all(owners.map(async (one) => await readHeld(COINS, one))));
		const readDestination = async (): Promise<ReadonlyArray<readonly [string, bigint]>> =>
			await Promise.all(
				[token, dollar, COINS].map(
					async (kind) => [kind, await readHeld(kind, DEPOSITS_DESTINATION)] as const,
				),
			);
		const coinsBefore = await count();
		const earlier = new Map(await readDestination());
		swept.push(...(await sweep(token, orders, true)), ...(await sweep(dollar, orders)));
		swept.push(...(await sweep(COINS, orders)));
		for (const [kind, now] of await readDestination())
			arrived.set(kind, now - (earlier.get(kind) ?? 0n));
		lost = coinsBefore - (await count());
		again = [
			...(await sweep(token, orders)),
			...(await sweep(dollar, orders)),
			...(await sweep(COINS, orders)),
		];
	});

	it('sweeps every deposit, and confirms each', () => {
		assert.deepEqual(
			swept.map(({ status, reason }) => [status, reason]),
			swept.map(() => ['confirmed', null]),
		);
		assert.equal(swept.length, 12);
	});

	it('brings all tokens to the destination, to the last unit', async () => {
		for (const kind of [demo.chain.token, demo.chain.dollar]) {
			assert.equal(arrived.get(kind), paid.get(kind));
			for (const { address } of orders) assert.equal(await readHeld(kind, address), 0n);
		}
	});

	it('brings all coins there but the fees, which alone are gone', async () => {
		const hashes = swept.flatMap((one) => [
			one.transactionHash,
			...(one.fundingTransactionHash ? [one.fundingTransactionHash] : []),
		]);
		const costs = await Promise.all([...new Set(hashes)].map(readCost));
		assert.equal(lost, sum(costs.map(({ fee }) => fee)));
		// The addresses `inCoins` pay fees from their coins. One of them also has tokens, and pays the fees for their
		// sweeps.
		const inCoins = orders.slice(FIRST_IN_COINS).map(({ address }) => address);
		const own = costs.filter(({ from }) => inCoins.some((one) => one.toLowerCase() === from));
		assert.equal((arrived.get(COINS) ?? 0n) + sum(own.map(({ fee }) => fee)), paid.get(COINS));
		for (const address of inCoins) assert.equal(await readHeld(COINS, address), 0n);
	});

	it('finds nothing when it runs again', () => assert.deepEqual(again, []));
});
