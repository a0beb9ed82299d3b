import { runInThisContext } from 'node:vm';
import type { INodeParameters, ITriggerFunctions } from 'n8n-workflow';
import { EvmRpcTrigger } from '../../../../nodes/EvmRpcTrigger/EvmRpcTrigger.node';
import { startSocketTrigger } from '../../../../nodes/EvmRpcTrigger/start';
import { activateTrigger, type ActiveTrigger } from '../../../harness/trigger.mts';
import type { TestedNode } from '../../../harness/workflow.mts';
import { shortenTimes, timing } from './shortTimes.mts';

export type Credentials = TestedNode['credentials'];

/** The trigger node, with the timing of the test. */
export class HurriedTrigger extends EvmRpcTrigger {
	async trigger(this: ITriggerFunctions) {
		return await startSocketTrigger(this, timing);
	}
}

export const evmRpcTrigger = (
	parameters: INodeParameters,
	credentials: Credentials,
): TestedNode => ({
	node: new HurriedTrigger(),
	parameters: { authentication: 'token', event: 'newBlock', ...parameters },
	credentials,
});

/** The real process object: jest gives tests a copy, which receives no warnings. */
const realProcess = runInThisContext('process') as NodeJS.Process;

/**
 * Creates a function that activates triggers with short times. Each trigger ends with its test, and Node.js must not
 * warn about any.
 */
export function triggersOfATest(): typeof activateTrigger {
	let triggers: ActiveTrigger[] = [];
	const warnings: Error[] = [];
	const hear = (warning: Error) => warnings.push(warning);

	beforeAll(() => realProcess.on('warning', hear));
	afterAll(() => realProcess.off('warning', hear));
	beforeEach(() => shortenTimes());
	afterEach(async () => {
		await Promise.all(triggers.map(async ({ close }) => await close()));
		triggers = [];
		expect(warnings.splice(0)).toEqual([]);
	});

	return async (...life) => {
		const trigger = await activateTrigger(...life);
		triggers.push(trigger);
		return trigger;
	};
}
