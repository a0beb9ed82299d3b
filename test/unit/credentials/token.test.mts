import fc from 'fast-check';
import { ChainNodeTokenApi } from '../../../credentials/ChainNodeTokenApi.credentials';
import { buildSocketAddress } from '../../../credentials/webSocket';
import { createRedactor } from '../../../nodes/core/net/http/secrets';
import { authenticateRequest } from '../support/authenticate.mts';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const tokenApi = new ChainNodeTokenApi();
const nodeUrl = 'https://example.com';

const withToken = async (url: string, authToken = 'TOKEN', address = nodeUrl) =>
	(await authenticateRequest(tokenApi, { nodeUrl: address, authToken }, { url })).url;

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
		const { uri, url: none } = await authenticateRequest(
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
		const { headers } = await authenticateRequest(
			tokenApi,
			{ nodeUrl, authToken: 'T' },
			{ url: '/' },
		);
		expect(headers).toEqual({});
	});

	test.each(['', ' ', 'two words', 'line\r\nbreak', 'schlüssel'])('is not %p', async (token) => {
		await expect(withToken('/evm', token)).rejects.toThrow(/^The Node Address of the credential/);
	});
});

describe('a whole address in the field of the token', () => {
	const key = '0123456789abcdef0123456789abcdef';

	test.each([
		[`https://node.example.com/${key}`, 'https://node.example.com/'],
		[`https://node.example.com/${key}/`, 'https://node.example.com/'],
		[` https://node.example.com/${key}/evm `, 'https://node.example.com/'],
		[`wss://node.example.com/ws/${key}`, 'https://node.example.com/'],
		[`wss://node.example.com/${key}/evm`, 'https://node.example.com/'],
		[`HTTPS://node.example.com:8443/rpc/${key}`, 'https://node.example.com:8443/rpc/'],
		[`http://127.0.0.1:8545/${key}`, 'http://127.0.0.1:8545/'],
	])('%s leads below %s', async (address, below) => {
		for (const url of ['', '/evm', '/wallet/listwitnesses?visible=true']) {
			expect(await withToken(url, address, '')).toBe(below + key + url);
		}
		const own = `${below}evm`;
		expect(await withToken(own, address, '')).toBe(`${below}${key}/evm`);
	});

	test('may stand beside the address of the same host, but of no other', async () => {
		const whole = `https://example.com/${key}`;
		expect(await withToken('/evm', whole)).toBe(`https://example.com/${key}/evm`);
		await expect(withToken('/evm', whole, 'https://other.example.com')).rejects.toThrow(
			"'Node Address' and 'Address Without Token' of the credential lead to different servers",
		);
	});

	test('gives the WebSocket its address: the one that was given, or the documented one', () => {
		const socket = (authToken: string) => buildSocketAddress({ nodeUrl: '', authToken }, '').url;
		const whole = `wss://node.example.com/${key}/evm`;
		expect(socket(whole)).toBe(whole);
		expect(socket(`https://node.example.com/${key}/evm`)).toBe(`wss://node.example.com/ws/${key}`);
	});

	test.each([
		['http://node.example.com/secret', /must begin with https/],
		['https://secret:x@node.example.com/y', /must not contain a user name/],
		['https://node.example.com/secret?x=1', /must not contain \? or #/],
		['https://', /must be a full address/],
	])('%s is refused, and not shown', async (address, why) => {
		const refused = withToken('/evm', address, '');
		await expect(refused).rejects.toThrow(why);
		await expect(refused).rejects.not.toThrow(/secret/);
	});

	test.each(['https://node.example.com', 'https://node.example.com/', 'wss://node.example.com'])(
		'%s belongs to a node without a token',
		async (whole) => {
			const ask = async (path: string) => await withToken(path, whole, '');
			expect(await ask('')).toBe('https://node.example.com');
			expect(await ask('/')).toBe('https://node.example.com/');
			expect(await ask('/evm?a=1')).toBe('https://node.example.com/evm?a=1');
			expect(await ask('https://other.example.com/x')).toBe('https://other.example.com/x');
			const socket = buildSocketAddress({ nodeUrl: '', authToken: whole }, '');
			expect(new URL(socket.url).href).toBe('wss://node.example.com/');
		},
	);

	test('is struck from words whole, and so is the token in it', () => {
		const authToken = `https://node.example.com/${key}/evm`;
		const { redact } = createRedactor(tokenApi.properties, { nodeUrl: '', authToken });
		expect(redact(`No ${authToken}, no ${key}, no ${encodeURIComponent(authToken)}.`)).toBe(
			'No ***, no ***, no ***.',
		);
	});
});

describe('an address that holds a token', () => {
	const long = '0123456789abcdef0123456789abcdef';

	test.each([
		`https://example.com/${long}`,
		'https://example.com/TOKEN',
		'wss://example.com/ws/TOKEN',
	])('%s is refused with advice, and not shown', async (address) => {
		const refused = withToken('/evm', 'TOKEN', address);
		await expect(refused).rejects.toThrow(
			"The field 'Address Without Token' of the credential must not contain the access token",
		);
		await expect(refused).rejects.not.toThrow(long);
	});
});
