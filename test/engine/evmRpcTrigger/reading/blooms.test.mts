import type { IDataObject } from 'n8n-workflow';
import { bloomIn, bloomOf, isBlankBloom, mayHold } from '../../../../nodes/core/follow/bloom';
import { deploy } from '../../../harness/contract.mts';
import { hex, scene } from '../support/scene.mts';

const { sandbox, height } = scene();

test('a bloom is what a real chain makes of the same logs', async () => {
	const notes = await deploy(sandbox(), 'Notes');
	const others = await deploy(sandbox(), 'Notes');
	for (let subject = 1; subject <= 30; subject++) {
		const { address, owner, data } = subject % 3 === 0 ? others : notes;
		const call = data('note(uint256,uint256)', subject, subject % 5);
		await sandbox().mined({ from: owner, to: address, data: call, gas: hex(300_000) });
	}
	for (let number = await height(); number > 0; number--) {
		const block = await sandbox().chain('eth_getBlockByNumber', hex(number), false);
		const range = { fromBlock: hex(number), toBlock: hex(number) };
		const logs = (await sandbox().chain('eth_getLogs', range)) as IDataObject[];
		const bloom = bloomIn(block as IDataObject) as Buffer;
		expect(bloomOf(logs)).toEqual(bloom);
		expect(isBlankBloom(bloom)).toBe(logs.length === 0);
		const filters = [notes, others].map(({ address }) => ({ addresses: [address], topics: [] }));
		expect(filters.some((filter) => mayHold(bloom, filter))).toBe(logs.length > 0);
	}
});
