import type { RpcReader } from '../../chain/reader';
import { formatTokenName, NO_FACTS, parseTokenAmount, type TokenFacts } from '../../chain/tokens';
import { isRefusal, RequestFailure } from '../../errors/requestFailure';
import { MAX_UINT256 } from '../../values/numbers';
import { rethrow, trimText, type Parse } from '../../values/parse';
import { formatUnits, parseAmountText } from '../../values/units';
import { encodeFunctionData, parseFunction } from '../abi/call';
import { checksumAddress } from '../address';
import { readTokenFacts } from '../tokens';
import { checkReceiver, type Intent, type IntentContext, type PlannedIntent } from './intent';
import { raise } from '../../errors/raise';

const TRANSFER_FUNCTION = parseFunction('transfer(address to, uint256 amount) returns (bool)');
const APPROVE_FUNCTION = parseFunction('approve(address spender, uint256 amount) returns (bool)');

/** Plans a payment in an ERC-20 token. */
export function planTokenTransfer(
	p: TokenAmount & { readonly to: string },
	context: IntentContext,
): PlannedIntent {
	checkReceiver('To', p.to, context, p.token);
	return async (reader) => buildTransfer(p, await readCheckedFacts(reader, p, context));
}

const UNLIMITED_WORD = 'unlimited';

/** Parses how much may be spent: an amount in whole tokens, or the word `unlimited`. */
export const parseAllowance: Parse<string> = (given) =>
	trimText(given).toLowerCase() === UNLIMITED_WORD ? UNLIMITED_WORD : parseAmountText(given);

/** Plans a transaction that allows another account or contract to spend an ERC-20 token. */
export function planTokenApproval(
	p: TokenAmount & { readonly spender: string },
	context: IntentContext,
): PlannedIntent {
	checkReceiver('Spender', p.spender, context, p.token);
	return async (reader) => buildApproval(p, await readCheckedFacts(reader, p, context));
}

export interface TokenAmount {
	readonly token: string;
	/** In whole tokens, or unlimited. */
	readonly amount: string;
}

function buildTransfer(p: TokenAmount & { readonly to: string }, facts: TokenFacts): Intent {
	const units = parseTokenAmount(p.amount, p.token, facts);
	const sentence = `Send ${formatWhole(units, facts)} of ${formatTokenName(checksumAddress(p.token), facts)} to ${checksumAddress(p.to)}`;
	const data = encodeFunctionData(TRANSFER_FUNCTION, [p.to, units]);
	const spends = { token: p.token, facts, amount: units };
	return { ...buildTokenCall(p.token, data, sentence), spends };
}

function buildApproval(p: TokenAmount & { readonly spender: string }, facts: TokenFacts): Intent {
	const isUnlimited = p.amount === UNLIMITED_WORD;
	const units = isUnlimited ? MAX_UINT256 : parseTokenAmount(p.amount, p.token, facts);
	const amount = isUnlimited ? 'an unlimited amount' : `up to ${formatWhole(units, facts)}`;
	const [spender, of] = [
		checksumAddress(p.spender),
		formatTokenName(checksumAddress(p.token), facts),
	];
	const sentence =
		units === 0n
			? `Take back the approval that lets ${spender} spend ${of}`
			: `Allow ${spender} to spend ${amount} of ${of}`;
	return buildTokenCall(
		p.token,
		encodeFunctionData(APPROVE_FUNCTION, [p.spender, units]),
		sentence,
	);
}

function buildTokenCall(to: string, data: string, sentence: string): Intent {
	return { sentence, to, value: 0n, data, isCall: true, mayReturnFalse: true };
}

/** Reads the symbol and decimals of a token. Throws if the token has other decimals than the user expects. */
async function readCheckedFacts(
	reader: RpcReader,
	{ token: at, amount }: TokenAmount,
	{ expectDecimals: expected }: IntentContext,
): Promise<TokenFacts> {
	const reading = readTokenFacts(reader, [at]);
	// An unlimited amount needs no decimals, so they may be missing.
	const facts = (await (amount === UNLIMITED_WORD ? reading.catch(noFactsIfRefused) : reading))(at);
	return expected === undefined || facts.decimals === expected
		? facts
		: raise(otherDecimalsError(at, facts, expected));
}

async function noFactsIfRefused(failure: unknown): Promise<() => TokenFacts> {
	if (!isRefusal(failure)) return rethrow(failure);
	return () => NO_FACTS;
}

function otherDecimalsError(
	at: string,
	{ decimals }: TokenFacts,
	expected: number,
): RequestFailure {
	return new RequestFailure(
		`The token at ${at} reports ${decimals ?? 'no'} decimals, where ${expected} are expected`,
		{
			description:
				"Nothing was prepared, because the amount would differ. If the option Expect Decimals is right, the chain node cannot be trusted, or the token's address is wrong.",
		},
	);
}

export function formatWhole(units: bigint, { decimals }: TokenFacts): string {
	return formatUnits(units, decimals ?? 0);
}
