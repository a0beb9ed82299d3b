import { COINS } from '../../chain/payment';
import type { RpcReader } from '../../chain/reader';
import { formatTokenName, parseTokenAmount, type TokenFacts } from '../../chain/tokens';
import { checkNotOwnContract } from '../../values/receiver';
import { formatUnits } from '../../values/units';
import { formatFelt } from '../felts';
import { computeSelector } from '../selectors';
import { encodeAmount, FEE_TOKEN, readTokenFacts } from '../tokens';
import type { Intent } from './prepare';

const TRANSFER_SELECTOR = computeSelector('transfer');

/** Plans a payment in an ERC-20 token. */
export async function planTokenTransfer(reader: RpcReader, p: TokenTransfer): Promise<Intent> {
	const { token, to } = p;
	checkNotOwnContract('To', formatFelt(to), formatFelt(token));
	const facts = (await readTokenFacts(reader, [token]))(token);
	const units = parseTokenAmount(p.amount, formatFelt(token), facts);
	const calldata = [to, ...encodeAmount(units)];
	return {
		calls: [{ contract: token, selector: TRANSFER_SELECTOR, calldata }],
		sentences: [`Send ${formatPaid(units, token, facts)} to ${formatFelt(to)}`],
		...(token === FEE_TOKEN
			? { paid: units }
			: { paid: 0n, spends: { token, facts, amount: units } }),
	};
}

/**
 * Formats an amount and its token. STRK is recognized by its address. For other tokens, the address comes before the
 * symbol, because a token chooses its own symbol.
 */
function formatPaid(units: bigint, token: bigint, facts: TokenFacts): string {
	const whole = formatUnits(units, facts.decimals ?? 0);
	return token === FEE_TOKEN
		? `${whole} ${COINS.stark.symbol}`
		: `${whole} of ${formatTokenName(formatFelt(token), facts)}`;
}

interface TokenTransfer {
	readonly to: bigint;
	readonly token: bigint;
	/** The amount in whole tokens, as decimal text. */
	readonly amount: string;
}
