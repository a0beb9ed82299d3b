import { adviceToSendTheSame } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { sendInvoke } from '../core/stark/send';
import { parseSentInvoke } from '../core/stark/sentInvoke';
import { openNode, prefixOptions, path } from './fields';

const signedTransaction = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	required: true,
	default: '={{ $json.transaction }}',
	placeholder:
		'e.g. {"type":"INVOKE","version":"0x3","sender_address":"0x1","nonce":"0x1","calldata":["0x1"],"signature":["0x1","0x2"],"resource_bounds":{"l1_gas":{"max_amount":"0x0","max_price_per_unit":"0x1"},"l2_gas":{"max_amount":"0x1","max_price_per_unit":"0x1"},"l1_data_gas":{"max_amount":"0x1","max_price_per_unit":"0x1"}},"tip":"0x0","paymaster_data":[],"account_deployment_data":[],"nonce_data_availability_mode":"L1","fee_data_availability_mode":"L1"}',
	description: 'The signed transaction as JSON, or the whole item, from Chain Signer',
	hint: 'To try again, enter the same signed transaction: a newly prepared transaction could pay a second time',
	builderHint: {
		propertyHint: 'Leave it out after Chain Signer.',
		placeholderSupported: false,
	},
	parse: parseSentInvoke,
} as const satisfies Field;

export const send = rpcOperation({
	name: 'Send',
	action: 'Send signed transaction',
	description:
		'Send a signed transaction to the chain, at most once. This spends the fee and the payment. Items are sent one after another, in their order.',
	advice: adviceToSendTheSame,
	fields: [signedTransaction, path, prefixOptions],
	async *run(p, chain) {
		const { hash, wasKnown } = await sendInvoke(chain, openNode(chain, p), p.transaction);
		yield { result: hash, transactionHash: hash, wasKnown };
	},
});
