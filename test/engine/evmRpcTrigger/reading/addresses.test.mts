import type { RecordedRequest } from '../../../harness/sandbox.mts';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { numbersOf, scene } from '../support/scene.mts';

const { sandbox, on, active, mine, set, sockets } = scene();

const socketUrl = (path: string) => sandbox.nodeUrl.replace(/^http/, 'ws') + path;
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

	test('below a Node URL that is itself the address of the socket', async () => {
		const { chainNodeTokenApi } = sandbox.credentials.token;
		const nodeUrl = `${chainNodeTokenApi.nodeUrl.replace(/^http/, 'ws')}/ws/`;
		await active(on({}, { chainNodeTokenApi: { ...chainNodeTokenApi, nodeUrl } }));
		expect((await handshakes())[0]?.url).toBe(`/ws/${sandbox.authToken}`);
	});
});

describe('an address of its own', () => {
	beforeEach(async () => await set({ path: '/streams' }));

	test('has the token where the user wants it', async () => {
		await active(at(socketUrl('/streams/<TOKEN>')));
		expect((await handshakes())[0]?.url).toBe(`/streams/${sandbox.authToken}`);
	});

	test('is used as it is with the token typed in', async () => {
		await active(at(socketUrl(`/streams/${sandbox.authToken}`)));
		expect(await sockets()).toMatchObject({ open: 1 });
	});

	test('gets the name and the password of its host', async () => {
		await active(withBasicAuth({ webSocketUrl: socketUrl('/streams') }));
		expect((await handshakes())[0]?.headers.authorization).toMatch(/^Basic /);
	});

	test('may come from an expression', async () => {
		await active(at(`={{ "${socketUrl('/streams/')}" + "<token>" }}`));
		expect(await sockets()).toMatchObject({ open: 1 });
	});
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

	test.each(['/<TOKEN>', '/a/<AUTH_TOKEN>', '?key=<token>'])(
		'must not ask for the token: %s',
		async (path) => {
			await expect(active(at(`ws://${other.host}${path}`))).rejects.toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringMatching(
					/^'WebSocket URL' leads to a different host than the credential\. The token goes to that host only/,
				),
			});
			expect(other.handshakes).toEqual([]);
		},
	);

	test('must not hide behind a name in front of the own one', async () => {
		const own = new URL(sandbox.nodeUrl).host;
		const refused = active(at(`ws://${own}@${other.host}/<TOKEN>`));
		await expect(refused).rejects.toThrow("'WebSocket URL' must be a full address");
		expect(other.handshakes).toEqual([]);
	});
});

test.each([
	'ws://node.example.com/ws',
	'https://node.example.com',
	'node',
	'wss://a:99999/<TOKEN>',
])('%s is no address', async (given) => {
	await expect(active(at(given))).rejects.toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringContaining(
			"'WebSocket URL' must be a full address that begins with wss://",
		),
	});
});
