import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	renameSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.mts';

interface CompilerOutput {
	readonly contracts?: Record<string, Record<string, CompiledContract>>;
}

export interface CompiledContract {
	readonly abi: readonly unknown[];
	/** The metadata as text. The compiler puts the CID of this text at the end of the code. */
	readonly metadata: string;
	readonly evm: {
		readonly bytecode: { readonly object: string };
		/** The code on the chain. The values that the constructor sets are zeros in it. */
		readonly deployedBytecode: { readonly object: string };
		readonly methodIdentifiers: Readonly<Record<string, string>>;
	};
}

/**
 * The root of the repository, which every command runs in. The root is not computed from the path of this file,
 * because Jest and Node resolve the path differently.
 */
const root = process.cwd();
const COMPILER_MANIFEST = readFileSync(join(root, 'node_modules', 'solc', 'package.json'));

const OUTPUTS = [
	'abi',
	'metadata',
	'evm.bytecode.object',
	'evm.deployedBytecode.object',
	'evm.methodIdentifiers',
];

/** Lists the files of test/contracts, without their extension. */
export function listContractFiles(): string[] {
	return readdirSync(join(root, 'test', 'contracts')).map((name) => name.replace('.sol', ''));
}

async function compileAnew(input: string): Promise<string> {
	// The compiler is imported only when it is needed, because loading it takes longer than compiling all contracts.
	const { default: solc } = await import('solc');
	return solc.compile(input) as string;
}

/**
 * Compiles a file of test/contracts, or takes the stored result if the file, the settings and the compiler are
 * unchanged.
 * Many test files use the same contracts.
 */
export async function compileFile(file: string, given: object = {}): Promise<CompilerOutput> {
	const content = readFileSync(join(root, 'test', 'contracts', `${file}.sol`), 'utf8');
	const sources = { [file]: { content } };
	const settings = { ...given, outputSelection: { '*': { '*': OUTPUTS } } };
	const input = JSON.stringify({ language: 'Solidity', sources, settings });
	const folder = join(root, '.cache', 'contracts');
	const hash = createHash('sha256').update(COMPILER_MANIFEST).update(input).digest('hex');
	const kept = join(folder, `${hash}.json`);
	if (!existsSync(kept)) {
		mkdirSync(folder, { recursive: true });
		writeFileSync(`${kept}.${process.pid}`, await compileAnew(input));
		renameSync(`${kept}.${process.pid}`, kept);
	}
	return JSON.parse(readFileSync(kept, 'utf8')) as CompilerOutput;
}

export async function getContract(file: string, name: string): Promise<CompiledContract> {
	const output = await compileFile(file);
	const found = output.contracts?.[file]?.[name];
	if (!found) throw new Error(JSON.stringify(output));
	return found;
}

export async function getAbi(file: string, name: string): Promise<readonly unknown[]> {
	const { abi } = await getContract(file, name);
	return abi;
}

interface Deployment {
	/** The file of test/contracts that contains the contract. It is needed only if its name is not the contract's. */
	readonly file?: string;
	/** The arguments of the constructor. */
	readonly given?: readonly bigint[];
}

const toWords = (values: ReadonlyArray<number | bigint>) =>
	values.map((value) => value.toString(16).padStart(64, '0')).join('');

/** Compiles a contract of test/contracts. */
export async function compileContract(file: string, name: string) {
	const { abi, evm } = await getContract(file, name);
	return { abi, bytecode: `0x${evm.bytecode.object}` as const };
}

/** Deploys a contract of test/contracts on the sandbox's chain. */
export async function deployContract(
	sandbox: Sandbox,
	name: string,
	{ file = name, given = [] }: Deployment = {},
) {
	const { abi, evm } = await getContract(file, name);
	const { bytecode, methodIdentifiers } = evm;
	const [owner] = (await sandbox.chain('eth_accounts')) as [string];
	const code = `0x${bytecode.object}${toWords(given)}`;
	const { contractAddress } = await sandbox.mined({ from: owner, data: code });
	const address = String(contractAddress);
	const data = (method: string, ...words: Array<number | bigint>) =>
		`0x${methodIdentifiers[method]}${toWords(words)}`;
	return { address, owner, data, abi };
}
