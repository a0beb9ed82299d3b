import { adviceToSendTheSame } from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import { rest } from '../../core/protocols/rest';
import { sendMessage } from '../../core/ton/send';
import { parseSignedMessage } from '../../core/ton/signedTransfer';

const signedMessage = {
	displayName: 'Signed Message',
	name: 'signedMessage',
	type: 'string',
	required: true,
	default: '={{ $json.signedMessage }}',
	placeholder: 'e.g. te6cckEBAgEAqgAB4YgA…',
	description: 'The signed message in base64, as the signer gives it. It is sent unchanged.',
	hint: 'The same signed transfer is carried out once; a new transfer pays again',
	builderHint: {
		propertyHint: 'Leave it out after Chain Signer.',
		placeholderSupported: false,
	},
	parse: parseSignedMessage,
} as const satisfies Field;

export const send = rest({
	name: 'Send',
	action: 'Send signed transfer',
	description:
		'Send a signed transfer to the chain, which spends its fee and its payment. It is carried out at most once. The transfers of a wallet are sent in their order.',
	fields: [signedMessage],
	waits: true,
	advice: adviceToSendTheSame,
	async *run(p, context) {
		const { hash, wasKnown } = await sendMessage(context, p.signedMessage);
		yield { result: hash, messageHash: hash, wasKnown };
	},
});
