import { decodeResult } from '../../core/evm/abi/call';
import { attempt } from '../../core/evm/abi/attempt';
import { Undecodable } from '../../core/evm/abi/types/chainData';
import { decodeError } from '../../core/evm/abi/revert';
import type { Abi } from '../../core/evm/abi/abi';
import { asNumber, hexString } from '../../core/evm/objects/chainObject';
import { RequestFailure } from '../../core/errors/requestFailure';
import { path } from '../../core/operation/sharedFields';
import { resultOf, type Outcome, type Step } from '../../core/operation/step';
import { rpc } from '../../core/protocols/rpc';
import type { RpcRequest } from '../../core/protocols/rpcRequest';
import { rpcOptions } from '../../core/protocols/transportOptions';
import { isRecord } from '../../core/values/parseJson';
import { stateBlock } from '../fields';
import { callData, calledFunction } from './callData';
import { callOptions } from './callOptions';
import { callFields } from './fields';

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
	const value = attempt(Undecodable, decode);
	if (value instanceof Undecodable) throw new RequestFailure(value.message);
	return value;
}

export const contract = { name: 'Contract', operations: { call, estimateGas } };
