import type { INodeParameters } from 'n8n-workflow';
import { runManually } from '../../../../test/harness/engine.mts';
import { getNode } from '../../../../test/harness/nodes.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';

export type MakePollSample = ReturnType<typeof createPollSampleMaker>;

/** Creates a function that runs a trigger by its test button, which shows the latest event. */
export function createPollSampleMaker({ sandbox }: World) {
	return async (node: string, event: string, parameters: INodeParameters): Promise<Sample> => {
		const { items, error } = await runManually({
			node: getNode(node),
			parameters: { event, ...parameters },
			credentials: sandbox.credentials.token,
		});
		if (error) throw error;
		return {
			node,
			part: event,
			parameters,
			items: items.map(({ json }) => json),
		};
	};
}
