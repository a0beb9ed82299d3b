import { createHash, Hash } from 'node:crypto';
import fc from 'fast-check';
import { formatCid, parseCid } from '../../../nodes/core/ipfs/cid';
import { CidCheck, FileHasher } from '../../../nodes/core/ipfs/profiles';
import { createIpfsImporter, type ImportProfile } from '../../harness/ipfsImporter.mts';
import { getCaseCount, TRIES_ALL } from '../../harness/caseCount.mts';

const importFile = createIpfsImporter();

/** Makes bytes without repetition, so that no two chunks of a file are equal. */
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

/** Sends a file in pieces of 100,000 bytes. The mock `stream` counts how often the file is read again. */
function openFile(content: Buffer, readAgain: () => AsyncIterable<Uint8Array> = streamOf(content)) {
	const stream = jest.fn(readAgain);
	const check = new CidCheck({ size: content.length, stream });
	for (let at = 0; at < content.length; at += 100_000)
		check.update(content.subarray(at, at + 100_000));
	return { stream, verify: async (told: unknown) => await check.verify(told) };
}

function streamOf(content: Buffer) {
	return async function* () {
		yield await Promise.resolve(content);
	};
}

const verify = async (content: Buffer, told: unknown) => await openFile(content).verify(told);

/** The import profiles that a service may use, in the order in which the hasher tries them. */
const PROFILES: readonly ImportProfile[] = [
	{ cidVersion: 0, rawLeaves: false, chunkBytes: 262_144, width: 174 },
	{ cidVersion: 1, rawLeaves: true, chunkBytes: 262_144, width: 174 },
	{ cidVersion: 1, rawLeaves: true, chunkBytes: 262_144, width: 1024 },
	{ cidVersion: 1, rawLeaves: true, chunkBytes: 1_048_576, width: 174 },
	{ cidVersion: 1, rawLeaves: true, chunkBytes: 1_048_576, width: 1024 },
];

const CHUNK = 262_144;

/** The smallest file that needs two levels of blocks: it has more chunks than a block has links. */
const TWO_LEVELS = 174 * CHUNK + 3;

test.each([
	...[0, 1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 4 * CHUNK, 4 * CHUNK + 1],
	...(TRIES_ALL ? [TWO_LEVELS] : []),
])(
	'a file of %d bytes has in each profile the CID that the importer gives it',
	async (size) => {
		const content = makeBytes(size);
		const cids = hashInPieces(content, new FileHasher(size), 100_000);
		for (const [index, profile] of PROFILES.entries()) {
			const cid = await computeCid(content, profile);
			expect(cids.roots.map(formatCid)[index]).toBe(cid);
			expect(await verify(content, cid)).toBe(true);
			expect(await verify(content, toVersion1(cid))).toBe(true);
		}
	},
	300_000,
);

describe('a service that keeps to its profile', () => {
	const content = makeBytes(5 * CHUNK);
	const [version0, small, , large] = PROFILES;
	const cids = new Map<ImportProfile | undefined, string>();
	beforeAll(async () => {
		for (const profile of PROFILES) cids.set(profile, await computeCid(content, profile));
	});

	async function verifyIn(profile?: ImportProfile, readAgain?: () => AsyncIterable<Uint8Array>) {
		const file = openFile(content, readAgain);
		const verified = await file.verify(cids.get(profile));
		return [verified, file.stream.mock.calls.length];
	}

	test('has a file read once more when it changes the profile, and only then', async () => {
		const [first] = await verifyIn(version0);
		expect(first).toBe(true);
		expect(await verifyIn(version0)).toEqual([true, 0]);
		expect(await verifyIn(large)).toEqual([true, 1]);
		expect(await verifyIn(large)).toEqual([true, 0]);
		expect(await verifyIn(small)).toEqual([true, 1]);
	});

	test('hashes by one profile from the second file on', async () => {
		await verifyIn(large);
		const update = jest.spyOn(Hash.prototype, 'update');
		await verifyIn(large);
		const hashed = update.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
		update.mockRestore();
		// The content is hashed twice, because a file of this size may also be stored as a single block.
		expect(hashed).toBeGreaterThanOrEqual(2 * content.length);
		expect(hashed).toBeLessThan(2.2 * content.length);
	});

	test('and names no CID yet, or one of no profile: the other profiles are not forgotten', async () => {
		await verifyIn(large);
		expect(await verifyIn(undefined)).toEqual([null, 0]);
		const other = openFile(content);
		expect(await other.verify('QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D')).toBeNull();
		expect(other.stream).toHaveBeenCalledTimes(1);
		expect(await verifyIn(small)).toEqual([true, 0]);
	});

	test('a file that cannot be read again is pinned all the same', async () => {
		await verifyIn(large);
		const fail = async function* () {
			yield await Promise.reject(new Error('gone'));
		};
		expect(await verifyIn(small, fail)).toEqual([null, 1]);
		expect(await verifyIn(small)).toEqual([true, 0]);
	});
});

/** Writes a CID as version 1, for the same block. */
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

	test.each([
		['QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D', null],
		['bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64', true],
		['bafkreielfblmyyi5iddmcyegcnghmpqse6qocjtuyu44mfabl7qgm6gpga', false],
		['bafybeic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64', null],
		['', null],
		[undefined, null],
		[{ cid: 'Qm' }, null],
		['nonsense', null],
	])('%j is %j', async (told, expected) => {
		expect(await verify(content, told)).toBe(expected);
	});

	test('a raw block of a file that is larger than any block is not known', async () => {
		const block = 'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64';
		expect(await verify(Buffer.alloc(5_000_000), block)).toBeNull();
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
