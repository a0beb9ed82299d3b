import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';
import type { Sandbox } from './sandbox.mts';

interface Output {
	readonly contracts?: Record<string, Record<string, Compiled>>;
}

interface Compiled {
	readonly abi: readonly unknown[];
	readonly evm: {
		readonly bytecode: { readonly object: string };
		readonly methodIdentifiers: Readonly<Record<string, string>>;
	};
}

function compile(file: string): Output {
	const content = readFileSync(join(__dirname, '..', 'contracts', `${file}.sol`), 'utf8');
	const input = {
		language: 'Solidity',
		sources: { [file]: { content } },
		settings: {
			outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.methodIdentifiers'] } },
		},
	};
	return JSON.parse(solc.compile(JSON.stringify(input)) as string) as Output;
}

const compiled = new Map<string, Output>();

function contractIn(file: string, name: string): Compiled {
	const output = compiled.get(file) ?? compile(file);
	compiled.set(file, output);
	const found = output.contracts?.[file]?.[name];
	if (!found) throw new Error(JSON.stringify(output));
	return found;
}

interface Deployment {
	/** The file of test/contracts that holds the contract, if it is not named after it. */
	readonly file?: string;
	/** What the constructor is given. */
	readonly given?: readonly bigint[];
}

const wordsOf = (values: ReadonlyArray<number | bigint>) =>
	values.map((value) => value.toString(16).padStart(64, '0')).join('');

/** Puts a contract of test/contracts on the sandbox's chain. */
export async function deploy(
	sandbox: Sandbox,
	name: string,
	{ file = name, given = [] }: Deployment = {},
) {
	const { abi, evm } = contractIn(file, name);
	const { bytecode, methodIdentifiers } = evm;
	const [owner] = (await sandbox.chain('eth_accounts')) as [string];
	const code = `0x${bytecode.object}${wordsOf(given)}`;
	const { contractAddress } = await sandbox.mined({ from: owner, data: code });
	const address = String(contractAddress);
	const data = (method: string, ...words: Array<number | bigint>) =>
		`0x${methodIdentifiers[method]}${wordsOf(words)}`;
	return { address, owner, data, abi };
}
