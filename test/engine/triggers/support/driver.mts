import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ActivityTrigger } from '../../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { createPollingWorkflow, type PollResult } from '../../../harness/poll.mts';
import { TRACED_ADDRESS } from '../../../harness/fakeChain.mts';
import type { TestedNode } from '../../../harness/workflow.mts';
import { moment } from '../../evmRpcTrigger/support/scene.mts';
import { evmRpcTrigger, triggersOfATest } from '../../evmRpcTrigger/support/triggers.mts';

/** An active trigger of either kind: over a WebSocket, or by polls. */
export interface RunningTrigger {
	/** Returns all items that the trigger has emitted since it was started. */
	readonly items: () => readonly IDataObject[];
	/** The failures that the trigger has reported since it was started. */
	readonly failures: readonly Error[];
	/** Polls once, or waits a moment so that the trigger can read the announced blocks. */
	readonly read: () => Promise<void>;
	/** Reads until the given number of items have come, and then once more. Returns all items. */
	readonly readAll: (count: number) => Promise<readonly IDataObject[]>;
	/** Returns the static data that n8n has stored. */
	readonly stored: () => IDataObject;
	/**
	 * Ends the trigger, and starts it with the data that n8n has stored. Other parameters stand for an edit of the
	 * workflow.
	 */
	readonly restart: (changed?: INodeParameters) => Promise<RunningTrigger>;
}

/** Starts and drives one kind of trigger, so that a test can be written once for both kinds. */
interface TriggerDriver {
	/** An event that only this trigger has, and the same event with another choice. */
	readonly ownEvents: readonly [INodeParameters, INodeParameters];
	/** Starts the trigger, with what n8n has stored before a restart, if anything. */
	readonly start: (
		parameters: INodeParameters,
		credentials: TestedNode['credentials'],
		stored?: IDataObject,
	) => Promise<RunningTrigger>;
}

export type CreateDriver = () => TriggerDriver;

/** Drives the trigger over a WebSocket. Each trigger ends with its test. */
const createSocketDriver: CreateDriver = () => {
	const activate = triggersOfATest();
	const start = async (
		parameters: INodeParameters,
		credentials: TestedNode['credentials'],
		staticData?: IDataObject,
		isEdited = false,
	): Promise<RunningTrigger> => {
		const trigger = await activate(evmRpcTrigger(parameters, credentials), {
			mode: isEdited ? 'update' : staticData ? 'init' : 'activate',
			staticData,
		});
		const { items, failures, has, stored, close } = trigger;
		const read = async () => await moment(20);
		return {
			items,
			failures,
			read,
			readAll: async (count) => {
				await has(count);
				await moment(50);
				return items();
			},
			stored,
			restart: async (changed) => {
				await close();
				return await start(changed ?? parameters, credentials, stored(), changed !== undefined);
			},
		};
	};
	const topics = `0x${'a'.repeat(64)}`;
	return { ownEvents: [{ event: 'log' }, { event: 'log', topics }], start };
};

const MAX_POLLS = 20;

/**
 * Drives a trigger that polls. The test decides when it polls. Failures are not retried, so the next poll meets them
 * again.
 */
const createPollDriver: CreateDriver = () => {
	const start: TriggerDriver['start'] = async (parameters, credentials, staticData = {}) => {
		const workflow = createPollingWorkflow(
			{
				node: new ActivityTrigger(),
				parameters: { authentication: 'token', options: { maxRetries: 0 }, ...parameters },
				credentials,
			},
			{ saved: JSON.stringify(staticData) },
		);
		const items: IDataObject[] = [];
		const failures: Error[] = [];
		const take = (polled: PollResult) => {
			items.push(...polled.items);
			if (polled.error) failures.push(polled.error);
		};
		const read = async () => take(await workflow.poll());
		const stored = () => JSON.parse(workflow.saved()) as IDataObject;
		take(await workflow.activate());
		return {
			items: () => items,
			failures,
			read,
			readAll: async (count) => {
				for (let polls = 0; polls < MAX_POLLS && items.length < count; polls++) await read();
				await read();
				return items;
			},
			stored,
			restart: async (changed = parameters) => await start(changed, credentials, stored()),
		};
	};
	const activityOf = (addresses: string) => ({ event: 'addressActivity', addresses });
	return { ownEvents: [activityOf(TRACED_ADDRESS), activityOf(`0x${'2'.repeat(40)}`)], start };
};

export const DRIVERS: ReadonlyArray<readonly [by: string, create: CreateDriver]> = [
	['a socket', createSocketDriver],
	['polls', createPollDriver],
];
