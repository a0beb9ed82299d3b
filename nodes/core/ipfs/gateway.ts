import { RequestFailure } from '../errors/requestFailure';
import type { OpenStream, StreamAnswer } from '../net/http/fileStream';
import { rethrow } from '../values/parse';
import type { IpfsAddress } from './address';
import {
	CarBlockReader,
	createSingleBlockReader,
	type AskForBlock,
	type BlockReader,
} from './blocks';
import { MAX_BLOCK_BYTES, readCar } from './car';
import { formatCid, getInlineBytes, isVerifiable, type Cid } from './cid';
import { findFile } from './walk';

const CAR_TYPE = 'application/vnd.ipld.car';
const RAW_TYPE = 'application/vnd.ipld.raw';

interface Form {
	readonly type: string;
	readonly accept: string;
	readonly query: Readonly<Record<string, string>>;
}

/**
 * Requests a CAR with the blocks of the path and of the file. They come in the order of reading, and are repeated
 * whenever they are needed again.
 */
const CAR_FORM: Form = {
	type: CAR_TYPE,
	accept: `${CAR_TYPE}; version=1; order=dfs; dups=y`,
	query: { format: 'car', 'dag-scope': 'entity' },
};
const RAW_FORM: Form = { type: RAW_TYPE, accept: RAW_TYPE, query: { format: 'raw' } };

export interface IpfsDownload {
	readonly address: IpfsAddress;
	/** The address of the gateway, which ends in a slash. */
	readonly gateway: string;
	/** Whether bytes that cannot be checked are refused. */
	readonly verify: boolean;
	readonly maxBytes: number;
	readonly timeout: number;
}

/** The content of a file, and whether its bytes are checked against the CID while they are read. */
interface IpfsFile {
	readonly content: AsyncIterable<Uint8Array>;
	readonly verified: boolean;
}

/** Opens a file at a gateway. The gateway need not be trusted if the bytes can be checked against the CID. */
export async function openIpfsFile(open: OpenStream, download: IpfsDownload): Promise<IpfsFile> {
	const gateway = new Gateway(open, download);
	const { address, maxBytes, verify } = download;
	const blocks = isVerifiable(address.cid) ? await gateway.openBlocks() : undefined;
	if (!blocks) {
		if (verify) return gateway.throwUnverifiable();
		return { content: limitSize(await gateway.openPlain(), maxBytes), verified: false };
	}
	try {
		const file = await findFile(blocks, address.cid, address.path);
		if (file.size > maxBytes) throw tooLargeError(maxBytes);
		return { content: gateway.closeAfter(file.read()), verified: true };
	} catch (failure) {
		await gateway.close();
		return rethrow(failure);
	}
}

export const MEGABYTE_BYTES = 1_000_000;

function tooLargeError(maxBytes: number): RequestFailure {
	return new RequestFailure(`The file is larger than ${maxBytes / MEGABYTE_BYTES} MB`, {
		description: "The option 'Max Size' sets how large the file may be.",
	});
}

async function* limitSize(pieces: AsyncIterable<Uint8Array>, maxBytes: number) {
	let size = 0;
	for await (const piece of pieces) {
		size += piece.length;
		if (size > maxBytes) throw tooLargeError(maxBytes);
		yield piece;
	}
}

/** The largest allowed file has fewer blocks than this, if its blocks have a common size. */
const MAX_BLOCK_REQUESTS = 50_000;
const OTHER_GATEWAY_ADVICE =
	"Ask another gateway, or switch off the option 'Verify' if you trust this gateway.";
/** How many bytes may be received beyond the file, such as directories on the path and blocks that come early. */
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;
/**
 * A gateway may send this many times the largest allowed size of a file. The blocks of a file are usually hardly
 * larger than the file.
 */
const MAX_OVERHEAD = 2;

class Gateway {
	/** The answers of the gateway that contained no blocks. */
	private readonly refusals: string[] = [];
	private requests = 0;
	private receivedBytes = 0;
	private car: AsyncGenerator<unknown> | undefined;

	constructor(
		private readonly open: OpenStream,
		private readonly download: IpfsDownload,
	) {}

	async openBlocks(): Promise<BlockReader | undefined> {
		const { cid, cidText, path } = this.download.address;
		if (getInlineBytes(cid)) return createSingleBlockReader(this.askForBlock);
		const answer = await this.ask(CAR_FORM, [cidText, ...path]);
		if (answer) {
			const car = readCar(this.limitTraffic(answer.pieces));
			this.car = car;
			return new CarBlockReader(car, this.askForBlock);
		}
		const first = await this.askForBlock(cid);
		if (!first) return undefined;
		return createSingleBlockReader(async (wanted) =>
			wanted === cid ? first : await this.askForBlock(wanted),
		);
	}

	/** Opens the file without checking its bytes. */
	async openPlain(): Promise<AsyncIterable<Uint8Array>> {
		const { cidText, path } = this.download.address;
		const answer = await this.request([cidText, ...path], { accept: '*/*', query: {} });
		if (answer.status === 200) return answer.pieces;
		answer.close();
		throw new RequestFailure(`The gateway answered ${formatStatus(answer.status)}`);
	}

	throwUnverifiable(): never {
		const why = isVerifiable(this.download.address.cid)
			? `In place of blocks the gateway gave: ${this.refusals.join('; ')}.`
			: 'The CID has a hash of a kind that is not supported.';
		throw new RequestFailure('The file cannot be verified', {
			description: `${why} ${OTHER_GATEWAY_ADVICE}`,
		});
	}

	async *closeAfter(content: AsyncIterable<Uint8Array>) {
		try {
			yield* content;
		} finally {
			await this.close();
		}
	}

	async close(): Promise<void> {
		await this.car?.return(undefined);
	}

	private readonly askForBlock: AskForBlock = async (cid: Cid) => {
		if (++this.requests > MAX_BLOCK_REQUESTS)
			throw new RequestFailure(
				`The file cannot be checked: more than ${MAX_BLOCK_REQUESTS} of its blocks (pieces) would have to be requested one by one`,
				{ description: OTHER_GATEWAY_ADVICE },
			);
		const answer = await this.ask(RAW_FORM, [formatCid(cid)]);
		return answer && (await collectBlock(this.limitTraffic(answer.pieces)));
	};

	/** Stops a download that is far larger than the largest allowed file. The gateway then sends useless data. */
	private async *limitTraffic(pieces: AsyncIterable<Uint8Array>) {
		const { maxBytes } = this.download;
		for await (const piece of pieces) {
			this.receivedBytes += piece.length;
			if (this.receivedBytes > MAX_OVERHEAD * maxBytes + MAX_DIRECTORY_BYTES)
				throw new RequestFailure('The gateway sends far more data than the file may have', {
					description: `The option 'Max Size' allows a file of ${maxBytes / MEGABYTE_BYTES} MB.`,
				});
			yield piece;
		}
	}

	/** Requests blocks; returns undefined if the answer has another type, and so cannot be checked. */
	private async ask(form: Form, path: readonly string[]): Promise<StreamAnswer | undefined> {
		const answer = await this.request(path, form);
		const type = answer.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
		if (answer.status === 200 && type === form.type) return answer;
		answer.close();
		const other = answer.status === 200 ? 'something else' : formatStatus(answer.status);
		this.refusals.push(`${other} for ${form.type}`);
		return undefined;
	}

	private async request(
		path: readonly string[],
		{ accept, query }: Pick<Form, 'accept' | 'query'>,
	): Promise<StreamAnswer> {
		const { gateway, timeout } = this.download;
		const url = new URL(path.map(encodeURIComponent).join('/'), gateway);
		url.search = new URLSearchParams([
			...new URL(gateway).searchParams,
			...Object.entries(query),
		]).toString();
		return await this.open({ url: url.href, accept, timeout });
	}
}

function formatStatus(status: number): string {
	const isRedirect = status >= 300 && status < 400;
	return `${status}${isRedirect ? ' (redirects are not followed)' : ''}`;
}

async function collectBlock(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const collected: Uint8Array[] = [];
	let size = 0;
	for await (const piece of pieces) {
		size += piece.length;
		if (size > MAX_BLOCK_BYTES)
			throw new RequestFailure(`The gateway sent a block larger than ${MAX_BLOCK_BYTES} bytes`, {
				description: 'Use another gateway.',
			});
		collected.push(piece);
	}
	return Buffer.concat(collected);
}
