import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { REMOTE_ADDRESS, TEST_ADDRESS } from '../../demo/run/credentials.mts';
import { control, credential, demo, type CredentialType } from './world.mts';

interface Outcome {
	status: string;
	message: string;
}

const CHAIN = /^Connected: chain 31337, block [\d,]+$/;
/** The expected messages of a credential test, by the only API that the node serves. */
const MESSAGES = {
	root: CHAIN,
	evm: CHAIN,
	wallet: /^Connected: TRON, for Chain Witness Wallet$/,
	ton: /^Connected: a TON chain, for Chain TON$/,
};

const WRONG = 'wrong-secret-0123';

/** Tests a credential as n8n's form does, with its saved values and the changes that a user has typed. */
async function tested(type: CredentialType, typed: Record<string, string> = {}): Promise<Outcome> {
	const { id, name } = credential(type);
	const saved = await demo.api.ask<{ data: object }>('GET', `/credentials/${id}?includeData=true`);
	const credentials = { id, name, type, data: { ...saved.data, ...typed } };
	return await demo.api.ask<Outcome>('POST', '/credentials/test', { credentials });
}

function passes({ status, message }: Outcome, words: RegExp): void {
	assert.equal(status, 'OK');
	assert.match(message, words);
}

describe('credential tests, from the endpoint of the form', () => {
	afterEach(async () => {
		await control('PUT', '/apis', { serves: ['evm', 'root', 'wallet', 'ton'] });
	});

	it('pass with what is saved', async () => {
		passes(await tested('chainPlatformApi'), /^Connected: organization Example Organization$/);
		passes(await tested('chainNodeTokenApi'), CHAIN);
		passes(await tested('chainNodeBasicAuthApi'), CHAIN);
		const signsFor = (address: string) => new RegExp(`^Signs for ${address}, which is T`);
		passes(await tested('chainSignerKeyApi'), signsFor(TEST_ADDRESS));
		passes(await tested('chainSignerRemoteApi'), signsFor(REMOTE_ADDRESS));
	});

	const refusals = [
		['chainPlatformApi', 'apiKey', 'The service refused the API key: Invalid API key.'],
		['chainNodeTokenApi', 'authToken', /^The service refused the token: 401 Auth/],
		['chainNodeBasicAuthApi', 'username', /^The service refused the username or the password/],
		['chainNodeBasicAuthApi', 'password', /^The service refused the username or the password/],
		['chainSignerRemoteApi', 'password', 'The signer refused the username or the password'],
		['chainSignerKeyApi', 'privateKey', /^The Private Key of the credential must be 32 bytes/],
	] as const;
	for (const [type, field, words] of refusals) {
		it(`fail with a sentence for a wrong ${field} of ${type}`, async () => {
			const { status, message } = await tested(type, { [field]: WRONG });
			assert.equal(status, 'Error');
			if (typeof words === 'string') assert.equal(message, words);
			else assert.match(message, words);
		});
	}

	for (const [api, words] of Object.entries(MESSAGES)) {
		it(`pass at a node that serves only ${api}`, async () => {
			await control('PUT', '/apis', { serves: [api] });
			passes(await tested('chainNodeTokenApi'), words);
			passes(await tested('chainNodeBasicAuthApi'), words);
			assert.match((await tested('chainNodeTokenApi', { authToken: WRONG })).message, /refused/);
		});
	}

	it('fail where no API answers, and at addresses that are none', async () => {
		await control('PUT', '/apis', { serves: [] });
		const nowhere = await tested('chainNodeTokenApi');
		assert.match(nowhere.message, /^No chain node answers at this address/);
		const plain = await tested('chainNodeTokenApi', { nodeUrl: 'http://example.com' });
		assert.match(plain.message, /must begin with https:/);
		const dead = await tested('chainPlatformApi', { baseUrl: 'http://127.0.0.1:9' });
		assert.equal(dead.message, 'The service refused the connection');
	});
});
