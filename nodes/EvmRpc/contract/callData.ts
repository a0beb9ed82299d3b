import { encodeCall, functionOf } from '../../core/evm/abi/call';
import type { AbiFunction } from '../../core/evm/abi/declared/entry';
import type { Params } from '../../core/operation/field';
import { isRecord } from '../../core/values/parseJson';
import { readAs } from '../../core/values/read';
import type { callFields } from './fields';

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
