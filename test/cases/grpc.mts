import assert from 'node:assert/strict';
import type { NodeCases } from './case.mts';

const SERVICE = 'chain.v1.ChainService';
const NUMBER = '19000000';

export const grpc: NodeCases = {
	node: 'grpc',
	accesses: ['xToken'],
	cases: [
		{
			resource: 'service',
			operation: 'listServices',
			check: (items) => assert.ok(items.some(({ service }) => service === SERVICE)),
		},
		{
			resource: 'service',
			operation: 'describe',
			parameters: () => ({ service: SERVICE }),
			check: (items) => {
				const kinds = items.map(({ method, kind }) => [method, kind]);
				assert.deepEqual(Object.fromEntries(kinds), {
					GetBlock: 'unary',
					StreamBlocks: 'serverStreaming',
					CountBlocks: 'clientStreaming',
					Watch: 'bidirectional',
				});
			},
		},
		{
			resource: 'service',
			operation: 'call',
			noSchema: 'the schema of the service says what comes out',
			parameters: () => ({
				service: SERVICE,
				method: 'GetBlock',
				request: `{ "number": "${NUMBER}" }`,
			}),
			check: ([item]) => assert.equal(item?.number, NUMBER),
		},
	],
};
