import { adviceToSendTheSame } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { restOperation } from '../core/protocols/rest';
import { sendTransaction } from '../core/witness/send';
import { parseSignedTransaction } from '../core/witness/signedTransaction';

const transaction = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '={{ $json.transaction }}',
	placeholder: 'e.g. {"txID": "…", "raw_data": {…}, "signature": ["…"]}',
	description:
		'The signed transaction as JSON, or the whole item, from Chain Signer. It is sent unchanged.',
	hint: 'To try again, enter the same signed transaction: a newly prepared transaction could pay a second time',
	builderHint: {
		propertyHint: 'Leave it out after Chain Signer.',
		placeholderSupported: false,
	},
	parse: parseSignedTransaction,
} as const satisfies Field;

export const broadcast = restOperation({
	name: 'Send',
	action: 'Send signed transaction',
	description:
		'Send a signed transaction to the chain, at most once. This spends the fee and the payment. Items are sent one after another, in their order.',
	fields: [transaction],
	advice: adviceToSendTheSame,
	async *run(p, context) {
		const { hash, wasKnown } = await sendTransaction(context, p.transaction);
		yield { result: true, transactionId: hash, txid: hash, wasKnown };
	},
});
