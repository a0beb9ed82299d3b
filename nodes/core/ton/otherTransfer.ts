import { formatUnits, NANOCOIN_DECIMALS } from '../values/units';
import { formatTonAddresses } from './address';
import { getOpcode, OPCODES, parseJettonTransfer } from './bodies';
import type { Cell } from './cell';
import { buildInternalMessage } from './messages';
import { readSignedMessages, type SignedMessageOfWallet } from './signedBody';

/** Whether two transfers of a wallet send the same message with the same payment mark. The times of the transfers may differ. */
export function isSamePayment(own: Cell, other: Cell): boolean {
	const [one, two] = [readOnlyMessage(own), readOnlyMessage(other)];
	if (!one?.mark || one.mark !== two?.mark) return false;
	return isSameMessage(one, two);
}

function isSameMessage(one: SignedMessageOfWallet, other: SignedMessageOfWallet): boolean {
	const [own, two] = [one, other].map(buildInternalMessage) as [Cell, Cell];
	return one.sendMode === other.sendMode && own.hash.equals(two.hash);
}

/**
 * Reads the only message that a transfer sends. Returns undefined if the transfer sends several messages, or cannot
 * be read.
 */
export function readOnlyMessage(body: Cell): SignedMessageOfWallet | undefined {
	const [only, ...others] = readSignedMessages(body) ?? [];
	return others.length === 0 ? only : undefined;
}

/** Describes in a sentence another transfer that has used the sequence number (seqno) of a payment. */
export function describeOther(other: Cell | null | undefined, own: Cell): string {
	if (!other) return 'The service does not say what that transfer does.';
	const message = readOnlyMessage(other);
	if (!message) return 'That transfer sends other messages.';
	const what = describeMessage(message);
	const mine = readOnlyMessage(own);
	return mine && describeMessage(mine) === what
		? `That transfer ${what} as well: it is another payment, with another Payment ID or without one.`
		: `That transfer ${what}.`;
}

function describeMessage({ to, amount, body }: SignedMessageOfWallet): string {
	const order = body && parseJettonTransfer(body);
	const receiver = formatTonAddresses(order?.to ?? to).nonBounceable;
	if (order) {
		const wallet = formatTonAddresses(to).bounceable;
		return `sends ${order.amount} of the smallest unit from the jetton wallet ${wallet} to ${receiver}`;
	}
	const opcode = body && getOpcode(body);
	const isComment = opcode === OPCODES.comment;
	const along = body === null || isComment ? '' : ' with a message';
	return `sends ${formatUnits(amount, NANOCOIN_DECIMALS)} TON to ${receiver}${isComment ? ' with a comment' : along}`;
}
