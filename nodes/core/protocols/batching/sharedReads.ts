import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import type { RpcRequest } from '../rpcRequest';

/** This many answers are remembered; those of a run with more different reads would fill the memory. */
const MOST = 1000;

/** Identical reads of one run travel once; fresh ones only while the first of them is under way. */
export class SharedReads {
	private readonly answers = new Map<string, Promise<unknown>>();

	constructor(private readonly read: (request: RpcRequest) => Promise<unknown>) {}

	async call(request: RpcRequest): Promise<unknown> {
		const { path, method, params, isFresh = false } = request;
		const text = JSON.stringify([path, method, params, isFresh]);
		const key = createHash('sha256').update(text).digest('base64');
		const known = this.answers.get(key);
		// Items must not share an object: a later node may change one.
		if (known) return deepCopy((await known) as object);
		const answer = this.read(request);
		this.remember(key, answer);
		if (!isFresh) return await answer;
		return await answer.finally(() => this.answers.delete(key));
	}

	private remember(key: string, answer: Promise<unknown>): void {
		const [oldest] = this.answers.keys();
		if (oldest !== undefined && this.answers.size >= MOST) this.answers.delete(oldest);
		this.answers.set(key, answer);
		answer.catch(() => this.answers.delete(key));
	}
}
