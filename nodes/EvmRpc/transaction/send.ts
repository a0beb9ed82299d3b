import { adviceToSendTheSame } from '../../core/errors/requestFailure';
import { parseSignedTransaction, sendTransaction } from '../../core/evm/send';
import type { Field } from '../../core/operation/field';
import { pathField } from '../../core/operation/path';
import { rpcOperation } from '../../core/protocols/rpc/operation';

const signedTransaction = {
	displayName: 'Signed Transaction',
	name: 'signedTransaction',
	type: 'string',
	required: true,
	default: '={{ $json.signedTransaction }}',
	placeholder: 'e.g. 0x02f8730182…',
	description: 'The signed transaction as 0x-hex, from Chain Signer, a wallet or a signing service',
	hint: 'To try again, enter the same signed transaction: a newly prepared transaction could pay a second time',
	builderHint: {
		propertyHint: 'Leave it out after Chain Signer.',
		placeholderSupported: false,
	},
	parse: parseSignedTransaction,
} as const satisfies Field;

export const send = rpcOperation({
	name: 'Send',
	action: 'Send signed transaction',
	description:
		'Send a signed transaction to the chain, at most once. This spends the fee and the payment. Items are sent one after another, in their order.',
	advice: adviceToSendTheSame,
	fields: [signedTransaction, pathField('/')],
	async *run(p, chain) {
		const { hash, wasKnown } = await sendTransaction(chain, p.signedTransaction);
		yield { result: hash, transactionHash: hash, wasKnown };
	},
});
