import type { INodeParameters } from 'n8n-workflow';
import type { activateTrigger, ActiveTrigger } from '../../../harness/trigger.mts';
import { type Answer, type Call, createFakeNode } from '../../../harness/fakeNode.mts';
import { moment, numbersOf, upTo } from './scene.mts';
import { evmRpcTrigger, triggersOfATest } from './triggers.mts';

type Life = Parameters<typeof activateTrigger>[1];

/** Triggers that listen to a fake node. */
export function fakeScene() {
	const active = triggersOfATest();
	const node = createFakeNode();
	return {
		node,
		listening: async (parameters: INodeParameters = {}, life?: Life) =>
			await active(evmRpcTrigger(parameters, node.credentials), life),
		/** Mines this many good blocks: all blocks arrive, and nothing is reported. */
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

/** Refuses with this message. */
export const says =
	(message: string, code = -32000): Answer =>
	() => {
		throw { code, message };
	};

/** Answers this many times in this way, and correctly afterwards. */
export function first(times: number, bad: Answer, good: (call: Call) => unknown): Answer {
	let left = times;
	return (call, client) => (left-- > 0 ? bad(call, client) : good(call));
}
