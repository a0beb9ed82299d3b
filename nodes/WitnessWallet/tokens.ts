import { decodeFunctionResult, encodeFunctionData, parseFunction } from '../core/evm/abi/call';
import { DecodingError } from '../core/evm/abi/data';
import type { AbiFunction } from '../core/evm/abi/entry';
import { RequestFailure } from '../core/errors/requestFailure';
import type { RunContext } from '../core/operation/operation';
import { isContractFailure } from '../core/transport/responses/reverts';
import type { RestRequest } from '../core/transport/rest/rest';
import { formatWitnessAddresses } from '../core/witness/address';
import { catching, throwAgain } from '../core/values/parse';
import { toWitnessFunction } from '../core/witness/abi';
import { isNotServed } from '../core/witness/answers';
import { callConstant, ZERO_ADDRESS } from '../core/witness/constantCall';

const declareTokenFunction = (signature: string) => toWitnessFunction(parseFunction(signature));

export const TRANSFER_FUNCTION = declareTokenFunction(
	'transfer(address to, uint256 amount) returns (bool)',
);
export const APPROVE_FUNCTION = declareTokenFunction(
	'approve(address spender, uint256 amount) returns (bool)',
);
const DECIMALS_FUNCTION = parseFunction('decimals() view returns (uint8)');

/** A call of a function that takes an account and an amount in the token's smallest unit, as 0x-hex. */
export function encodeTokenCall(called: AbiFunction, account: string, amount: bigint): string {
	return encodeFunctionData(called, [account, amount]);
}

const createDecimalsCache = () => new Map<string, Promise<number>>();

/** The decimals of a token, which is asked once in a run, and again after a failure. */
export async function readDecimalsOnce(
	context: RunContext<RestRequest>,
	token: string,
): Promise<number> {
	const known = context.shared(createDecimalsCache);
	const asked = known.get(token) ?? readDecimals(context, token);
	known.set(token, asked);
	return await asked.catch(async (failure) => {
		known.delete(token);
		return throwAgain(failure);
	});
}

async function readDecimals(context: RunContext<RestRequest>, contract: string): Promise<number> {
	const data = encodeFunctionData(DECIMALS_FUNCTION, []);
	const call = { owner: ZERO_ADDRESS, contract, called: DECIMALS_FUNCTION, data, errors: [] };
	const { result } = await callConstant(context, call).catch((failure: unknown) =>
		isOfContract(failure) ? throwNoDecimals(contract) : throwAgain(failure),
	);
	const decimals = catching(
		DecodingError,
		() => decodeFunctionResult(DECIMALS_FUNCTION, result).result,
	);
	return typeof decimals === 'number' ? decimals : throwNoDecimals(contract);
}

/** A node that runs no calls at all refuses them in the words of the chain, too. */
function isOfContract(failure: unknown): boolean {
	return failure instanceof RequestFailure && isContractFailure(failure) && !isNotServed(failure);
}

function throwNoDecimals(contract: string): never {
	const token = formatWitnessAddresses(contract.slice(2)).base58;
	throw new RequestFailure(`The token at ${token} tells no decimals`, {
		description:
			"An amount of whole tokens means nothing without them. There may be no token at this address; otherwise build a call of its function, by 'Build Call' of the resource Contract, with an amount in its smallest unit.",
	});
}
