import { Subscription } from '../../../nodes/EvmRpcTrigger/connection';

/** Creates a subscription for which the node gives the ID `name`. */
async function named(name: unknown): Promise<Subscription> {
	const call = async () => await Promise.resolve(name);
	const subscription = new Subscription({ call, send: () => {} });
	await subscription.subscribe('newHeads');
	return subscription;
}

test.each([
	['0x1', '0x1'],
	[1, '1'],
	[1, '0x1'],
	['0x01', '0x1'],
	['0xAB', '0xab'],
	['a-b', 'a-b'],
	[undefined, '0x1'],
	[null, '0x1'],
])('a notification to %j is meant by %j', async (name, given) => {
	expect((await named(name)).matches(given)).toBe(true);
});

test.each([
	['0x1', '0x2'],
	['0x1', undefined],
	['0x1', '0x10'],
	['a', 'b'],
])('one to %j is not meant by %j', async (name, given) => {
	expect((await named(name)).matches(given)).toBe(false);
});
