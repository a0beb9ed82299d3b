import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	extractDiscriminatorCombinations,
	generateNodeTypeFile,
	generateSingleVersionTypeFile,
	planSplitVersionFiles,
	type NodeTypeDescription,
} from '@n8n/workflow-sdk/scripts/generate-types';
import type { INodeType } from 'n8n-workflow';

/** The definition of a node for n8n's AI workflow builder and for MCP clients. n8n's own generator makes it. */
export interface Definition {
	readonly name: string;
	/** All operations in one text, in the form that n8n creates for nodes of other packages. */
	readonly whole: string;
	/**
	 * The files that n8n's generator makes for n8n's own nodes: one for each operation, by `resource.operation`. A node
	 * without resources has one file, with an empty key.
	 */
	readonly operations: ReadonlyMap<string, string>;
}

const OPERATION_PATTERN = /^resource_(\w+)\/operation_(\w+)\.ts$/;

export function defineNode({ description }: INodeType, packageName: string): Definition {
	const name = `${packageName}.${description.name}`;
	const all = { ...description, name } as unknown as NodeTypeDescription;
	// n8n removes hidden fields before it generates the text `whole`.
	const properties = all.properties.filter(({ type }) => type !== 'hidden');
	return withSchemas(() => ({
		name: description.name,
		whole: generateNodeTypeFile({ ...all, properties }),
		operations: defineOperations(all),
	}));
}

/**
 * Runs the generator in a folder whose `dist/nodes` has the output schemas, because n8n's generator looks for them
 * there.
 */
function withSchemas<Made>(make: () => Made): Made {
	const before = process.cwd();
	const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
	try {
		mkdirSync(join(folder, 'dist'));
		symlinkSync(join(before, 'nodes'), join(folder, 'dist', 'nodes'), 'dir');
		process.chdir(folder);
		return make();
	} finally {
		process.chdir(before);
		rmSync(folder, { recursive: true });
	}
}

function defineOperations(node: NodeTypeDescription): Map<string, string> {
	const isSplit = extractDiscriminatorCombinations(node).length > 0;
	if (!isSplit) return new Map([['', generateSingleVersionTypeFile(node, 1)]]);
	const files = [...planSplitVersionFiles(node, 1)];
	return new Map(
		files.flatMap(([path, text]) => {
			const [, resource, operation] = OPERATION_PATTERN.exec(path) ?? [];
			return operation === undefined ? [] : [[`${resource}.${operation}`, text] as const];
		}),
	);
}

export const countBytes = (text: string) => Buffer.byteLength(text);
