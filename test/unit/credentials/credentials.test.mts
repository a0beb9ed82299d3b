import { ChainNodeBasicAuthApi } from '../../../credentials/ChainNodeBasicAuthApi.credentials';
import { ChainNodeTokenApi } from '../../../credentials/ChainNodeTokenApi.credentials';
import { ChainPlatformApi } from '../../../credentials/ChainPlatformApi.credentials';
import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import { authenticateRequest } from '../support/authenticate.mts';

const tokenApi = new ChainNodeTokenApi();
const basicApi = new ChainNodeBasicAuthApi();
const platformApi = new ChainPlatformApi();
const nodeUrl = 'https://example.com';

describe('basic auth', () => {
	const credential = { nodeUrl, username: 'user', password: 'pa:ss wörd' };

	test('is a header, and the path stays', async () => {
		const { url, headers } = await authenticateRequest(basicApi, credential, { url: '/evm' });
		const encoded = Buffer.from('user:pa:ss wörd').toString('base64');
		expect({ url, headers }).toEqual({
			url: 'https://example.com/evm',
			headers: { Authorization: `Basic ${encoded}` },
		});
	});

	test.each([{ username: '' }, { password: '' }, { username: 'us:er' }])(
		'without a usable name and password is refused: %p',
		async (part) => {
			const request = authenticateRequest(basicApi, { ...credential, ...part }, { url: '/' });
			await expect(request).rejects.toThrow(InvalidInput);
		},
	);
});

describe('an API key', () => {
	test('is a header, beside those of the request', async () => {
		const credential = { baseUrl: 'https://example.com/', apiKey: ' KEY ' };
		const request = { url: '/v1/organization/', headers: { Accept: 'application/json' } };
		expect(await authenticateRequest(platformApi, credential, request)).toEqual({
			url: 'https://example.com/v1/organization/',
			headers: { Accept: 'application/json', Authorization: 'Bearer KEY' },
		});
	});

	test.each(['', ' ', 'a b', 'a\r\nX: y'])('is not %p', async (apiKey) => {
		const request = authenticateRequest(platformApi, { baseUrl: nodeUrl, apiKey }, { url: '/' });
		await expect(request).rejects.toThrow(/^The API Key of the credential/);
	});
});

describe('every credential', () => {
	const all = [
		[tokenApi, { nodeUrl, authToken: 'TOKEN' }],
		[basicApi, { nodeUrl, username: 'user', password: 'pass' }],
		[platformApi, { baseUrl: nodeUrl, apiKey: 'KEY' }],
	] as const;

	test.each(['https://example.org/evm', 'http://example.com/evm', 'https://example.com.evil.org'])(
		'leaves a request to %s as it is',
		async (elsewhere) => {
			for (const [type, credential] of all) {
				for (const request of [{ url: elsewhere }, { uri: elsewhere, headers: { A: 'b' } }]) {
					expect(await authenticateRequest(type, credential, request)).toEqual(request);
				}
			}
		},
	);

	test('changes nothing in the request that it was given', async () => {
		for (const [type, credential] of all) {
			const request = Object.freeze({ url: '/evm', headers: Object.freeze({ A: 'b' }) });
			const once = await authenticateRequest(type, credential, request);
			expect(once.headers).toHaveProperty('A', 'b');
			expect(await authenticateRequest(type, credential, once)).toEqual(once);
			expect(request).toEqual({ url: '/evm', headers: { A: 'b' } });
		}
	});

	test('masks its secret in the form, and nothing else', () => {
		const masked = all.map(([{ properties }]) =>
			properties.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name),
		);
		expect(masked).toEqual([['authToken'], ['password'], ['apiKey']]);
	});
});
