import type { DescMethod } from '@bufbuild/protobuf';
import { unary } from './connection/calls.mts';
import { Channel, type ChannelSettings, type Target } from './connection/channel.mts';
import { toCallError, noMessage } from './connection/status.mts';
import { readStream, collectStream } from './connection/streams.mts';
import { ResponseDecoder, type CodecOptions } from './json/messages.mts';
import { problemOf, fail, type ServiceProblem } from './problem.mts';
import { encodeRequests, type RequestInput } from './requests.mts';
import { Catalog } from './schema/catalog.mts';
import { describeMethod, type MethodDescription } from './schema/describe.mts';
import { UserSchema } from './schema/given/given.mts';
import type { ProtoText } from './schema/given/parseProto.mts';
import { Reflection } from './schema/reflection.mts';

/** Where it is known from what the endpoint offers. */
export type Schema =
	| { readonly from: 'reflection' }
	| { readonly from: 'proto'; readonly files: readonly ProtoText[] }
	/** In base64. */
	| { readonly from: 'descriptorSet'; readonly set: string };

export interface MethodRequest extends CodecOptions {
	readonly schema: Schema;
	readonly service: string;
	readonly method: string;
	readonly requests: RequestInput;
}

export interface CallRequest extends MethodRequest {
	/** Where a stream is left. */
	readonly maxMessages: number;
}

export interface CallResult {
	readonly messages: readonly unknown[];
	/** Why the stream broke off, if it did after messages had arrived. */
	readonly broken?: ServiceProblem;
}

/** What becomes of a stream that goes on. */
export interface Listener {
	/** The service has taken the call. */
	onOpen(): void;
	/** No message comes before this one has been taken; it was so many bytes long. */
	onMessage(message: unknown, bytes: number): Promise<void>;
}

/** An endpoint at work, for a run of a node or for as long as a trigger is active. */
export class Session {
	private readonly channel: Channel;
	private readonly reflection: Reflection;
	private readonly catalogs = new Map<string, Catalog>();
	private readonly textIds = new Map<string, number>();

	constructor(target: Target, settings?: ChannelSettings) {
		this.channel = new Channel(target, settings);
		this.reflection = new Reflection(this.channel);
	}

	async services(schema: Schema, timeout: number): Promise<string[]> {
		return await this.catalog(schema).services(timeout);
	}

	/** How many services the endpoint has, if it takes the token; undefined where it does not describe itself. */
	async probe(timeout: number): Promise<number | undefined> {
		try {
			return (await this.reflection.services(timeout)).length;
		} catch (error) {
			if (problemOf(error)?.kind !== 'noReflection') throw error;
			return undefined;
		}
	}

	async describe(schema: Schema, service: string, timeout: number): Promise<MethodDescription[]> {
		const { methods } = await this.catalog(schema).service(service, timeout);
		return methods.map(describeMethod);
	}

	/** The messages that a method answers with. `ready` may refuse, just before anything is sent. */
	async call(request: CallRequest, ready?: () => Promise<void>): Promise<CallResult> {
		const { timeout, maxMessages } = request;
		const { method, path, requests, reader } = await this.prepared(request);
		const call = { path, timeout };
		await ready?.();
		if (method.methodKind === 'unary') {
			const reply = await unary(this.channel, call, requests[0] as Uint8Array);
			return { messages: [await reader.decode(reply)] };
		}
		const { replies, broken } = await collectStream(this.channel, call, requests, maxMessages);
		if (method.methodKind === 'client_streaming' && replies.length === 0) throw noMessage(true);
		const messages = await Promise.all(replies.map(async (reply) => await reader.decode(reply)));
		return { messages, broken };
	}

	/** Takes what a stream brings for as long as it lasts. What is described is asked for anew each time. */
	async listen(
		request: MethodRequest,
		{ onOpen: opened, onMessage: take }: Listener,
	): Promise<void> {
		this.catalogs.clear();
		const { method, path, requests, reader } = await this.prepared(request);
		const isHalfClosed = method.methodKind !== 'bidi_streaming';
		if (!isStream(method)) notAStream(method);
		let arrived = 0;
		try {
			for await (const reply of readStream(this.channel, {
				path,
				requests,
				isHalfClosed,
				opened,
			})) {
				arrived++;
				await take(await reader.decode(reply), reply.length);
			}
		} catch (error) {
			throw toCallError({ path, sent: false }, error, arrived);
		}
	}

	readonly close = (): void => this.channel.close();

	private async prepared(request: MethodRequest) {
		const catalog = this.catalog(request.schema);
		const method = await catalog.method(request.service, request.method, request.timeout);
		return {
			method,
			path: `/${request.service}/${method.name}`,
			requests: await encodeRequests(catalog, method, request.requests, request),
			reader: new ResponseDecoder(catalog, method.output, request),
		};
	}

	/** A schema is read once, however many items bring it. */
	private catalog(schema: Schema): Catalog {
		const key = this.keyOf(schema);
		const found = this.catalogs.get(key) ?? new Catalog(this.source(schema));
		this.catalogs.set(key, found);
		return found;
	}

	/** Of the numbers of its texts: these may be megabytes long, and a map finds a long text by its identity. */
	private keyOf(schema: Schema): string {
		const ids = textsOf(schema).map((text) => {
			const id = this.textIds.get(text) ?? this.textIds.size;
			this.textIds.set(text, id);
			return id;
		});
		return [schema.from, ...ids].join(' ');
	}

	private source(schema: Schema) {
		if (schema.from === 'proto') return UserSchema.ofProtoFiles(schema.files);
		return schema.from === 'descriptorSet'
			? UserSchema.ofDescriptorSet(schema.set)
			: this.reflection;
	}
}

function textsOf(schema: Schema): string[] {
	if (schema.from === 'proto') return schema.files.flatMap(({ name, content }) => [name, content]);
	return schema.from === 'descriptorSet' ? [schema.set] : [];
}

function isStream({ methodKind }: DescMethod): boolean {
	return methodKind === 'server_streaming' || methodKind === 'bidi_streaming';
}

function notAStream({ name }: DescMethod): never {
	return fail({
		kind: 'refused',
		message: `The method ${name} answers once, not with a stream`,
		description: 'Choose a method that answers with a stream of messages.',
	});
}
