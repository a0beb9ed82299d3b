import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';
import type { Sandbox } from './sandbox.mts';

interface Output {
	readonly contracts: Record<string, Record<string, Compiled>>;
}

interface Compiled {
	readonly abi: readonly unknown[];
	readonly evm: {
		readonly bytecode: { readonly object: string };
		readonly methodIdentifiers: Readonly<Record<string, string>>;
	};
}

function compile(name: string): Compiled {
	const content = readFileSync(join(__dirname, '..', 'contracts', `${name}.sol`), 'utf8');
	const input = {
		language: 'Solidity',
		sources: { [name]: { content } },
		settings: {
			outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.methodIdentifiers'] } },
		},
	};
	const output = JSON.parse(solc.compile(JSON.stringify(input)) as string) as Output;
	const compiled = output.contracts[name]?.[name];
	if (!compiled) throw new Error(JSON.stringify(output));
	return compiled;
}

const asWord = (word: number | bigint) => word.toString(16).padStart(64, '0');

/** Puts a contract of test/contracts on the sandbox's chain, with these words for its constructor. */
export async function deploy(sandbox: Sandbox, name: string, ...words: readonly bigint[]) {
	const { abi, evm } = compile(name);
	const { bytecode, methodIdentifiers } = evm;
	const [owner] = (await sandbox.chain('eth_accounts')) as [string];
	const code = `0x${bytecode.object}${words.map(asWord).join('')}`;
	const { contractAddress } = await sandbox.mined({ from: owner, data: code });
	const address = String(contractAddress);
	const data = (method: string, ...words: Array<number | bigint>) =>
		`0x${methodIdentifiers[method]}${words.map(asWord).join('')}`;
	return { address, owner, data, abi };
}
