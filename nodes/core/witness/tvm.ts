import type { Abi } from '../abi/abi';
import { elementary, type AbiType } from '../abi/elementary';
import type { Parameter } from '../abi/composed';
import type { AbiError, AbiFunction } from '../abi/entry';
import { witnessAccount, witnessForms } from '../values/addresses';
import { readAs } from '../values/read';

const evm = elementary('address');

/** Encoded as on an EVM chain; taken and given in base58, or taken in hex (41…). */
const address: AbiType = {
	...evm,
	decode: (data, at) => witnessForms(String(evm.decode(data, at)).slice(2)).base58,
	encode: (given, label) => readAs(label, given, witnessAccount).padStart(64, '0'),
};

/** The ABI of a contract on the witness chain: the same, with the addresses of that chain. */
export function witnessAbi(abi: Abi): Abi {
	return {
		...abi,
		functions: abi.functions.map(witnessFunction),
		errors: abi.errors.map((error): AbiError => ({ ...error, inputs: changed(error.inputs) })),
	};
}

export function witnessFunction(called: AbiFunction): AbiFunction {
	return { ...called, inputs: changed(called.inputs), outputs: changed(called.outputs) };
}

function changed(parameters: readonly Parameter[]): readonly Parameter[] {
	return parameters.map((one) => ({ ...one, type: witnessType(one.type) }));
}

function witnessType(type: AbiType): AbiType {
	return type === evm ? address : (type.withParts?.(witnessType) ?? type);
}
