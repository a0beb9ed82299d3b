import { encodeFunctionData, parseFunction } from '../../core/abi/call';
import { readTokenInfos, type TokenInfo } from '../../core/chain/tokens';
import { isRefusal, RequestFailure } from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import { parseAmountText, unitsParser } from '../../core/values/coins';
import { formatUnits, MAX_UINT256 } from '../../core/values/numbers';
import { quotedSymbol } from '../../core/values/quoted';
import { parseAs, trimText, type Parse } from '../../core/values/read';
import {
	addressField,
	checkReceiver,
	transactionKind,
	receiver,
	type PrepareContext,
	type Intent,
} from './kind';
import { addressText } from './summary';

/** Apart from its field, because n8n's lint takes what is called a token for a secret. */
const TOKEN = 'token';

const token = {
	...addressField,
	displayName: 'Token',
	name: TOKEN,
	description: 'The contract address of the ERC-20 token',
} as const satisfies Field;

const TRANSFER = parseFunction('transfer(address to, uint256 amount) returns (bool)');
const APPROVE = parseFunction('approve(address spender, uint256 amount) returns (bool)');

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
			description: 'How much to pay, in whole tokens',
			parse: parseAmountText,
		},
	],
	intent: (p, context) => {
		checkReceiver(p.to, context, p.token);
		return transferOf(p, context);
	},
});

const UNLIMITED = 'unlimited';

const allowance: Parse<string> = (given) =>
	trimText(given).toLowerCase() === UNLIMITED ? UNLIMITED : parseAmountText(given);

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
			description:
				'How much may be spent in all, in whole tokens, or the word unlimited. 0 takes an approval back.',
			parse: allowance,
		},
	],
	intent: (p, context) => {
		checkReceiver(p.spender, context, p.token, 'Spender');
		return approvalOf(p, context);
	},
});

interface Asked {
	readonly token: string;
	/** Of whole tokens, or unlimited. */
	readonly amount: string;
}

async function transferOf(
	p: Asked & { readonly to: string },
	context: PrepareContext,
): Promise<Intent> {
	const facts = await factsOf(p, context);
	const units = smallestUnits(p, facts);
	const says = `Send ${wholeText(units, facts)} of ${tokenText(p.token, facts)} to ${addressText(p.to)}`;
	return tokenCall(p.token, encodeFunctionData(TRANSFER, [p.to, units]), says);
}

async function approvalOf(
	p: Asked & { readonly spender: string },
	context: PrepareContext,
): Promise<Intent> {
	const facts = await factsOf(p, context);
	const isUnlimited = p.amount === UNLIMITED;
	const units = isUnlimited ? MAX_UINT256 : smallestUnits(p, facts);
	const amount = isUnlimited ? 'an unlimited amount' : `up to ${wholeText(units, facts)}`;
	const [spender, of] = [addressText(p.spender), tokenText(p.token, facts)];
	const says =
		units === 0n
			? `Take back what ${spender} may spend of ${of}`
			: `Allow ${spender} to spend ${amount} of ${of}`;
	return tokenCall(p.token, encodeFunctionData(APPROVE, [p.spender, units]), says);
}

function tokenCall(to: string, data: string, says: string): Intent {
	return { says, to, value: 0n, data, isCall: true, mayReturnFalse: true };
}

/** What the token tells of itself, where it tells the decimals that are expected. */
async function factsOf(
	{ token: at, amount }: Asked,
	{ chain, expectDecimals: expected }: PrepareContext,
): Promise<TokenInfo> {
	const reading = readTokenInfos(chain, [at]);
	// Without decimals, an unlimited amount means the same.
	const facts = (await (amount === UNLIMITED ? reading.catch(noneIfRefused) : reading))(at);
	return expected === undefined || facts.decimals === expected
		? facts
		: throwOtherDecimals(at, facts, expected);
}

async function noneIfRefused(failure: unknown): Promise<() => TokenInfo> {
	if (!isRefusal(failure)) return await Promise.reject(failure);
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

function smallestUnits({ token: at, amount }: Asked, { decimals }: TokenInfo): bigint {
	if (decimals !== null) return parseAs('Amount', amount, unitsParser(decimals));
	throw new RequestFailure(`The token at ${at} tells no decimals`, {
		description:
			'An amount of whole tokens means nothing without them. There may be no token at this address; otherwise call its function with an amount in its smallest unit.',
	});
}

function wholeText(units: bigint, { decimals }: TokenInfo): string {
	return formatUnits(units, decimals ?? 0);
}

/** The address comes first: the symbol is what the token calls itself, and many call themselves the same. */
function tokenText(token: string, { symbol, decimals }: TokenInfo): string {
	const told = [
		quotedSymbol(symbol),
		decimals === null ? undefined : `${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`,
	];
	const facts = told.filter((one) => one !== undefined).join(', ');
	return `the token ${addressText(token)}${facts && ` (${facts})`}`;
}
