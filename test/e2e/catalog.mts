import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { raise } from '../../nodes/core/errors/raise';
import { n8nHome, root } from '../../tools/paths.mjs';

/** Loads a module of n8n, in the version that the other tests run. */
export const requireOfN8n = createRequire(join(n8nHome, 'node_modules', 'none.js'));

export const OTHER_PACKAGES = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'];
const OUR_FOLDERS = ['', 'grpc', 'signer'];
const OUR_PREFIX = /^n8n-nodes-chain-infra(-\w+)?\./;

/**
 * The two searches for nodes in n8n: that of its AI workflow builder and that of its node panel. They return names, the
 * best first.
 */
export interface Catalog {
	readonly build: (typed: string) => string[];
	readonly panel: (typed: string) => string[];
	/** Returns the text about a node in the results of n8n's tool `search_nodes`, as a model reads it. */
	readonly readEntry: (node: Description) => string;
}

export type Description = INodeTypeDescription;

interface NodeTypeParser {
	searchNodeTypes(query: string, limit: number): Array<{ id: string }>;
}

interface SearchItem {
	readonly key: string;
	readonly properties: Description;
}

/** Lists the nodes that n8n itself contains. */
export function listOthers(): Description[] {
	return OTHER_PACKAGES.flatMap((name) =>
		withPackage(name, readJson(join(n8nHome, 'node_modules', name, 'dist', 'types', 'nodes.json'))),
	);
}

/** Lists the nodes of all our packages from their source files. */
export async function listOurs(): Promise<Description[]> {
	const packages = OUR_FOLDERS.map(async (folder) => {
		const { name, n8n } = readJson<{ name: string; n8n: { nodes: string[] } }>(
			join(root, folder, 'package.json'),
		);
		const paths = n8n.nodes.map((path) =>
			join(root, folder, path.replace('dist/', '').replace(/\.js$/, '')),
		);
		return withPackage(name, await Promise.all(paths.map(readNode)));
	});
	return (await Promise.all(packages)).flat();
}

async function readNode(path: string): Promise<Description> {
	const module = (await import(`${path}.ts`)) as Record<string, unknown>;
	const exported = Object.values({ ...module, ...(module.default as object) });
	const Node = exported.find((one) => typeof one === 'function') as new () => {
		description: Description;
	};
	return { ...new Node().description, codex: readJson(`${path}.json`) };
}

function withPackage(packageName: string, nodes: readonly Description[]): Description[] {
	return nodes.map((node) => ({ ...node, name: `${packageName}.${node.name}` }));
}

/** Adds the tools that n8n makes of nodes. n8n's builder lists them after all nodes. */
export function withTools(nodes: readonly Description[]): Description[] {
	const { createAiTools, createHitlTools } = requireOfN8n('n8n/dist/tool-generation') as Record<
		string,
		(types: { nodes: Description[] }, known: object) => void
	>;
	const types = { nodes: [...nodes] };
	const known = { nodes: {}, credentials: {} };
	createAiTools!(types, known);
	createHitlTools!(types, known);
	return types.nodes;
}

/** Throws if n8n would refuse to load the node because of its hints. */
export function checkAsLoaded(node: Description): void {
	const { validateNodeDescription } = requireOfN8n(
		'n8n-core/dist/nodes-loader/validate-node-description',
	) as { validateNodeDescription: (description: Description) => void };
	validateNodeDescription(node);
}

/** Creates the two searches of n8n over the given nodes. */
export function createCatalog(nodes: readonly Description[]): Catalog {
	const { NodeTypeParser: Parser, searchCodeBuilderNodes } = requireOfN8n(
		'@n8n/ai-utilities/node-catalog',
	) as {
		NodeTypeParser: new (all: readonly Description[]) => NodeTypeParser;
		searchCodeBuilderNodes: (
			parser: NodeTypeParser,
			queries: readonly string[],
		) => { results: string };
	};
	const { sublimeSearch } = requireOfN8n('@n8n/utils/search/sublime-search') as {
		sublimeSearch: <Item>(typed: string, items: Item[]) => Array<{ item: Item; score: number }>;
	};
	const parser = new Parser(withTools(nodes));
	const listed = listInPanel(nodes);
	return {
		build: (typed) => parser.searchNodeTypes(typed, 5).map(({ id }) => getShortName(id)),
		panel: (typed) =>
			sublimeSearch(typed.toLowerCase(), listed)
				.map(({ item, score }) => ({ name: getShortName(item.key), score }))
				.map((one) => ({ ...one, score: one.score + getPopularity(one.name) }))
				.sort((one, other) => other.score - one.score)
				.map(({ name }) => name),
		readEntry: ({ name, displayName }) =>
			cutEntry(searchCodeBuilderNodes(parser, [displayName]).results, name),
	};
}

/** Returns the entry of a node from the results. It begins with the name of the node and ends before the next entry. */
function cutEntry(results: string, name: string): string {
	const entries = results.split(/\n\n(?=- )/);
	const isOfNode = new RegExp(`^- ${name.replaceAll('.', '\\.')}( |$)`, 'm');
	return entries.find((entry) => isOfNode.test(entry)) ?? raise(new Error(`${name} is not found`));
}

/** Lists nodes as the panel does: a node and its trigger are one entry, which is found by the words of the node. */
function listInPanel(nodes: readonly Description[]): SearchItem[] {
	const shown = nodes.filter((node) => !node.hidden);
	const names = new Set(shown.map(({ name }) => name));
	return shown
		.filter(({ name }) => !(name.endsWith('Trigger') && names.has(name.replace(/Trigger$/, ''))))
		.map((node) => ({
			key: node.name,
			properties: { ...node, displayName: node.displayName.replace(/ Trigger$/, '') },
		}));
}

/**
 * Returns the points for popularity, of which n8n's panel adds at most 100. Here, all nodes of others get 100. Only the
 * short names of our nodes contain no dot.
 */
function getPopularity(name: string): number {
	return name.includes('.') ? 100 : 0;
}

/**
 * Removes the package from the name of one of our nodes. Other nodes keep their package, so that none can look like
 * ours.
 */
function getShortName(name: string): string {
	return name.replace(OUR_PREFIX, '');
}

function readJson<Value>(path: string): Value {
	return JSON.parse(readFileSync(path, 'utf8')) as Value;
}
