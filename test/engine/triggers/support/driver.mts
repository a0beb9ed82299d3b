import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ActivityTrigger } from '../../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { createPollingWorkflow, type PollResult } from '../../../harness/poll.mts';
import { TRACED_ADDRESS } from '../../../harness/fakeChain.mts';
import type { TestedNode } from '../../../harness/workflow.mts';
import { moment } from '../../evmRpcTrigger/support/scene.mts';
import { evmRpcTrigger, triggersOfATest } from '../../evmRpcTrigger/support/triggers.mts';

/** An active trigger, whichever way it hears of the chain. */
export interface RunningTrigger {
	/** Returns all that it has emitted since it was started. */
	readonly items: () => readonly IDataObject[];
	/** The failures that it has reported since then. */
	readonly failures: readonly Error[];
	/** Polls once, or gives what was announced a moment to be read. */
	readonly read: () => Promise<void>;
	/** Reads until there are this many items, and once more. Returns all that have come. */
	readonly readAll: (count: number) => Promise<readonly IDataObject[]>;
	/** Returns what n8n has stored. */
	readonly stored: () => IDataObject;
	/** Ends it, and starts it with what n8n has stored; other parameters are those of an edited workflow. */
	readonly restart: (changed?: INodeParameters) => Promise<RunningTrigger>;
}

/** A test that is written once for both triggers drives one of them by this. */
interface TriggerDriver {
	/** An event that only this trigger has, and another choice of it. */
	readonly ownEvents: readonly [INodeParameters, INodeParameters];
	/** Starts it, with what n8n has stored of an earlier life if there was one. */
	readonly start: (
		parameters: INodeParameters,
		credentials: TestedNode['credentials'],
		stored?: IDataObject,
	) => Promise<RunningTrigger>;
}

export type CreateDriver = () => TriggerDriver;

/** Runs the trigger over a WebSocket. Its triggers end with their test. */
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

/** Runs the trigger that polls, whenever the test says so. A failure is not retried: the next poll meets it again. */
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
