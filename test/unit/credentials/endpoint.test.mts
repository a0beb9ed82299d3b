import { getEndpoint, getPathBelow } from '../../../credentials/endpoint';
import { InvalidInput } from '../../../nodes/core/errors/invalidInput';

describe('the address of a credential', () => {
	test.each([
		['https://example.com', 'https://example.com', ''],
		['https://example.com/', 'https://example.com', ''],
		[' https://EXAMPLE.com:443// ', 'https://example.com', ''],
		['https://example.com:8443/rpc/', 'https://example.com:8443', '/rpc'],
		['https://example.com/a/b', 'https://example.com', '/a/b'],
		['wss://example.com', 'https://example.com', ''],
		['wss://example.com:443/ws', 'https://example.com', '/ws'],
		['http://localhost:8545', 'http://localhost:8545', ''],
		['http://127.0.0.1:8545/', 'http://127.0.0.1:8545', ''],
		['http://127.1.2.3', 'http://127.1.2.3', ''],
		['http://[::1]:8545', 'http://[::1]:8545', ''],
		['ws://localhost:8546', 'http://localhost:8546', ''],
	])('%s leads to %s and "%s"', (address, origin, prefix) => {
		expect(getEndpoint({ nodeUrl: address })).toEqual({ origin, prefix });
		expect(getEndpoint({ baseUrl: address })).toEqual({ origin, prefix });
	});

	test.each([
		['', /must be a full address/],
		[' ', /must be a full address/],
		['example.com', /must be a full address/],
		['/evm', /must be a full address/],
		['https://', /must be a full address/],
		['http://example.com', /must begin with https/],
		['ws://example.com', /must begin with https/],
		['ftp://example.com', /must begin with https/],
		['file:///etc/passwd', /must begin with https/],
		['http://127.0.0.1.example.com', /must begin with https/],
		['http://localhost.example.com', /must begin with https/],
		['http://10.0.0.1', /must begin with https/],
		['http://0.0.0.0', /must begin with https/],
		['https://user@example.com', /must not contain a user name or password/],
		['https://user:pass@example.com', /must not contain a user name or password/],
		['https://localhost:pass@example.com', /must not contain a user name or password/],
		['https://example.com/?token=x', /must not contain \? or #/],
		['https://example.com/#x', /must not contain \? or #/],
	])('is refused by its name: %p', (address, why) => {
		for (const [name, label] of [
			['nodeUrl', 'Node Address'],
			['baseUrl', 'Base URL'],
		] as const) {
			const read = () => getEndpoint({ [name]: address });
			expect(read).toThrow(InvalidInput);
			expect(read).toThrow(why);
			expect(read).toThrow(`The ${label} of the credential`);
		}
	});
});

describe('a credential without an address', () => {
	test('is refused by the field that is missing', () => {
		expect(() => getEndpoint({})).toThrow(
			'The Node Address of the credential must be a full address',
		);
	});
});

describe('the path below an endpoint', () => {
	const bare = getEndpoint({ nodeUrl: 'https://example.com' });
	const deep = getEndpoint({ nodeUrl: 'https://example.com/rpc/' });

	test.each([
		['', ''],
		['/', '/'],
		['/evm', '/evm'],
		['evm', '/evm'],
		['https://example.com', ''],
		['https://example.com/', '/'],
		['https://example.com:443/evm', '/evm'],
		['HTTPS://EXAMPLE.com/evm/', '/evm/'],
		['https://example.com/evm?page=2', '/evm?page=2'],
		['https://example.com?page=2', '?page=2'],
		['https://example.com/?page=2', '/?page=2'],
		['https://user:pass@example.com/evm', '/evm'],
	])('of %p is %p', (target, path) => {
		expect(getPathBelow(bare, target)).toBe(path);
	});

	test.each([
		['https://example.com/rpc', ''],
		['https://example.com/rpc/', '/'],
		['https://example.com/rpc/evm', '/evm'],
		['/evm', '/evm'],
	])('that has a path of its own: of %p is %p', (target, path) => {
		expect(getPathBelow(deep, target)).toBe(path);
	});

	test.each([
		['another host', 'https://example.org/evm'],
		['a host below it', 'https://a.example.com/evm'],
		['a host that begins alike', 'https://example.com.evil.org/evm'],
		['a user name that looks like it', 'https://example.com@evil.org/evm'],
		['another port', 'https://example.com:8443/evm'],
		['plain http', 'http://example.com/evm'],
		['another scheme', 'ftp://example.com/evm'],
		['no address at all', 'javascript:alert(1)'],
	])('is none for %s', (_, target) => {
		expect(getPathBelow(bare, target)).toBeUndefined();
	});

	test.each([
		'https://example.com/',
		'https://example.com/rpcs',
		'https://example.com/other',
		'https://example.com/rpc/../other',
		'https://example.com/rpc/%2e%2e/other',
	])('that has a path of its own is none for %s', (target) => {
		expect(getPathBelow(deep, target)).toBeUndefined();
	});
});
