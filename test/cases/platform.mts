import assert from 'node:assert/strict';
import type { NodeCases } from './case.mts';

/** The number of projects in the sandbox. They fill several pages. */
const PROJECTS_COUNT = 237;

export const platform: NodeCases = {
	node: 'platform',
	accesses: ['platform'],
	cases: [
		{
			resource: 'organization',
			operation: 'get',
			check: ([item, ...more]) => {
				assert.deepEqual(more, []);
				assert.equal(typeof item?.id, 'string');
				assert.equal(typeof item?.name, 'string');
			},
		},
		{
			resource: 'project',
			operation: 'getAll',
			parameters: () => ({ returnAll: true, options: { orderBy: '-name' } }),
			check: (items) => {
				const names = items.map(({ name }) => String(name));
				assert.equal(names.length, PROJECTS_COUNT);
				assert.deepEqual(names, [...names].sort().reverse());
			},
			faults: [
				{
					travels: 'rest',
					asks: { filters: { name: '={{ $json.mark }}' } },
					answer: { count: 1, next: null, results: [{ id: 'PR-1' }] },
				},
			],
		},
		{
			resource: 'api',
			operation: 'request',
			parameters: () => ({ path: '/v1/projects/', query: { page: 2, order_by: 'name' } }),
			check: ([page]) => assert.equal(page?.count, PROJECTS_COUNT),
			noSchema: 'what a method of any name gives',
			faults: [
				{
					travels: 'rest',
					asks: { path: '/v1/projects/', query: '={{ { name: $json.mark } }}' },
					takesAny: true,
					takesNothing: true,
					answer: { id: 'PR-1' },
				},
				{
					about: 'what writes',
					travels: 'once',
					asks: {
						httpMethod: 'POST',
						path: '/v1/projects/',
						body: '={{ JSON.stringify({ name: $json.mark }) }}',
					},
					takesAny: true,
					takesNothing: true,
					answer: { id: 'PR-1' },
				},
			],
		},
	],
};
