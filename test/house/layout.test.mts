import { dirname } from 'node:path';
import { FAMILY_NAMES } from '../../nodes/core/values/families';
import { findCircle, readImports, listSources, readText, type Import } from './support/imports.mts';

interface Package {
	/** All folders of the area. */
	readonly folders: readonly string[];
	/** The folders outside of this folder that its files may import. */
	readonly mayImport?: readonly string[];
	/**
	 * The folders or files from the top layer to the bottom layer. A file may import only from its own layer or from
	 * lower ones.
	 */
	readonly layers?: readonly string[];
	/** A folder whose subfolders may not import each other. The subfolders in `shared` are exempt. */
	readonly isolated?: string;
	readonly shared?: readonly string[];
}

const PACKAGES: Readonly<Record<string, Package>> = {
	'the package': {
		folders: ['nodes', 'credentials'],
		isolated: 'nodes',
		shared: ['core', 'fields'],
		layers: [
			'nodes/core/index.ts',
			'nodes',
			'nodes/fields',
			'nodes/core/run.ts',
			'nodes/core/trigger',
			'nodes/core/families',
			'nodes/core/witness',
			'nodes/core/ton',
			'nodes/core/stark',
			'nodes/core/stark/abi',
			'nodes/core/stark/selectors.ts',
			'nodes/core/stark/address.ts',
			'nodes/core/stark/felts.ts',
			'nodes/core/evm',
			'nodes/core/evm/transactions',
			'nodes/core/evm/abi',
			'nodes/core/evm/address.ts',
			'nodes/core/chain',
			'nodes/core/ipfs',
			'nodes/core/accountKey',
			'nodes/core/protocols',
			'nodes/core/credentialTests.ts',
			'nodes/core/nodeCredentials.ts',
			'nodes/core/operation',
			'nodes/core/net/responses',
			'nodes/core/net/http',
			'nodes/core/net/pacing',
			'nodes/core/values',
			'credentials',
			'nodes/core/errors',
			'nodes/core/context.ts',
		],
	},
	'the gRPC package': {
		folders: ['grpc/nodes', 'grpc/credentials', 'grpc/library'],
		mayImport: ['nodes/core/index.ts'],
		isolated: 'grpc/nodes',
		shared: ['core'],
		layers: [
			'grpc/nodes',
			'grpc/nodes/core',
			'grpc/credentials',
			'grpc/library',
			'grpc/library/json',
			'grpc/library/schema',
			'grpc/library/connection',
			'grpc/library/descriptors',
			'grpc/library/callError.mts',
		],
	},
	'the signer package': {
		folders: ['signer/nodes', 'signer/rules', 'signer/credentials', 'signer/library'],
		mayImport: ['nodes/core/index.ts'],
		isolated: 'signer/nodes',
		shared: ['core'],
		layers: [
			'signer/nodes',
			'signer/nodes/core',
			'signer/rules',
			'signer/credentials',
			'signer/library',
		],
	},
	'the demo, and the tools that scripts, bench, docs and tests share with it': {
		folders: ['demo', 'tools'],
		layers: [
			'demo',
			'demo/queue',
			'demo/examples',
			'demo/run',
			'demo/service',
			'demo/install',
			'tools',
		],
	},
	'the sandbox': {
		folders: ['sandbox'],
		isolated: 'sandbox/apis',
		shared: ['evm', 'projects.mts'],
		layers: [
			'sandbox/main.mts',
			'sandbox/service.mts',
			'sandbox/servers',
			'sandbox/state.mts',
			'sandbox/apis',
			'sandbox/apis/projects.mts',
			'sandbox/apis/evm',
			'sandbox/jsonRpc',
			'sandbox/http',
			'sandbox/turns.mts',
		],
	},
	'the benchmarks': {
		folders: ['bench'],
		mayImport: ['demo', 'tools'],
		layers: ['bench/main.mts', 'bench/plan.mts', 'bench/cases', 'bench'],
	},
	'the documentation': {
		folders: ['docs/make'],
		mayImport: [
			'nodes',
			'credentials',
			'grpc',
			'signer',
			'demo',
			'tools',
			'test/cases',
			'test/harness',
			'jest.config.mjs',
			'scripts/setAddress.mjs',
		],
		layers: [
			'docs/make/main.mts',
			'docs/make/pictures',
			'docs/make/pages',
			'docs/make/engine/parts.docs.mts',
			'docs/make/engine/samples',
			'docs/make/engine',
		],
	},
	'the tests': {
		folders: ['test', 'grpc/test', 'signer/test'],
		mayImport: [
			'nodes',
			'credentials',
			'grpc',
			'signer',
			'demo',
			'tools',
			'sandbox',
			'bench',
			'docs/make',
			'package.json',
			'jest.config.mjs',
		],
	},
};

const isBelow = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);
const isBelowOne = (file: string, folders: readonly string[]) =>
	folders.some((folder) => isBelow(file, folder));

/** Returns the layer of a file, which is the smallest listed folder that contains it. */
function getLayer(file: string, layers: readonly string[]): number {
	const holding = layers.filter((folder) => isBelow(file, folder));
	return layers.indexOf(holding.sort((a, b) => b.length - a.length)[0] ?? '');
}

/** Returns whether an import leads from one isolated subfolder of a folder to another. */
function crossesIsolation(
	{ from, to }: Import,
	folder: string,
	shared: readonly string[],
): boolean {
	if (![from, to].every((file) => isBelow(file, folder))) return false;
	const [one = '', other = ''] = [from, to].map(
		(file) => file.slice(folder.length + 1).split('/')[0],
	);
	return one !== other && !shared.includes(one) && !shared.includes(other);
}

const formatImports = (imports: readonly Import[]) =>
	imports.map(({ from, to }) => `${from} imports ${to}`);

describe.each(Object.entries(PACKAGES))('in %s', (_name, house) => {
	const { folders, mayImport = [], layers = [], isolated, shared = [] } = house;
	const imports = folders.flatMap(listSources).flatMap(readImports);

	test('files import each other, and never in a circle', () => {
		expect(imports.length).toBeGreaterThan(10);
		expect(findCircle(imports).join(' > ')).toBe('');
	});

	test('no import leads out of it', () => {
		const out = imports.filter(({ to }) => !isBelowOne(to, [...folders, ...mayImport]));
		expect(formatImports(out)).toEqual([]);
	});

	test('no import leads to a layer above', () => {
		const back = imports.filter(({ from, to }) => getLayer(to, layers) < getLayer(from, layers));
		expect(formatImports(back.filter(({ to }) => isBelowOne(to, folders)))).toEqual([]);
	});

	test('no two folders, neither of which holds the other, import from each other', () => {
		const between = imports.map(({ from, to }) => [dirname(from), dirname(to)] as const);
		const ways = between.filter(([one, other]) => !isBelow(one, other) && !isBelow(other, one));
		const known = new Set(ways.map((way) => way.join(' and ')));
		const back = ways.filter((way) => known.has(way.toReversed().join(' and ')));
		expect(back).toEqual([]);
	});

	test('no isolated folder imports from another', () => {
		const between = imports.filter(
			(one) => isolated !== undefined && crossesIsolation(one, isolated, shared),
		);
		expect(formatImports(between)).toEqual([]);
	});
});

test('every file of the core is in a layer', () => {
	const { layers = [] } = PACKAGES['the package'] as Package;
	const nodes = layers.indexOf('nodes');
	const inNone = listSources('nodes/core').filter((file) => getLayer(file, layers) === nodes);
	expect(inNone).toEqual([]);
});

test('of the core, credentials import errors alone', () => {
	const upwards = listSources('credentials')
		.flatMap(readImports)
		.filter(({ to }) => !isBelowOne(to, ['credentials', 'nodes/core/errors']));
	expect(formatImports(upwards)).toEqual([]);
});

describe('the families of chains', () => {
	const families = FAMILY_NAMES.map((name) => `nodes/core/${name}`);
	const sources = families.flatMap(listSources);

	test('know nothing of each other, but for the ABI that the witness chain shares with EVM chains', () => {
		const between = sources
			.flatMap(readImports)
			.filter(
				({ from, to }) =>
					families.some((one) => isBelow(to, one) && !isBelow(from, one)) &&
					!(isBelow(from, 'nodes/core/witness') && isBelow(to, 'nodes/core/evm/abi')),
			);
		expect(formatImports(between)).toEqual([]);
	});

	test('know neither n8n nor its forms', () => {
		const fields = ['nodes/fields', 'nodes/core/operation'];
		const forms = sources.flatMap(readImports).filter(({ to }) => isBelowOne(to, fields));
		expect(formatImports(forms)).toEqual([]);
		expect(sources.filter((file) => readText(file).includes('n8n-workflow'))).toEqual([]);
	});
});
