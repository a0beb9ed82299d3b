import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Reads test vectors from npm's `@ethersproject/testcases`. The file must contain exactly `count` vectors. */
export function vectors<Vector>(name: string, count: number): readonly Vector[] {
	const folder = process.env.ETHERS_TESTCASES;
	if (!folder) {
		throw new Error('ETHERS_TESTCASES must be the folder testcases of @ethersproject/testcases');
	}
	const packed = readFileSync(join(folder, `${name}.json.gz`));
	const found = JSON.parse(gunzipSync(packed).toString()) as Vector[];
	if (found.length !== count) throw new Error(`${name} has ${found.length} vectors, not ${count}`);
	return found;
}
