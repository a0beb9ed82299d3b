import type { NodeContext } from '../../context';
import { openHttpClient, type ClientSettings } from '../../net/http/client';
import { getPlainCredential } from '../../net/http/credential';
import type { Connect } from '../../operation/client';
import { parseTransportOptions } from '../../operation/transportOptions';
import { SerialQueue } from '../../net/pacing/concurrency';
import { Pacer } from '../../net/pacing/pacer';
import { Batcher } from './batcher';
import { ApiPaths, createExchange, sendCall, withThrottle } from './exchange';
import { isReadMethod, type RpcRequest } from './request';
import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import { estimateJsonChars } from '../../values/json';

/**
 * Creates the client for JSON-RPC. Calls that only read are sent in batches, and identical calls are sent once. A
 * call that may have an effect is sent alone, after the previous one, in the order of the items.
 */
export function connectRpc(
	credentialType: string,
	settings?: ClientSettings,
): Connect<RpcRequest, NodeContext> {
	return async (context, stop) => {
		const credential = settings?.credential ?? (await getPlainCredential(context, credentialType));
		const options = parseTransportOptions(context, 'rpc', credential);
		const pacer = new Pacer(options, stop);
		const client = await openHttpClient(context, credentialType, { ...settings, credential });
		const http = withThrottle(client, pacer.throttle);
		const paths = new ApiPaths();
		const reading = createExchange(http, paths, options.timeout, stop.signal);
		const sending = createExchange(http, paths, options.timeout);
		const serial = new SerialQueue();
		const batcher = new Batcher(reading, pacer, stop, options.batchSize);
		const cache = new ReadCache(async (request) => await batcher.call(request));
		return {
			redact: http.redact,
			batchSize: options.batchSize,
			parallelItems: options.batchSize * options.concurrency * 2,
			isAtMostOnce,
			call: async (request, { atMostOnce }) => {
				if (atMostOnce || isAtMostOnce(request)) {
					const send = async () => await sendCall(sending, request);
					return await serial.run(async () => await pacer.call(send, true));
				}
				return await cache.call(request);
			},
		};
	};
}

/**
 * Whether a call must be carried out at most once. Only calls that read may be repeated. The user or the method's
 * name says whether a call reads.
 */
function isAtMostOnce({ method, atMostOnce }: RpcRequest): boolean {
	return atMostOnce ?? !isReadMethod(method);
}

/** The limit for all kept answers together, in characters of JSON. */
const MAX_CACHE_CHARS = 32_000_000;
/** Longer answers are not kept, because a few of them would displace all other answers. */
const MAX_ANSWER_CHARS = MAX_CACHE_CHARS / 8;
/** The approximate size of an entry besides its answer, in characters. */
const ENTRY_CHARS = 500;

interface CachedAnswer {
	readonly answer: unknown;
	readonly size: number;
}

/** Sends identical calls of a run once. Calls that need a fresh answer share it only while the first of them is under way. */
export class ReadCache {
	private readonly pending = new Map<string, Promise<unknown>>();
	/** The kept answers by use, beginning with the answer that was not used for the longest time. */
	private readonly cached = new Map<string, CachedAnswer>();
	private size = 0;

	constructor(private readonly read: (request: RpcRequest) => Promise<unknown>) {}

	async call(request: RpcRequest): Promise<unknown> {
		const key = buildKey(request);
		const known = this.cached.get(key);
		// Each item gets its own copy, because a later n8n node may change its item.
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
