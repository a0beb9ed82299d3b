import { basename } from 'node:path';

interface Manifest {
	readonly name: string;
	readonly n8n: { readonly nodes: readonly string[] };
}

/** Lists the types of a package's nodes with n8n's names: package.json lists their files. */
export function nodesOf({ name, n8n }: Manifest): string[] {
	const classes = n8n.nodes.map((file) => basename(file, '.node.js'));
	return classes.map((one) => `${name}.${one.charAt(0).toLowerCase()}${one.slice(1)}`).sort();
}
