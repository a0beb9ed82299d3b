import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { formatCid, parseCid } from '../../../nodes/core/ipfs/cid';
import { FileHasher } from '../../../nodes/core/ipfs/profiles';
import { createIpfsImporter, type ImportProfile } from '../../harness/ipfsImporter.mts';
import { getCaseCount, TRIES_ALL } from '../../harness/caseCount.mts';

const importFile = createIpfsImporter();

/** Bytes that differ everywhere, so that no two chunks are the same. */
function makeBytes(size: number, seed = 1): Buffer {
	const block = createHash('shake256', { outputLength: 4096 });
	const bytes = Buffer.alloc(size, block.update(String(seed)).digest());
	for (let at = 0; at + 4 <= size; at += 1000) bytes.writeUInt32LE(at + seed, at);
	return bytes;
}

async function computeCid(content: Buffer, profile: ImportProfile): Promise<string> {
	const files = { '': content.toString('base64') };
	return (await importFile({ files, profile, isForCid: true })).cid;
}

function hashInPieces(content: Buffer, hasher: FileHasher, pieceBytes: number) {
	for (let at = 0; at < content.length; at += pieceBytes)
		hasher.update(content.subarray(at, at + pieceBytes));
	return hasher.finish();
}

/** The profiles of which a service may be made, in the order in which the hasher has them. */
const PROFILES: readonly ImportProfile[] = [
	{ cidVersion: 0, rawLeaves: false, chunkBytes: 262_144, width: 174 },
	{ cidVersion: 1, rawLeaves: true, chunkBytes: 262_144, width: 174 },
	{ cidVersion: 1, rawLeaves: true, chunkBytes: 262_144, width: 1024 },
	{ cidVersion: 1, rawLeaves: true, chunkBytes: 1_048_576, width: 174 },
	{ cidVersion: 1, rawLeaves: true, chunkBytes: 1_048_576, width: 1024 },
];

const CHUNK = 262_144;

test.each([0, 1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 4 * CHUNK, 4 * CHUNK + 1])(
	'a file of %d bytes has in each profile the CID that the importer gives it',
	async (size) => {
		const content = makeBytes(size);
		const cids = hashInPieces(content, new FileHasher(size), 100_000);
		for (const [index, profile] of PROFILES.entries()) {
			const cid = await computeCid(content, profile);
			expect(cids.roots.map(formatCid)[index]).toBe(cid);
			expect(cids.verify(cid)).toBe(true);
			expect(cids.verify(toVersion1(cid))).toBe(true);
		}
	},
);

test('a chunk more than a block has links makes another level', async () => {
	const content = makeBytes(174 * CHUNK + 3);
	const cids = hashInPieces(content, new FileHasher(content.length), 100_000);
	const [, profile] = PROFILES;
	expect(cids.verify(profile && (await computeCid(content, profile)))).toBe(true);
}, 60_000);

/** The same block by a CID of version 1. */
function toVersion1(text: string): string {
	const cid = parseCid(text);
	return cid ? formatCid({ ...cid, version: 1 }) : '';
}

test('trees of several levels, of any size, in pieces of any size', async () => {
	const small = fc.record({
		size: fc.integer({ min: 0, max: 700 }),
		pieceBytes: fc.integer({ min: 1, max: 300 }),
		chunkBytes: fc.integer({ min: 1, max: 40 }),
		width: fc.integer({ min: 2, max: 6 }),
		isRaw: fc.boolean(),
		seed: fc.nat(),
	});
	await fc.assert(
		fc.asyncProperty(small, async ({ size, pieceBytes, chunkBytes, width, isRaw, seed }) => {
			const version = isRaw ? 1 : 0;
			const content = makeBytes(size, seed);
			const hasher = new FileHasher(size, [{ chunkBytes, isRaw, version, widths: [width] }]);
			const [root] = hashInPieces(content, hasher, pieceBytes).roots;
			const profile = { cidVersion: version, rawLeaves: isRaw, chunkBytes, width } as const;
			expect(root && formatCid(root)).toBe(await computeCid(content, profile));
		}),
		{ numRuns: getCaseCount(60) },
	);
}, 120_000);

describe('what a service says', () => {
	const content = Buffer.from('A short report');
	const cids = hashInPieces(content, new FileHasher(content.length), 4);

	test.each([
		['QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D', null],
		['bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64', true],
		['bafkreielfblmyyi5iddmcyegcnghmpqse6qocjtuyu44mfabl7qgm6gpga', false],
		['bafybeic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64', null],
		['', null],
		[undefined, null],
		[{ cid: 'Qm' }, null],
		['nonsense', null],
	])('%j is %j', (told, expected) => {
		expect(cids.verify(told)).toBe(expected);
	});

	test('a raw block of a file that is larger than any block is not known', () => {
		const large = hashInPieces(Buffer.alloc(5_000_000), new FileHasher(5_000_000), 65_536);
		expect(large.verify('bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64')).toBeNull();
	});
});

test('a large file is hashed in less than a quarter of its memory', () => {
	const size = (TRIES_ALL ? 256 : 96) * 1024 ** 2;
	const piece = makeBytes(65_536);
	const hasher = new FileHasher(size);
	const before = process.memoryUsage();
	let most = 0;
	for (let at = 0; at < size; at += piece.length) {
		hasher.update(piece);
		if (at % (16 * 1024 ** 2) === 0) {
			const { arrayBuffers, external } = process.memoryUsage();
			most = Math.max(most, arrayBuffers - before.arrayBuffers + external - before.external);
		}
	}
	expect(hasher.finish().roots).toHaveLength(5);
	expect(most).toBeLessThan(size / 4);
}, 300_000);
