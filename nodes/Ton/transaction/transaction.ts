import { prepare } from './prepare/prepare';
import { limit, returnAll, simplify, waitFor } from '../../core/operation/sharedFields';
import { readTransactions } from '../../core/ton/accountTransactions';
import { addressFormatter } from '../../core/ton/addressBook';
import { formatTransaction } from '../../core/ton/transactions';
import { restOperation } from '../../core/protocols/rest';
import { address, fromTime, toTime, toTimeRange } from '../fields';
import { adviceToSendTheSame } from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import { sendMessage } from '../../core/ton/send';
import { parseSignedMessage } from '../../core/ton/signedTransfer';
import { parseTonHash } from '../../core/ton/answer';
import { waitForMessage } from '../../core/ton/wait';

const getAll = restOperation({
	name: 'Get Many',
	action: 'Find transactions, such as payments',
	description:
		'Get the transactions of an account, the newest first, with the comments of their messages',
	fields: [address, fromTime, toTime, returnAll, limit, simplify],
	async *run(p, context) {
		const range = toTimeRange(p, context);
		const listed = readTransactions(context, p.address, range, p.limit);
		for await (const { transaction, json, addressBook } of listed) {
			yield p.simplify
				? formatTransaction(transaction, addressFormatter(addressBook, p.address.isTestOnly))
				: json;
		}
	},
});

const signedMessage = {
	displayName: 'Signed Message',
	name: 'signedMessage',
	type: 'string',
	required: true,
	default: '={{ $json.signedMessage }}',
	placeholder: 'e.g. te6cckEBAgEAqgAB4YgA…',
	description: 'The signed message in base64, as Chain Signer gives it. It is sent unchanged.',
	hint: 'To try again, enter the same signed message: a newly prepared transfer could pay a second time',
	builderHint: {
		propertyHint: 'Leave it out after Chain Signer.',
		placeholderSupported: false,
	},
	parse: parseSignedMessage,
} as const satisfies Field;

export const send = restOperation({
	name: 'Send',
	action: 'Send signed transfer',
	description:
		'Send a signed transfer to the chain, at most once. This spends the fee and the payment. The transfers of a wallet are sent in their order.',
	fields: [signedMessage],
	waits: true,
	advice: adviceToSendTheSame,
	async *run(p, context) {
		const { hash, wasKnown } = await sendMessage(context, p.signedMessage);
		yield { result: hash, messageHash: hash, wasKnown };
	},
});

const messageHash = {
	displayName: 'Message Hash',
	name: 'messageHash',
	type: 'string',
	required: true,
	default: '={{ $json.messageHash }}',
	placeholder: 'e.g. 7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc',
	description:
		'The hash of the message that was sent, as Send gives it: 64 hex digits, or 44 characters of base64',
	parse: parseTonHash,
} as const satisfies Field;

const waitForTransfer = { ...waitFor, default: 120 } as const satisfies Field;

export const wait = restOperation({
	name: 'Wait',
	action: 'Wait for transfer to complete',
	description:
		'Wait until a transfer and all messages that it causes are carried out, then get the outcome, even if it failed',
	waits: true,
	fields: [messageHash, waitForTransfer],
	async *run(p, context) {
		yield await waitForMessage(context, p.messageHash, p.waitFor);
	},
});

export const transaction = { name: 'Transaction', operations: { getAll, prepare, send, wait } };
