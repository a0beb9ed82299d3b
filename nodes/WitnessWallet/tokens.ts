import { decodeResult, encodeCall, functionIn } from '../core/abi/call';
import { DecodingError } from '../core/abi/data';
import { RequestFailure } from '../core/errors/requestFailure';
import type { RunContext } from '../core/operation/operation';
import type { RestRequest } from '../core/rest/rest';
import { witnessForms } from '../core/values/addresses';
import { attempt } from '../core/values/read';
import { witnessFunction } from '../core/witness/tvm';
import { constantCall, NOBODY } from './constantCall';

const TRANSFER = witnessFunction(functionIn('transfer(address to, uint256 amount) returns (bool)'));
const DECIMALS = functionIn('decimals() view returns (uint8)');

/** The call that sends so much of a token, in its smallest unit. */
export function transferOf(to: string, amount: bigint) {
	const data = encodeCall(TRANSFER, [to, amount]).slice(2);
	const selector = TRANSFER.selector.length - 2;
	return { signature: TRANSFER.signature, data, parameter: data.slice(selector) };
}

const knownDecimals = () => new Map<string, Promise<number>>();

/** Asked once in a run, and again after a failure. */
export async function decimalsOf(context: RunContext<RestRequest>, token: string): Promise<number> {
	const known = context.memory(knownDecimals);
	const asked = known.get(token) ?? readDecimals(context, token);
	known.set(token, asked);
	return await asked.catch(async (failure) => {
		known.delete(token);
		return await Promise.reject(failure);
	});
}

async function readDecimals(context: RunContext<RestRequest>, contract: string): Promise<number> {
	const data = encodeCall(DECIMALS, []);
	const call = { owner: NOBODY, contract, called: DECIMALS, data, errors: [] };
	const { result } = await constantCall(context, call);
	const decimals = attempt(DecodingError, () => decodeResult(DECIMALS, result).result);
	if (typeof decimals === 'number') return decimals;
	throw new RequestFailure(`The contract ${base58(contract)} tells no decimals`, {
		description: 'It is no TRC-20 token, so an amount in whole tokens can not be read.',
	});
}

function base58(account: string): string {
	return witnessForms(account.slice(2)).base58;
}
