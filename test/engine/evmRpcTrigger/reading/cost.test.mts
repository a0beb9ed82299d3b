import { deployContract } from '../../../harness/contract.mts';
import { figure } from '../../../harness/figure.mts';
import { AMPLE, hurry } from '../support/hurry.mts';
import { moment, scene, waitUntil } from '../support/scene.mts';

const { sandbox, on, active, listening, countRequests, setLag } = scene();

const PAYEE = `0x${'a1'.padStart(40, '0')}`;
const QUIET = { event: 'log', topics: 'Noted(address,uint256,uint256)' };
const BLOCKS = 10;

let coin: Awaited<ReturnType<typeof deployContract>>;
beforeAll(async () => (coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' })));
beforeEach(() => hurry({ idleMs: AMPLE, gatheringMs: 0 }));

/** Sends a transfer in a block of its own, which a trigger has begun to read. */
async function pay(): Promise<void> {
	const before = await countRequests();
	const data = coin.data('transfer(address,uint256)', BigInt(PAYEE), 1);
	await sandbox.mined({ from: coin.owner, to: coin.address, data });
	await waitUntil(async () => (await countRequests()) > before);
}

/** Counts the calls of a trigger for each block that has none of its logs. */
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
