import { adviceToSendTheSame } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { rpc } from '../core/protocols/rpc/operation';
import { sendInvoke } from '../core/stark/send';
import { parseSentInvoke } from '../core/stark/sentInvoke';
import { openNode, options, path } from './fields';

const signedTransaction = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	required: true,
	default: '',
	placeholder:
		'e.g. {"type":"INVOKE","version":"0x3","sender_address":"0x1","nonce":"0x1","calldata":["0x1"],"resource_bounds":{…},"tip":"0x0",…,"signature":["0x1","0x2"]}',
	description: 'The signed transaction as JSON, as the signer gives it',
	parse: parseSentInvoke,
} as const satisfies Field;

export const send = rpc({
	name: 'Send',
	action: 'Send a signed transaction',
	description:
		'Send a signed transaction to the chain, which spends its fee and what it pays. It is carried out at most once; items are sent in order, one after another.',
	advice: adviceToSendTheSame,
	fields: [signedTransaction, path, options],
	async *run(p, chain) {
		const { hash, wasKnown } = await sendInvoke(chain, openNode(chain, p), p.transaction);
		yield { result: hash, transactionHash: hash, wasKnown };
	},
});
