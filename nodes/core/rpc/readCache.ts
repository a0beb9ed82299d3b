import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import { textLength } from '../values/json';
import type { RpcRequest } from './request';

/** Characters of JSON that are kept in all. */
const MOST = 32_000_000;
/** Longer answers are not kept: a few of them would push out all others. */
const LONGEST = MOST / 8;
/** What an answer takes beside its text. */
const ENTRY = 500;

interface Kept {
	readonly answer: unknown;
	readonly size: number;
}

/** Identical reads of one run travel once; fresh ones only while the first of them is under way. */
export class ReadCache {
	private readonly underWay = new Map<string, Promise<unknown>>();
	/** The least recently used comes first. */
	private readonly kept = new Map<string, Kept>();
	private size = 0;

	constructor(private readonly read: (request: RpcRequest) => Promise<unknown>) {}

	async call(request: RpcRequest): Promise<unknown> {
		const key = keyOf(request);
		const known = this.kept.get(key);
		// Items must not share an object: a later node may change one.
		if (known) return deepCopy(this.used(key, known).answer as object);
		const underWay = this.underWay.get(key);
		if (underWay) return deepCopy((await underWay) as object);
		const reading = this.readOnce(key, request);
		this.underWay.set(key, reading);
		return await reading;
	}

	private async readOnce(key: string, request: RpcRequest): Promise<unknown> {
		try {
			const answer = await this.read(request);
			if (!request.isFresh) this.keep(key, answer);
			return answer;
		} finally {
			this.underWay.delete(key);
		}
	}

	private used(key: string, kept: Kept): Kept {
		this.kept.delete(key);
		this.kept.set(key, kept);
		return kept;
	}

	private keep(key: string, answer: unknown): void {
		const length = textLength(answer, LONGEST);
		if (length > LONGEST) return;
		const size = length + ENTRY;
		this.kept.set(key, { answer, size });
		this.size += size;
		for (const [oldest, { size: freed }] of this.kept) {
			if (this.size <= MOST) break;
			this.kept.delete(oldest);
			this.size -= freed;
		}
	}
}

function keyOf({ path, method, params, isFresh = false }: RpcRequest): string {
	const text = JSON.stringify([path, method, params, isFresh]);
	return createHash('sha256').update(text).digest('base64');
}
