import assert from 'node:assert/strict';
import type { NodeCases } from './case.mts';

/** A transfer of 0.1 TON with a comment, signed for the wallet that lives at every address of the sandbox. */
export const TON_MESSAGE = {
	address: 'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
	body: 'te6cckEBAgEAkAABnGIffYtEDi00SI1hxlpMB21qS1dyvzPlsznnVVaU4ssczbEZBljxXAi6YTDiMp5koqBwLf1YdM13gdiujRSRUAwpqaMX/////wAAAAAAAwEAekIAKrYXY930G8NrC+dlvhfNzivfRpmbwJW6iJJTzZuzGsmgL68IAAAAAAAAAAAAAAAAAAAAAAAAaGVsbG8EOJ5v',
};

const FEES = { in_fwd_fee: 1, storage_fee: 1, gas_fee: 1, fwd_fee: 1 };

export const tonFee: NodeCases = {
	node: 'tonFee',
	accesses: ['token', 'basicAuth'],
	cases: [
		{
			resource: 'fee',
			operation: 'estimate',
			parameters: () => TON_MESSAGE,
			check: ([item]) => {
				const { total, ...parts } = item?.source_fees as Record<string, number | string>;
				const sum = Object.values(parts)
					.filter((part) => Number.isInteger(part))
					.reduce<number>((before, part) => before + Number(part), 0);
				assert.ok(sum > 0);
				assert.equal(total, String(sum));
			},
			faults: [
				{
					travels: 'rest',
					asks: {
						address: '={{ "0:" + $json.mark + "0".repeat(24) }}',
						body: 'te6cckEBAQEAAgAAAEysuc0=',
					},
					answer: { source_fees: FEES, destination_fees: FEES },
				},
			],
		},
		{
			resource: 'api',
			operation: 'request',
			noSchema: 'what a method of any name gives',
			parameters: () => ({ path: 'masterchainInfo' }),
			check: ([item]) => assert.match(JSON.stringify(item?.last), /"seqno":\d+/),
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
		},
	],
};
