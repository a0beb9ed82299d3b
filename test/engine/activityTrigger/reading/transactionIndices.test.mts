import type { IDataObject } from 'n8n-workflow';
import {
	ALICE,
	namesIn,
	namesOf,
	takenBack,
	type Times,
	transfersOn,
} from '../../../harness/transfersChain.mts';
import { fakeWorkflows } from '../support/fakeWorkflows.mts';

const { node, active } = fakeWorkflows();

test.each<[Times, string]>([
	['once', ALICE],
	['twice', ALICE],
	['once', ''],
	['twice', ''],
])(
	'transfers whose logs count within their transaction, named %s, of account "%s": each comes once, in order, and is taken back once',
	async (times, accounts) => {
		node.answering(transfersOn(node, times));
		const workflow = await active({ event: 'tokenTransfer', accounts });
		const items: IDataObject[] = [];
		for (const [height, fork] of [
			[11, Infinity],
			[15, Infinity],
			[16, 14],
		] as const) {
			Object.assign(node, { height, fork });
			const polled = await workflow.poll();
			expect(polled.error).toBeUndefined();
			items.push(...polled.items);
		}
		expect(namesOf(items)).toEqual([
			...namesIn(11, 15),
			...takenBack(namesIn(14, 15)),
			...namesIn(14, 16, 14),
		]);
	},
);
