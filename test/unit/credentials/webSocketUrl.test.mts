import { buildSocketAddress } from '../../../credentials/webSocket';
import { triggerOptions } from '../../../nodes/EvmRpcTrigger/options';
import { InvalidInput } from '../../../nodes/core/errors/invalidInput';

const [, { parse }] = triggerOptions.options;

describe("the field 'WebSocket URL'", () => {
	test.each([
		[undefined, ''],
		['', ''],
		[' wss://node.example.com/ws/<TOKEN> ', 'wss://node.example.com/ws/<TOKEN>'],
		['WSS://node.example.com', 'WSS://node.example.com'],
		['wss://node.example.com:8443/a?b=<TOKEN>', 'wss://node.example.com:8443/a?b=<TOKEN>'],
		['wss://node.example.com?key=1', 'wss://node.example.com?key=1'],
		['ws://localhost:8546', 'ws://localhost:8546'],
		['ws://127.0.0.1/ws', 'ws://127.0.0.1/ws'],
		['ws://[::1]:8546/ws', 'ws://[::1]:8546/ws'],
	])('%j is %j', (given, wanted) => expect(parse(given)).toBe(wanted));

	test.each([
		'https://node.example.com',
		'http://localhost:8546',
		'node.example.com/secret',
		'ws://node.example.com/secret',
		'ws://localhost.example.com/secret',
		'ws://127.0.0.1.example.com/secret',
		'ws://127.0.0.1:80@node.example.com/secret',
		'wss://user:secret@node.example.com',
		'wss://user@node.example.com/secret',
		'wss://node.example.com/#secret',
		'wss://node.example.com:99999/secret',
		'wss://[secret]/',
		'wss://<TOKEN>.example.com',
		'wss://node.example.com/a secret',
		'wss://',
		'wss:secret',
	])('%j is refused, and not shown', (given) => {
		expect(() => parse(given)).toThrow(InvalidInput);
		expect(() => parse(given)).toThrow(/^'WebSocket URL' must be a full address/);
		expect(() => parse(given)).not.toThrow(/secret/);
	});
});

describe('the address of a WebSocket', () => {
	const withToken = (nodeUrl: string, authToken = 'a/b') => ({ nodeUrl, authToken });
	const withPassword = (nodeUrl: string) => ({ nodeUrl, username: 'me', password: 'pass' });
	const basic = { Authorization: `Basic ${Buffer.from('me:pass').toString('base64')}` };

	test.each([
		['https://a.com', '', 'wss://a.com/ws/a%2Fb'],
		['https://a.com:8443/x/', '', 'wss://a.com:8443/x/ws/a%2Fb'],
		['wss://a.com/x/ws', '', 'wss://a.com/x/ws/a%2Fb'],
		['http://localhost:1', '', 'ws://localhost:1/ws/a%2Fb'],
		['https://a.com', 'wss://a.com/<TOKEN>/evm', 'wss://a.com/a%2Fb/evm'],
		['https://a.com/x', 'wss://a.com/<auth_token>?k=<Token>', 'wss://a.com/a%2Fb?k=a%2Fb'],
		['https://a.com', 'wss://A.com:443/<TOKEN>', 'wss://A.com:443/a%2Fb'],
		['https://a.com', 'wss://a.com/typed', 'wss://a.com/typed'],
		['https://a.com', 'wss://b.com/typed', 'wss://b.com/typed'],
	])('of %s, given "%s", with a token', (nodeUrl, given, url) => {
		expect(buildSocketAddress(withToken(nodeUrl), given)).toEqual({ url, headers: {} });
	});

	test.each([
		['wss://b.com/<TOKEN>'],
		['wss://a.com.b.com/<TOKEN>'],
		['wss://a.com:8443/<TOKEN>'],
		['wss://b.com/?k=<TOKEN>'],
		['ws://a.com/<TOKEN>'],
	])('%s gets no token of a.com', (given) => {
		const get = () => buildSocketAddress(withToken('https://a.com'), given);
		expect(get).toThrow(InvalidInput);
		expect(get).toThrow('leads to another server');
	});

	test('a token is not a pattern', () => {
		const { url } = buildSocketAddress(withToken('https://a.com', "$&$'x"), 'wss://a.com/<TOKEN>');
		expect(url).toBe("wss://a.com/%24%26%24'x");
	});

	test.each([
		['', 'wss://a.com/ws', basic],
		['wss://a.com/streams', 'wss://a.com/streams', basic],
		['wss://b.com/ws', 'wss://b.com/ws', {}],
		['wss://a.com:8443/ws', 'wss://a.com:8443/ws', {}],
		['ws://a.com/ws', 'ws://a.com/ws', {}],
		['wss://a.com.b.com/ws', 'wss://a.com.b.com/ws', {}],
	])('given "%s", with a name and a password', (given, url, headers) => {
		expect(buildSocketAddress(withPassword('https://a.com'), given)).toEqual({ url, headers });
	});

	test.each([
		[withToken('https://a.com', ''), /Node Address of the credential is empty/],
		[withToken('https://a.com', '..'), /consists of dots alone/],
		[withToken('http://a.com'), /must begin with https/],
		[{ nodeUrl: 'https://a.com', username: 'a:b', password: 'x' }, /must not contain a colon/],
		[{ nodeUrl: 'https://a.com', username: '', password: 'x' }, /is empty/],
	])('%j is refused', (credential, why) => {
		expect(() => buildSocketAddress(credential, '')).toThrow(why);
	});
});
