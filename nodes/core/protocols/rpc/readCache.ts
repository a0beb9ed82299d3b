import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import { estimateJsonChars } from '../../values/json';
import type { RpcRequest } from './request';

/** How many characters of JSON are kept altogether. */
const MAX_CACHE_CHARS = 32_000_000;
/** Longer answers are not kept: a few of them would push out all others. */
const MAX_ANSWER_CHARS = MAX_CACHE_CHARS / 8;
/** The characters that an answer costs beside its text. */
const ENTRY_CHARS = 500;

interface CachedAnswer {
	readonly answer: unknown;
	readonly size: number;
}

/** Sends identical reads of one run once; fresh ones are shared only while the first of them is in flight. */
export class ReadCache {
	private readonly pending = new Map<string, Promise<unknown>>();
	/** The entries in order of use, the least recently used first. */
	private readonly cached = new Map<string, CachedAnswer>();
	private size = 0;

	constructor(private readonly read: (request: RpcRequest) => Promise<unknown>) {}

	async call(request: RpcRequest): Promise<unknown> {
		const key = buildKey(request);
		const known = this.cached.get(key);
		// Items must not share an object: a later node may change one.
		if (known) return deepCopy(this.markUsed(key, known).answer as object);
		const underWay = this.pending.get(key);
		if (underWay) return deepCopy((await underWay) as object);
		const reading = this.readOnce(key, request);
		this.pending.set(key, reading);
		return await reading;
	}

	private async readOnce(key: string, request: RpcRequest): Promise<unknown> {
		try {
			const answer = await this.read(request);
			if (!request.isFresh) this.store(key, answer);
			return answer;
		} finally {
			this.pending.delete(key);
		}
	}

	private markUsed(key: string, kept: CachedAnswer): CachedAnswer {
		this.cached.delete(key);
		this.cached.set(key, kept);
		return kept;
	}

	private store(key: string, answer: unknown): void {
		const length = estimateJsonChars(answer, MAX_ANSWER_CHARS);
		if (length > MAX_ANSWER_CHARS) return;
		const size = length + ENTRY_CHARS;
		this.cached.set(key, { answer, size });
		this.size += size;
		for (const [oldest, { size: freed }] of this.cached) {
			if (this.size <= MAX_CACHE_CHARS) break;
			this.cached.delete(oldest);
			this.size -= freed;
		}
	}
}

function buildKey({ path, method, params, isFresh = false }: RpcRequest): string {
	const text = JSON.stringify([path, method, params, isFresh]);
	return createHash('sha256').update(text).digest('base64');
}
