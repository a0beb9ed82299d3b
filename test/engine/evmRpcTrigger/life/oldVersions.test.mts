import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { ITriggerFunctions } from 'n8n-workflow';
import { createFakeNode, AUTH_TOKEN } from '../../../harness/fakeNode.mts';
import { shortenTimes } from '../support/shortTimes.mts';
import { moment, numbersOf, waitUntil } from '../support/scene.mts';
import { evmRpcTrigger, HurriedTrigger, triggersOfATest } from '../support/triggers.mts';

const active = triggersOfATest();
const node = createFakeNode();
const error = jest.spyOn(Container.get(Logger), 'error');

/** Runs the trigger in an old n8n, which cannot save executions that failed before they began. */
class TriggerInOldN8n extends HurriedTrigger {
	override async trigger(this: ITriggerFunctions) {
		Reflect.deleteProperty(this, 'saveFailedExecution');
		expect('saveFailedExecution' in this).toBe(false);
		return await HurriedTrigger.prototype.trigger.call(this);
	}
}

beforeEach(() => error.mockClear());

test('an n8n that cannot save failed executions logs an outage, once, and the trigger goes on', async () => {
	shortenTimes({ outageMs: 100 });
	const tested = { ...evmRpcTrigger({}, node.credentials), node: new TriggerInOldN8n() };
	const trigger = await active(tested);
	node.onWelcome = (client) => client.terminate();
	node.disconnect();
	await waitUntil(() => error.mock.calls.length > 0);
	const handshakes = node.handshakes.length;
	await waitUntil(() => node.handshakes.length > handshakes + 1);
	expect(error.mock.calls).toEqual([[expect.stringMatching(/\S/)]]);
	expect(JSON.stringify(error.mock.calls)).not.toContain(AUTH_TOKEN);
	node.onWelcome = () => {};
	await waitUntil(() => node.clients.size > 0);
	node.mine(2);
	await trigger.has(2);
	await moment(50);
	expect(numbersOf(trigger.items())).toEqual([11, 12]);
	expect(trigger.failures).toEqual([]);
});

test('a Node without WebSocket is named', async () => {
	const { WebSocket } = globalThis;
	Object.assign(globalThis, { WebSocket: undefined });
	const activation = active(evmRpcTrigger({}, node.credentials));
	await expect(activation).rejects.toThrow('This trigger needs Node.js 22 or newer');
	Object.assign(globalThis, { WebSocket });
});
