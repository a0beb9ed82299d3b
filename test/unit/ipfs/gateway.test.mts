import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { parseIpfsAddress } from '../../../nodes/core/ipfs/address';
import { parseCid } from '../../../nodes/core/ipfs/cid';
import { openIpfsFile, type IpfsDownload } from '../../../nodes/core/ipfs/gateway';
import type { OpenStream } from '../../../nodes/core/net/http/fileStream';
import { InvalidValue } from '../../../nodes/core/values/parse';
import {
	createIpfsImporter,
	encodeCar,
	encodeFrame,
	encodeHeader,
	encodeLength,
	type ImportedBlock,
} from '../../harness/ipfsImporter.mts';
import { getCaseCount, TRIES_ALL, takeRows } from '../../harness/caseCount.mts';

const importFiles = createIpfsImporter();

interface Served {
	readonly status?: number;
	readonly type?: string;
	readonly bytes: Uint8Array;
}

/** The answers of a gateway, by the form of the request. Where a function is missing, the answer is 404. */
interface FakeGateway {
	car?(path: string): Served | undefined;
	raw?(cid: string): Served | undefined;
	plain?(path: string): Served | undefined;
}

const NOT_FOUND = { status: 404, type: 'text/plain', bytes: Buffer.from('no') };
const CAR = 'application/vnd.ipld.car; version=1';
const RAW = 'application/vnd.ipld.raw';

function createOpener(gateway: FakeGateway, pieceBytes = 1000): OpenStream {
	return async ({ url, accept }) => {
		const { pathname, searchParams } = new URL(url);
		const path = decodeURIComponent(pathname.replace('/ipfs/', ''));
		const format = searchParams.get('format') ?? 'plain';
		expect(accept.includes(format === 'plain' ? '*/*' : `vnd.ipld.${format}`)).toBe(true);
		const ask = { car: gateway.car, raw: gateway.raw, plain: gateway.plain }[format];
		const { status = 200, type = '', bytes } = (await ask?.(path)) ?? NOT_FOUND;
		async function* pieces() {
			for (let at = 0; at < bytes.length; at += pieceBytes)
				yield bytes.subarray(at, at + pieceBytes);
		}
		return { status, contentType: type, pieces: pieces(), close: () => {} };
	};
}

interface Outcome {
	/** The bytes that the download gave. They are fewer than the bytes of the file if the download failed. */
	readonly bytes: Buffer;
	readonly verified?: boolean;
	readonly failure?: string;
}

async function download(
	open: OpenStream,
	address: string,
	settings: Partial<IpfsDownload> = {},
): Promise<Outcome> {
	const pieces: Uint8Array[] = [];
	try {
		const file = await openIpfsFile(open, {
			address: parseIpfsAddress(address),
			gateway: 'https://ipfs.example.com/ipfs/',
			verify: true,
			maxBytes: 100_000_000,
			timeout: 1000,
			...settings,
		});
		for await (const piece of file.content) pieces.push(piece);
		return { bytes: Buffer.concat(pieces), verified: file.verified };
	} catch (failure) {
		if (!(failure instanceof RequestFailure)) throw failure;
		const { message, description = '' } = failure;
		return { bytes: Buffer.concat(pieces), failure: `${message} ${description}` };
	}
}

const SMALL = { cidVersion: 1, rawLeaves: true, chunkBytes: 50, width: 3 } as const;
const OLD = { cidVersion: 0, rawLeaves: false, chunkBytes: 50, width: 3 } as const;

async function importBytes(content: Buffer, profile: typeof SMALL | typeof OLD = SMALL) {
	return await importFiles({ files: { '': content.toString('base64') }, profile });
}

const serveCar = (bytes: Uint8Array): FakeGateway => ({ car: () => ({ type: CAR, bytes }) });

const serveRaw = (blocks: readonly ImportedBlock[]): FakeGateway => ({
	raw: (cid) => {
		const block = blocks.find((one) => one.cid === cid);
		return block && { type: RAW, bytes: Buffer.from(block.bytes, 'base64') };
	},
});

describe('an honest gateway', () => {
	test('gives files of any shape, as a CAR and as blocks, in pieces of any size', async () => {
		const shape = fc.record({
			bytes: fc.uint8Array({ maxLength: 900 }),
			isRepeated: fc.boolean(),
			cidVersion: fc.constantFrom(0 as const, 1 as const),
			rawLeaves: fc.boolean(),
			chunkBytes: fc.integer({ min: 1, max: 60 }),
			width: fc.integer({ min: 2, max: 7 }),
			pieceBytes: fc.integer({ min: 1, max: 400 }),
			isReversed: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(shape, async ({ bytes, isRepeated, pieceBytes, isReversed, ...profile }) => {
				const content = isRepeated ? Buffer.alloc(bytes.length, 7) : Buffer.from(bytes);
				const files = { '': content.toString('base64') };
				const { cid, blocks, contents } = await importFiles({ files, profile, paths: [''] });
				expect(contents).toEqual([content.toString('base64')]);
				const order = isReversed ? blocks.toReversed() : blocks;
				const expected = { bytes: content, verified: true };
				const car = createOpener(serveCar(encodeCar(cid, order)), pieceBytes);
				expect(await download(car, cid)).toEqual(expected);
				expect(await download(createOpener(serveRaw(blocks), pieceBytes), cid)).toEqual(expected);
			}),
			{ numRuns: getCaseCount(60) },
		);
	}, 120_000);

	test('and the exporter read the same of any tree, at any path', async () => {
		const name = fc
			.stringMatching(/^[a-zA-Z0-9 ._é雪-]{1,12}$/)
			.filter((text) => !/^\.+$/.test(text));
		const tree = fc.record({
			entries: fc.dictionary(name, fc.uint8Array({ maxLength: 200 }), { minKeys: 1, maxKeys: 40 }),
			isSharded: fc.boolean(),
			cidVersion: fc.constantFrom(0 as const, 1 as const),
			rawLeaves: fc.boolean(),
			chunkBytes: fc.integer({ min: 10, max: 90 }),
			width: fc.integer({ min: 2, max: 5 }),
		});
		await fc.assert(
			fc.asyncProperty(tree, async ({ entries, isSharded, ...profile }) => {
				const files = Object.fromEntries(
					Object.entries(entries).map(([file, bytes], index) => [
						`${index % 2 ? 'odd' : 'even'}/${file}`,
						Buffer.from(bytes).toString('base64'),
					]),
				);
				const paths = [...Object.keys(files), 'even', 'even/none of these', ''];
				const shardAbove = isSharded ? 0 : undefined;
				const { cid, blocks, contents } = await importFiles({ files, profile, shardAbove, paths });
				expect(contents.slice(0, -3)).toEqual(Object.values(files));
				for (const open of [
					createOpener(serveCar(encodeCar(cid, blocks))),
					createOpener(serveRaw(blocks)),
				]) {
					for (const [index, path] of paths.entries()) {
						const address = `ipfs://${[cid, ...path.split('/')].map(encodeURIComponent).join('/')}`;
						const { bytes, failure } = await download(open, address);
						expect(failure === undefined ? bytes.toString('base64') : null).toBe(contents[index]);
					}
				}
			}),
			{ numRuns: getCaseCount(25) },
		);
	}, 120_000);

	test.each([
		['a directory', undefined],
		['a directory of shards', 0],
	])(
		'gives the files of %s by their paths',
		async (_, shardAbove) => {
			const names = Array.from({ length: 300 }, (_value, index) => `file ${index} ü%?#.txt`);
			const files = Object.fromEntries(
				names.map((name) => [`a/b/${name}`, Buffer.from(`It is ${name}`).toString('base64')]),
			);
			const { cid, blocks } = await importFiles({ files, profile: SMALL, shardAbove });
			const car = createOpener(serveCar(encodeCar(cid, blocks)));
			const raw = createOpener(serveRaw(blocks));
			for (const name of takeRows(names, 30)) {
				const address = `ipfs://${cid}/a/b/${encodeURIComponent(name)}`;
				const expected = { bytes: Buffer.from(`It is ${name}`), verified: true };
				expect(await download(car, address)).toEqual(expected);
				expect(await download(raw, `${cid}/a/b/${name}`)).toEqual(expected);
			}
			expect((await download(car, `${cid}/a/b/missing`)).failure).toMatch(
				/no file or folder "missing"/,
			);
			expect((await download(car, `${cid}/a`)).failure).toMatch(/leads to a directory/);
			expect((await download(car, cid)).failure).toMatch(/leads to a directory/);
		},
		60_000,
	);

	test('the directory that is there says what it has', async () => {
		const files = { 'one.txt': 'AA==', 'two.txt': 'AA==' };
		const { cid, blocks } = await importFiles({ files, profile: SMALL });
		const { failure } = await download(createOpener(serveRaw(blocks)), cid);
		expect(failure).toMatch(/It has "one.txt", "two.txt"\./);
	});

	test('bytes that stand in the CID itself are asked of nobody', async () => {
		const address = `f01550005${Buffer.from('hello').toString('hex')}`;
		const outcome = await download(createOpener({}), address);
		expect(outcome).toEqual({ bytes: Buffer.from('hello'), verified: true });
	});

	test('what is asked for is what the specification of gateways names', async () => {
		const asked: string[] = [];
		const open: OpenStream = async ({ url, accept }) => {
			asked.push(`${url} ${accept}`);
			return await createOpener({})({ url, accept, timeout: 1 });
		};
		const cid = 'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64';
		const gateway = 'https://ipfs.example.com/key/ipfs/?token=1';
		await download(open, `${cid}/a b/c?`, { gateway, verify: false });
		const root = `https://ipfs.example.com/key/ipfs/${cid}`;
		expect(asked).toEqual([
			`${root}/a%20b/c%3F?token=1&format=car&dag-scope=entity application/vnd.ipld.car; version=1; order=dfs; dups=y`,
			`${root}?token=1&format=raw application/vnd.ipld.raw`,
			`${root}/a%20b/c%3F?token=1 */*`,
		]);
	});
});

test('a block that the file has again and again may come each time, or once', async () => {
	const times = TRIES_ALL ? 68 : 4;
	const profile = { cidVersion: 1, rawLeaves: true, chunkBytes: 1024 ** 2, width: 174 } as const;
	const { cid, blocks } = await importFiles({
		files: { '': Buffer.alloc(profile.chunkBytes).toString('base64') },
		repeat: times,
		profile,
	});
	const [zeros, top] = blocks;
	if (!zeros || !top) throw new Error('There are two blocks');
	const each = [top, ...new Array<ImportedBlock>(times).fill(zeros)];
	for (const order of [each, [top, zeros]]) {
		const opener = createOpener(serveCar(encodeCar(cid, order)), 65_536);
		const { bytes, failure } = await download(opener, cid, { maxBytes: 200_000_000 });
		expect(failure).toBeUndefined();
		expect(bytes.equals(Buffer.alloc(times * profile.chunkBytes))).toBe(true);
	}
}, 60_000);

describe('a hostile gateway', () => {
	const content = randomBytes(400);

	/** The distance between the tested bytes of a file. The command `.ci/run all` tests every byte. */
	const STEP = TRIES_ALL ? 1 : 29;

	/** Expects that only the beginning of the file came out, or the whole file if nothing failed. */
	function expectPrefix({ bytes, failure, verified }: Outcome) {
		expect(content.subarray(0, bytes.length).equals(bytes)).toBe(true);
		if (failure === undefined) expect([bytes.length, verified]).toEqual([content.length, true]);
	}

	test.each([
		['version 1', SMALL],
		['version 0', OLD],
	])(
		'flips a bit anywhere in a CAR of %s',
		async (_, profile) => {
			const { cid, blocks } = await importBytes(content, profile);
			const car = encodeCar(cid, blocks);
			let failures = 0;
			for (let at = 0; at < car.length; at += STEP) {
				const flipped = Buffer.from(car);
				flipped[at] = (flipped[at] ?? 0) ^ (1 << at % 8);
				const outcome = await download(createOpener(serveCar(flipped)), cid);
				expectPrefix(outcome);
				failures += Number(outcome.failure !== undefined);
			}
			// Most changes must be noticed. Only the roots in the header, and the version and codec of a CID, do not
			// matter.
			expect(failures).toBeGreaterThan((car.length / STEP) * 0.8);
		},
		60_000,
	);

	test('ends a CAR anywhere', async () => {
		const { cid, blocks } = await importBytes(content);
		const car = encodeCar(cid, blocks);
		for (let length = 0; length < car.length; length += STEP) {
			const outcome = await download(createOpener(serveCar(car.subarray(0, length))), cid);
			expect(outcome.failure).toMatch(
				/in the middle of a block|did not give the block|broken archive/,
			);
			expectPrefix(outcome);
		}
	}, 60_000);

	test.each([
		['a file', undefined, ''],
		['a file in a directory', undefined, 'a/b'],
		['a file in a directory of shards', 0, 'a/b'],
	])(
		'flips a bit anywhere in a block of %s that is asked for alone',
		async (_, shardAbove, path) => {
			const files = { [path]: content.toString('base64') };
			const { cid, blocks } = await importFiles({ files, profile: SMALL, shardAbove });
			for (const wrong of blocks) {
				const honest = Buffer.from(wrong.bytes, 'base64');
				for (let at = 0; at < honest.length; at += STEP) {
					const flipped = Buffer.from(honest);
					flipped[at] = (flipped[at] ?? 0) ^ (1 << at % 8);
					const bad = { ...wrong, bytes: flipped.toString('base64') };
					const served = blocks.map((block) => (block === wrong ? bad : block));
					const outcome = await download(createOpener(serveRaw(served)), `${cid}/${path}`);
					expect(outcome.failure).toMatch(/do not match the hash in their CID/);
					expectPrefix(outcome);
				}
			}
		},
		60_000,
	);

	test('gives a block of a CAR that lacks it alone', async () => {
		const { cid, blocks } = await importBytes(content);
		const some = blocks.filter((_block, index) => index !== 2);
		const open = createOpener({ ...serveRaw(blocks), ...serveCar(encodeCar(cid, some)) });
		expect(await download(open, cid)).toEqual({ bytes: content, verified: true });
	});

	const blake2b = `0155a0e40220${'11'.repeat(32)}`;

	test.each<[string, Buffer, RegExp]>([
		['a length without an end', Buffer.alloc(40, 0xff), /a length does not end/],
		['a length beyond 2^53', Buffer.from('ffffffffffffffff7f', 'hex'), /larger than/],
		['a block of 10 MB', encodeFrame(randomBytes(10_000_000)), /a block is larger than/],
		['a header without an end', encodeLength(60_000), /in the middle of a block/],
		['no CID', encodeFrame(Buffer.from('hello')), /has no CID/],
		['an empty block', Buffer.from([0]), /has no CID/],
		['another hash', encodeFrame(Buffer.from(blake2b, 'hex')), /of a kind that is not supported/],
	])('sends %s', async (_, frames, expected) => {
		const { cid } = await importBytes(content);
		const outcome = await download(
			createOpener(serveCar(Buffer.concat([encodeHeader(), frames]))),
			cid,
		);
		expect(outcome.failure).toMatch(expected);
		expect(outcome.bytes).toHaveLength(0);
	});

	test('sends the same block again and again, and blocks that nobody asked for', async () => {
		const { cid } = await importBytes(content);
		const other = await importBytes(randomBytes(49));
		const car = encodeCar(other.cid, other.blocks);
		const open: OpenStream = async () => {
			async function* pieces() {
				yield car;
				const rest = car.subarray((car[0] ?? 0) + 1);
				const many = Buffer.concat(new Array<Buffer>(1000).fill(rest));
				for (;;) yield many;
			}
			return await Promise.resolve({
				status: 200,
				contentType: CAR,
				pieces: pieces(),
				close: () => {},
			});
		};
		expect((await download(open, cid)).failure).toMatch(/blocks that were not asked for/);
	}, 30_000);

	test.each<[string, Served, RegExp]>([
		['a page', { type: 'text/html', bytes: Buffer.from('<html>') }, /something else/],
		['the plain file', { type: 'image/png', bytes: content }, /something else/],
		['a redirect', { status: 301, bytes: Buffer.alloc(0) }, /301 \(redirects are not followed\)/],
		['a refusal', { status: 406, bytes: Buffer.alloc(0) }, /406 for application\/vnd.ipld.car/],
	])('gives %s in place of blocks', async (_, served, expected) => {
		const { cid } = await importBytes(content);
		const outcome = await download(createOpener({ car: () => served, raw: () => served }), cid);
		expect(outcome.failure).toMatch(/^The file cannot be verified/);
		expect(outcome.failure).toMatch(expected);
		expect(outcome.bytes).toHaveLength(0);
	});

	test('is trusted by a user who says so, and only where it gives nothing to check', async () => {
		const { cid, blocks } = await importBytes(content);
		const plain = () => ({ type: 'text/plain', bytes: Buffer.from('anything') });
		const trusting = { verify: false };
		expect(await download(createOpener({ plain }), cid, trusting)).toEqual({
			bytes: Buffer.from('anything'),
			verified: false,
		});
		const checked = createOpener({ plain, ...serveRaw(blocks) });
		expect(await download(checked, cid, trusting)).toEqual({ bytes: content, verified: true });
		const wrong = createOpener({ plain, raw: plain });
		const lying = createOpener({ plain, raw: () => ({ ...plain(), type: RAW }) });
		expect((await download(wrong, cid, trusting)).verified).toBe(false);
		expect((await download(lying, cid, trusting)).failure).toMatch(/do not match the hash/);
	});
});

describe('a file that is larger than Max Size', () => {
	test('is refused before a byte comes out, where its blocks say so', async () => {
		const { cid, blocks } = await importBytes(randomBytes(400));
		const open = createOpener(serveCar(encodeCar(cid, blocks)));
		const { bytes, failure } = await download(open, cid, { maxBytes: 399 });
		expect([bytes.length, failure]).toEqual([0, expect.stringMatching(/'Max Size'/)]);
		expect((await download(open, cid, { maxBytes: 400 })).bytes).toHaveLength(400);
	});

	test('stops where nothing says so before', async () => {
		const cid = 'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64';
		const plain = () => ({ bytes: Buffer.alloc(10_000) });
		const settings = { verify: false, maxBytes: 4_500 };
		const { bytes, failure } = await download(createOpener({ plain }), cid, settings);
		expect([bytes.length, failure]).toEqual([4_000, expect.stringMatching(/larger than/)]);
	});
});

describe('a file for which far more comes than Max Size allows', () => {
	const MEGABYTES = 1_000_000;
	/** An unknown protobuf field with a million bytes. A block of IPFS may have any number of such fields. */
	const padding = Buffer.concat([Buffer.from([0x7a]), encodeFrame(Buffer.alloc(MEGABYTES))]);

	/** Builds a file whose blocks are a megabyte each, although each block holds only a byte of the file. */
	function buildPaddedFile(parts: number) {
		const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
		const leaves = Array.from({ length: parts }, (_, index) => {
			const head = Buffer.from('0a0708021201001801', 'hex');
			head[6] = index;
			return Buffer.concat([head, padding]);
		});
		const links = leaves.map((leaf) => `122a0a2401701220${hash(leaf)}12001800`);
		const about = `0802${'2001'.repeat(parts)}`;
		const length = encodeLength(about.length / 2).toString('hex');
		const root = Buffer.from(`${links.join('')}0a${length}${about}`, 'hex');
		const blocks = new Map([root, ...leaves].map((bytes) => [hash(bytes), bytes]));
		return { cid: `f01701220${hash(root)}`, blocks };
	}

	test('stops when a gateway pads a CAR with blocks that nobody asked for', async () => {
		const { cid } = await importBytes(randomBytes(400));
		let sent = 0;
		let isClosed = false;
		const open: OpenStream = async () => {
			async function* pieces() {
				try {
					yield encodeHeader();
					for (;;) {
						const bytes = randomBytes(MEGABYTES);
						const digest = createHash('sha256').update(bytes).digest();
						sent += bytes.length;
						yield encodeFrame(Buffer.concat([Buffer.from('01551220', 'hex'), digest, bytes]));
					}
				} finally {
					isClosed = true;
				}
			}
			return await Promise.resolve({
				status: 200,
				contentType: CAR,
				pieces: pieces(),
				close: () => {},
			});
		};
		const { failure } = await download(open, cid, { maxBytes: MEGABYTES });
		expect(failure).toMatch(
			/far more data than the file may have.*'Max Size' allows a file of 1 MB/,
		);
		expect([isClosed, sent]).toEqual([true, 36 * MEGABYTES]);
	});

	test('stops when the blocks of the file itself are padded', async () => {
		const { cid, blocks } = buildPaddedFile(50);
		let asked = 0;
		const open: OpenStream = createOpener(
			{
				raw: (text) => {
					asked++;
					const bytes = blocks.get(parseCid(text)?.digest.toString('hex') ?? '') ?? Buffer.alloc(0);
					return { type: RAW, bytes };
				},
			},
			65_536,
		);
		const { failure, bytes } = await download(open, cid, { maxBytes: MEGABYTES });
		expect(failure).toMatch(/far more data than the file may have/);
		expect([asked < 40, bytes.length < 40]).toEqual([true, true]);
	});
});

describe('whoever stored the file', () => {
	/** Serves bytes as a block that no real importer would make, and returns its CID as well. */
	function serveBlock(bytes: Buffer): readonly [OpenStream, string] {
		const digest = createHash('sha256').update(bytes).digest('hex');
		const raw = () => ({ type: RAW, bytes });
		return [createOpener({ raw }), `f01701220${digest}`];
	}

	test.each([
		['no message', 'ffff'],
		['no data', ''],
		['a size that its parts do not have', '0a0508021805'],
		['a link without a block size', '122a0a2401551220' + '11'.repeat(32) + '12001801' + '0a020802'],
	])('gave it %s', async (_, hex) => {
		const [open, cid] = serveBlock(Buffer.from(hex, 'hex'));
		expect((await download(open, cid)).failure).toMatch(/is broken: a block/);
	});

	test('gave it another codec', async () => {
		const { cid, blocks } = await importBytes(Buffer.from('{}'));
		const [block] = blocks;
		const hex = `f0171${Buffer.from(block?.cidBytes ?? '', 'base64')
			.toString('hex')
			.slice(4)}`;
		expect(cid).toMatch(/^bafkrei/);
		const raw = () => ({ type: RAW, bytes: Buffer.from('{}') });
		expect((await download(createOpener({ raw }), hex)).failure).toMatch(/\(codec\) is 0x71/);
	});

	test('made a tree of empty parts, or one without an end', async () => {
		const empty = await importBytes(Buffer.alloc(0));
		const link = (hex: string) => `122a0a24${hex}12001800`;
		const emptyCid = Buffer.from(empty.blocks[0]?.cidBytes ?? '', 'base64').toString('hex');
		const many = link(emptyCid).repeat(3) + '0a0a' + '0802' + '1800' + '200020002000';
		const bytes = Buffer.from(many, 'hex');
		const [, cid] = serveBlock(bytes);
		const open = createOpener({
			raw: (asked) => {
				const found = asked === empty.cid ? Buffer.alloc(0) : bytes;
				return { type: RAW, bytes: found };
			},
		});
		expect((await download(open, cid)).failure).toMatch(/is broken: a block/);
	});
});

test.each([
	['bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64', []],
	['BAFKREIC5HOUSDY5R767KDHIV3F6KR5L2A2RJACSGWGCXPRT7QXI6LXAU64', []],
	['QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D/a/b', ['a', 'b']],
	['ipfs://QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D/a%20b/', ['a b']],
	['ipfs://ipfs/QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D/50%.txt', ['50%.txt']],
	['/ipfs/QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D/a%20b', ['a%20b']],
])('%s is taken', (given, path) => {
	expect(parseIpfsAddress(given).path).toEqual(path);
});

test.each([
	'',
	'Qm',
	'QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6',
	'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau6',
	'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau65',
	'QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D/../a',
	'ipfs://QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D/%2e%2e/a',
	'ipfs://QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D/a%2fb',
	'QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D/\ud800',
	`QmaRwA1AZ3Xr7uuq35QBgXVMCn2hn4Qzo5D7q69Ro5Bj6D${'/a'.repeat(65)}`,
	'https://example.com/x',
	`b${'a'.repeat(10_000)}`,
	{},
])('%j is refused', (given) => {
	expect(() => parseIpfsAddress(given)).toThrow(InvalidValue);
});
