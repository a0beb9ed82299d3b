import type { TokenPayment } from '../chain/arrival';
import { SOMETHING_ELSE, type SignedPayment } from '../chain/ownPayment';
import { COINS } from '../chain/payment';
import type { RpcReader } from '../chain/reader';
import { undefinedIfFailed } from '../chain/sending';
import { NO_FACTS, type TokenFacts } from '../chain/tokens';
import { formatFelt } from './felts';
import { computeSelector } from './selectors';
import type { SentInvoke } from './sentInvoke';
import { decodeAmount, FEE_TOKEN, readTokenFacts } from './tokens';

/**
 * Reads the single token transfer that a transaction makes. A transaction that does anything else counts as a payment
 * to nobody.
 */
export async function readSignedPayment(
	reader: RpcReader,
	invoke: SentInvoke,
): Promise<SignedPayment> {
	const from = formatFelt(invoke.hashed.sender);
	const transfer = findTokenTransfer(invoke);
	if (!transfer) return { ...SOMETHING_ELSE, from };
	const { token, to, value } = transfer;
	const isCoin = token === formatFelt(FEE_TOKEN);
	const facts = (await findTokenFacts(reader, token)) ?? NO_FACTS;
	return { ...SOMETHING_ELSE, from, to, token: isCoin ? null : token, ...facts, value };
}

/**
 * Finds the facts about a token. Returns undefined if the node does not give them. The facts about the coin are
 * known.
 */
export async function findTokenFacts(
	reader: RpcReader,
	token: string,
): Promise<TokenFacts | undefined> {
	if (token === formatFelt(FEE_TOKEN)) return COINS.stark;
	const address = BigInt(token);
	const factsOf = await readTokenFacts(reader, [address]).catch(undefinedIfFailed);
	return factsOf?.(address);
}

const TRANSFER_SELECTOR = computeSelector('transfer');

/**
 * Finds the single token transfer in the calls of a transaction. Returns undefined if it does anything else. Only the
 * calldata layout of Cairo 1 is recognized.
 */
export function findTokenTransfer({ hashed }: SentInvoke): TokenPayment | undefined {
	const [count, token, selector, length, to, low, high, ...rest] = hashed.calldata;
	const isTransfer = count === 1n && selector === TRANSFER_SELECTOR && length === 3n;
	if (!isTransfer || token === undefined || to === undefined || rest.length > 0) return undefined;
	const value = decodeAmount([low, high].filter((one) => one !== undefined));
	if (value === null) return undefined;
	return {
		token: formatFelt(token),
		from: formatFelt(hashed.sender),
		to: formatFelt(to),
		value,
	};
}
