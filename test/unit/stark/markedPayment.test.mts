import type { RpcReader } from '../../../nodes/core/chain/reader';
import { readMarkedPayment } from '../../../nodes/core/stark/markedPayment';

const OTHER_ACCOUNT = '0x5';
const PAYMENT = { to: '0x1', token: '0x2', value: 3n, comment: null, time: 0 };

test('a transaction is asked for by its hash as nodes take it: without leading zeros', async () => {
	const asked: unknown[] = [];
	const node: Pick<RpcReader, 'call'> = {
		call: async (method, params) => {
			if (method !== 'getTransactionByHash') return await Promise.resolve('0x534e5f4d41494e');
			asked.push(params);
			return await Promise.resolve({ sender_address: OTHER_ACCOUNT });
		},
	};
	const hash = `0x0${'1a'.repeat(31)}f`;
	const found = await readMarkedPayment(
		node as RpcReader,
		{ ...PAYMENT, hash },
		{
			from: '0x7',
			mark: { value: 1n, isShared: true },
		},
	);
	expect(found).toBeUndefined();
	expect(asked).toEqual([[`0x${'1a'.repeat(31)}f`]]);
});
