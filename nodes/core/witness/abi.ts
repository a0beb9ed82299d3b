import type { Abi } from '../evm/abi/abi';
import { getElementaryCodec, type AbiCodec } from '../evm/abi/elementary';
import type { AbiParameter } from '../evm/abi/composed';
import type { AbiError, AbiEvent, AbiFunction } from '../evm/abi/entry';
import { parseWitnessAccount, formatWitnessAddresses } from './address';
import { parseField } from '../values/parse';

const evmAddressCodec = getElementaryCodec('address');

/**
 * The codec of addresses. It encodes addresses as on EVM chains, but reads and writes them in base58. Addresses to
 * encode may also be in hex (41…).
 */
const witnessAddressCodec: AbiCodec = {
	...evmAddressCodec,
	decode: (data, at) =>
		formatWitnessAddresses(String(evmAddressCodec.decode(data, at)).slice(2)).base58,
	encode: (given, label) => parseField(label, given, parseWitnessAccount).padStart(64, '0'),
};

/** Changes the ABI of a contract so that its addresses have the form of TRON. */
export function toWitnessAbi(abi: Abi): Abi {
	return {
		...abi,
		functions: abi.functions.map(toWitnessFunction),
		errors: abi.errors.map(
			(error): AbiError => ({ ...error, inputs: toWitnessParameters(error.inputs) }),
		),
		events: abi.events.map(toWitnessEvent),
	};
}

export function toWitnessFunction(called: AbiFunction): AbiFunction {
	return {
		...called,
		inputs: toWitnessParameters(called.inputs),
		outputs: toWitnessParameters(called.outputs),
	};
}

function toWitnessEvent(event: AbiEvent): AbiEvent {
	return {
		...event,
		inputs: toWitnessParameters(event.inputs),
		indexed: toWitnessParameters(event.indexed),
		nonIndexed: toWitnessParameters(event.nonIndexed),
	};
}

function toWitnessParameters<Parameter extends AbiParameter>(
	parameters: readonly Parameter[],
): readonly Parameter[] {
	return parameters.map((one) => ({ ...one, type: toWitnessCodec(one.type) }));
}

function toWitnessCodec(type: AbiCodec): AbiCodec {
	return type === evmAddressCodec
		? witnessAddressCodec
		: (type.withParts?.(toWitnessCodec) ?? type);
}
