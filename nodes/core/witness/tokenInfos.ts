import type { TokenInfo } from '../chain/tokens';
import { encodeFunctionData, parseFunction } from '../evm/abi/call';
import type { AbiFunction } from '../evm/abi/entry';
import { decodeOrNull, decodeTextOrNull, SYMBOL_FUNCTION } from '../evm/abi/results';
import { isRefusal } from '../errors/requestFailure';
import { readOnce } from '../net/pacing/once';
import { rethrow } from '../values/parse';
import { callConstant, ZERO_ADDRESS } from './constantCall';
import type { RestReader } from '../chain/reader';

export const DECIMALS_FUNCTION = parseFunction('decimals() returns (uint8)');

/** Token facts, by the address in 40 hex digits. */
export const createTokenInfoCache = () => new Map<string, TokenInfo>();

/** Reads under way: items side by side ask about the same tokens. */
const createTokenReads = () => new Map<string, Promise<TokenInfo>>();

const UNKNOWN_TOKEN: TokenInfo = { symbol: null, decimals: null };

/** Reads the facts of these tokens, each once as long as the reader's memory lasts. */
export async function readTokenInfos(
	reader: RestReader,
	tokens: Iterable<string>,
): Promise<(token: string) => TokenInfo> {
	const known = reader.shared(createTokenInfoCache);
	const reads = reader.shared(createTokenReads);
	const unknown = [...new Set(tokens)].filter((token) => !known.has(token));
	await Promise.all(
		unknown.map(async (token) => {
			known.set(
				token,
				await readOnce(reads, token, async () => await readTokenInfo(reader, token)),
			);
		}),
	);
	return (token) => known.get(token) ?? UNKNOWN_TOKEN;
}

async function readTokenInfo(reader: RestReader, token: string): Promise<TokenInfo> {
	const [symbol, decimals] = await Promise.all([
		readConstant(reader, token, SYMBOL_FUNCTION),
		readConstant(reader, token, DECIMALS_FUNCTION),
	]);
	const count = decodeOrNull(decimals, DECIMALS_FUNCTION);
	return {
		symbol: decodeTextOrNull(symbol, SYMBOL_FUNCTION),
		decimals: typeof count === 'number' ? count : null,
	};
}

interface ConstantRead {
	readonly args?: readonly unknown[];
	/** Which failures mean that the contract returns nothing. */
	isTolerated?(failure: unknown): boolean;
}

/** Reads what a function returns; undefined where the contract has none such, or fails. */
export async function readConstant(
	reader: RestReader,
	token: string,
	called: AbiFunction,
	{ args = [], isTolerated = isRefusal }: ConstantRead = {},
): Promise<string | undefined> {
	const call = {
		owner: ZERO_ADDRESS,
		contract: `41${token}`,
		called,
		data: encodeFunctionData(called, args),
		errors: [],
	};
	return await callConstant(reader, call).then(
		({ result }) => result,
		(failure) => (isTolerated(failure) ? undefined : rethrow(failure)),
	);
}
