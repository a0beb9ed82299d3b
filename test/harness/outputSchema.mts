import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { resolveOutputSchemaPath } from 'n8n-core';
import { getNode } from './nodes.mts';

/** The schema of an output. n8n uses it to show the fields and their types before a node has run. */
export interface Schema {
	readonly type: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
}

/** Returns the common schema of values. Null values are ignored if there are other values. */
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

/** Returns the schema of an output in the form of a schema file. */
export function fileSchemaOf(items: readonly unknown[]) {
	return { ...schemaOf(items), version: 1 };
}

const PACKAGES = ['.', 'signer', 'grpc'];

interface OutputOf {
	readonly node: string;
	readonly resource?: string;
	readonly operation?: string;
}

/** Returns the path where n8n looks for the schema of an operation or a trigger, in the newest version of the node. */
export function findSchema({ node, resource, operation }: OutputOf): string {
	const folder = node.charAt(0).toUpperCase() + node.slice(1);
	const homes = PACKAGES.map((one) => join(__dirname, '..', '..', one, 'nodes', folder));
	const nodeDir = homes.find((home) => existsSync(home))!;
	const version = Math.max(...[getNode(node).description.version].flat());
	return resolveOutputSchemaPath({ nodeDir, version, resource, operation })!;
}
