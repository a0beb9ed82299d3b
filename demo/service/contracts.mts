import { readFile } from 'node:fs/promises';
import solc from 'solc';

export interface CompiledContract {
	bytecode: { object: string };
	methodIdentifiers: Record<string, string>;
}

interface CompilerOutput {
	contracts?: { Demo: Record<string, { evm: CompiledContract }> };
	errors?: unknown[];
}

/** Compiles the contracts of the demo. Returns a function that gives a contract by its name. */
export async function compileContracts(): Promise<(name: string) => CompiledContract> {
	const content = await readFile(new URL('contracts/Demo.sol', import.meta.url), 'utf8');
	const input = {
		language: 'Solidity',
		sources: { Demo: { content } },
		settings: {
			outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
		},
	};
	const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
	return (name) => {
		const found = contracts?.Demo[name];
		if (!found) throw new Error(JSON.stringify(errors));
		return found.evm;
	};
}

/** Encodes a call whose arguments take one word each: addresses, and numbers in hex. */
export function encodeCall(
	{ methodIdentifiers }: CompiledContract,
	signature: string,
	...given: string[]
) {
	return `0x${methodIdentifiers[signature]}${given.map(padWord).join('')}`;
}

export const numberToHex = (value: bigint) => `0x${value.toString(16)}`;
const padWord = (value: string) => value.slice(2).padStart(64, '0');
