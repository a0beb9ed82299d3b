import { getRpcMethods, type RecordEntry } from './recording.mts';

/** The request that sends a signed transaction to the chains of each family. */
const SENDERS = {
	evm: { rpcMethod: /^eth_sendRawTransaction$/ },
	witness: { path: '/wallet/broadcasttransaction' },
	ton: { path: '/api/v3/message' },
	stark: { rpcMethod: /^(starknet|l2)_addInvokeTransaction$/ },
} as const;

type SendingFamily = keyof typeof SENDERS;

export type Sending = SendingFamily | 'any';

const FAMILIES = Object.keys(SENDERS) as SendingFamily[];

export const sendingSchema = { enum: [...FAMILIES, 'any'] };

/** Returns whether a request sends a transaction to a chain of the given family. */
export const isSending = (sending: Sending, entry: RecordEntry): boolean =>
	sending === 'any' ? FAMILIES.some((family) => sendsTo(family, entry)) : sendsTo(sending, entry);

function sendsTo(family: SendingFamily, { path, body }: RecordEntry): boolean {
	const sender = SENDERS[family];
	if ('path' in sender) return path === sender.path;
	return getRpcMethods(body).some((method) => sender.rpcMethod.test(String(method)));
}
