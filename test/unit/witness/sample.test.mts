import { readSample } from '../../../nodes/core/trigger/poll';
import { followBlocks } from '../../../nodes/core/witness/follow';
import { WitnessChain } from '../../harness/witnessChain.mts';
import { createWitnessReader } from '../support/witnessReader.mts';

test('the search for a sample ends when the time is over, and says how far it came', async () => {
	const chain = new WitnessChain();
	chain.mineEmpty(100);
	const search = {
		followed: followBlocks(createWitnessReader(chain), { findItems: () => [] }),
		sample: { none: 'Nothing in the last', check: 'Addresses' },
		maxBlocks: 60,
	};
	await expect(readSample(search, 0)).rejects.toThrow('Nothing in the last 20 blocks');
	await expect(readSample(search, Infinity)).rejects.toThrow('Nothing in the last 60 blocks');
});
