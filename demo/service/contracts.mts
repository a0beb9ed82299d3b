import { readFile } from 'node:fs/promises';
import solc from 'solc';

export interface Code {
	bytecode: { object: string };
	methodIdentifiers: Record<string, string>;
}

interface Compiled {
	contracts?: { Demo: Record<string, { evm: Code }> };
	errors?: unknown[];
}

/** The contracts of the demo, by their names. */
export async function compiled(): Promise<(name: string) => Code> {
	const content = await readFile(new URL('contracts/Demo.sol', import.meta.url), 'utf8');
	const input = {
		language: 'Solidity',
		sources: { Demo: { content } },
		settings: {
			outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
		},
	};
	const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled;
	return (name) => {
		const found = contracts?.Demo[name];
		if (!found) throw new Error(JSON.stringify(errors));
		return found.evm;
	};
}

/** The data of a call whose arguments fill a word each: addresses, and numbers as hex. */
export function calling({ methodIdentifiers }: Code, signature: string, ...given: string[]) {
	return `0x${methodIdentifiers[signature]}${given.map(word).join('')}`;
}

export const hex = (value: bigint) => `0x${value.toString(16)}`;
const word = (value: string) => value.slice(2).padStart(64, '0');
