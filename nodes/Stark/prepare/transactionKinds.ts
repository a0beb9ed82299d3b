import type { TokenInfo } from '../../core/chain/tokens';
import { RequestFailure } from '../../core/errors/requestFailure';
import type { Field, Params } from '../../core/operation/field';
import type { EventInfo } from '../../core/operation/panel';
import type { BlockId } from '../../core/stark/blocks';
import { formatFelt } from '../../core/stark/felts';
import { encodeCalls, type EncodedCall } from '../../core/stark/invoke';
import type { RpcReader } from '../../core/chain/reader';
import { computeSelector } from '../../core/stark/selectors';
import { encodeAmount, FEE_TOKEN, readTokenInfos } from '../../core/stark/tokens';
import { MAX_UINT256 } from '../../core/values/numbers';
import { throwInvalidValue, parseField } from '../../core/values/parse';
import { quoteSymbol } from '../../core/values/quoted';
import { checkNotOwnContract } from '../../core/values/receiver';
import { formatUnits, parseAmountText, unitsParser } from '../../core/values/units';
import { accountField, calls as callList } from '../../fields/starkFields';
import { encodeChosenCall, functionFields } from '../contract';
import { tokenAddress } from '../fields';
import { formatCall } from './callText';

/** The effects of a transaction. */
export interface Intent {
	readonly calls: readonly EncodedCall[];
	/** Each call as the beginning of a sentence: `Send 5 of the token 0x… to 0x…`. */
	readonly says: readonly string[];
	/** What it pays in the token of the fees, beside the fee. */
	readonly paid: bigint;
}

/** One kind of transaction: its fields, and what their values mean. */
interface TransactionKind<Fields extends readonly Field[] = readonly Field[]> extends EventInfo {
	readonly fields: Fields;
	plan(parameters: Params<Fields>, node: RpcReader, block: BlockId): Promise<Intent>;
}

function transactionKind<const Fields extends readonly Field[]>(
	one: TransactionKind<Fields>,
): TransactionKind<Fields> {
	return one;
}

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 25.5',
	description: 'How much to pay',
	hint: 'In whole tokens, by their decimals',
	parse: parseAmountText,
} as const satisfies Field;

const TRANSFER_SELECTOR = computeSelector('transfer');

const tokenTransfer = transactionKind({
	name: 'Token Transfer',
	description: 'Pay in an ERC-20 token',
	fields: [tokenAddress, accountField('To', 'to', 'The account that receives'), amount],
	plan: async (p, node) => {
		const { token, to } = p;
		checkNotOwnContract('To', formatFelt(to), formatFelt(token));
		const info = (await readTokenInfos(node, [token]))(token);
		const units = parseTokenAmount(p, info);
		const whole = formatUnits(units, info.decimals ?? 0);
		const calldata = [to, ...encodeAmount(units)];
		return {
			calls: [{ contract: token, selector: TRANSFER_SELECTOR, calldata }],
			says: [`Send ${whole} of ${formatToken(token, info)} to ${formatFelt(to)}`],
			paid: token === FEE_TOKEN ? units : 0n,
		};
	},
});

interface TokenAmount {
	readonly token: bigint;
	/** The amount in whole tokens, as decimal text. */
	readonly amount: string;
}

function parseTokenAmount(given: TokenAmount, { decimals }: TokenInfo): bigint {
	if (decimals === null) return throwNoDecimals(given.token);
	const units = parseField('Amount', given.amount, unitsParser(decimals));
	return units <= MAX_UINT256
		? units
		: parseField('Amount', given.amount, () => throwInvalidValue('an amount of at most 256 bits'));
}

function throwNoDecimals(token: bigint): never {
	throw new RequestFailure(`The token at ${formatFelt(token)} tells no decimals`, {
		description:
			'An amount of whole tokens means nothing without them. There may be no token at this address; otherwise call its function with an amount in its smallest unit.',
	});
}

/** The address comes first: the symbol is what the token calls itself, and many call themselves the same. */
function formatToken(token: bigint, { symbol, decimals }: TokenInfo): string {
	const facts = [quoteSymbol(symbol), `${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`];
	return `the token ${formatFelt(token)} (${facts.filter((one) => one !== undefined).join(', ')})`;
}

const contractFunction = transactionKind({
	name: 'Contract Function',
	description: 'Call a function of a contract that changes something',
	fields: functionFields,
	plan: async (p, node, block) => {
		const call = await encodeChosenCall(node, p, block);
		return { calls: [call], says: [formatCall(call)], paid: 0n };
	},
});

const calls = transactionKind({
	name: 'Calls',
	description: 'Several calls in one transaction: all of them happen, or none',
	fields: [callList],
	plan: async (p, node, block) => {
		const encoded = await encodeCalls(node, p.calls, block);
		return { calls: encoded, says: encoded.map(formatCall), paid: 0n };
	},
});

/** They stand in the order of their names, in which n8n lists them. */
export const transactionKinds = { calls, contractFunction, tokenTransfer } as const;

/** Each kind knows the types of its own fields. */
export type AnyTransactionKind = TransactionKind;
