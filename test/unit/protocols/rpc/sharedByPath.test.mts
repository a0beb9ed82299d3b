import { rpcOperation } from '../../../../nodes/core/protocols/rpc/operation';
import type { RpcRequest } from '../../../../nodes/core/protocols/rpc/request';
import { pathField } from '../../../../nodes/core/operation/path';
import { collectResults } from '../../../../nodes/core/run';
import { createContext } from '../../support/chains.mts';
import { createShared, sharedKey } from '../../../../nodes/core/net/pacing/shared';

const DECIMALS = sharedKey('test.decimals', () => new Map<string, unknown>());

/** An operation that reads the decimals of a token only once for all its items. */
const readDecimals = rpcOperation({
	name: 'Read',
	action: 'Read',
	description: 'Read',
	fields: [pathField('/')],
	async *run(_p, chain) {
		const known = chain.shared(DECIMALS);
		if (!known.has('0x01')) known.set('0x01', await chain.call('decimals', []));
		yield known.get('0x01');
	},
});

test('what is known of one chain is not taken for that of another, to which another path leads', async () => {
	const asked: unknown[] = [];
	const call = async ({ path }: RpcRequest) => {
		asked.push(path);
		return await Promise.resolve(path === '/one' ? 6 : 18);
	};
	const context = createContext(call, { shared: createShared() });
	const read = async (path: string) => await collectResults(readDecimals, { path }, context);
	expect([await read('/one'), await read('/two'), await read('/one')]).toEqual([[6], [18], [6]]);
	expect(asked).toEqual(['/one', '/two']);
});
