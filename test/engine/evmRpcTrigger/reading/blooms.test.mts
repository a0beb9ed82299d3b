import type { IDataObject } from 'n8n-workflow';
import {
	parseBloom,
	buildBloom,
	isBlankBloom,
	mayContainLogs,
} from '../../../../nodes/core/follow/bloom';
import { deployContract } from '../../../harness/contract.mts';
import { numberToHex, scene } from '../support/scene.mts';

const { sandbox, height } = scene();

test('a bloom is what a real chain makes of the same logs', async () => {
	const notes = await deployContract(sandbox, 'Notes');
	const others = await deployContract(sandbox, 'Notes');
	for (let subject = 1; subject <= 30; subject++) {
		const { address, owner, data } = subject % 3 === 0 ? others : notes;
		const call = data('note(uint256,uint256)', subject, subject % 5);
		await sandbox.mined({ from: owner, to: address, data: call, gas: numberToHex(300_000) });
	}
	for (let number = await height(); number > 0; number--) {
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
