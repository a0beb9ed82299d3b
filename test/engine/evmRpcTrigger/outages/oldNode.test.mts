import { EvmRpcTrigger } from '../../../../nodes/EvmRpcTrigger/EvmRpcTrigger.node';
import { activateTrigger } from '../../../harness/trigger.mts';

const { WebSocket } = globalThis;
afterEach(() => void Object.assign(globalThis, { WebSocket }));

test('a Node without WebSocket is named', async () => {
	Object.assign(globalThis, { WebSocket: undefined });
	const activation = activateTrigger({
		node: new EvmRpcTrigger(),
		parameters: { authentication: 'token', event: 'newBlock' },
		credentials: { chainNodeTokenApi: { nodeUrl: 'http://127.0.0.1:1', authToken: 'token' } },
	});
	await expect(activation).rejects.toThrow('This trigger needs Node 22 or newer');
});
