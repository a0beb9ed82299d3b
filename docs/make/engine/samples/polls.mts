import type { INodeParameters } from 'n8n-workflow';
import { runManually } from '../../../../test/harness/engine.mts';
import { getNode } from '../nodes.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { getJson } from './run.mts';

/** Samples what the button to test the trigger shows: the latest events. */
export function createPollSample({ sandbox }: World) {
	return async (event: string, parameters: INodeParameters): Promise<Sample> => {
		const { items, error } = await runManually({
			node: getNode('activityTrigger'),
			parameters: { event, ...parameters },
			credentials: sandbox.credentials.token,
		});
		if (error) throw error;
		return { node: 'activityTrigger', part: event, parameters, items: getJson(items) };
	};
}

export async function runPolls(world: World): Promise<Sample[]> {
	const { payer, token, give, pay } = world;
	const shown = createPollSample(world);
	await give(payer, 1_250_000);
	const tokenTransfer = await shown('tokenTransfer', { tokens: token, accounts: payer });
	await pay(10n ** 17n);
	return [
		tokenTransfer,
		await shown('addressActivity', { addresses: payer }),
		await shown('newBlock', {}),
	];
}
