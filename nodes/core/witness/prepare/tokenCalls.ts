import type { RestReader } from '../../chain/reader';
import { RequestFailure } from '../../errors/requestFailure';
import { encodeFunctionData, parseFunction } from '../../evm/abi/call';
import type { AbiFunction } from '../../evm/abi/entry';
import { readOnce, sharedKey } from '../../net/pacing/shared';
import { toWitnessFunction } from '../abi';
import { formatWitnessAddresses } from '../address';
import { readDecimals } from '../tokens';
import { raise } from '../../errors/raise';

const declareTokenFunction = (signature: string) => toWitnessFunction(parseFunction(signature));

export const TRANSFER_FUNCTION = declareTokenFunction(
	'transfer(address to, uint256 amount) returns (bool)',
);
export const APPROVE_FUNCTION = declareTokenFunction(
	'approve(address spender, uint256 amount) returns (bool)',
);

/** Encodes the call of a function that takes an account and an amount. The result is 0x-hex. */
export function encodeTokenCall(called: AbiFunction, account: string, amount: bigint): string {
	return encodeFunctionData(called, [account, amount]);
}

const DECIMALS_READS = sharedKey('witness.decimalsReads', () => new Map<string, Promise<number>>());

/** Reads the decimals of a token. A run reads them once, and again only after a failure. */
export async function readDecimalsOnce(reader: RestReader, token: string): Promise<number> {
	const read = async () => await readDecimalsOrThrow(reader, token);
	return await readOnce(reader.shared(DECIMALS_READS), token, read);
}

async function readDecimalsOrThrow(reader: RestReader, contract: string): Promise<number> {
	return (await readDecimals(reader, contract.slice(2))) ?? raise(noDecimalsError(contract));
}

function noDecimalsError(contract: string): RequestFailure {
	const token = formatWitnessAddresses(contract.slice(2)).base58;
	return new RequestFailure(`The token at ${token} does not report its number of decimals`, {
		description:
			"Without decimals, an amount in whole tokens has no meaning. There may be no token at this address. Otherwise use 'Build Call' of the resource Contract, with an amount in the smallest unit.",
	});
}
