import { basename } from 'node:path';

interface Manifest {
	readonly name: string;
	readonly n8n: { readonly nodes: readonly string[] };
}

/** Returns the types of a package's nodes as n8n names them. package.json lists the files of the nodes. */
export function nodesOf({ name, n8n }: Manifest): string[] {
	const classes = n8n.nodes.map((file) => basename(file, '.node.js'));
	return classes.map((one) => `${name}.${one.charAt(0).toLowerCase()}${one.slice(1)}`).sort();
}
