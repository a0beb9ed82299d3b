import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IConnections, INode } from 'n8n-workflow';
import { n8nHome } from '../../tools/paths.mjs';
import {
	listOthers,
	listOurs,
	OTHER_PACKAGES,
	requireOfN8n,
	withTools,
	type Description,
} from './catalog.mts';

export interface WorkflowJson {
	readonly name: string;
	readonly nodes: INode[];
	readonly connections: IConnections;
}

interface Sdk {
	generateWorkflowCode: (of: { workflow: WorkflowJson }) => string;
	setSchemaBaseDirs: (folders: readonly string[]) => void;
}

interface CodeBuilder {
	ParseValidateHandler: new (options: object) => {
		parseAndValidate: (
			code: string,
		) => Promise<{ workflow: WorkflowJson; warnings: ReadonlyArray<{ message: string }> }>;
	};
}

/** n8n's AI workflow builder: it writes a workflow as code, and reads and validates such code. */
export interface Builder {
	readonly write: (workflow: WorkflowJson) => string;
	/**
	 * Validates a workflow as n8n's tool validate_workflow does, but with the schemas of our nodes as well.
	 * The tool has only the schemas of n8n's own nodes.
	 */
	readonly read: (code: string) => Promise<{ workflow: WorkflowJson; warnings: string[] }>;
}

/** Creates the builder. The schemas of our nodes are written to the folder. */
export async function createBuilder(folder: string): Promise<Builder> {
	const ours = await listOurs();
	const sdk = requireOfN8n('@n8n/workflow-sdk') as Sdk;
	const { ParseValidateHandler } = requireOfN8n('@n8n/ai-workflow-builder') as CodeBuilder;
	await generateSchemas(ours, folder);
	sdk.setSchemaBaseDirs([folder, ...OTHER_PACKAGES.map(findSchemas)]);
	const handler = new ParseValidateHandler({
		generatePinData: false,
		nodeTypesProvider: createNodeTypes(withTools([...listOthers(), ...ours])),
	});
	return {
		write: (workflow) => sdk.generateWorkflowCode({ workflow }),
		read: async (code) => {
			const { workflow, warnings } = await handler.parseAndValidate(code);
			return { workflow, warnings: [...new Set(warnings.map(({ message }) => message))] };
		},
	};
}

/** Generates the schemas of our nodes with the generator that n8n uses for its own nodes. */
async function generateSchemas(nodes: readonly Description[], folder: string): Promise<void> {
	const { generateNodeDefinitions } = requireOfN8n(
		'@n8n/workflow-sdk/dist/generate-types/generate-node-defs-cli',
	) as { generateNodeDefinitions: (given: object) => Promise<void> };
	const nodesJsonPath = join(folder, 'nodes.json');
	writeFileSync(nodesJsonPath, JSON.stringify(nodes));
	await generateNodeDefinitions({ nodesJsonPath, outputDir: folder });
}

function findSchemas(packageName: string): string {
	return join(n8nHome, 'node_modules', packageName, 'dist', 'node-definitions');
}

function createNodeTypes(nodes: readonly Description[]) {
	const find = (type: string, isWanted: (version: number) => boolean = () => true) => {
		const description = nodes.find(
			({ name, version }) => name === type && [version].flat().some(isWanted),
		);
		return description && { description };
	};
	return {
		getByName: (type: string) => find(type),
		getByNameAndVersion: (type: string, version: number) => find(type, (one) => one === version),
		getKnownTypes: () => Object.fromEntries(nodes.map(({ name }) => [name, {}])),
	};
}
