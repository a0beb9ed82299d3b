import { performance } from 'node:perf_hooks';
import { deployWitnessToken, openWitness, PAYER } from '../../../signer/test/sweep/witnessNode.mts';
import {
	deployToken,
	DESTINATION,
	readChain,
	runSweep,
	type Sweep,
} from '../../../signer/test/sweep/sweepNode.mts';
import { figure } from '../../harness/figure.mts';
import { TEST_ADDRESS } from '../../harness/sandbox.mts';
import { createSandboxChain } from '../../harness/sandboxChain.mts';
import { measureMemory, watchMemory } from '../resources.mts';

/**
 * The test sweeps this many addresses at the same time, as a shop would in the evening. It reads from the chain how
 * much has arrived, and how many transactions the paying account has sent.
 */

const ADDRESSES = 200;
const LATENCY_MS = 25;
/** The block times of the public chains. The sandbox uses the same. */
const [EVM_BLOCK_SECONDS, WITNESS_BLOCK_MS] = [2, 3000];
const LIMITS: ReadonlyArray<readonly [calls: number, name: string]> = [
	[0, 'no limit'],
	[50, '50 calls a second'],
];

const { sandbox, countRequests } = createSandboxChain();

/** The index of the first address of a run. Each run uses new addresses, because the chain outlives the tests. */
let first = 0;
beforeEach(() => void (first += ADDRESSES));
const listIndexes = () => Array.from({ length: ADDRESSES }, (_, at) => first + at);

type Run = (access: Sweep) => ReturnType<typeof runSweep>;

/** Sweeps once, and prints the outcome of the addresses and the cost in time and calls. */
async function measure(name: string, calls: number, run: Run): Promise<void> {
	await sandbox.control('PUT', '/latency', { ms: LATENCY_MS, room: 'node' });
	const before = await countRequests();
	const memory = measureMemory();
	const stop = watchMemory();
	const begun = performance.now();
	const { items, error } = await run({
		access: { setLimits: true, concurrency: 0, maxCallsPerSecond: calls },
	});
	const seconds = (performance.now() - begun) / 1000;
	const peak = stop();
	await sandbox.control('PUT', '/latency', { ms: 0, room: 'node' });
	if (error) throw error;
	const requests = (await countRequests()) - before;
	const statuses = items.map(({ json }) => String(json.status));
	const counts = [...new Set(statuses)].map(
		(status) => `${statuses.filter((one) => one === status).length} ${status}`,
	);
	figure(
		`${name}: ${counts.join(', ') || 'nothing'}; ${seconds.toFixed(0)} s, ${requests} requests, ${peak.toFixed(0)} MB in all, ${(measureMemory() - memory).toFixed(0)} MB more at the end`,
	);
	const reasons = new Set(items.flatMap(({ json }) => json.reason ?? []));
	for (const reason of [...reasons].slice(0, 3)) figure(`  ${String(reason)}`);
}

describe.each(LIMITS)('with at most %d calls a second', (calls, limit) => {
	afterEach(async () => await sandbox.chain('evm_setAutomine', true));

	test('an EVM chain', async () => {
		const chain = readChain(sandbox);
		const token = await deployToken(sandbox);
		const indexes = listIndexes();
		for (const index of indexes) await token.give(index, 5n);
		const before = await chain.tokens(token.address, DESTINATION);
		const sent = await chain.sent(TEST_ADDRESS);
		await sandbox.chain('evm_setIntervalMining', EVM_BLOCK_SECONDS);
		const run: Run = async (access) =>
			await runSweep(
				sandbox,
				{ indexes: indexes.join(','), token: token.address },
				{ ...access, deposits: { tokens: token.address } },
			);
		await measure(`${ADDRESSES} addresses with tokens, EVM, ${limit}`, calls, run);
		figure(
			`  arrived from ${((await chain.tokens(token.address, DESTINATION)) - before) / 5n}, the key sent ${(await chain.sent(TEST_ADDRESS)) - sent}`,
		);
		await measure(`  run again`, calls, run);
		for (const index of indexes) await chain.giveCoins(index, 10n ** 17n);
		const coins: Run = async (access) =>
			await runSweep(sandbox, { indexes: indexes.join(',') }, access);
		await measure(`${ADDRESSES} addresses with coins, EVM, ${limit}`, calls, coins);
	});

	test('a witness chain', async () => {
		const scene = await openWitness(sandbox);
		const token = await deployWitnessToken(sandbox);
		const indexes = listIndexes();
		await token.give(DESTINATION, 1n);
		for (const index of indexes) await token.give(index, 5n);
		const before = await token.of(DESTINATION);
		const sent = await scene.sent(PAYER);
		await scene.configure({ blockTime: WITNESS_BLOCK_MS });
		const run: Run = async (access) =>
			await scene.run(
				{ indexes: indexes.join(','), token: token.address },
				{ ...access, deposits: { tokens: token.address } },
			);
		await measure(`${ADDRESSES} addresses with tokens, witness chain, ${limit}`, calls, run);
		figure(
			`  arrived from ${((await token.of(DESTINATION)) - before) / 5n}, the key sent ${(await scene.sent(PAYER)) - sent}`,
		);
		await measure(`  run again`, calls, run);
	});
});
