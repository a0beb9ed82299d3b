import { InvalidInput } from '../errors/invalidInput';
import { formatNames } from '../values/excerpt';

/** A contract function of which a result is watched. */
interface Returning<Output> {
	readonly name: string;
	readonly outputs: readonly Output[];
}

interface Output {
	/** The name from the declaration, which may be empty. */
	readonly name: string;
	readonly type: { readonly name: string };
}

/**
 * Finds the position of the wanted output, given by name or position; an empty text means the only output. Throws if
 * the output is not an integer.
 */
export function findIntegerOutput<One extends Output>(
	called: Returning<One>,
	wanted: string,
	isInteger: (type: One['type']) => boolean,
): number {
	const { name, outputs } = called;
	if (outputs.length === 0) {
		throw new InvalidInput(
			`The function ${name} is declared without an output, so it has no result to watch`,
			'Choose a function with an output. A Solidity declaration states it at the end, such as returns (uint256).',
		);
	}
	const at = findPlace(outputs, wanted);
	const output = outputs[at];
	if (!output) throw noSuchOutputError(called, wanted);
	if (isInteger(output.type)) return at;
	throw new InvalidInput(
		`The function ${name} returns ${output.type.name}, and only an integer can be compared with a threshold`,
		"Choose an integer in 'Output', or another function.",
	);
}

function findPlace(outputs: readonly Output[], wanted: string): number {
	if (wanted === '') return outputs.length === 1 ? 0 : -1;
	const named = outputs.flatMap((one, at) => (one.name === wanted ? [at] : []));
	if (named.length === 1) return named[0] ?? -1;
	return /^\d{1,4}$/.test(wanted) ? Number(wanted) : -1;
}

function noSuchOutputError({ name, outputs }: Returning<Output>, wanted: string): InvalidInput {
	const names = formatNames(outputs.map((one, at) => one.name || String(at)));
	return new InvalidInput(
		`'Output' must be one of ${names}${wanted === '' ? '; it is empty' : ''}`,
		`The function ${name} returns ${outputs.length} values. Enter the name of a value or its position, counted from 0.`,
	);
}
