import type { INodeParameters } from 'n8n-workflow';
import { createWorld } from '../support/world.mts';

const world = createWorld();

beforeAll(async () => await world.mine(5));

/** The parameters of a trigger that watches the first account, without retries. */
const watching = (options: object = {}): INodeParameters => ({
	event: 'addressActivity',
	addresses: world.account(1),
	options: { maxRetries: 0, ...options },
});
const rpcError = (code: number, message: string) => ({
	status: 200,
	body: { jsonrpc: '2.0', id: null, error: { code, message } },
});

test('a wrong credential is refused in plain words, and the workflow not activated', async () => {
	const { workflow, sandbox } = world;
	const credentials = {
		chainNodeTokenApi: { nodeUrl: sandbox.nodeUrl, authToken: 'not-the-right-token' },
	};
	const refused = workflow(watching(), {}, { credentials }).activate();
	await expect(refused).rejects.toMatchObject({
		name: 'NodeApiError',
		httpCode: '401',
		message: expect.stringMatching(
			/ POST \/evm answered 401\. Check the secret in the credential\.$/,
		),
	});
});

test('no secret and no host appear anywhere, in whatever spelling it is echoed', async () => {
	const { active, sandbox } = world;
	const workflow = await active(watching());
	await sandbox.fault({ times: -1, do: { echo: true } });
	const polled = await workflow.poll();
	const { error } = polled;
	expect(error?.message).toBeDefined();
	const everything = JSON.stringify([polled, { ...error }, error?.stack, workflow.inMemory()]);
	const base64 = Buffer.from(sandbox.authToken).toString('base64').slice(0, -4);
	for (const secret of [sandbox.authToken, encodeURIComponent(sandbox.authToken), base64]) {
		expect(everything).not.toContain(secret);
	}
	expect(everything).not.toContain('127.0.0.1');
});

test('a node that limits searches gets a hint', async () => {
	const { active, mine, sandbox } = world;
	// The trigger makes only one search here. A second search could still run when the next test reads the record of
	// requests.
	const workflow = await active({ ...watching(), direction: 'from' });
	await mine(1);
	const refusal = rpcError(-32602, 'block range too large, max 10');
	await sandbox.fault({ times: -1, rpcMethod: 'trace_filter', do: refusal });
	const { error } = await workflow.poll();
	expect(error?.message).toMatch(
		/^block range too large, max 10\. .* lower the option 'Max Blocks Per Poll'/,
	);
});

test.each<[string, INodeParameters, RegExp]>([
	['no address', { addresses: '' }, /^'Addresses' is required/],
	['an empty list of addresses', { addresses: '={{ [] }}' }, /^'Addresses' must be at least one/],
	['a comma alone', { addresses: ',' }, /^'Addresses' must be at least one/],
	['a bad address', { addresses: '0xabc' }, /^'Addresses' must be an address/],
	['confirmations of -1', { options: { confirmations: -1 } }, /^'Options > Confirmations' must be/],
	['no blocks', { options: { maxBlocksPerPoll: 0 } }, /^'Options > Max Blocks Per Poll' must be/],
])('%s: refused before anything is sent', async (_, parameters, message) => {
	const { workflow, sandbox } = world;
	await expect(workflow({ ...watching(), ...parameters }).activate()).rejects.toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringMatching(message),
	});
	expect(await sandbox.record()).toEqual([]);
});
