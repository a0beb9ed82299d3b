import { InvalidValue } from '../../../nodes/core/values/parse';
import { blockParser } from '../../../nodes/core/values/numbers';

describe('a block', () => {
	const read = blockParser('latest', 'earliest');

	test.each([
		['latest', 'latest'],
		[' Latest ', 'latest'],
		['EARLIEST', 'earliest'],
		[0, '0x0'],
		['0', '0x0'],
		['19000000', '0x121eac0'],
		[19000000, '0x121eac0'],
		[19000000n, '0x121eac0'],
		['0x121EAC0', '0x121eac0'],
		['0X10', '0x10'],
		['0x0010', '0x10'],
	])('given as %p is sent as %s', (given, sent) => {
		expect(read(given)).toBe(sent);
	});

	test.each([
		'pending',
		'lates',
		'latest earliest',
		-1,
		'-1',
		1.5,
		'1.5',
		'abc',
		'0x',
		'',
		' ',
		null,
		undefined,
		true,
		{},
		{ blockNumber: 1 },
		[],
		['latest'],
	])('is not %p', (given) => {
		expect(() => read(given)).toThrow(InvalidValue);
	});

	test('that is none of the names is refused with the names that are', () => {
		expect(() => read('finalized')).toThrow('latest, earliest, or a block number');
	});
});
