import { unfit } from '../../values/read';
import type { Abi } from './abi';
import { attempt } from './attempt';
import { chainData, Undecodable } from './types/chainData';
import type { AbiFunction } from './declared/entry';
import { areNamed, byKey } from './types/parameter';
import { partsOf, readParts, writeParts } from './types/parts';

/** A contract answered with nothing, though the function promises something. */
export class NothingReturned extends Undecodable {}

/** The function of this name or signature; without one, the only function that there is. */
export function functionOf({ functions, unread }: Abi, wanted: unknown): AbiFunction {
	const name = typeof wanted === 'string' ? wanted.replace(/\s/g, '') : '';
	const found = functions.filter(
		(one) => name === '' || one.name === name || one.signature === name,
	);
	const [only] = found;
	if (only && found.length === 1) return only;
	const problem = unread.find((one) => one.kind === 'function' && one.name === name)?.problem;
	return unfit(problem ?? `one of ${listed(found.length > 0 ? found : functions)}`);
}

const MOST_LISTED = 20;

function listed(functions: readonly AbiFunction[]): string {
	const signatures = functions.slice(0, MOST_LISTED).map(({ signature }) => signature);
	return [...signatures, ...(functions.length > MOST_LISTED ? ['…'] : [])].join(', ');
}

/** The data of a call, as 0x-hex. Arguments that do not fit are refused with where they stand. */
export function encodeCall(called: AbiFunction, given: unknown, label = 'Arguments'): string {
	const parts = partsOf(called.inputs, given, label, (key) => `${label} > ${key}`);
	return called.selector + writeParts(parts);
}

/** What a function returned, as an item. */
export function decodeResult(called: AbiFunction, hex: string): Record<string, unknown> {
	const { outputs } = called;
	if (outputs.length === 0) return { result: hex };
	const values = returned(called, hex);
	if (outputs.length === 1) return { result: values[0] };
	return areNamed(outputs) ? byKey(outputs, values) : { result: values };
}

function returned(called: AbiFunction, hex: string): unknown[] {
	if (hex === '0x') {
		throw new NothingReturned(
			`The contract has no function ${called.signature}, or there is no contract at this address`,
		);
	}
	const values = attempt(Undecodable, () => readParts(called.outputs, chainData(hex), 0));
	if (!(values instanceof Undecodable)) return values;
	const types = called.outputs.map(({ type }) => type.name).join(', ');
	throw new Undecodable(`What ${called.name} returned does not fit (${types}): ${values.message}`);
}
