import { COINS } from '../../chain/payment';
import type { RpcReader } from '../../chain/reader';
import { formatTokenName, type TokenInfo } from '../../chain/tokens';
import { RequestFailure } from '../../errors/requestFailure';
import { MAX_UINT256 } from '../../values/numbers';
import { parseField, InvalidValue } from '../../values/parse';
import { checkNotOwnContract } from '../../values/receiver';
import { formatUnits, unitsParser } from '../../values/units';
import { formatFelt } from '../felts';
import { computeSelector } from '../selectors';
import { encodeAmount, FEE_TOKEN, readTokenInfos } from '../tokens';
import type { Intent } from './prepare';
import { raise } from '../../errors/raise';

const TRANSFER_SELECTOR = computeSelector('transfer');

/** Plans to pay in an ERC-20 token. */
export async function planTokenTransfer(node: RpcReader, p: TokenTransfer): Promise<Intent> {
	const { token, to } = p;
	checkNotOwnContract('To', formatFelt(to), formatFelt(token));
	const info = (await readTokenInfos(node, [token]))(token);
	const units = parseTokenAmount(p, info);
	const calldata = [to, ...encodeAmount(units)];
	return {
		calls: [{ contract: token, selector: TRANSFER_SELECTOR, calldata }],
		sentences: [`Send ${formatPaid(units, token, info)} to ${formatFelt(to)}`],
		paid: token === FEE_TOKEN ? units : 0n,
	};
}

/** Coins are known by their address; of any other token, the address comes before its own words. */
function formatPaid(units: bigint, token: bigint, info: TokenInfo): string {
	const whole = formatUnits(units, info.decimals ?? 0);
	return token === FEE_TOKEN
		? `${whole} ${COINS.stark.symbol}`
		: `${whole} of ${formatTokenName(formatFelt(token), info)}`;
}

interface TokenTransfer {
	readonly to: bigint;
	readonly token: bigint;
	/** The amount in whole tokens, as decimal text. */
	readonly amount: string;
}

function parseTokenAmount(given: TokenTransfer, { decimals }: TokenInfo): bigint {
	if (decimals === null) throw noDecimalsError(given.token);
	const units = parseField('Amount', given.amount, unitsParser(decimals));
	return units <= MAX_UINT256
		? units
		: parseField('Amount', given.amount, () =>
				raise(new InvalidValue('an amount of at most 256 bits')),
			);
}

function noDecimalsError(token: bigint): RequestFailure {
	return new RequestFailure(`The token at ${formatFelt(token)} gives no decimals`, {
		description:
			'An amount of whole tokens means nothing without them. There may be no token at this address; otherwise call its function with an amount in its smallest unit.',
	});
}
