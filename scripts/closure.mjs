// Lists what a reader of a file has to know: the files that it imports, directly or not, and their lines.
//   node scripts/closure.mjs nodes/EvmRpc/token.ts
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

for (const start of process.argv.slice(2)) {
	const files = collectReached(start);
	const lines = files.reduce((sum, file) => sum + countLines(file), 0);
	console.log(`${start}: ${files.length} files, ${lines} lines`);
}

function collectReached(start) {
	const reached = new Set([start]);
	for (const file of reached) {
		const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
		for (const { fileName } of importedFiles) {
			const target = findSource(join(dirname(file), fileName));
			if (fileName.startsWith('.') && target) reached.add(target);
		}
	}
	return [...reached];
}

function findSource(path) {
	const candidates = /\.m?ts$/.test(path)
		? [path]
		: [`${path}.ts`, `${path}.mts`, join(path, 'index.ts'), join(path, 'index.mts')];
	return candidates.find((one) => existsSync(one));
}

function countLines(file) {
	return readFileSync(file, 'utf8').split('\n').length - 1;
}
