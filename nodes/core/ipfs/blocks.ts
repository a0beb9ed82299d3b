import { RequestFailure } from '../errors/requestFailure';
import { wrongBlockError, type CarBlock } from './car';
import {
	formatCid,
	getBlockKey,
	getInlineBytes,
	isHashOf,
	throwIfUnverifiable,
	type Cid,
} from './cid';
import { raise } from '../errors/raise';

/** Reads blocks. The bytes always match the hash in the requested CID. */
export interface BlockReader {
	read(cid: Cid): Promise<Buffer>;
}

/** Requests one block; returns undefined if the gateway does not give it. */
export type AskForBlock = (cid: Cid) => Promise<Buffer | undefined>;

/** Creates a reader that requests each block separately, and checks it against its CID. */
export function createSingleBlockReader(ask: AskForBlock): BlockReader {
	return {
		async read(cid) {
			const inline = getInlineBytes(cid);
			if (inline) return inline;
			throwIfUnverifiable(cid);
			const bytes = (await ask(cid)) ?? raise(missingBlockError(cid));
			return isHashOf(cid, bytes) ? bytes : raise(wrongBlockError());
		},
	};
}

function missingBlockError(cid: Cid): RequestFailure {
	return new RequestFailure(`The gateway did not give the block ${formatCid(cid)}`, {
		description: 'No bytes of the file are output. Run the workflow again, or use another gateway.',
	});
}

/** The approximate memory that a block takes besides its bytes. */
const BLOCK_OVERHEAD_BYTES = 512;
/** Up to this many bytes of blocks are kept, for blocks that came early or are needed again. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** Reading stops after this many bytes of unrequested blocks. An honest gateway sends hardly any. */
const MAX_UNASKED_BYTES = 64 * 1024 * 1024;

/**
 * Reads the blocks of a CAR, in the order in which they are needed. A block that the CAR does not contain, or that
 * was not kept, is requested separately.
 */
export class CarBlockReader implements BlockReader {
	private readonly kept = new Map<string, Buffer>();
	private keptBytes = 0;
	private unaskedBytes = 0;
	private readonly others: BlockReader;

	constructor(
		private readonly car: AsyncGenerator<CarBlock>,
		ask: AskForBlock,
	) {
		this.others = createSingleBlockReader(ask);
	}

	async read(cid: Cid): Promise<Buffer> {
		const key = getBlockKey(cid);
		const kept = this.kept.get(key);
		// The kept block is wanted after all, so it no longer counts as unrequested. If the CAR repeats the block later, that copy counts.
		if (kept) this.unaskedBytes -= kept.length + BLOCK_OVERHEAD_BYTES;
		return kept ?? (await this.readOn(key)) ?? (await this.others.read(cid));
	}

	private async readOn(wanted: string): Promise<Buffer | undefined> {
		for (;;) {
			const next = await this.car.next();
			if (next.done) return undefined;
			const key = getBlockKey(next.value.cid);
			this.keep(key, next.value.bytes);
			if (key === wanted) return next.value.bytes;
			this.unaskedBytes += next.value.bytes.length + BLOCK_OVERHEAD_BYTES;
			if (this.unaskedBytes > MAX_UNASKED_BYTES)
				throw new RequestFailure('The gateway sends blocks that were not asked for', {
					description: 'No bytes of the file are output. Use another gateway.',
				});
		}
	}

	/** Keeps a block for later. If the kept blocks exceed the limit, the oldest are dropped. */
	private keep(key: string, bytes: Buffer): void {
		if (this.kept.has(key)) return;
		this.kept.set(key, bytes);
		this.keptBytes += bytes.length + BLOCK_OVERHEAD_BYTES;
		for (const [oldest, { length }] of this.kept) {
			if (this.keptBytes <= MAX_KEPT_BYTES) return;
			this.kept.delete(oldest);
			this.keptBytes -= length + BLOCK_OVERHEAD_BYTES;
		}
	}
}
