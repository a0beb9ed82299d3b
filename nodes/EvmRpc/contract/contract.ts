import type { Abi } from '../../core/abi/abi';
import { decodeError, decodeResult } from '../../core/abi/call';
import { DecodingError } from '../../core/abi/data';
import type { AbiFunction } from '../../core/abi/entry';
import { chosenFunction, encodedCall } from '../../core/abi/functionFields';
import { asNumber, hexString } from '../../core/chain/objects';
import { RequestFailure } from '../../core/errors/requestFailure';
import { revertData } from '../../core/responses/reverts';
import { attempt } from '../../core/values/read';
import type { Params } from '../../core/operation/field';
import { path } from '../../core/operation/path';
import { rpcOptions } from '../../core/operation/transportOptions';
import { rpc } from '../../core/rpc/chain';
import { stateBlock } from '../fields';
import { callFields, callOptions } from './fields';

const call = rpc({
	name: 'Call',
	action: 'Read from a smart contract',
	description:
		'Call a function of a contract and decode what it returns, or simulate a transaction. Nothing is written to the chain.',
	fields: [...callFields, stateBlock, callOptions, path('/'), rpcOptions()],
	async *run(p, chain) {
		const called = calledFunction(p);
		// The node's real key is gasPrice; the document's gasprice is ignored by some nodes.
		const params = [{ ...p.callOptions, to: p.to, data: callData(p) }, p.block];
		const result = await chain.call('eth_call', params).catch(explainedBy(p.function));
		const hex = hexString('return data as 0x-hex')(result);
		yield called ? decoded(() => decodeResult(called, hex)) : { result: hex };
	},
});

const estimateGas = rpc({
	name: 'Estimate Gas',
	action: 'Estimate the gas of a call',
	description: 'Estimate how much gas a transaction would use. Nothing is written to the chain.',
	fields: [...callFields, stateBlock, callOptions, path('/'), rpcOptions()],
	async *run(p, chain) {
		const params = [{ ...p.callOptions, to: p.to, data: callData(p) }, p.block];
		const result = await chain.call('eth_estimateGas', params).catch(explainedBy(p.function));
		yield { result: asNumber(hexString('an amount of gas as 0x-hex')(result)) };
	},
});

/** Tells a revert in the words of the ABI. */
function explainedBy(abi: Abi | undefined) {
	return (failure: unknown): never => {
		const data = failure instanceof RequestFailure ? revertData(failure.answer) : undefined;
		const error = abi && decodeError(abi.errors, data);
		if (!error) throw failure;
		throw new RequestFailure(`The contract reverted with ${error.text}`, failure as RequestFailure);
	};
}

function decoded<T>(decode: () => T): T {
	const value = attempt(DecodingError, decode);
	if (value instanceof DecodingError) throw new RequestFailure(value.message);
	return value;
}

export const contract = { name: 'Contract', operations: { call, estimateGas } };

type Given = Params<typeof callFields>;

/** The function that is called, if it is called by one. */
function calledFunction({ function: abi, functionName }: Given): AbiFunction | undefined {
	return abi && chosenFunction(abi, functionName);
}

/** The data of the call, as 0x-hex. */
function callData(given: Given): string | undefined {
	const called = calledFunction(given);
	return called ? encodedCall(called, given) : given.data;
}
