import type { Abi } from '../../core/evm/abi/abi';
import { decodeErrorResult, decodeFunctionResult } from '../../core/evm/abi/call';
import { DecodingError } from '../../core/evm/abi/data';
import type { AbiFunction } from '../../core/evm/abi/entry';
import { encodeGivenCall, parseGivenAbi, parseGivenFunction } from '../../fields/functionFields';
import { quantityToNumber, hexParser } from '../../core/evm/chainObjects';
import { RequestFailure } from '../../core/errors/requestFailure';
import { findRevertData } from '../../core/net/responses/reverts';
import { catching } from '../../core/values/parse';
import type { Params } from '../../core/operation/field';
import { pathField } from '../../core/operation/path';
import { optionsField } from '../../core/operation/transportOptions';
import { rpcOperation } from '../../core/protocols/rpc/operation';
import { stateBlock } from '../fields';
import { describe } from './describe';
import { callFields, callOptions, editorGateway } from './fields';

const call = rpcOperation({
	name: 'Call',
	action: 'Read from smart contract',
	description:
		'Call a function of a contract and decode its result, or simulate a transaction. Nothing is written to the chain.',
	fields: [...callFields, callOptions, stateBlock, pathField('/'), optionsField([editorGateway])],
	async *run(p, chain) {
		const called = getCalledFunction(p);
		// The gas price is sent as `gasPrice`. The provider's documentation says `gasprice`, which some nodes ignore.
		const params = [{ ...p.callOptions, to: p.to, data: getCallData(p) }, p.block];
		const result = await chain
			.call('eth_call', params)
			.catch(createRevertExplainer(getGivenAbi(p)));
		const hex = hexParser('return data as 0x-hex')(result);
		yield called ? decodeOrThrow(() => decodeFunctionResult(called, hex)) : { result: hex };
	},
});

const estimateGas = rpcOperation({
	name: 'Estimate Gas',
	action: 'Estimate gas of call',
	description: 'Estimate how much gas a transaction would use. Nothing is written to the chain.',
	fields: [...callFields, callOptions, stateBlock, pathField('/'), optionsField([editorGateway])],
	async *run(p, chain) {
		const params = [{ ...p.callOptions, to: p.to, data: getCallData(p) }, p.block];
		const result = await chain
			.call('eth_estimateGas', params)
			.catch(createRevertExplainer(getGivenAbi(p)));
		yield { result: quantityToNumber(hexParser('an amount of gas as 0x-hex')(result)) };
	},
});

/** Creates an error handler that explains a reverted call by the errors of the contract's ABI. */
function createRevertExplainer(abi: Abi | undefined) {
	return (failure: unknown): never => {
		const data = failure instanceof RequestFailure ? findRevertData(failure.answer) : undefined;
		const error = abi && decodeErrorResult(abi.errors, data);
		if (!error) throw failure;
		throw new RequestFailure(`The contract reverted with ${error.text}`, failure as RequestFailure);
	};
}

function decodeOrThrow<T>(decode: () => T): T {
	const value = catching(DecodingError, decode);
	if (value instanceof DecodingError) throw new RequestFailure(value.message);
	return value;
}

export const contract = { name: 'Contract', operations: { call, describe, estimateGas } };

type CallInputs = Params<typeof callFields>;

/** Tells whether the user chose a function. Otherwise the user gives the raw data of the call. */
function isFunctionCall({ callBy }: CallInputs): boolean {
	return callBy === 'function';
}

function getCalledFunction(given: CallInputs): AbiFunction | undefined {
	const { function: abi, functionName } = given;
	return isFunctionCall(given) ? parseGivenFunction(abi, functionName ?? '') : undefined;
}

function getGivenAbi(given: CallInputs): Abi | undefined {
	const { function: abi, functionName } = given;
	return isFunctionCall(given) ? parseGivenAbi(abi, functionName ?? '') : undefined;
}

/** Gives the data of the call as 0x-hex. */
function getCallData(given: CallInputs): string | undefined {
	const called = getCalledFunction(given);
	return called ? encodeGivenCall(called, given) : given.data;
}
