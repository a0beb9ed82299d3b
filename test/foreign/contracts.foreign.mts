import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { toFunctionSelector, type AbiFunction } from 'viem';
import { findSelectors } from '../../nodes/core/evm/contracts/bytecode/selectors';
import { describeContract, readFoundContract } from '../../nodes/core/evm/contracts/describe';
import { runAtOnce } from '../../nodes/core/net/pacing/slices';
import { compileFile, type CompiledContract } from '../harness/contract.mts';
import { createCarOpener, encodeBlock, encodeBlockCar } from '../harness/metadataGateway.mts';
import { createChain } from '../unit/support/chains.mts';
import { createShared } from '../../nodes/core/net/pacing/shared';

const folder = process.env.FOREIGN_MODULES ?? '';

/** The npm packages with compiled contracts. Their publishers have compiled them. */
const PUBLISHED = [
	'@gnosis.pm/safe-contracts/build',
	'@openzeppelin/contracts/build',
	'@safe-global/safe-smart-account/build',
	'@uniswap/v2-core/build',
	'@uniswap/v2-periphery/build',
	'@uniswap/v3-core/artifacts',
	'@uniswap/v3-periphery/artifacts',
	'@uniswap/v4-periphery/foundry-out',
];

interface Artifact {
	readonly name: string;
	readonly abi: ReadonlyArray<{ readonly type: string }>;
	readonly code: Buffer;
	/** The selectors that the compiler lists. For a library, they cannot be computed from the ABI. */
	readonly selectors: readonly string[];
}

function listFiles(path: string): string[] {
	return readdirSync(path, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json'))
		.map((entry) => join(entry.parentPath, entry.name));
}

type Published = Readonly<Record<string, unknown>> & {
	readonly abi?: Artifact['abi'];
	readonly deployedBytecode?: string | { readonly object: string };
	readonly evm?: Published;
	readonly methodIdentifiers?: Readonly<Record<string, string>>;
};

function readArtifact(name: string): Artifact[] {
	const read = JSON.parse(readFileSync(name, 'utf8')) as Published;
	const given = read.deployedBytecode ?? read.evm?.deployedBytecode ?? '';
	const text = typeof given === 'string' ? given : given.object;
	if (!Array.isArray(read.abi) || text.length < 10) return [];
	// The addresses of linked libraries are placeholders in the code, so they are replaced by zeros.
	const code = Buffer.from(text.replace(/^0x/, '').replace(/__.{38}/g, '0'.repeat(40)), 'hex');
	const known = read.methodIdentifiers ?? read.evm?.methodIdentifiers;
	const functions = read.abi.filter(({ type }) => type === 'function') as AbiFunction[];
	const selectors = known
		? Object.values(known).map((one) => `0x${one}`)
		: functions.map((one) => toFunctionSelector(one));
	return [{ name, abi: read.abi, code, selectors }];
}

const artifacts = PUBLISHED.flatMap((path) => listFiles(join(folder, path)).flatMap(readArtifact));

/** Returns whether a contract is the library NFTDescriptor, whose functions take structs that the ABI does not name. */
const isLibrary = ({ name }: Artifact) => name.endsWith('/NFTDescriptor.json');

const find = (code: Buffer) =>
	[...runAtOnce(findSelectors(code))].map((one) => `0x${one.toString(16).padStart(8, '0')}`);

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;

test('every selector of what others published is found, and all that evmole finds', () => {
	const { contractInfo } = createRequire(join(folder, 'x.js'))('evmole') as {
		contractInfo(code: string, wanted: object): { functions: Array<{ selector: string }> };
	};
	let [wanted, found, theirs] = [0, 0, 0];
	const missing: string[] = [];
	for (const artifact of artifacts.filter((one) => !isLibrary(one))) {
		const { name, code, selectors } = artifact;
		const ours = new Set(find(code));
		const { functions } = contractInfo(`0x${code.toString('hex')}`, { selectors: true });
		const others = functions.map(({ selector }) => `0x${selector}`);
		wanted += selectors.length;
		found += selectors.filter((one) => ours.has(one)).length;
		theirs += selectors.filter((one) => others.includes(one)).length;
		for (const one of [...selectors, ...others]) if (!ours.has(one)) missing.push(`${name} ${one}`);
	}
	console.log(
		`${artifacts.length} contracts of others, ${wanted} functions: ${percent(found, wanted)} of their selectors are found (by evmole: ${percent(theirs, wanted)})`,
	);
	expect(missing).toEqual([]);
	expect(artifacts.length).toBeGreaterThan(400);
});

test('accounts of several owners have the functions of what they stand for', async () => {
	const proxies = artifacts.filter(({ name }) => /\/(Gnosis)?SafeProxy\.json$/.test(name));
	const accounts = artifacts.filter(({ name }) => /\/(Gnosis)?Safe\.json$/.test(name));
	expect([proxies.length, accounts.length]).toEqual([2, 2]);
	const [contract, master] = ['c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
	for (const [at, { code }] of proxies.entries()) {
		const account = accounts[at]!;
		const chain = createChain((method, params) => {
			if (method === 'eth_getStorageAt') return `0x${master.slice(2).padStart(64, '0')}`;
			const called = (params as unknown as [string])[0] === contract ? code : account.code;
			return `0x${called.toString('hex')}`;
		});
		const { run, functions } = await readFoundContract(chain, contract, undefined);
		expect(run.proxies).toEqual(['masterCopy']);
		const found = new Set(functions.map(({ selector }) => selector));
		expect(account.selectors.filter((one) => !found.has(one))).toEqual([]);
	}
});

/** The sources that this test compiles. The compiler adds their metadata, whose hash is in the code. */
const SOURCES = [
	'@openzeppelin/contracts/access/manager',
	'@openzeppelin/contracts/governance',
	'@openzeppelin/contracts/metatx',
	'@openzeppelin/contracts/proxy',
	'@safe-global/safe-smart-account/contracts',
];

async function compileSources(path: string): Promise<CompiledContract[]> {
	const { default: solc } = await import('solc');
	const read = (file: string) => ({ contents: readFileSync(join(folder, file), 'utf8') });
	const sources = Object.fromEntries(
		readdirSync(join(folder, path), { withFileTypes: true, recursive: true })
			.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
			.filter((file) => file.endsWith('.sol') && !/\/(test|examples)\//.test(file))
			.map((file) => [file, { content: read(file).contents }] as const),
	);
	const outputs = ['abi', 'metadata', 'evm.deployedBytecode.object', 'evm.methodIdentifiers'];
	const settings = { optimizer: { enabled: true }, outputSelection: { '*': { '*': outputs } } };
	const input = JSON.stringify({ language: 'Solidity', sources, settings });
	const output = JSON.parse(solc.compile(input, { import: read }) as string) as {
		contracts?: Record<string, Record<string, CompiledContract>>;
		errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>;
	};
	const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
	expect(errors.map((one) => one.formattedMessage)).toEqual([]);
	return Object.values(output.contracts ?? {}).flatMap((file) => Object.values(file));
}

async function compileOwn(settings: object): Promise<CompiledContract[]> {
	const files = readdirSync(join(process.cwd(), 'test', 'contracts'));
	const compiled = await Promise.all(
		files.map(async (file) => await compileFile(file.replace('.sol', ''), settings)),
	);
	return compiled.flatMap(({ contracts = {} }) =>
		Object.values(contracts).flatMap((file) => Object.values(file)),
	);
}

test('functions of contracts with metadata are named by it', async () => {
	const optimizer = { enabled: true, runs: 100_000 };
	const compiled = [await compileOwn({}), await compileOwn({ optimizer })];
	for (const path of SOURCES) compiled.push(await compileSources(path));
	let [contracts, wanted, named] = [0, 0, 0];
	for (const { metadata, evm } of compiled.flat()) {
		const { methodIdentifiers, deployedBytecode } = evm;
		const expected = Object.entries(methodIdentifiers);
		if (deployedBytecode.object === '' || expected.length === 0) continue;
		const code = deployedBytecode.object.replace(/__.{38}/g, '0'.repeat(40));
		const block = encodeBlock(metadata);
		const source = {
			openStream: createCarOpener(() => encodeBlockCar(block)),
			gateway: 'https://ipfs.example.com/ipfs/',
			maxMegabytes: 1,
			shared: createShared(),
		};
		// Every read except eth_getCode returns zero. So no storage slot names an implementation, and the contract does not
		// look like a proxy.
		const chain = createChain((method) => (method === 'eth_getCode' ? `0x${code}` : '0x0'));
		const found = await readFoundContract(chain, `0x${'c'.repeat(40)}`, source);
		const items = describeContract(`0x${'c'.repeat(40)}`, found) as Array<Record<string, unknown>>;
		const names = new Set(
			items
				.filter((one) => one.source === 'metadata')
				.map((one) => `${String(one.signature)} ${String(one.selector)}`),
		);
		contracts++;
		wanted += expected.length;
		named += expected.filter(([signature, one]) => names.has(`${signature} 0x${one}`)).length;
	}
	console.log(
		`${contracts} contracts with metadata, ${wanted} functions: ${percent(named, wanted)} are named by it`,
	);
	expect(contracts).toBeGreaterThanOrEqual(100);
	expect(named / wanted).toBeGreaterThan(0.95);
});
