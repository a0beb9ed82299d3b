import assert from 'node:assert/strict';
import type { NodeCases, Scene } from './case.mts';
import { tonApiRequest } from './tonApi.mts';

/**
 * A transfer of 0.1 TON with a comment. It is signed with the key of the wallet that the sandbox's emulator puts at
 * every address.
 */
export const TON_MESSAGE = {
	address: 'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
	body: 'te6cckEBAgEAkAABnGIffYtEDi00SI1hxlpMB21qS1dyvzPlsznnVVaU4ssczbEZBljxXAi6YTDiMp5koqBwLf1YdM13gdiujRSRUAwpqaMX/////wAAAAAAAwEAekIAKrYXY930G8NrC+dlvhfNzivfRpmbwJW6iJJTzZuzGsmgL68IAAAAAAAAAAAAAAAAAAAAAAAAaGVsbG8EOJ5v',
};

const FEES = { in_fwd_fee: 1, storage_fee: 1, gas_fee: 1, fwd_fee: 1 };

const buildPayment = ({ ton }: Scene) => ({
	messageBy: 'payment',
	from: ton.payer,
	to: ton.receiver,
	amount: '1.5',
	comment: 'June',
});

export const tonFee: NodeCases = {
	node: 'tonFee',
	accesses: ['token', 'basicAuth'],
	cases: [
		{
			resource: 'fee',
			operation: 'estimate',
			parameters: () => TON_MESSAGE,
			alsoForSchema: (scene) => [buildPayment(scene)],
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
			resource: 'fee',
			operation: 'estimate',
			about: 'of a payment before it is signed',
			parameters: buildPayment,
			check: ([item]) => {
				const { source_fees: source, destination_fees: destinations } = item ?? {};
				const all = [source, destinations].flat() as unknown as Array<{ totalCoins: string }>;
				const sum = all.reduce((before, { totalCoins }) => before + Number(totalCoins), 0);
				assert.ok(Number(item?.totalCoins) > 0);
				assert.equal(Number(item?.totalCoins).toFixed(9), sum.toFixed(9));
			},
		},
		tonApiRequest,
	],
};
