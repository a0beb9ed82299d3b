import type { IDataObject } from 'n8n-workflow';
import {
	ALICE,
	getLogNamesBetween,
	getLogNames,
	asRemoved,
	type LogRepetition,
	createTransferAnswers,
} from '../../../harness/transfersChain.mts';
import { fakeWorkflows } from '../support/fakeWorkflows.mts';

const { node, active } = fakeWorkflows();

test.each<[LogRepetition, string]>([
	['once', ALICE],
	['twice', ALICE],
	['once', ''],
	['twice', ''],
])(
	'transfers whose logs count within their transaction, named %s, of account "%s": each comes once, in order, and is taken back once',
	async (times, accounts) => {
		node.setAnswers(createTransferAnswers(node, times));
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
		expect(getLogNames(items)).toEqual([
			...getLogNamesBetween(11, 15),
			...asRemoved(getLogNamesBetween(14, 15)),
			...getLogNamesBetween(14, 16, 14),
		]);
	},
);
