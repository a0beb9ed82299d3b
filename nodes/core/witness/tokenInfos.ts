import { encodeFunctionData, parseFunction } from '../evm/abi/call';
import type { AbiFunction } from '../evm/abi/entry';
import { decodeOrNull, decodeTextOrNull, SYMBOL_FUNCTION } from '../evm/abi/results';
import { isRefusal } from '../errors/requestFailure';
import { throwAgain } from '../values/parse';
import { callConstant, ZERO_ADDRESS } from './constantCall';
import type { WitnessReader } from './reader';

const DECIMALS_FUNCTION = parseFunction('decimals() returns (uint8)');

/** Values that the token does not return are null. */
export interface TokenInfo {
	readonly symbol: string | null;
	readonly decimals: number | null;
}

/** Token facts, by the address in 40 hex digits. */
export const createTokenInfoCache = () => new Map<string, TokenInfo>();

export const UNKNOWN_TOKEN: TokenInfo = { symbol: null, decimals: null };

/** Reads the facts of these tokens, each once as long as the reader's memory lasts. */
export async function readTokenInfos(
	reader: WitnessReader,
	tokens: Iterable<string>,
): Promise<(token: string) => TokenInfo> {
	const known = reader.shared(createTokenInfoCache);
	const unknown = [...new Set(tokens)].filter((token) => !known.has(token));
	await Promise.all(
		unknown.map(async (token) => {
			const [symbol, decimals] = await Promise.all([
				readConstant(reader, token, SYMBOL_FUNCTION),
				readConstant(reader, token, DECIMALS_FUNCTION),
			]);
			const count = decodeOrNull(decimals, DECIMALS_FUNCTION);
			known.set(token, {
				symbol: decodeTextOrNull(symbol, SYMBOL_FUNCTION),
				decimals: typeof count === 'number' ? count : null,
			});
		}),
	);
	return (token) => known.get(token) ?? UNKNOWN_TOKEN;
}

/** What a function without arguments returns; undefined where the contract has none such, or fails. */
async function readConstant(
	reader: WitnessReader,
	token: string,
	called: AbiFunction,
): Promise<string | undefined> {
	const call = {
		owner: ZERO_ADDRESS,
		contract: `41${token}`,
		called,
		data: encodeFunctionData(called, []),
		errors: [],
	};
	return await callConstant(reader, call).then(
		({ result }) => result,
		(failure) => (isRefusal(failure) ? undefined : throwAgain(failure)),
	);
}
