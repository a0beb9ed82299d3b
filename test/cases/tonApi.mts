import assert from 'node:assert/strict';
import type { Case } from './case.mts';

/** The case of the operation that sends a request to any method. Both nodes of TON have this operation. */
export const tonApiRequest: Case = {
	resource: 'api',
	operation: 'request',
	noSchema: 'what a method of any name gives',
	parameters: () => ({ path: 'masterchainInfo' }),
	check: ([item]) => assert.match(JSON.stringify(item?.last), /"seqno":\d+/),
	shown: {
		given: { path: 'masterchainInfo' },
		outcome: {
			last: {
				workchain: -1,
				shard: '8000000000000000',
				seqno: 50_000_000,
				gen_utime: '1768471200',
				global_id: -3,
			},
		},
	},
	faults: [
		{
			travels: 'rest',
			asks: { path: '={{ "transactions/" + $json.mark }}' },
			answer: { transactions: [] },
			takesAny: true,
		},
		{
			about: 'by POST',
			travels: 'once',
			asks: {
				httpMethod: 'POST',
				path: 'message',
				body: '={{ JSON.stringify({ boc: $json.mark }) }}',
			},
			answer: { message_hash: 'hash' },
			takesAny: true,
		},
	],
};
