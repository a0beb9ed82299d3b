import type { DescMethod } from '@bufbuild/protobuf';
import { collectStream, readStream, callUnary } from './connection/calls.mts';
import { Channel, type ChannelSettings, type Target } from './connection/channel.mts';
import { noMessageError, asCallError } from './connection/status.mts';
import {
	encodeRequests,
	ResponseDecoder,
	type CodecOptions,
	type RequestInput,
} from './json/messages.mts';
import { throwInvalidInput, getProblem, type ServiceProblem } from './callError.mts';
import { Catalog } from './schema/catalog.mts';
import { describeMethod, type MethodDescription } from './schema/describe.mts';
import { UserSchema } from './schema/userSchema.mts';
import type { ProtoText } from './schema/protoFile.mts';
import { Reflection } from './schema/reflection.mts';

/** The source of an endpoint's services and types. */
export type Schema =
	| { readonly from: 'reflection' }
	| { readonly from: 'proto'; readonly files: readonly ProtoText[] }
	/** The set is in base64. */
	| { readonly from: 'descriptorSet'; readonly set: string };

export interface MethodRequest extends CodecOptions {
	readonly schema: Schema;
	readonly service: string;
	readonly method: string;
	readonly requests: RequestInput;
}

export interface CallRequest extends MethodRequest {
	/** A stream is cancelled after this many messages. */
	readonly maxMessages: number;
}

export interface CallResult {
	readonly messages: readonly unknown[];
	/** Why the stream ended early, if it did after messages had arrived. */
	readonly broken?: ServiceProblem;
	/** Whether it was left after Max Messages, and may have had more. */
	readonly isCut?: boolean;
}

export interface Listener {
	/** The session calls this function when the headers of the response have arrived. */
	onOpen(): void;
	/** The next message waits until this has finished. `bytes`: the encoded length. */
	onMessage(message: unknown, bytes: number): Promise<void>;
}

/** A connection with its schemas, for a run of a node or while a trigger is active. */
export class Session {
	private readonly channel: Channel;
	private readonly reflection: Reflection;
	private readonly catalogs = new Map<string, Catalog>();
	private readonly textIds = new Map<string, number>();

	constructor(target: Target, settings?: ChannelSettings) {
		this.channel = new Channel(target, settings);
		this.reflection = new Reflection(this.channel);
	}

	async fetchServices(schema: Schema, timeout: number): Promise<string[]> {
		return await this.getCatalog(schema).fetchServices(timeout);
	}

	/** Returns the number of services if the token is accepted; undefined without reflection. */
	async probe(timeout: number): Promise<number | undefined> {
		try {
			return (await this.reflection.fetchServices(timeout)).length;
		} catch (error) {
			if (getProblem(error)?.kind !== 'noReflection') throw error;
			return undefined;
		}
	}

	async describe(schema: Schema, service: string, timeout: number): Promise<MethodDescription[]> {
		const { methods } = await this.getCatalog(schema).fetchService(service, timeout);
		return methods.map(describeMethod);
	}

	/** `ready` may throw, just before anything is sent. */
	async call(request: CallRequest, ready?: () => Promise<void>): Promise<CallResult> {
		const { timeout, maxMessages } = request;
		const { method, path, requests, decoder } = await this.prepare(request);
		const call = { path, timeout };
		await ready?.();
		if (method.methodKind === 'unary') {
			const response = await callUnary(this.channel, call, requests[0] as Uint8Array);
			return { messages: [await decoder.decode(response)] };
		}
		const { responses, broken } = await collectStream(this.channel, call, requests, maxMessages);
		if (method.methodKind === 'client_streaming' && responses.length === 0)
			throw noMessageError(true);
		const messages = await Promise.all(responses.map(async (one) => await decoder.decode(one)));
		const isCut = method.methodKind !== 'client_streaming' && messages.length === maxMessages;
		return { messages, broken, isCut };
	}

	/** Reads a stream until it ends. The schema is loaded again: the service may have changed since the last stream. */
	async listen(request: MethodRequest, { onOpen, onMessage }: Listener): Promise<void> {
		this.catalogs.clear();
		const { method, path, requests, decoder } = await this.prepare(request);
		const halfClose = method.methodKind !== 'bidi_streaming';
		if (!isStream(method)) throwNotAStream(method);
		let received = 0;
		try {
			for await (const reply of readStream(this.channel, {
				path,
				requests,
				halfClose,
				onOpen,
			})) {
				received++;
				await onMessage(await decoder.decode(reply), reply.length);
			}
		} catch (error) {
			throw asCallError(error, { path, sent: false, received });
		}
	}

	readonly close = (): void => this.channel.close();

	private async prepare(request: MethodRequest) {
		const catalog = this.getCatalog(request.schema);
		const method = await catalog.fetchMethod(request.service, request.method, request.timeout);
		return {
			method,
			path: `/${request.service}/${method.name}`,
			requests: await encodeRequests(catalog, method, request.requests, request),
			decoder: new ResponseDecoder(catalog, method.output, request),
		};
	}

	/** Each schema is read once, however many items use it. */
	private getCatalog(schema: Schema): Catalog {
		const key = this.getSchemaKey(schema);
		const found = this.catalogs.get(key) ?? new Catalog(this.createSource(schema));
		this.catalogs.set(key, found);
		return found;
	}

	/** Texts are replaced by numbers in the key: they may be megabytes long, and a Map compares strings by identity first. */
	private getSchemaKey(schema: Schema): string {
		const ids = getTexts(schema).map((text) => {
			const id = this.textIds.get(text) ?? this.textIds.size;
			this.textIds.set(text, id);
			return id;
		});
		return [schema.from, ...ids].join(' ');
	}

	private createSource(schema: Schema) {
		if (schema.from === 'proto') return UserSchema.fromProtoFiles(schema.files);
		return schema.from === 'descriptorSet'
			? UserSchema.fromDescriptorSet(schema.set)
			: this.reflection;
	}
}

function getTexts(schema: Schema): string[] {
	if (schema.from === 'proto') return schema.files.flatMap(({ name, content }) => [name, content]);
	return schema.from === 'descriptorSet' ? [schema.set] : [];
}

function isStream({ methodKind }: DescMethod): boolean {
	return methodKind === 'server_streaming' || methodKind === 'bidi_streaming';
}

function throwNotAStream({ name }: DescMethod): never {
	return throwInvalidInput(
		`The method ${name} answers once, not with a stream`,
		'Choose a method that answers with a stream of messages.',
	);
}
