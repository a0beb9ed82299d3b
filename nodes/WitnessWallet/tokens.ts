import { decodeFunctionResult, encodeFunctionData, parseFunction } from '../core/evm/abi/call';
import { DecodingError } from '../core/evm/abi/data';
import { RequestFailure } from '../core/errors/requestFailure';
import type { RunContext } from '../core/operation/operation';
import type { RestRequest } from '../core/transport/rest/rest';
import { formatWitnessAddresses } from '../core/witness/address';
import { catching, throwAgain } from '../core/values/parse';
import { toWitnessFunction } from '../core/witness/abi';
import { callConstant, ZERO_ADDRESS } from '../core/witness/constantCall';

const TRANSFER_FUNCTION = toWitnessFunction(
	parseFunction('transfer(address to, uint256 amount) returns (bool)'),
);
const DECIMALS_FUNCTION = parseFunction('decimals() view returns (uint8)');

/** The call that sends so much of a token, in its smallest unit. */
export function encodeTransfer(to: string, amount: bigint) {
	const data = encodeFunctionData(TRANSFER_FUNCTION, [to, amount]).slice(2);
	const selector = TRANSFER_FUNCTION.selector.length - 2;
	return { signature: TRANSFER_FUNCTION.signature, data, parameter: data.slice(selector) };
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
	const { result } = await callConstant(context, call);
	const decimals = catching(
		DecodingError,
		() => decodeFunctionResult(DECIMALS_FUNCTION, result).result,
	);
	if (typeof decimals === 'number') return decimals;
	throw new RequestFailure(`The contract ${formatBase58(contract)} tells no decimals`, {
		description: 'It is no TRC-20 token, so an amount in whole tokens can not be read.',
	});
}

function formatBase58(account: string): string {
	return formatWitnessAddresses(account.slice(2)).base58;
}
