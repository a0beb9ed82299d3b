import { getOpcode, OPCODES } from './bodies';
import { formatFirstFailure, type MessageTree } from './messageTree';
import type { TonTransaction } from './transactions';

/**
 * Says why a payment that is carried out did not succeed; null where it did. Coins have been paid unless they came back, jettons
 * once the receiver's jetton wallet has taken them in: what contracts do afterwards, such as with a notification, undoes nothing.
 */
export function findPaymentFailure(tree: MessageTree): string | null {
	const reason = formatFirstFailure(tree);
	const { root } = tree;
	if (reason === null || !root) return reason;
	const sent = root.transaction.outgoing.filter(({ to }) => to !== null);
	const [only] = sent;
	if (!only || sent.length > 1 || root.transaction.outcome.failure) return reason;
	const arrived = tree.find(only.hash);
	if (!arrived) return reason;
	const opcode = only.body && getOpcode(only.body);
	if (opcode === OPCODES.jettonTransfer) return hasPaidJettons(tree, arrived) ? null : reason;
	return arrived.outcome.hasBounced ? reason : null;
}

/** `order` is what the own jetton wallet made of the message of its owner. */
function hasPaidJettons(tree: MessageTree, order: TonTransaction): boolean {
	if (order.outcome.failure) return false;
	const receipts = order.outgoing.filter(
		({ body }) => body && getOpcode(body) === OPCODES.jettonReceipt,
	);
	const taken = receipts.map(({ hash }) => tree.find(hash));
	return taken.length > 0 && taken.every((one) => one !== undefined && hasKept(one));
}

/** A message that could not be paid for, and was left out, leaves the rest as it is. */
function hasKept({ outcome: { failure, hasBounced, exitCode } }: TonTransaction): boolean {
	const isLeftOut = failure?.phase === 'skippedAction';
	return exitCode !== null && !hasBounced && (failure === null || isLeftOut);
}
