import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Computes the CID of a content (version 1, raw leaves), independently of the sandbox.
 * Jest cannot load the importer, which is an ES module, so a child process reads the content from its stdin.
 */
export async function computeCid(content: Buffer): Promise<string> {
	const script = `
		import { importer } from 'ipfs-unixfs-importer';
		import { BlackHoleBlockstore } from 'blockstore-core/black-hole';
		const options = { cidVersion: 1, rawLeaves: true };
		for await (const { cid } of importer([{ content: process.stdin }], new BlackHoleBlockstore(), options))
			process.stdout.write(cid.toString());`;
	const child = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
		cwd: join(__dirname, '..', '..', 'sandbox'),
	});
	child.child.stdin?.end(content);
	return (await child).stdout;
}
