import { InvalidValue, type Field } from '../../nodes/core';
import { starkTransaction } from '../nodes/Signer/starkTransaction';
import { tonTransfer } from '../nodes/Signer/tonTransfer';
import { transaction } from '../nodes/Signer/transaction';
import { witnessTransaction } from '../nodes/Signer/witnessTransaction';

/** Examples of output of Prepare for each family, by the operation that signs it. */
const PREPARED = {
	'Transaction: Sign': { transaction: { chainId: 1, nonce: 0, gas: '21000' } },
	'Witness Transaction: Sign': { txID: '00', raw_data: {}, raw_data_hex: '0a', visible: true },
	'TON Transfer: Sign': { transfer: { walletType: 'v5r1', seqno: 1, messages: [] } },
	'STARK Transaction: Sign': { transaction: { type: 'INVOKE', sender_address: '0x1' } },
};

const OPERATIONS = {
	'Transaction: Sign': transaction,
	'Witness Transaction: Sign': witnessTransaction,
	'TON Transfer: Sign': tonTransfer,
	'STARK Transaction: Sign': starkTransaction,
};

function getRefusal(operation: keyof typeof OPERATIONS, given: unknown): InvalidValue {
	const [{ parse }] = OPERATIONS[operation].operations.sign.fields as readonly [Field];
	try {
		parse!(given);
	} catch (error) {
		if (error instanceof InvalidValue) return error;
		throw error;
	}
	throw new Error('It was taken');
}

const pairs = Object.entries(PREPARED).flatMap(([name, given]) =>
	Object.keys(OPERATIONS)
		.filter((other) => other !== name)
		.map((other) => [name, other as keyof typeof OPERATIONS, given] as const),
);

test.each(pairs)('what is for %s is refused by %s with that name', (name, other, given) => {
	expect(getRefusal(other, given).advice).toBe(`Choose the operation ${name} for it.`);
	expect(getRefusal(other, JSON.stringify(given)).advice).toContain(name);
});

test.each(['', '[]', {}, 'gas', { memo: 1 }])(
	'what is of no family, such as %p, is sent nowhere',
	(given) => {
		expect(getRefusal('TON Transfer: Sign', given).advice).toBeUndefined();
	},
);
