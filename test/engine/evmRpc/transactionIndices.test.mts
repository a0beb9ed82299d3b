import type { INodeParameters } from 'n8n-workflow';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { runNode } from '../../harness/engine.mts';
import { createFakeNode } from '../../harness/fakeNode.mts';
import {
	ALICE,
	getLogNamesBetween,
	getLogNames,
	type LogRepetition,
	serveTransfers,
} from '../../harness/fakeChain.mts';

const node = createFakeNode();

async function named(parameters: INodeParameters): Promise<string[]> {
	const { items, error } = await runNode({
		node: new EvmRpc(),
		parameters: { fromBlock: 1, returnAll: true, ...parameters },
		credentials: node.credentials,
	});
	expect(error).toBeUndefined();
	return getLogNames(items.map(({ json }) => json));
}

const transfers = { resource: 'token', operation: 'getTransfers', accounts: ALICE };
const logs = { resource: 'log', operation: 'getAll' };

describe.each<[LogRepetition, string, number]>([
	['once', 'all blocks', Infinity],
	['once', 'three blocks', 3],
	['twice', 'all blocks', Infinity],
	['twice', 'three blocks', 3],
])(
	'of logs that count within their transaction, which a node names %s and searches %s at a time',
	(times, _range, most) => {
		beforeEach(() => serveTransfers(node, times, most));

		test.each<[string, INodeParameters]>([
			['transfers from or to an account', transfers],
			['all transfers', { ...transfers, accounts: '' }],
			['logs', logs],
			['logs as the node gives them', { ...logs, simplify: false }],
		])('%s come once each, in the order of the chain', async (_what, parameters) => {
			expect(await named(parameters)).toEqual(getLogNamesBetween(1, node.height));
		});

		test.each<[string, INodeParameters]>([
			['transfers', transfers],
			['logs', logs],
		])('a limit takes the first %s', async (_what, parameters) => {
			const some = { ...parameters, returnAll: false, limit: 9 };
			expect(await named(some)).toEqual(getLogNamesBetween(1, node.height).slice(0, 9));
		});
	},
);
