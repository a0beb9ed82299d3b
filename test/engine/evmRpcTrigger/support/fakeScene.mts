import type { INodeParameters } from 'n8n-workflow';
import type { activateTrigger, ActiveTrigger } from '../../../harness/trigger.mts';
import { type Answer, type Call, createFakeNode } from '../../../harness/fakeNode.mts';
import { moment, numbersOf, upTo } from './scene.mts';
import { evmRpcTrigger, triggersOfATest } from './triggers.mts';

type Life = Parameters<typeof activateTrigger>[1];

/** Creates a fake node, and triggers that listen to it. */
export function fakeScene() {
	const active = triggersOfATest();
	const node = createFakeNode();
	return {
		node,
		listening: async (parameters: INodeParameters = {}, life?: Life) =>
			await active(evmRpcTrigger(parameters, node.credentials), life),
		/** Mines blocks, and expects that they all arrive and that no failure is reported. */
		goesOn: async (trigger: ActiveTrigger, count = 1) => {
			node.mine(count);
			const wanted = upTo(node.height, node.height - 10);
			await trigger.has(wanted.length);
			await moment(50);
			expect(numbersOf(trigger.items())).toEqual(wanted);
			expect(trigger.failures).toEqual([]);
		},
	};
}

export const fails =
	(code: number, data?: unknown): Answer =>
	() => {
		throw { code, message: 'not now', data };
	};

/** Creates an answer that is an error with the given message. */
export const says =
	(message: string, code = -32000): Answer =>
	() => {
		throw { code, message };
	};

/** Creates an answer that is bad the given number of times, and correct afterwards. */
export function first(times: number, bad: Answer, good: (call: Call) => unknown): Answer {
	let left = times;
	return (call, client) => (left-- > 0 ? bad(call, client) : good(call));
}
