import { signedTransactionParser } from '../../../nodes/core/chain/signedText';

const evm = `0x02${'ab'.repeat(60)}`;
const ton = 'te6cckEBAgEAhwABUY';
const stark = { type: 'INVOKE', version: '0x3' };
const witness = { txID: 'ab'.repeat(32), raw_data_hex: '0a' };
const parse = (family: 'evm' | 'witness' | 'ton' | 'stark') =>
	signedTransactionParser(family, (given) => given);

test.each([
	['evm', evm, { signedTransaction: evm, nonce: 1 }],
	['ton', ton, { signedMessage: ton, seqno: 1 }],
	['stark', stark, { transaction: stark }],
	['witness', witness, { signedTransaction: witness }],
] as const)('one of the family %s is taken, alone or in its item', (family, alone, item) => {
	expect(parse(family)(alone)).toBe(alone);
	expect(parse(family)(item)).toBe(alone);
});

test.each([
	['evm', ton, 'an EVM chain, but this one is of the TON chain'],
	['evm', { signedTransaction: JSON.stringify(stark) }, 'but this one is of a STARK rollup'],
	['ton', evm, 'the TON chain, but this one is of an EVM chain'],
	['stark', JSON.stringify(witness), 'a STARK rollup, but this one is of TRON'],
	['witness', stark, 'TRON, but this one is of a STARK rollup'],
] as const)('one that is not of the family %s is refused by name: %j', (family, given, words) => {
	expect(() => parse(family)(given)).toThrow(words);
});
