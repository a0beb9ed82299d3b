import type { RecordedRequest } from '../../../harness/sandbox.mts';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { numbersOf, scene } from '../support/scene.mts';

const { sandbox, on, active, mine, set } = scene();

const at = (webSocketUrl: string) => on({ options: { webSocketUrl } });
const withBasicAuth = (options = {}) =>
	on({ authentication: 'basicAuth', options }, sandbox.credentials.basicAuth);

async function handshakes(): Promise<RecordedRequest[]> {
	return (await sandbox.record()).filter(({ method }) => method === 'GET');
}

describe('the documented address', () => {
	test('with a token in the path', async () => {
		const trigger = await active();
		const numbers = await mine(1);
		expect(numbersOf(await trigger.has(1))).toEqual(numbers);
		const [seen] = await handshakes();
		expect(seen?.url).toBe(`/ws/${sandbox.authToken}`);
		expect(seen?.headers).not.toHaveProperty('authorization');
	});

	test('with basic authentication', async () => {
		const trigger = await active(withBasicAuth());
		const numbers = await mine(1);
		expect(numbersOf(await trigger.has(1))).toEqual(numbers);
		const [seen] = await handshakes();
		expect(seen?.url).toBe('/ws');
		expect(seen?.headers.authorization).toMatch(/^Basic /);
	});
});

test('an address of its own has the token where the user wants it', async () => {
	await set({ path: '/streams' });
	await active(at(`${sandbox.nodeUrl.replace(/^http/, 'ws')}/streams/<TOKEN>`));
	expect((await handshakes())[0]?.url).toBe(`/streams/${sandbox.authToken}`);
});

describe('another host', () => {
	const other = createFakeNode();

	test.each(['token', 'basicAuth'])('gets no secret of the credential for %s', async (how) => {
		const options = { webSocketUrl: `ws://${other.host}/own/key?a=1` };
		const tested = how === 'token' ? at(options.webSocketUrl) : withBasicAuth(options);
		const trigger = await active(tested);
		other.mine();
		expect(numbersOf(await trigger.has(1))).toEqual([11]);
		const [{ url, headers } = {}] = other.handshakes;
		expect(url).toBe('/own/key?a=1');
		const { authToken, password } = sandbox;
		expect(JSON.stringify(headers)).not.toMatch(
			new RegExp(`authorization|${authToken}|${password}`),
		);
		expect(await handshakes()).toEqual([]);
	});

	test('must not ask for the token', async () => {
		await expect(active(at(`ws://${other.host}/<TOKEN>`))).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(
				/^'WebSocket URL' leads to another server than the credential\. The token is sent to the credential's server only/,
			),
		});
		expect(other.handshakes).toEqual([]);
	});
});
