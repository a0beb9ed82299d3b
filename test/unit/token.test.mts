import fc from 'fast-check';
import { ChainNodeTokenApi } from '../../credentials/ChainNodeTokenApi.credentials';
import { sent } from './support/authenticate.mts';

fc.configureGlobal({ seed: 20261120, numRuns: 300 });

const tokenApi = new ChainNodeTokenApi();
const nodeUrl = 'https://example.com';

const withToken = async (url: string, authToken = 'TOKEN', address = nodeUrl) =>
	(await sent(tokenApi, { nodeUrl: address, authToken }, { url })).url;

describe('a token', () => {
	test.each([
		['', 'https://example.com/TOKEN'],
		['/', 'https://example.com/TOKEN/'],
		['/evm', 'https://example.com/TOKEN/evm'],
		['/evm/', 'https://example.com/TOKEN/evm/'],
		['https://example.com', 'https://example.com/TOKEN'],
		['https://example.com/', 'https://example.com/TOKEN/'],
		['https://example.com/evm?a=1', 'https://example.com/TOKEN/evm?a=1'],
		['https://example.com?a=1', 'https://example.com/TOKEN?a=1'],
		['https://example.com/?a=1', 'https://example.com/TOKEN/?a=1'],
	])('is the first segment of the path: "%s" becomes %s', async (url, expected) => {
		expect(await withToken(url)).toBe(expected);
		const { uri, url: none } = await sent(
			tokenApi,
			{ nodeUrl, authToken: 'TOKEN' },
			{ uri: url === '' ? nodeUrl : url },
		);
		expect(none).toBeUndefined();
		expect(uri).toBe(expected);
	});

	test.each([
		['/evm', 'https://example.com/rpc/TOKEN/evm'],
		['https://example.com/rpc', 'https://example.com/rpc/TOKEN'],
		['https://example.com/rpc/evm', 'https://example.com/rpc/TOKEN/evm'],
	])('comes after the path of the address: %s becomes %s', async (url, expected) => {
		expect(await withToken(url, 'TOKEN', 'https://example.com/rpc/')).toBe(expected);
	});

	test.each(['', '/', '/evm', '/evm?a=1', `${nodeUrl}?a=1`, `${nodeUrl}/?a=1`])(
		'is not added twice: "%s"',
		async (url) => {
			const once = await withToken(url);
			expect(await withToken(String(once))).toBe(once);
		},
	);

	test('of any characters travels encoded, and once', async () => {
		const ascii = fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code));
		const tokens = fc.string({ unit: ascii, minLength: 3, maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(tokens, fc.constantFrom('', '/', '/evm'), async (token, path) => {
				const once = String(await withToken(path, token));
				expect(await withToken(once, token)).toBe(once);
				const [, segment, ...others] = new URL(once).pathname.split('/');
				expect(decodeURIComponent(String(segment))).toBe(token);
				expect(others.map((other) => `/${other}`).join('')).toBe(path);
			}),
		);
	});

	test('loses the white space that copying leaves, and no header is needed', async () => {
		expect(await withToken('/evm', ' TOKEN\n')).toBe('https://example.com/TOKEN/evm');
		const { headers } = await sent(tokenApi, { nodeUrl, authToken: 'T' }, { url: '/' });
		expect(headers).toEqual({});
	});

	test.each(['', ' ', 'two words', 'line\r\nbreak', 'schlüssel'])('is not %p', async (token) => {
		await expect(withToken('/evm', token)).rejects.toThrow(/^The Auth Token of the credential/);
	});
});
