import type { IDataObject } from 'n8n-workflow';
import {
	parseBloom,
	buildBloom,
	isBlankBloom,
	mayContainLogs,
} from '../../../../nodes/core/evm/follow/logProofs';
import { deployContract } from '../../../harness/contract.mts';
import { figure } from '../../../harness/figure.mts';
import { AMPLE, shortenTimes } from '../support/shortTimes.mts';
import { moment, numberToHex, scene, waitUntil } from '../support/scene.mts';

const { sandbox, on, active, height, listening, countRequests, setLag } = scene();

const PAYEE = `0x${'a1'.padStart(40, '0')}`;
const QUIET = { event: 'log', topics: 'Noted(address,uint256,uint256)' };
const BLOCKS = 10;

let coin: Awaited<ReturnType<typeof deployContract>>;
beforeAll(async () => (coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' })));
beforeEach(() => shortenTimes({ idleMs: AMPLE, gatheringMs: 0 }));

/** Sends a transfer in a block of its own, and waits until the trigger has begun to read the block. */
async function pay(): Promise<void> {
	const before = await countRequests();
	const data = coin.data('transfer(address,uint256)', BigInt(PAYEE), 1);
	await sandbox.mined({ from: coin.owner, to: coin.address, data });
	await waitUntil(async () => (await countRequests()) > before);
}

/** Counts how many calls a trigger makes for a block without a log that the trigger watches. */
async function countCallsPerBlock(settings: object): Promise<number> {
	await sandbox.reset();
	await setLag(settings);
	const trigger = await active(on(QUIET));
	await listening();
	const before = await countRequests();
	for (let left = BLOCKS; left > 0; left--) {
		await pay();
		await moment(60);
	}
	await trigger.close();
	expect(trigger.items()).toEqual([]);
	return ((await countRequests()) - before) / BLOCKS;
}

test('a quiet block costs one request where its bloom says that it is quiet', async () => {
	const withBloom = await countCallsPerBlock({});
	const withoutBloom = await countCallsPerBlock({ blooms: false });
	figure(`Requests for a quiet block: ${withBloom} with its bloom, ${withoutBloom} without`);
	expect(withBloom).toBe(1);
	expect(withoutBloom).toBeLessThanOrEqual(3);
});

test('a bloom is what a real chain makes of the same logs', async () => {
	const notes = await deployContract(sandbox, 'Notes');
	const others = await deployContract(sandbox, 'Notes');
	const first = await height();
	for (let subject = 1; subject <= 30; subject++) {
		const { address, owner, data } = subject % 3 === 0 ? others : notes;
		const call = data('note(uint256,uint256)', subject, subject % 5);
		await sandbox.mined({ from: owner, to: address, data: call, gas: numberToHex(300_000) });
	}
	for (let number = await height(); number > first; number--) {
		const block = await sandbox.chain('eth_getBlockByNumber', numberToHex(number), false);
		const range = { fromBlock: numberToHex(number), toBlock: numberToHex(number) };
		const logs = (await sandbox.chain('eth_getLogs', range)) as IDataObject[];
		const bloom = parseBloom(block as IDataObject) as Buffer;
		expect(buildBloom(logs)).toEqual(bloom);
		expect(isBlankBloom(bloom)).toBe(logs.length === 0);
		const filters = [notes, others].map(({ address }) => ({ addresses: [address], topics: [] }));
		expect(filters.some((filter) => mayContainLogs(bloom, filter))).toBe(logs.length > 0);
	}
});
