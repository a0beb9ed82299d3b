import type { TokenInfo } from '../../../core/chain/tokens';
import { checksumAddress } from '../../../core/evm/address';
import { encodeFunctionData, parseFunction } from '../../../core/evm/abi/call';
import { readTokenInfos } from '../../../core/evm/tokens';
import { isRefusal, RequestFailure } from '../../../core/errors/requestFailure';
import type { Field } from '../../../core/operation/field';
import type { Chain } from '../../../core/protocols/rpc/operation';
import { MAX_UINT256 } from '../../../core/values/numbers';
import { formatUnits, parseAmountText, unitsParser } from '../../../core/values/units';
import { quoteSymbol } from '../../../core/values/quoted';
import { trimText, type Parse, parseField, rethrow } from '../../../core/values/parse';
import {
	addressField,
	checkReceiver,
	receiver,
	transactionKind,
	type Intent,
	type IntentContext,
} from './transactionKind';

/** It stands apart from its field, because n8n's lint takes what is called a token for a secret. */
const TOKEN = 'token';

const token = {
	...addressField,
	displayName: 'Token',
	name: TOKEN,
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The contract address of the ERC-20 token',
} as const satisfies Field;

const TRANSFER_FUNCTION = parseFunction('transfer(address to, uint256 amount) returns (bool)');
const APPROVE_FUNCTION = parseFunction('approve(address spender, uint256 amount) returns (bool)');

export const tokenTransfer = transactionKind({
	name: 'Token Transfer',
	description: 'Pay in an ERC-20 token',
	hasDecimals: true,
	fields: [
		token,
		receiver,
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 25.5',
			description: 'How much to pay',
			hint: 'In whole tokens, by their decimals',
			parse: parseAmountText,
		},
	],
	intent: (p, context) => {
		checkReceiver('To', p.to, context, p.token);
		return async (chain) => buildTransfer(p, await readFacts(chain, p, context));
	},
});

const UNLIMITED_WORD = 'unlimited';

const parseAllowance: Parse<string> = (given) =>
	trimText(given).toLowerCase() === UNLIMITED_WORD ? UNLIMITED_WORD : parseAmountText(given);

export const tokenApproval = transactionKind({
	name: 'Token Approval',
	description: 'Allow another account or contract to spend an ERC-20 token',
	hasDecimals: true,
	fields: [
		token,
		{
			...addressField,
			displayName: 'Spender',
			name: 'spender',
			description: 'The account or contract that may spend the token',
		},
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 25.5',
			description: 'How much may be spent in all. 0 takes an approval back.',
			hint: 'In whole tokens, by their decimals, or the word unlimited',
			parse: parseAllowance,
		},
	],
	intent: (p, context) => {
		checkReceiver('Spender', p.spender, context, p.token);
		return async (chain) => buildApproval(p, await readFacts(chain, p, context));
	},
});

interface TokenAmount {
	readonly token: string;
	/** In whole tokens, or unlimited. */
	readonly amount: string;
}

function buildTransfer(p: TokenAmount & { readonly to: string }, facts: TokenInfo): Intent {
	const units = parseUnitsOfToken(p, facts);
	const says = `Send ${formatWhole(units, facts)} of ${formatToken(p.token, facts)} to ${checksumAddress(p.to)}`;
	return buildTokenCall(p.token, encodeFunctionData(TRANSFER_FUNCTION, [p.to, units]), says);
}

function buildApproval(p: TokenAmount & { readonly spender: string }, facts: TokenInfo): Intent {
	const isUnlimited = p.amount === UNLIMITED_WORD;
	const units = isUnlimited ? MAX_UINT256 : parseUnitsOfToken(p, facts);
	const amount = isUnlimited ? 'an unlimited amount' : `up to ${formatWhole(units, facts)}`;
	const [spender, of] = [checksumAddress(p.spender), formatToken(p.token, facts)];
	const says =
		units === 0n
			? `Take back what ${spender} may spend of ${of}`
			: `Allow ${spender} to spend ${amount} of ${of}`;
	return buildTokenCall(p.token, encodeFunctionData(APPROVE_FUNCTION, [p.spender, units]), says);
}

function buildTokenCall(to: string, data: string, says: string): Intent {
	return { says, to, value: 0n, data, isCall: true, mayReturnFalse: true };
}

/** What the token says of itself; it is refused where its decimals are not those that are expected. */
async function readFacts(
	chain: Chain,
	{ token: at, amount }: TokenAmount,
	{ expectDecimals: expected }: IntentContext,
): Promise<TokenInfo> {
	const reading = readTokenInfos(chain, [at]);
	// Without decimals, an unlimited amount means the same.
	const facts = (await (amount === UNLIMITED_WORD ? reading.catch(noFactsIfRefused) : reading))(at);
	return expected === undefined || facts.decimals === expected
		? facts
		: throwOtherDecimals(at, facts, expected);
}

async function noFactsIfRefused(failure: unknown): Promise<() => TokenInfo> {
	if (!isRefusal(failure)) return rethrow(failure);
	return () => ({ symbol: null, decimals: null });
}

function throwOtherDecimals(at: string, { decimals }: TokenInfo, expected: number): never {
	throw new RequestFailure(
		`The token at ${at} tells ${decimals ?? 'no'} decimals, where ${expected} are expected`,
		{
			description:
				"Nothing was prepared, because an amount would mean another one. If the option Expect Decimals is right, the node may not be trusted, or the token's address is wrong.",
		},
	);
}

function parseUnitsOfToken({ token: at, amount }: TokenAmount, { decimals }: TokenInfo): bigint {
	if (decimals !== null) return parseField('Amount', amount, unitsParser(decimals));
	throw new RequestFailure(`The token at ${at} tells no decimals`, {
		description:
			'An amount of whole tokens means nothing without them. There may be no token at this address; otherwise call its function with an amount in its smallest unit.',
	});
}

function formatWhole(units: bigint, { decimals }: TokenInfo): string {
	return formatUnits(units, decimals ?? 0);
}

/** The address comes first: the symbol is what the token calls itself, and many call themselves the same. */
function formatToken(token: string, { symbol, decimals }: TokenInfo): string {
	const parts = [
		quoteSymbol(symbol),
		decimals === null ? undefined : `${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`,
	];
	const facts = parts.filter((one) => one !== undefined).join(', ');
	return `the token ${checksumAddress(token)}${facts && ` (${facts})`}`;
}
