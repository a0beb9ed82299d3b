import { InvalidValue } from '../../../nodes/core/values/parse';
import { parseApiPath } from '../../../nodes/core/operation/path';

describe('a path of an API', () => {
	test.each([
		['', ''],
		['/', ''],
		[' / ', ''],
		['/evm', '/evm'],
		[' /evm ', '/evm'],
		['/evm/', '/evm/'],
		['/ext/bc/C/rpc', '/ext/bc/C/rpc'],
		['/v1.5/a-b_c~d', '/v1.5/a-b_c~d'],
		['/a...b/..c', '/a...b/..c'],
		['/caf%C3%A9', '/caf%C3%A9'],
		[undefined, ''],
	])('is read from %p', (given, value) => {
		expect(parseApiPath(given)).toBe(value);
	});

	test.each([
		['no slash', 'evm'],
		['parent', '/../x'],
		['parent at the end', '/x/..'],
		['parent inside', '/x/../y'],
		['the same place', '/./x'],
		['encoded parent', '/%2e%2e/x'],
		['encoded parent in capitals', '/%2E%2E/x'],
		['half-encoded parent', '/.%2e/x'],
		['parent before an encoded slash', '/..%2fx'],
		['parent before an encoded backslash', '/..%5Cx'],
		['two slashes', '//'],
		['another host', '//example.com/x'],
		['an empty segment', '/x//y'],
		['a query', '/evm?x'],
		['a fragment', '/evm#x'],
		['white space', '/e vm'],
		['a line break', '/evm\n/x'],
		['a backslash', '/..\\x'],
		['a user name', '/@example.com'],
		['a whole address', 'https://example.com/evm'],
		['a list', ['/evm']],
		['a number', 5],
	])('is refused: %s', (_, given) => {
		expect(() => parseApiPath(given)).toThrow(InvalidValue);
	});
});
