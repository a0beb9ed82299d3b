import { dirname } from 'node:path';
import { findCallbacksIntoMaker } from './support/callbacks.mts';
import { findCircle, readImports, listSources, readText, type Import } from './support/imports.mts';

interface Package {
	/** All that it is made of. */
	readonly folders: readonly string[];
	/** What it may use besides. */
	readonly mayImport?: readonly string[];
	/** Its rooms from top to bottom, folders or single files: imports go down. A new room gets its place here. */
	readonly layers?: readonly string[];
	/** A folder whose own folders know nothing of each other. */
	readonly isolated?: string;
	/** Rooms that know nothing of n8n and of other families of chains, and all that each may import besides itself. */
	readonly pure?: Readonly<Record<string, readonly string[]>>;
}

const PACKAGES: Readonly<Record<string, Package>> = {
	'the package': {
		folders: ['nodes', 'credentials'],
		isolated: 'nodes',
		layers: [
			'nodes/core/index.ts',
			'nodes',
			'nodes/core/run.ts',
			'nodes/core/trigger',
			'nodes/core/follow',
			'nodes/core/transactions',
			'nodes/core/witness',
			'nodes/core/ton',
			'nodes/core/chain',
			'nodes/core/abi',
			'nodes/core/rpc',
			'nodes/core/rest',
			'nodes/core/credentialTests.ts',
			'nodes/core/nodeCredentials.ts',
			'nodes/core/operation',
			'nodes/core/responses',
			'nodes/core/http',
			'nodes/core/pacing',
			'nodes/core/errors',
			'nodes/core/values',
			'nodes/core/context.ts',
			'credentials',
		],
		pure: {
			'nodes/core/witness': ['nodes/core/abi', 'nodes/core/values'],
			'nodes/core/ton': ['nodes/core/errors/requestFailure.ts', 'nodes/core/values'],
		},
	},
	'the gRPC package': {
		folders: ['grpc/nodes', 'grpc/credentials', 'grpc/library'],
		mayImport: ['nodes/core/index.ts'],
		isolated: 'grpc/nodes',
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
	'the sandbox': { folders: ['sandbox'] },
	'the benchmarks': {
		folders: ['bench'],
		mayImport: ['demo', 'tools'],
		layers: ['bench/main.mts', 'bench/plan.mts', 'bench/cases', 'bench'],
	},
	'the documentation': {
		folders: ['docs/make'],
		mayImport: [
			...['nodes', 'credentials', 'grpc', 'signer', 'demo', 'tools'],
			...['test/harness', 'jest.config.mjs', 'scripts/setAddress.mjs'],
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
			...[
				'nodes',
				'credentials',
				'grpc',
				'signer',
				'demo',
				'tools',
				'sandbox',
				'bench',
				'docs/make',
			],
			...['package.json', 'jest.config.mjs'],
		],
	},
};

const isBelow = (file: string, room: string) => file === room || file.startsWith(`${room}/`);
const isBelowOne = (file: string, rooms: readonly string[]) =>
	rooms.some((room) => isBelow(file, room));

/** The step on which a file stands: that of the smallest room that holds it. */
function getLayer(file: string, stairs: readonly string[]): number {
	const rooms = stairs.filter((room) => isBelow(file, room));
	return stairs.indexOf(rooms.sort((a, b) => b.length - a.length)[0] ?? '');
}

/** Whether one of two folders in this one imports from the other; the core belongs to all. */
function crossesIsolation({ from, to }: Import, folder: string): boolean {
	if (![from, to].every((file) => isBelow(file, folder))) return false;
	const names = [from, to].map((file) => file.slice(folder.length + 1).split('/')[0]);
	return names[0] !== names[1] && !names.includes('core');
}

const formatImports = (imports: readonly Import[]) =>
	imports.map(({ from, to }) => `${from} imports ${to}`);

describe.each(Object.entries(PACKAGES))('in %s', (_name, house) => {
	const { folders, mayImport: borrows = [], layers: stairs = [], isolated: strangers } = house;
	const imports = folders.flatMap(listSources).flatMap(readImports);

	test('files import each other, and never in a circle', () => {
		expect(imports.length).toBeGreaterThan(10);
		expect(findCircle(imports).join(' > ')).toBe('');
	});

	test('no import leads out of it', () => {
		const out = imports.filter(({ to }) => !isBelowOne(to, [...folders, ...borrows]));
		expect(formatImports(out)).toEqual([]);
	});

	test('no import runs back up the stairs', () => {
		const back = imports.filter(({ from, to }) => getLayer(to, stairs) < getLayer(from, stairs));
		expect(formatImports(back.filter(({ to }) => isBelowOne(to, folders)))).toEqual([]);
	});

	test('no two folders, neither of which holds the other, import from each other', () => {
		const between = imports.map(({ from, to }) => [dirname(from), dirname(to)] as const);
		const ways = between.filter(([one, other]) => !isBelow(one, other) && !isBelow(other, one));
		const known = new Set(ways.map((way) => way.join(' and ')));
		const back = ways.filter((way) => known.has(way.toReversed().join(' and ')));
		expect(back).toEqual([]);
	});

	test('no node imports from the folder of another', () => {
		const between = imports.filter(
			(one) => strangers !== undefined && crossesIsolation(one, strangers),
		);
		expect(formatImports(between)).toEqual([]);
	});
});

test('every file of the core is in a room that stands on the stairs', () => {
	const { layers: stairs = [] } = PACKAGES['the package'] as Package;
	const nodes = stairs.indexOf('nodes');
	const ofNoRoom = listSources('nodes/core').filter((file) => getLayer(file, stairs) === nodes);
	expect(ofNoRoom).toEqual([]);
});

describe.each(Object.entries(PACKAGES['the package']?.pure ?? {}))('%s', (room, allowed) => {
	const sources = listSources(room);

	test('imports nothing of the project but what a pure room may', () => {
		const out = sources
			.flatMap(readImports)
			.filter(({ to }) => !isBelowOne(to, [room, ...allowed]));
		expect(sources.length).toBeGreaterThan(3);
		expect(formatImports(out)).toEqual([]);
	});

	test('imports no package but crypto', () => {
		const packages = sources.flatMap((file) =>
			[...readText(file).matchAll(/\bfrom '([^.'][^']*)'/g)].map(([, name]) => name),
		);
		expect(packages.filter((name) => name !== 'crypto')).toEqual([]);
	});
});

describe('no object hands a part that it makes a callback into itself', () => {
	test('in the core', () => {
		const seen = listSources('nodes/core').flatMap((file) =>
			findCallbacksIntoMaker(readText(file)).map((part) => `${file}: ${part}`),
		);
		expect(seen).toEqual([]);
	});

	test.each([
		'new Part(() => this.next())',
		'new Part(async () => { await this.next(); })',
		'new Part(1, { next: function () { this.next(); } })',
		'new Part(this.next)',
		'new Part(this.next.bind(this))',
		'new Part(this.arrow)',
		'new Part(variable)',
		'new Part(this)',
	])('which would be seen: %s', (part) => {
		expect(findCallbacksIntoMaker(maker(part))).toEqual([part]);
	});

	test.each([
		'new Part(this.size, this.next())',
		'new Part(() => 1)',
		'new Promise((resolve) => this.next(resolve))',
	])('another matter is %s', (part) => {
		expect(findCallbacksIntoMaker(maker(part))).toEqual([]);
	});

	const maker = (part: string) => `class Maker {
		size = 1;
		arrow = () => 1;
		make() {
			const variable = () => this.next();
			return ${part};
		}
		next() {}
	}`;
});
