import { NodeApiError } from 'n8n-workflow';
import { says } from '../support/fakeScene.mts';
import { shortenTimes } from '../support/shortTimes.mts';
import type { TestedNode } from '../../../harness/workflow.mts';
import { createFakeNode, FakeNode, AUTH_TOKEN } from '../../../harness/fakeNode.mts';
import { numbersOf, scene } from '../support/scene.mts';

const { sandbox, on, active, mine, set, sockets, listening } = scene();
const node = createFakeNode();

const ADVICE = "give its address in the option 'WebSocket URL'";
const at = (webSocketUrl: string) => on({ options: { webSocketUrl } });

function withToken(changes: object): TestedNode {
	return on(
		{},
		{ chainNodeTokenApi: { ...sandbox.credentials.token.chainNodeTokenApi, ...changes } },
	);
}

function withPassword(password: string): TestedNode {
	const { chainNodeBasicAuthApi } = sandbox.credentials.basicAuth;
	const credentials = { chainNodeBasicAuthApi: { ...chainNodeBasicAuthApi, password } };
	return on({ authentication: 'basicAuth' }, credentials);
}

/** Returns the error of an activation that must fail, and checks that it contains none of the secrets. */
async function failure(tested: TestedNode, ...secrets: string[]): Promise<NodeApiError> {
	const error = await active(tested).then(
		() => new Error('it was activated'),
		(thrown: NodeApiError) => thrown,
	);
	const { message, stack, description } = error as NodeApiError;
	const seen = [message, stack, description, JSON.stringify(error)].join('\n');
	const hidden = [sandbox.authToken, sandbox.password, new URL(sandbox.nodeUrl).host];
	for (const secret of [...hidden, ...secrets]) expect(seen).not.toContain(secret);
	expect((await sockets()).open).toBe(0);
	return error as NodeApiError;
}

describe('a refused credential', () => {
	test.each([
		['token', () => withToken({ authToken: 'wrong-token-of-mine' })],
		['password', () => withPassword('wrong-token-of-mine')],
	])('%s is an error then and there', async (_what, tested) => {
		const error = await failure(
			tested(),
			'wrong-token-of-mine',
			encodeURIComponent('wrong-token-of-mine'),
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.httpCode).toBe('401');
		expect(error.message).toMatch(
			/^The service refused the credential.*\. GET \/ws.* answered 401\. Check the secret in the credential\.$/,
		);
	});

	test('is one at the start of n8n, too', async () => {
		const refused = active(withToken({ authToken: 'wrong' }), { mode: 'init' });
		await expect(refused).rejects.toMatchObject({ name: 'NodeApiError', httpCode: '401' });
	});

	test('with no token is never sent', async () => {
		expect(await failure(withToken({ authToken: ' ' }))).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining('The Node Address of the credential is empty'),
		});
		expect(await sandbox.record()).toEqual([]);
	});

	test('must be there', async () => {
		await expect(active(on({}, {}))).rejects.toThrow(/credential/i);
	});
});

describe('a node', () => {
	test.each([
		[403, /^The service refused the credential: Forbidden\. .* Check the secret/, '403'],
		[429, /^Too many requests\. .* The credential's plan may/, '429'],
		[503, /^No sockets at the moment\. GET \/ws\/\*\*\* answered 503\.$/, '503'],
	])('that answers %i', async (refuse, message, httpCode) => {
		await set({ refuse });
		const error = await failure(on());
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			httpCode,
			message: expect.stringMatching(message),
		});
	});

	test('that resets the connection', async () => {
		await set({ refuse: 'reset' });
		const error = await failure(on());
		expect(error.message).toMatch(/^The connection to the service was lost before it answered/);
	});

	test('that says nothing', async () => {
		shortenTimes({ openingMs: 400 });
		await set({ refuse: 'hang' });
		const error = await failure(on());
		expect(error.message).toMatch(/^The chain node did not open a WebSocket within 0.4 s/);
		expect(`${error.message} ${error.description}`).toContain(ADVICE);
	});

	test('that is down', async () => {
		const gone = new FakeNode();
		await gone.start();
		await gone.stop();
		const error = await failure(on({}, gone.credentials), AUTH_TOKEN, gone.host);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(
				/^The service refused the connection\. .* and that the service is up\.$/,
			),
		});
	});

	test('that speaks no TLS', async () => {
		const nodeUrl = sandbox.nodeUrl.replace('http:', 'https:');
		const error = await failure(withToken({ nodeUrl }));
		expect(error.message).toMatch(/TLS|lost/);
	});

	test('that redirects is not followed', async () => {
		const rule = { path: '^/ws', times: -1, do: { redirect: 'https://example.com/' } };
		await sandbox.fault(rule);
		const error = await failure(on());
		expect(error.message).toContain('redirects are not followed');
	});

	test('that shows the request is not quoted', async () => {
		await sandbox.fault({ path: '^/ws', times: -1, do: { echo: true } });
		expect((await failure(on())).httpCode).toBe('401');
		expect((await failure(withPassword(sandbox.password))).httpCode).toBe('401');
	});
});

test('a node that quotes the request in its answer is not quoted', async () => {
	node.setAnswers({ eth_subscribe: says(`no subscriptions at /ws/${AUTH_TOKEN}`, -32601) });
	const error = await failure(on({}, node.credentials), AUTH_TOKEN, node.host);
	expect(error.message).toMatch(/^no subscriptions at \/ws\/\*\*\*\. eth_subscribe failed/);
});

describe('a wrong place', () => {
	test('leads to the option', async () => {
		await sandbox.fault({ path: '^/ws', times: -1, do: { status: 404 } });
		const error = await failure(on());
		expect(error.httpCode).toBe('404');
		expect(error.message).toContain(ADVICE);
	});

	test('keeps to itself what may be a key', async () => {
		const url = sandbox.nodeUrl.replace(/^http/, 'ws');
		const error = await failure(at(`${url}/own/another-key?key=yet-another`), 'another');
		expect(error.message).toMatch(/\. GET \/\*\*\* answered 401\./);
	});

	const KEYS = [
		'0123456789abcdef0123456789abcdef',
		'fedcba98-7654-3210-fedc-ba9876543210',
	] as const;
	const withKeys = `/v3/${KEYS[0]}?apikey=${KEYS[1]}&mode=all`;

	test('has its keys struck from what the node says over the socket', async () => {
		const message = `no project ${KEYS.join(' for ')}`;
		node.setAnswers({ eth_subscribe: says(message) });
		const error = await failure(at(`ws://${node.host}${withKeys}`), ...KEYS);
		expect(error.message).toMatch(/^no project \*\*\* for \*\*\*\./);
	});

	test('has its keys struck from what the service answers instead of a socket', async () => {
		const body = `no access to ${withKeys}`;
		await sandbox.fault({ path: '^/v3', times: -1, do: { status: 403, body } });
		const url = sandbox.nodeUrl.replace(/^http/, 'ws');
		const error = await failure(at(url + withKeys), ...KEYS, KEYS[0].slice(8), KEYS[1].slice(8));
		expect(error.message).toContain('The service refused the credential');
		expect(error.message).toContain('***');
	});

	test('without a WebSocket leads to the option', async () => {
		await sandbox.fault({ path: '^/ws', times: -1, do: { status: 200, body: {} } });
		const error = await failure(on());
		expect(error.message).toMatch(/^The chain node did not open a WebSocket\. Over HTTP /);
		expect(error.message).toContain(ADVICE);
	});
});

test.each(['init', 'leadershipChange'] as const)(
	'at %s a node that is down comes later',
	async (mode) => {
		await set({ refuse: 503 });
		const trigger = await active(on(), { mode });
		await mine(2);
		await set({});
		await listening();
		const numbers = await mine(2);
		expect(numbersOf(await trigger.has(2))).toEqual(numbers);
		expect(trigger.failures).toEqual([]);
	},
);

test.each(['activate', 'create', 'update'] as const)('at %s it is an error', async (mode) => {
	await set({ refuse: 503 });
	await expect(active(on(), { mode })).rejects.toMatchObject({ httpCode: '503' });
});
