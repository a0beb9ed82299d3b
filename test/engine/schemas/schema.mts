import { join } from 'node:path';
import { resolveOutputSchemaPath } from 'n8n-core';
import type { CaseOfNode } from '../../cases/all.mts';
import { getNode } from '../../harness/nodes.mts';

/** The fields and types that n8n shows of an output before it was there. */
interface Schema {
	readonly type: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
}

/** The common schema of all these values; null has no effect where another value exists. */
export function schemaOf(values: readonly unknown[]): Schema {
	const present = values.filter((value) => value !== null && value !== undefined);
	if (present.length === 0) return { type: 'null' };
	if (present.every(Array.isArray)) return listSchema(present.flat());
	if (present.every((value) => typeof value === 'object')) return objectSchema(present);
	const [type, ...others] = new Set(present.map((value) => typeof value));
	return { type: others.length === 0 ? type! : 'string' };
}

function listSchema(values: readonly unknown[]): Schema {
	return { type: 'array', ...(values.length > 0 && { items: schemaOf(values) }) };
}

function objectSchema(values: readonly object[]): Schema {
	const names = [...new Set(values.flatMap((value) => Object.keys(value)))];
	const of = (name: string) => values.map((value) => (value as Record<string, unknown>)[name]);
	const properties = Object.fromEntries(names.map((name) => [name, schemaOf(of(name))]));
	return { type: 'object', properties };
}

const nodes = join(__dirname, '..', '..', '..', 'nodes');

/** Returns the path at which n8n looks for the schema of an operation, for the newest version of the node. */
export function findSchema({ node, resource, operation }: CaseOfNode): string {
	const nodeDir = join(nodes, node.charAt(0).toUpperCase() + node.slice(1));
	const version = Math.max(...[getNode(node).description.version].flat());
	return resolveOutputSchemaPath({ nodeDir, version, resource, operation })!;
}
