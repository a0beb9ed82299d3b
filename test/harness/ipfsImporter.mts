import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The settings by which the importer splits and joins a file. */
export interface ImportProfile {
	readonly cidVersion: 0 | 1;
	readonly rawLeaves: boolean;
	readonly chunkBytes: number;
	readonly width: number;
}

export interface ImportedBlock {
	readonly cid: string;
	/** The bytes of the CID in base64. The next field has the bytes of the block in base64. */
	readonly cidBytes: string;
	readonly bytes: string;
}

export interface Imported {
	readonly cid: string;
	/** The blocks, each once. */
	readonly blocks: readonly ImportedBlock[];
	/** The contents that the exporter read at the requested paths, in base64. Null stands for a path without a file. */
	readonly contents: ReadonlyArray<string | null>;
}

interface ImportJob {
	/** The contents of the files by path, in base64. A single file without a folder has an empty path. */
	readonly files: Readonly<Record<string, string>>;
	readonly profile: ImportProfile;
	/** The number of times that each file repeats its content. The default is 1. */
	readonly repeat?: number;
	/** A directory whose links have more bytes in total is split into several blocks (shards). */
	readonly shardAbove?: number;
	/** The paths below the root that the exporter reads. An empty path is the root itself. */
	readonly paths?: readonly string[];
	/** Whether only the CID is needed, without the blocks. */
	readonly isForCid?: boolean;
}

/**
 * Jest cannot load the importer and the exporter, which are ES modules. They run in a child process, which takes one
 * job per line.
 */
const SCRIPT = `
	import { createInterface } from 'node:readline';
	import { exporter } from 'ipfs-unixfs-exporter';
	import { importer } from 'ipfs-unixfs-importer';
	import { fixedSize } from 'ipfs-unixfs-importer/chunker';
	import { balanced } from 'ipfs-unixfs-importer/layout';
	for await (const line of createInterface({ input: process.stdin })) {
		const { files, profile, repeat = 1, shardAbove, paths = [], isForCid } = JSON.parse(line);
		const bytesOf = new Map();
		const blocks = [];
		const store = { put: async (cid, bytes) => {
			if (paths.length > 0) bytesOf.set(cid.toString(), bytes);
			if (!isForCid) blocks.push({ cid: cid.toString(), cidBytes: Buffer.from(cid.bytes).toString('base64'), bytes: Buffer.from(bytes).toString('base64') });
			return cid;
		}, get: async function* (cid) { yield bytesOf.get(cid.toString()); } };
		const read = async (path) => {
			const entry = await exporter(path, store).catch(() => undefined);
			if (!['file', 'raw'].includes(entry?.type)) return null;
			const pieces = [];
			for await (const piece of entry.content()) pieces.push(piece);
			return Buffer.concat(pieces).toString('base64');
		};
		const source = Object.entries(files).map(([path, content]) => ({
			...(path && { path }), content: Buffer.concat(Array(repeat).fill(Buffer.from(content, 'base64'))) }));
		const options = {
			cidVersion: profile.cidVersion, rawLeaves: profile.rawLeaves,
			chunker: fixedSize({ chunkSize: profile.chunkBytes }),
			layout: balanced({ maxChildrenPerNode: profile.width }),
			wrapWithDirectory: !('' in files),
			...(shardAbove !== undefined && { shardSplitThresholdBytes: shardAbove, shardSplitStrategy: 'links-bytes' }),
		};
		let cid;
		for await (const entry of importer(source, store, options)) cid = entry.cid.toString();
		const known = new Set();
		const once = blocks.filter((block) => !known.has(block.cid) && known.add(block.cid));
		const contents = [];
		for (const path of paths) contents.push(await read(path ? cid + '/' + path : cid));
		process.stdout.write(JSON.stringify({ cid, blocks: once, contents }) + '\\n');
	}`;

/**
 * Creates a function that runs jobs with the importer and the exporter of the IPFS project. It serves one test file.
 */
export function createIpfsImporter() {
	const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
		cwd: join(__dirname, '..', '..', 'sandbox'),
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	afterAll(async () => {
		child.stdin.end();
		await once(child, 'exit');
	});
	/** Runs a job. Callers wait for each job before they send the next. */
	return async (job: ImportJob): Promise<Imported> => {
		child.stdin.write(`${JSON.stringify(job)}\n`);
		return JSON.parse(String((await lines.next()).value)) as Imported;
	};
}

/** Encodes the blocks in their order as a CAR file with the given root. */
export function encodeCar(root: string, blocks: readonly ImportedBlock[]): Buffer {
	const cid = Buffer.from(blocks.find((block) => block.cid === root)?.cidBytes ?? '', 'base64');
	const frames = blocks.map(({ cidBytes, bytes }) => [
		Buffer.from(cidBytes, 'base64'),
		Buffer.from(bytes, 'base64'),
	]);
	return Buffer.concat([
		encodeHeader(cid),
		...frames.map((frame) => encodeFrame(Buffer.concat(frame))),
	]);
}

/** Encodes the header of a CAR file, with one root or without a root. */
export function encodeHeader(root?: Buffer): Buffer {
	const roots = root
		? [Buffer.from('81d82a58', 'hex'), Buffer.from([root.length + 1, 0]), root]
		: [Buffer.from('80', 'hex')];
	const version = Buffer.from('gversion\x01');
	return encodeFrame(Buffer.concat([Buffer.from('a265726f6f7473', 'hex'), ...roots, version]));
}

export function encodeFrame(bytes: Uint8Array): Buffer {
	return Buffer.concat([encodeLength(bytes.length), bytes]);
}

export function encodeLength(length: number): Buffer {
	const bytes: number[] = [];
	let rest = length;
	for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
	return Buffer.from([...bytes, rest]);
}
