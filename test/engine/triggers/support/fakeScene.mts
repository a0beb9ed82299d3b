import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { waitUntil } from '../../../harness/until.mts';
import type { CreateDriver, RunningTrigger } from './driver.mts';

/** Creates a fake node, and a trigger that reads its chain. */
export function createFakeScene(createDriver: CreateDriver) {
	const node = createFakeNode();
	const { ownEvents, start } = createDriver();
	const countHeadReads = () => node.calls.filter(({ params }) => params[0] === 'latest').length;
	return {
		node,
		ownEvents,
		start: async (parameters: INodeParameters = { event: 'newBlock' }, stored?: IDataObject) =>
			await start(parameters, node.credentials, stored),
		/**
		 * Waits until the trigger has read the latest block again without an announcement: after a lost connection, or
		 * by polls.
		 */
		readHeadAnew: async ({ read }: RunningTrigger) => {
			const before = countHeadReads();
			node.disconnect();
			await waitUntil(async () => {
				await read();
				return countHeadReads() > before + 1;
			});
		},
	};
}
