import { parseFunction } from '../evm/abi/call';
import type { AbiFunction } from '../evm/abi/entry';
import { decodeOrNull, decodeTextOrNull, NAME_FUNCTION, SYMBOL_FUNCTION } from '../evm/abi/results';
import { RequestFailure } from '../errors/requestFailure';
import { toWitnessFunction } from './abi';
import { formatWitnessAddresses } from './address';
import { isFailureOfContract } from './constantCall';
import type { RestReader } from '../chain/reader';
import { DECIMALS_FUNCTION, readConstant } from './tokenInfos';

const SUPPLY_FUNCTION = parseFunction('totalSupply() returns (uint256)');
const BALANCE_FUNCTION = toWitnessFunction(
	parseFunction('balanceOf(address owner) returns (uint256)'),
);

/** Reads everything that a token returns about itself; the token is 40 hex digits. */
export async function readToken(reader: RestReader, token: string) {
	const functions = [NAME_FUNCTION, SYMBOL_FUNCTION, DECIMALS_FUNCTION, SUPPLY_FUNCTION];
	const [name, symbol, decimals, supply] = await Promise.all(
		functions.map(async (called) => await callToken(reader, token, called)),
	);
	const found = {
		name: decodeTextOrNull(name, NAME_FUNCTION),
		symbol: decodeTextOrNull(symbol, SYMBOL_FUNCTION),
		decimals: decodeDecimalsOrNull(decimals),
		totalSupply: decodeAmountOrNull(supply, SUPPLY_FUNCTION),
	};
	return Object.values(found).every((one) => one === null) ? throwNoToken(token) : found;
}

/** Reads how much of a token an account holds, in the smallest unit; both are 40 hex digits. */
export async function readTokenBalance(
	reader: RestReader,
	token: string,
	owner: string,
): Promise<bigint> {
	const balance = await callToken(reader, token, BALANCE_FUNCTION, [`41${owner}`]);
	return decodeAmountOrNull(balance, BALANCE_FUNCTION) ?? throwNoToken(token);
}

/** Reads the decimals of a token; null where it tells none. */
export async function readDecimals(reader: RestReader, token: string): Promise<number | null> {
	return decodeDecimalsOrNull(await callToken(reader, token, DECIMALS_FUNCTION));
}

/** What a token returns; undefined where it has no such function, or fails. */
async function callToken(
	reader: RestReader,
	token: string,
	called: AbiFunction,
	args: readonly unknown[] = [],
): Promise<string | undefined> {
	return await readConstant(reader, token, called, { args, isTolerated: isFailureOfContract });
}

function decodeDecimalsOrNull(returned: string | undefined): number | null {
	const decimals = decodeOrNull(returned, DECIMALS_FUNCTION);
	return typeof decimals === 'number' ? decimals : null;
}

function decodeAmountOrNull(returned: string | undefined, called: AbiFunction): bigint | null {
	const amount = decodeOrNull(returned, called);
	return typeof amount === 'string' ? BigInt(amount) : null;
}

function throwNoToken(token: string): never {
	throw new RequestFailure(`There is no token at ${formatWitnessAddresses(token).base58}`, {
		description:
			'The contract does not answer as a TRC-20 token does, or there is no contract at this address on this chain.',
	});
}
