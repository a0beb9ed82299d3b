import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { evmRpcTrigger, triggersOfATest } from '../support/triggers.mts';

const active = triggersOfATest();
const node = createFakeNode();

const IN_PATH = '0123456789abcdef0123456789abcdef';
const IN_QUERY = 'fedcba98-7654-3210-fedc-ba9876543210';

/** Returns the error of an activation that fails at this address. */
async function failureAt(webSocketUrl: string): Promise<Record<string, unknown>> {
	const trigger = active(evmRpcTrigger({ options: { webSocketUrl } }, node.credentials));
	return await trigger.then(
		() => ({}),
		(error: Error & { description?: string }) => ({
			message: error.message,
			description: error.description,
			all: `${error.stack}${JSON.stringify(error)}`,
		}),
	);
}

function expectNoKeyIn({ message, description, all }: Record<string, unknown>): void {
	for (const secret of [IN_PATH, IN_QUERY, IN_PATH.slice(8), IN_QUERY.slice(8)]) {
		expect(`${String(message)}${String(description)}${String(all)}`).not.toContain(secret);
	}
}

describe('keys in the address that the user gave are not quoted', () => {
	test('from what the node says over the socket', async () => {
		node.setAnswers({
			eth_subscribe: () => {
				throw { code: -32000, message: `no project ${IN_PATH} for ${IN_QUERY}` };
			},
		});
		const failure = await failureAt(`ws://${node.host}/v3/${IN_PATH}?apikey=${IN_QUERY}`);
		expect(failure.message).toMatch(/^no project \*\*\* for \*\*\*\./);
		expectNoKeyIn(failure);
	});

	test('from what the service answers instead of a socket', async () => {
		const service = createServer(({ url }, response) => {
			response.writeHead(403).end(`no access to ${url}`);
		});
		service.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
		await once(service.listen(0, '127.0.0.1'), 'listening');
		const { port } = service.address() as AddressInfo;
		const failure = await failureAt(
			`ws://127.0.0.1:${port}/v3/${IN_PATH}/ws?apikey=${IN_QUERY}&mode=all`,
		);
		service.close();
		expect(failure.message).toContain('The service refused the credential');
		expect(failure.message).toContain('***');
		expectNoKeyIn(failure);
	});
});
