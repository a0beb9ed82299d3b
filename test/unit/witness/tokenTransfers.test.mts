import { createKeyMaker } from '../../../nodes/core/chain/payment';
import type { Block } from '../../../nodes/core/witness/readBlocks';
import {
	createTransferSearch,
	formatTokenTransfers,
} from '../../../nodes/core/witness/tokenTransfers';
import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const LOGS = 6000;

const buildWord = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

/** A block with a transaction that has more logs than any real transaction. */
const block: Block = {
	number: 7,
	hash: '7'.repeat(64),
	parentHash: '6'.repeat(64),
	timestamp: 1_700_000_000_000,
	transactions: [
		{
			id: 'a'.repeat(64),
			memo: '',
			transfers: [],
			logs: Array.from({ length: LOGS }, (_, logIndex) => ({
				address: `0x${'b'.repeat(40)}`,
				topics: [TRANSFER, buildWord(logIndex + 1), buildWord(logIndex + 2)],
				data: buildWord(logIndex + 1),
				logIndex,
			})),
		},
	],
};

test('thousands of transfers in a transaction leave n8n its turns', async () => {
	const search = createTransferSearch({ tokens: [], accounts: [], direction: 'any' });
	const read = async () =>
		await formatTokenTransfers(await search(block), {
			factsOf: () => ({ symbol: 'USDT', decimals: 6 }),
			makeKey: createKeyMaker(),
			least: { isZero: true, isReached: () => true },
		});
	const items = await read();
	expect(items.map(({ logIndex }) => logIndex)).toEqual(
		Array.from({ length: LOGS }, (_, at) => at),
	);
	expect(items.at(-1)).toMatchObject({ amount: '0.006', value: '6000' });
	expect(await measureLeastGap(read)).toBeLessThan(ALLOWED_UNITS);
});
