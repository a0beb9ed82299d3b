// This script counts the source files that five parts of the project import: `node scripts/closure.mjs [folder of the
// repository]`.
// For each file in WALKS, it follows all imports except those of types. The column `files` counts all files that it
// reaches. The column `onTheWay` counts only the files of a node, a family, any chain, a trigger or the signer, without
// the files that every part shares. The column `lines` counts the lines of the files in `onTheWay`.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));

const WALKS = {
	'a payment in jettons on TON': 'nodes/Ton/transaction/prepare/prepare.ts',
	'from a log to an execution': 'nodes/EvmRpcTrigger/start.ts',
	'Sign of a STARK call': 'signer/nodes/Signer/starkTransaction.ts',
	'a poll of TON': 'nodes/TonTrigger/TonTrigger.node.ts',
	'Get Balance': 'nodes/EvmRpc/account.ts',
};

const WAY_PATTERN =
	/^(nodes\/(?!core|fields)|nodes\/core\/(evm|witness|ton|stark|chain|trigger)\/|signer\/)/;
const TYPE_IMPORT_PATTERN = /^(import|export) type [^;]*;/gm;

const read = (path) => readFileSync(join(root, path), 'utf8');
const isFile = (path) => existsSync(path) && statSync(path).isFile();

function listImports(from) {
	const { importedFiles } = ts.preProcessFile(
		read(from).replace(TYPE_IMPORT_PATTERN, ''),
		true,
		true,
	);
	return importedFiles
		.filter(({ fileName }) => fileName.startsWith('.'))
		.map(({ fileName }) => join(root, dirname(from), fileName))
		.map((path) => ['', '.ts', '.mts', '/index.ts'].map((end) => path + end).find(isFile))
		.filter((path) => path !== undefined)
		.map((path) => relative(root, path));
}

function walk(start) {
	const seen = new Set([start]);
	// The loop over the set also visits the files that are added while it runs.
	for (const file of seen) for (const next of listImports(file)) seen.add(next);
	return [...seen];
}

const countLines = (files) => files.reduce((sum, path) => sum + read(path).split('\n').length, 0);

const rows = Object.entries(WALKS).map(([walkName, start]) => {
	if (!isFile(join(root, start))) return { walk: walkName, files: `no ${start}` };
	const files = walk(start);
	const way = files.filter((path) => WAY_PATTERN.test(path));
	return { walk: walkName, files: files.length, onTheWay: way.length, lines: countLines(way) };
});
console.table(rows);
