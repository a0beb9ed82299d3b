import { COINS } from '../chain/payment';
import { createTokenReader, createTokenMemory, noTokenError } from '../chain/tokens';
import { catching, rethrow } from '../values/parse';
import { decodeByteArray } from './abi/byteArray';
import { DecodingError, FeltReader } from './abi/data';
import { decodeFeltText } from './abi/elementary';
import type { BlockId } from './blocks';
import { callContract, isContractFailure } from './contracts';
import { formatFelt } from './felts';
import type { RpcReader } from '../chain/reader';
import { computeSelector } from './selectors';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

/**
 * Calls a function of a token by each of its names at once. Old tokens have only names in camel case, and the newest
 * only names in snake case.
 */
async function callToken(
	reader: RpcReader,
	token: bigint,
	names: readonly string[],
	calldata: readonly bigint[] = [],
	block: BlockId = 'latest',
): Promise<bigint[] | undefined> {
	const answers = await Promise.all(
		names.map(async (name) =>
			callContract(reader, token, computeSelector(name), calldata, block).catch(undefinedIfFailed),
		),
	);
	return answers.find((answer) => answer !== undefined);
}

function undefinedIfFailed(failure: unknown): undefined {
	return isContractFailure(failure) ? undefined : rethrow(failure);
}

/** The longest name or symbol. */
const MAX_TEXT_CHARS = 200;

/** Decodes a text that a token returns. Old tokens return a short string, and new tokens a text of any length. */
function decodeText(felts: readonly bigint[] | undefined): string | null {
	const [only] = felts ?? [];
	if (felts === undefined || only === undefined) return null;
	if (felts.length === 1) return decodeFeltText(only);
	const bytes = catching(DecodingError, () => decodeByteArray(new FeltReader(felts)));
	return bytes instanceof DecodingError ? null : bytes.toString().slice(0, MAX_TEXT_CHARS);
}

const MAX_DECIMALS = 255n;
const LIMB_BOUND = 2n ** 128n;

function decodeDecimals([decimals, ...others]: readonly bigint[] = []): number | null {
	const isPlain = decimals !== undefined && decimals <= MAX_DECIMALS && others.length === 0;
	return isPlain ? Number(decimals) : null;
}

/** An amount of two limbs. */
export function decodeAmount(felts: readonly bigint[] | undefined): bigint | null {
	const [low, high, ...others] = felts ?? [];
	if (low === undefined || high === undefined || others.length > 0) return null;
	return low < LIMB_BOUND && high < LIMB_BOUND ? low + high * LIMB_BOUND : null;
}

/** Encodes an amount of at most 256 bits as two numbers of 128 bits, the lower first. */
export function encodeAmount(amount: bigint): [low: bigint, high: bigint] {
	return [amount % LIMB_BOUND, amount / LIMB_BOUND];
}

const TOKEN_MEMORY = sharedKey('stark.tokens', createTokenMemory<bigint>);

const tokenReader = createTokenReader(TOKEN_MEMORY, async (reader: RpcReader, token: bigint) => {
	const [symbol, decimals] = await Promise.all([
		callToken(reader, token, ['symbol']),
		callToken(reader, token, ['decimals']),
	]);
	return { symbol: decodeText(symbol), decimals: decodeDecimals(decimals) };
});

export const readTokenFacts = tokenReader.read;

/** Reads the facts that a token gives about itself. */
export async function readToken(reader: RpcReader, token: bigint) {
	const [name, symbol, decimals, supply] = await Promise.all([
		callToken(reader, token, ['name']),
		callToken(reader, token, ['symbol']),
		callToken(reader, token, ['decimals']),
		callToken(reader, token, ['totalSupply', 'total_supply']),
	]);
	const found = {
		name: decodeText(name),
		symbol: decodeText(symbol),
		decimals: decodeDecimals(decimals),
		totalSupply: decodeAmount(supply),
	};
	return Object.values(found).every((one) => one === null)
		? raise(noTokenError(formatFelt(token), 'token'))
		: found;
}

/** Reads how much of a token an account holds, in the smallest unit. */
export async function readBalance(
	reader: RpcReader,
	token: bigint,
	owner: bigint,
	block: BlockId,
): Promise<bigint> {
	return (
		(await findBalance(reader, token, owner, block)) ??
		raise(noTokenError(formatFelt(token), 'token'))
	);
}

/** Reads how much of a token an account holds; null if there is no such token. */
export async function findBalance(
	reader: RpcReader,
	token: bigint,
	owner: bigint,
	block: BlockId,
): Promise<bigint | null> {
	return decodeAmount(await callToken(reader, token, ['balanceOf', 'balance_of'], [owner], block));
}

/** The token in which fees are paid. It has this address on every STARK rollup. */
export const FEE_TOKEN = 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
export const FEE_DECIMALS = COINS.stark.decimals;
