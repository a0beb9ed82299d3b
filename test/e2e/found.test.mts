import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { installN8n } from '../../demo/install/install.mjs';
import { JOBS } from '../harness/jobs.mts';
import {
	checkAsLoaded,
	createCatalog,
	listOthers,
	listOurs,
	type Catalog,
	type Description,
} from './catalog.mts';

const jobs = Object.entries(JOBS);
/**
 * The lowest share of searches that must find a fitting node first, and the lowest share for the first three places.
 */
const FIRST_SHARE = 0.9;
const THREE_SHARE = 0.97;

let catalog: Catalog;
let allNodes: Description[];
let ourNodes: Description[];
let otherNames: string[];
let reachable: typeof jobs;

before(async () => {
	await installN8n();
	const [others, ours] = [listOthers(), await listOurs()];
	ourNodes = ours;
	allNodes = [...others, ...ours];
	catalog = createCatalog(allNodes);
	otherNames = others
		.filter(({ hidden, name }) => !hidden && !name.endsWith('Trigger'))
		.map(({ displayName }) => displayName);
	reachable = jobs.filter(([typed, [wanted]]) => {
		const [node] = ours.filter(({ name }) => name.endsWith(`.${wanted}`));
		const ideal = { ...node!, codex: { alias: typed.split(' ') } };
		return createCatalog([...others, ideal]).build(typed)[0] === wanted;
	});
});

/** Returns whether a found node is wanted. An entry of the panel stands for a node and its trigger. */
function isWanted(wanted: readonly string[], found: string | undefined): boolean {
	return found !== undefined && wanted.some((one) => one === found || one === `${found}Trigger`);
}

/** Lists the jobs for which none of the `first` best results fits, each with these results. */
function listMisses(
	asked: typeof jobs,
	search: (typed: string) => string[],
	first: number,
): string[] {
	return asked
		.map(([typed, wanted]) => ({ typed, wanted, found: search(typed).slice(0, first) }))
		.filter(({ wanted, found }) => !found.some((one) => isWanted(wanted, one)))
		.map(({ typed, found }) => `${typed}: ${found.join(', ')}`);
}

function assertFound(asked: typeof jobs, search: (typed: string) => string[]) {
	for (const [first, share] of [
		[1, FIRST_SHARE],
		[3, THREE_SHARE],
	] as const) {
		const misses = listMisses(asked, search, first);
		console.log(`${asked.length - misses.length} of ${asked.length} among the first ${first}`);
		assert.ok(misses.length <= asked.length * (1 - share), misses.join('\n'));
	}
}

describe('among all nodes of n8n, by the words of a hundred jobs', () => {
	it('the panel finds the node that does the job', () => {
		assertFound(jobs, (typed) => catalog.panel(typed));
	});

	it("n8n's builder finds it wherever a node with each of the words as an alias would be first", () => {
		assert.ok(reachable.length >= jobs.length * 0.65, String(reachable.length));
		assertFound(reachable, (typed) => catalog.build(typed));
	});

	it('nobody who types the name of another node is shown one of ours first', () => {
		const isOurs = (name = '.') => !name.includes('.');
		assert.deepEqual(
			otherNames.filter((name) => isOurs(catalog.panel(name)[0])),
			[],
		);
	});
});

/** Lists the operations of a node. An operation of one of several resources is named with its resource. */
function listOperations({ properties }: Description): string[] {
	const hasResources = properties.some(
		({ name, type }) => name === 'resource' && type === 'options',
	);
	const menus = properties.filter(({ name }) => name === 'operation');
	return menus.flatMap(({ options = [], displayOptions }) => {
		const resources = hasResources ? (displayOptions?.show?.resource ?? []) : [''];
		return resources.flatMap((resource) =>
			options.flatMap((one) => ('value' in one ? [`${String(resource)}.${one.value}`] : [])),
		);
	});
}

/** Lists the operations in an entry of n8n's catalog. The indent shows which operations belong to a resource. */
function readOperations(entry: string): string[] {
	let resource = '';
	return entry.split('\n').flatMap((line) => {
		const [, named] = /^ {6}- (\w+):$/.exec(line) ?? [];
		resource = named ?? resource;
		const [, operation] = /^(?: {6}| {12})- (\w+)$/.exec(line) ?? [];
		return operation === undefined ? [] : [`${resource}.${operation}`];
	});
}

/** Lists the operations that the builder hints of a node mention, such as `transaction:send`. */
function listNamedOperations({ builderHint }: Description): string[] {
	const { searchHint = '', relatedNodes = [] } = builderHint ?? {};
	const texts = [searchHint, ...relatedNodes.map(({ relationHint }) => relationHint)];
	const named = texts.join('\n').match(/\b[a-z]\w*:[a-z]\w*\b/g) ?? [];
	return named.map((one) => one.replace(':', '.'));
}

describe("in what n8n's tool search_nodes gives to a model", () => {
	it('a node names all of its operations', () => {
		for (const node of ourNodes)
			assert.deepEqual(readOperations(catalog.readEntry(node)), listOperations(node), node.name);
		const all = ourNodes.flatMap(listOperations);
		assert.ok(all.length >= 100, String(all.length));
	});

	it('a node says what goes before and after it, by nodes and operations that there are', () => {
		const hinted = ourNodes.filter(({ builderHint }) => builderHint);
		assert.ok(hinted.length >= 10, String(hinted.length));
		for (const node of hinted) {
			const { searchHint = '', relatedNodes = [] } = node.builderHint!;
			const entry = catalog.readEntry(node);
			assert.ok(entry.includes(`\n  @builderHint ${searchHint}\n`), entry);
			for (const { nodeType, relationHint } of relatedNodes) {
				assert.ok(entry.includes(`\n    - ${nodeType}: "${relationHint}"\n`), entry);
				assert.ok(
					allNodes.some(({ name }) => name === nodeType),
					nodeType,
				);
			}
			const types = [node.name, ...relatedNodes.map(({ nodeType }) => nodeType)];
			const around = ourNodes.filter(({ name }) => types.includes(name)).flatMap(listOperations);
			assert.deepEqual(
				listNamedOperations(node).filter((one) => !around.includes(one)),
				[],
			);
		}
		assert.ok(hinted.flatMap(listNamedOperations).length >= 20);
	});

	it('no hint keeps n8n from loading the node', () => {
		for (const node of ourNodes) checkAsLoaded(node);
		const [node] = ourNodes;
		const menu = { displayName: '', name: 'mode', type: 'options', default: '' } as const;
		const properties = [{ ...menu, builderHint: { propertyHint: 'none' } }];
		assert.throws(() => checkAsLoaded({ ...node!, properties }), /discriminator/);
	});

	it('Chain Pay says of each operation when it is used', () => {
		const pay = ourNodes.find(({ name }) => name.endsWith('.pay'))!;
		const hints = catalog.readEntry(pay).match(/^ {8}@builderHint .+$/gm) ?? [];
		assert.equal(hints.length, listOperations(pay).length);
	});
});
