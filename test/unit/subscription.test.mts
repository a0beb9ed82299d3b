import { Subscription } from '../../nodes/EvmTrigger/subscription';

const named = (name: unknown) => Object.assign(new Subscription(), { name });

test.each([
	['0x1', '0x1'],
	[1, '1'],
	[1, '0x1'],
	['0x01', '0x1'],
	['0xAB', '0xab'],
	['a-b', 'a-b'],
	[undefined, '0x1'],
	[null, '0x1'],
])('a notification to %j is meant by %j', (name, given) => {
	expect(named(name).isMeantBy(given)).toBe(true);
});

test.each([
	['0x1', '0x2'],
	['0x1', undefined],
	['0x1', '0x10'],
	['a', 'b'],
])('one to %j is not meant by %j', (name, given) => {
	expect(named(name).isMeantBy(given)).toBe(false);
});
