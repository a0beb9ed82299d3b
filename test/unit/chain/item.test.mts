import {
	itemParser,
	readStatedFields,
	takeSigned,
	type InnerName,
} from '../../../nodes/core/chain/item';
import { parseSimulatedTransaction } from '../../../nodes/core/evm/simulate/transaction';
import { parseSentInvoke } from '../../../nodes/core/stark/sentInvoke';
import { parseSignedPayment as parseStarkPayment } from '../../../nodes/core/stark/settle';
import { parseSignedPayment as parseWitnessPayment } from '../../../nodes/core/witness/settle';
import { parseSignedTransaction } from '../../../nodes/core/witness/signedTransaction';

const A = `0x${'a'.repeat(40)}`;
const B = `0x${'b'.repeat(40)}`;
const parse = (name: InnerName) => itemParser(name, (given) => given);

test.each([
	['transaction', { to: A, value: '0x10' }, { to: A, value: 16, summary: 'Send', amount: '' }],
	['transaction', { to: A }, { to: A.toUpperCase().replace('0X', '0x'), type: null }],
	['transaction', { sender_address: '0xabc' }, { from: `0x${'abc'.padStart(64, '0')}` }],
	['transaction', { accessList: [{ address: A }] }, { accessList: [{ address: A }] }],
	['transfer', { seqno: 1, messages: [{ to: 'x' }] }, { maxCost: '1', fee: '0.1' }],
] as const)('%s is taken where its item says the same: %j', (name, inner, beside) => {
	expect(parse(name)({ ...beside, [name]: inner })).toEqual(inner);
	expect(parse(name)({ ...beside, [name]: JSON.stringify(inner) })).toEqual(inner);
	expect(parse(name)(JSON.stringify({ ...beside, [name]: inner }))).toEqual(inner);
	expect(parse(name)(inner)).toEqual(inner);
});

test.each([
	[
		'transaction',
		{ to: A },
		{ to: B },
		`'to' is "${B}" in the item, but "${A}" in the item's 'transaction'`,
	],
	[
		'transaction',
		{ to: A },
		{ value: '1' },
		`'value' is "1" in the item, but missing in the item's 'transaction'`,
	],
	['transaction', { data: '0x00' }, { data: '0x0000' }, 'data'],
	['transaction', { value: '01' }, { value: '1' }, 'value'],
	['transaction', { calldata: ['0x1'] }, { calldata: ['0x1', '0x2'] }, 'calldata'],
	['transaction', { sender_address: '0xa' }, { from: '0xb' }, 'from'],
	['transaction', { raw_data: { a: 1 } }, { raw_data: { a: 1, b: 2 } }, 'raw_data'],
	['transfer', { seqno: 1, messages: [{ to: A }] }, { to: B }, 'to'],
	['transaction', { to: A }, { To: B }, `'to' is "${B}" in the item`],
	['transaction', { maxFeePerGas: '0x1' }, { max_fee_per_gas: '0x2' }, 'maxFeePerGas'],
	['transaction', { to: A }, { 'To Address': B }, 'toAddress'],
	['transaction', { to: A }, { to: A, TO: B }, "two different values for 'to'"],
	['transfer', { seqno: 1 }, { transaction: {} }, "two, 'transaction' and 'transfer'"],
	['transfer', { seqno: 1 }, { json: {} }, "two, 'transfer' and 'json'"],
	['transaction', { to: A }, { Transaction: { to: B } }, "two, 'Transaction' and 'transaction'"],
	['transaction', { to: A }, { trаnsaction: { to: B } }, "two, 'trаnsaction' and"],
	['transaction', { to: A }, { tо: B }, `'to' is "0xbb`],
	['transaction', { to: A }, { тο: B }, `'to' is "0xbb`],
	['transaction', { to: A }, { 'to\u200b': B }, `'to' is "0xbb`],
	['transaction', { to: A }, { 'to\u3164': B }, `'to' is "0xbb`],
	['transaction', { to: A }, { 'tó:': B }, `'to' is "0xbb`],
	['transaction', { to: A }, { ｔｏ: B }, `'to' is "0xbb`],
	['transaction', { to: A }, { '𝐭𝐨': B }, `'to' is "0xbb`],
	['transaction', { to: A }, { t0: B }, `'to' is "0xbb`],
	['transaction', { value: '1' }, { vaIue: '2' }, `'value' is "2"`],
	['transaction', { value: '1' }, { 'val\u00adue': '2' }, `'value' is "2"`],
	['transaction', { gasLimit: '1' }, { gasLımit: '2' }, `'gasLimit' is "2"`],
	['transaction', { to: A }, { amounт: '2' }, `'amount' is "2"`],
	['transaction', { to: A }, { '\u202eot': B }, 'without invisible characters in its field names'],
	['transaction', { to: A }, { [`to${'\u200b'.repeat(1000)}`]: B }, 'at most 1000 characters'],
] as const)('%s is refused where its item says otherwise: %j, %j', (name, inner, beside, words) => {
	expect(() => parse(name)({ ...beside, [name]: inner })).toThrow(words);
	expect(() => parse(name)({ ...beside, [name]: JSON.stringify(inner) })).toThrow(words);
	expect(() => parse(name)(JSON.stringify({ ...beside, [name]: inner }))).toThrow(words);
});

test.each([
	`{"to":"${A}","to":"${B}"}`,
	`{"transaction":{"to":"${A}","to":"${B}"}}`,
	`{"transaction":{"to":"${A}"},"transaction":{"to":"${B}"}}`,
	`{"transaction":${JSON.stringify(`{"to":"${A}","t\\u006f":"${B}"}`)}}`,
	`{"a":[{"b":1,"b":1}],"to":"${A}"}`,
])('JSON with a name twice is refused, since people read the first: %s', (text) => {
	expect(() => parse('transaction')(text)).toThrow('no object has the same name twice');
});

test('columns of a table in other languages stay beside a transaction', () => {
	const words = ['от', 'по', 'дата', 'сумма', 'тип', 'των', 'ποσό', '宛先', 'größe', 'données'];
	const beside = Object.fromEntries(words.map((word) => [word, word]));
	expect(parse('transaction')({ ...beside, transaction: { to: A } })).toEqual({ to: A });
});

test('an object with too many fields is refused before they are looked at', () => {
	const beside = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`key${at}`, at]));
	expect(() => parse('transaction')({ ...beside, transaction: {} })).toThrow(
		'at most 10000 fields',
	);
});

test('colons and quotes in texts are no names', () => {
	const given = { to: 'a:"b":{"c":1}', '"x":': [{}, { y: [] }] };
	expect(parse('transaction')(JSON.stringify(given))).toEqual(given);
});

test('an item of something else is refused by what it holds', () => {
	expect(() => parse('transaction')({ json: { transaction: {} } })).toThrow(
		"this item has 'json' instead",
	);
});

const raw = { txID: 'ab'.repeat(32), raw_data: { expiration: 1 }, visible: false };
const signedRaw = { ...raw, signature: ['00'] };
const invoke = {
	...{ type: 'INVOKE', version: '0x3', sender_address: '0xa', nonce: '0x1', calldata: ['0x1'] },
	...{ tip: '0x0', paymaster_data: [], account_deployment_data: [], signature: ['0x1', '0x2'] },
	...{
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
		resource_bounds: {
			l1_gas: { max_amount: '0x0', max_price_per_unit: '0x1' },
			l2_gas: { max_amount: '0x0', max_price_per_unit: '0x1' },
		},
	},
};

/** The operations that take a transaction as input, each with a transaction that it accepts. */
const takers = {
	'Simulate on EVM chains': [
		parseSimulatedTransaction,
		{ from: A, to: A, value: '0x1' },
		{ to: B },
	],
	'Send on the witness chain': [parseSignedTransaction, signedRaw, { txID: 'cd'.repeat(32) }],
	'Send on a STARK rollup': [parseSentInvoke, invoke, { nonce: '0x2' }],
} as const;

test.each(Object.entries(takers))(
	'%s takes an item, and refuses one that says otherwise',
	(_, [take, transaction, other]) => {
		const alone = take(transaction);
		expect(take({ summary: 'Send', transaction })).toEqual(alone);
		expect(() => take({ ...transaction, ...other, transaction })).toThrow(
			'without a contradiction',
		);
		expect(() => take({ to: B, amount: '1', transaction })).toThrow('without a contradiction');
		expect(() => take({ ...transaction, transfer: transaction })).toThrow();
		expect(() => take({ ...transaction, signedTransaction: '0x' })).toThrow();
	},
);

test('a transaction of the witness chain that a node signed beside itself is the signed one', () => {
	const alone = parseSignedTransaction(signedRaw);
	expect(parseSignedTransaction({ summary: 'Send', transaction: raw, ...signedRaw })).toEqual(
		alone,
	);
	const other = { ...raw, raw_data: { expiration: 2 } };
	expect(() => parseSignedTransaction({ transaction: other, ...signedRaw })).toThrow('raw_data');
	expect(() => parseSignedTransaction({ to: B, ...signedRaw })).toThrow("without 'to'");
});

test('what an item says of a payment is left to the family, and the rest is compared', () => {
	const item = { from: A, to: B, amount: '1', nonce: '0x1', paymentId: 'x', comment: null };
	const text = JSON.stringify(invoke);
	expect(takeSigned({ ...item, signedTransaction: text })).toBe(text);
	expect(readStatedFields({ ...item, signedTransaction: text })?.fields).toEqual({
		...{ from: A, to: B, amount: '1' },
	});
	expect(readStatedFields({ ...item, signedMessage: 'te6c' })?.fields).toMatchObject({
		nonce: '0x1',
	});
	expect(() => takeSigned({ ...item, nonce: '0x2', signedTransaction: text })).toThrow('nonce');
	expect(() => takeSigned({ signedMessage: 'te6c', signedTransaction: text })).toThrow('two');
});

test.each([
	['an item', `{"amount":"1","amount":"2","signedTransaction":"0x"}`],
	['a transaction in its item', { signedTransaction: '{"nonce":"0x1","nonce":"0x2"}' }],
])('%s that has a name twice is no signed transaction', (_, given) => {
	expect(() => takeSigned(given)).toThrow('no object has the same name twice');
});

test.each([
	['a STARK rollup', parseStarkPayment, JSON.stringify(invoke)],
	['the witness chain', parseWitnessPayment, JSON.stringify(signedRaw)],
] as const)('a signed transaction of %s by itself has no name twice', (_, take, text) => {
	expect(take(text)).toBeDefined();
	const twice = text.replace('{', '{"signature":["0x9"],');
	expect(() => take(twice)).toThrow('no object has the same name twice');
});
