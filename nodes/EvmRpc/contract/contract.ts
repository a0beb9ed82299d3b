import type { Abi } from '../../core/abi/abi';
import { decodeError, decodeResult, encodeCall, functionOf } from '../../core/abi/call';
import { DecodingError } from '../../core/abi/data';
import type { AbiFunction } from '../../core/abi/entry';
import { asNumber, hexString } from '../../core/chain/objects';
import { RequestFailure } from '../../core/errors/requestFailure';
import { attempt, readAs, isRecord } from '../../core/values/read';
import type { Params } from '../../core/operation/field';
import { path } from '../../core/operation/path';
import { resultOf, type Outcome, type Step } from '../../core/operation/step';
import { rpcOptions } from '../../core/operation/transportOptions';
import type { RpcRequest } from '../../core/rpc/request';
import { rpc } from '../../core/rpc/rpc';
import { stateBlock } from '../fields';
import { callFields, callOptions } from './fields';

const call = rpc({
	name: 'Call',
	action: 'Read from a contract',
	description:
		'Call a function of a contract and decode what it returns, or simulate a transaction. Nothing is written to the chain.',
	fields: [...callFields, stateBlock, callOptions, path('/'), rpcOptions()],
	begin: (p) => {
		const called = calledFunction(p);
		// The node's real key is gasPrice; the document's gasprice is ignored by some nodes.
		const params = [{ ...p.callOptions, to: p.to, data: callData(p) }, p.block];
		return one({ path: p.path, method: 'eth_call', params }, p.function, (result) => {
			const hex = hexString('return data as 0x-hex')(result);
			return called ? decoded(() => decodeResult(called, hex)) : { result: hex };
		});
	},
});

const estimateGas = rpc({
	name: 'Estimate Gas',
	action: 'Estimate the gas of a contract call',
	description: 'Estimate how much gas a transaction would use. Nothing is written to the chain.',
	fields: [...callFields, stateBlock, callOptions, path('/'), rpcOptions()],
	begin: (p) => {
		const params = [{ ...p.callOptions, to: p.to, data: callData(p) }, p.block];
		return one({ path: p.path, method: 'eth_estimateGas', params }, p.function, (result) => ({
			result: asNumber(hexString('an amount of gas as 0x-hex')(result)),
		}));
	},
});

/** One request; a refusal of the contract is told in the words of its ABI. */
function one(
	request: RpcRequest,
	abi: Abi | undefined,
	item: (result: unknown) => object,
): Step<RpcRequest> {
	return {
		requests: [request],
		next: ([outcome]) => ({ things: [item(resultOf(explained(outcome, abi)))] }),
	};
}

function explained(outcome: Outcome | undefined, abi: Abi | undefined): Outcome | undefined {
	if (!abi || !outcome || !('failure' in outcome)) return outcome;
	const { failure } = outcome;
	const error = isRecord(failure.answer) ? decodeError(abi.errors, failure.answer.data) : undefined;
	if (!error) return outcome;
	return { failure: new RequestFailure(`The contract reverted with ${error.text}`, failure) };
}

function decoded<T>(decode: () => T): T {
	const value = attempt(DecodingError, decode);
	if (value instanceof DecodingError) throw new RequestFailure(value.message);
	return value;
}

export const contract = { name: 'Contract', operations: { call, estimateGas } };

type Given = Params<typeof callFields>;

/** The function that is called, if it is called by one. */
export function calledFunction({
	function: abi,
	functionName = '',
}: Given): AbiFunction | undefined {
	return abi && readAs('Function Name or ID', functionName, (name) => functionOf(abi, name));
}

/** The data of the call, as 0x-hex. */
export function callData(given: Given): string | undefined {
	const called = calledFunction(given);
	if (!called) return given.data;
	return encodeCall(
		called,
		given.argumentsBy === 'json' ? given.arguments : ownArguments(called, given.argumentFields),
	);
}

/** The editor keeps the fields of a function that was chosen before. */
function ownArguments({ inputs }: AbiFunction, given: unknown): unknown {
	if (!isRecord(given)) return given ?? {};
	const own = inputs.filter(({ key }) => Object.hasOwn(given, key));
	return Object.fromEntries(own.map(({ key }) => [key, given[key]]));
}
