import { basename } from 'node:path';

interface Manifest {
	readonly name: string;
	readonly n8n: { readonly nodes: readonly string[] };
}

/** The types of a package's nodes as n8n names them: its list in package.json holds their files. */
export function nodesOf({ name, n8n }: Manifest): string[] {
	const classes = n8n.nodes.map((file) => basename(file, '.node.js'));
	return classes.map((one) => `${name}.${one.charAt(0).toLowerCase()}${one.slice(1)}`).sort();
}
