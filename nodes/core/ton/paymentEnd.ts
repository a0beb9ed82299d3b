import { judgeArrival } from '../chain/arrival';
import type { PaymentOutcome } from '../chain/ownPayment';
import type { TokenFacts } from '../chain/tokens';
import { invalidResponseError } from '../net/responses/response';
import type { TonAccount } from './address';
import { parseJettonReceipt, parseJettonSending } from './bodies';
import type { Cell } from './cell';
import { isJettonReceipt } from './jettonTransfers';
import { formatFirstFailure, type MessageTree } from './messageTree';
import { readOnlyMessage } from './otherTransfer';
import { isSameAccount, type TonTransaction } from './transactions';

type End = Pick<PaymentOutcome, 'status' | 'reason'>;

const PAID: End = { status: 'confirmed', reason: null };

/**
 * Says whether a payment has arrived. Coins have arrived unless they came back. Jettons have arrived when the
 * receiver's jetton wallet has taken them. Later steps of contracts, such as a notification, cannot undo an arrival.
 * The payment is read from the signed body, because the service may leave out bodies.
 */
export async function judgePayment(
	tree: MessageTree,
	signed: Cell,
	readFacts: (jettonWallet: TonAccount) => Promise<TokenFacts | undefined>,
): Promise<End> {
	const reason = formatFirstFailure(tree);
	const whole: End = reason === null ? PAID : { status: 'failed', reason };
	const { root } = tree;
	const sent = root?.transaction.outgoing.filter(({ to }) => to !== null) ?? [];
	const [only] = sent;
	if (!root || root.transaction.outcome.failure) return whole;
	const wanted = readOnlyMessage(signed);
	if (wanted && !(sent.length === 1 && only?.to && isSameAccount(only.to, wanted.to)))
		throw invalidResponseError('the message that was signed', sent);
	if (!only || sent.length > 1) return whole;
	const arrived = tree.find(only.hash);
	if (!arrived) return whole;
	const { body } = wanted ?? only;
	const order = body && parseJettonSending(body);
	if (!order) return arrived.outcome.hasBounced ? whole : PAID;
	const taken = arrived.outcome.failure ? 0n : findTaken(tree, arrived);
	if (taken === 0n && reason !== null) return whole;
	if (taken === 0n && arrived.outgoing.some((one) => one.to !== null && one.body === null))
		throw invalidResponseError('the messages of the jetton wallet', arrived.outgoing);
	const amounts = { arrived: taken, left: taken };
	return await judgeArrival(order.amount, amounts, async () => await readFacts(arrived.account));
}

/**
 * Finds how many jettons the receiver's jetton wallet has taken: none if any jettons came back. `order` is the
 * transaction of the payer's jetton wallet. It sends several messages if others get a share. The largest amount is
 * the receiver's.
 */
function findTaken(tree: MessageTree, order: TonTransaction): bigint {
	const receipts = order.outgoing.filter(isJettonReceipt);
	const haveKept = receipts.every(({ hash }) => {
		const taken = tree.find(hash);
		return taken !== undefined && hasKept(taken);
	});
	if (!haveKept) return 0n;
	const amounts = receipts.map(({ body }) => (body && parseJettonReceipt(body)?.amount) ?? 0n);
	return amounts.reduce((most, one) => (one > most ? one : most), 0n);
}

/**
 * Whether a jetton wallet has kept the jettons. It has also kept them if it could not pay for a further message, and
 * left that message out.
 */
function hasKept({ outcome: { failure, hasBounced, exitCode } }: TonTransaction): boolean {
	const isLeftOut = failure?.phase === 'skippedAction';
	return exitCode !== null && !hasBounced && (failure === null || isLeftOut);
}
