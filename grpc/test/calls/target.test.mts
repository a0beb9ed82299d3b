import { parseTarget } from '../../credentials/target';

const token = { xToken: 'token-0123' };

test.each([
	['node.example.com:443', 'node.example.com:443', false],
	[' node.example.com ', 'node.example.com:443', false],
	['NODE.example.com:50051', 'NODE.example.com:50051', false],
	['my_node:1', 'my_node:1', false],
	['192.0.2.7:65535', '192.0.2.7:65535', false],
	['localhost:5000', 'localhost:5000', true],
	['LOCALHOST', 'LOCALHOST:443', true],
	['127.8.9.1:5000', '127.8.9.1:5000', true],
	['[::1]:5000', '[::1]:5000', true],
	['[2001:db8::1]', '[2001:db8::1]:443', false],
])('%p leads to %s', (endpoint, address, isLoopback) => {
	expect(parseTarget({ endpoint, ...token })).toEqual({
		address,
		isLoopback,
		tls: true,
		token: 'token-0123',
	});
});

test.each([
	'',
	'https://node.example.com',
	'dns:node.example.com:443',
	'unix:/tmp/socket',
	'node.example.com/path',
	'node.example.com:0',
	'node.example.com:65536',
	'node.example.com:https',
	'node.example.com:443:443',
	'user@node.example.com',
	'node example.com',
	'-node.example.com',
	'::1',
	'node.example.com?x',
	'node.example.com,other.example.com',
])('%p is refused', (endpoint) => {
	expect(() => parseTarget({ endpoint, ...token })).toThrow(
		"'Endpoint' of the credential must be host:port such as node.example.com:443",
	);
});

test('TLS may be off for this computer only', () => {
	const plain = (endpoint: string) => parseTarget({ endpoint, tls: false, ...token }).tls;
	expect(['localhost:1', '127.0.0.1:1', '[::1]:1'].map(plain)).toEqual([false, false, false]);
	for (const endpoint of ['node.example.com:1', 'localhost.example.com:1', '128.0.0.1:1']) {
		expect(() => plain(endpoint)).toThrow("'Use TLS' of the credential must be on");
	}
});

test('the token is sent as a header, so it is visible ASCII', () => {
	const endpoint = 'node.example.com';
	expect(parseTarget({ endpoint, xToken: ' abc\n' }).token).toBe('abc');
	for (const xToken of ['', 'a b', 'a\nb', 'é']) {
		expect(() => parseTarget({ endpoint, xToken })).toThrow(/^The X-Token of the credential/);
	}
});
