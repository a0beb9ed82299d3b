import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { errorOf, line, node, resultOf, run, TESTED, type Node } from './workflows.mts';
import { credential, demo, secrets, type CredentialType } from './world.mts';

const CALL = { jsonrpc: '2.0', method: 'eth_maxPriorityFeePerGas', params: [], id: 1 };
const TYPES = ['chainPlatformApi', 'chainNodeTokenApi', 'chainNodeBasicAuthApi'] as const;

/** n8n's own node with one of our credentials. */
function request(type: CredentialType, url: string, body?: object): Node {
	const sending = { method: 'POST', sendBody: true, specifyBody: 'json' };
	const parameters = {
		...{ authentication: 'predefinedCredentialType', nodeCredentialType: type, url },
		...(body && { ...sending, jsonBody: JSON.stringify(body) }),
	};
	const credentials = { [type]: credential(type) };
	return node(TESTED, 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2, credentials });
}

describe("n8n's HTTP Request node with our credentials", () => {
	const heard: string[] = [];
	const foreign = createServer(({ url, headers }, response) => {
		heard.push(JSON.stringify({ url, headers }));
		response.writeHead(200, { 'content-type': 'application/json' }).end('{"from":"elsewhere"}');
	});
	let foreignUrl = '';

	before(async () => {
		foreign.listen(0, '127.0.0.1');
		await once(foreign, 'listening');
		foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/path`;
	});
	after(() => foreign.close());

	it('reaches the platform', async () => {
		const url = `${demo.sandbox.platformUrl}/v1/organization/`;
		const [organization] = await resultOf(line(request('chainPlatformApi', url)));
		assert.equal(typeof organization?.id, 'string');
	});

	for (const type of TYPES.slice(1)) {
		it(`reaches the node with ${type}`, async () => {
			const url = `${demo.sandbox.nodeUrl}/evm`;
			const [answer] = await resultOf(line(request(type, url, CALL)));
			assert.match(String(answer?.result), /^0x/);
		});
	}

	for (const type of TYPES) {
		it(`gives the secret of ${type} to no other host`, async () => {
			heard.length = 0;
			const answers = await resultOf(line(request(type, foreignUrl)));
			assert.deepEqual(answers, [{ from: 'elsewhere' }]);
			assert.equal(heard.length, 1);
			assert.match(String(heard[0]), /^{"url":"\/path"/);
			for (const secret of secrets()) assert.ok(!heard[0]?.includes(secret));
			assert.doesNotMatch(String(heard[0]), /authorization/i);
		});
	}

	it('is told when the service refuses', async () => {
		const url = `${demo.sandbox.platformUrl}/v1/no-such-thing/`;
		const execution = await run(line(request('chainPlatformApi', url)));
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution).message, /could not be found/);
	});
});
