import { toBinary, type DescMessage, type DescMethod, type Message } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import { formatExcerpt, InvalidValue } from '../../../nodes/core';
import { CallError, throwInvalidInput, getMessage } from '../callError.mts';
import type { Catalog } from '../schema/catalog.mts';
import type { BytesAs } from './bytes.mts';
import { parseExactJson } from './exactJson.mts';
import { buildRequestJson, type FieldOptions } from './fields.mts';
import { MessageReader } from './read.mts';
import { decodeMessage, MessageWriter, type MissingType } from './write.mts';

/** One request or a list as JSON, as text or as the value of an expression; or the single fields of one request. */
export interface RequestInput {
	readonly by: 'one' | 'many' | 'fields';
	readonly json: unknown;
}

/** A method that takes a stream of requests also takes a single one. */
export async function encodeRequests(
	catalog: Catalog,
	{ name, input: type, methodKind }: DescMethod,
	{ by, json }: RequestInput,
	options: CodecOptions,
): Promise<Uint8Array[]> {
	const label = by === 'many' ? "'Requests'" : "'Request'";
	const parse = () =>
		by === 'fields' ? buildRequestJson(type, json, options) : parseExactJson(json);
	const parsed = parseInput(label, type, json, parse);
	const list = by === 'many' ? toArray(label, parsed) : [parsed];
	const takesOne = methodKind === 'unary' || methodKind === 'server_streaming';
	if (takesOne && list.length !== 1) throwTooMany(name, list.length);
	return await Promise.all(
		list.map(async (one, index) => {
			const place = by === 'many' ? `${label} [${index}]` : label;
			return await encodeMessage(catalog, { type, json: one, label: place }, options);
		}),
	);
}

/** Returns undefined for an empty request. */
function parseInput(
	label: string,
	type: DescMessage,
	given: unknown,
	parse: () => unknown,
): unknown {
	if (given === undefined || given === null) return undefined;
	if (typeof given === 'string' && given.trim() === '') return undefined;
	try {
		return parse();
	} catch (error) {
		if (error instanceof InvalidValue) return throwInvalidRequest(type, label, error);
		return throwInvalidInput(`${label} must be JSON; got ${formatExcerpt(given)}`);
	}
}

function toArray(label: string, json: unknown): readonly unknown[] {
	if (json === undefined) return [undefined];
	return Array.isArray(json)
		? json
		: throwInvalidInput(`${label} must be a JSON array; got ${formatExcerpt(json)}`);
}

function throwTooMany(method: string, count: number): never {
	return throwInvalidInput(
		`The method ${method} takes exactly one request, but ${count} were given`,
		'Only methods that take a stream of requests take a list of them.',
	);
}

export interface CodecOptions extends FieldOptions {
	readonly bytesAs?: BytesAs;
	/** Milliseconds for reading the types of a message. */
	readonly timeout: number;
}

/** Encodes JSON; undefined becomes an empty message. Types that only the JSON names are loaded on the way. */
async function encodeMessage(
	catalog: Catalog,
	{ type, json, label }: { type: DescMessage; json: unknown; label: string },
	{ bytesAs, timeout }: CodecOptions,
): Promise<Uint8Array> {
	if (json === undefined && hasCustomJsonRepresentation(type)) return new Uint8Array();
	for (;;) {
		const reader = new MessageReader(catalog.types, bytesAs);
		try {
			return toBinary(type, reader.buildMessage(type, json === undefined ? {} : json));
		} catch (error) {
			if (!(error instanceof InvalidValue)) throw error;
			const [name] = reader.missingTypes;
			if (name !== undefined) await catalog.load(name, timeout);
			const { types } = catalog;
			const isLoaded = name !== undefined && (types.getMessage(name) ?? types.getExtension(name));
			if (!isLoaded) throwInvalidRequest(type, label, error);
		}
	}
}

function throwInvalidRequest(
	{ typeName }: DescMessage,
	label: string,
	{ message }: InvalidValue,
): never {
	return throwInvalidInput(
		`${label} does not fit ${typeName}: ${message}`,
		"The operation 'Describe' shows the fields of a request.",
	);
}

/** Decodes the responses of a call to JSON. Unknown types in them are loaded, each once. */
export class ResponseDecoder {
	private readonly loading = new Map<string, Promise<unknown>>();

	constructor(
		private readonly catalog: Catalog,
		private readonly type: DescMessage,
		private readonly options: CodecOptions,
	) {}

	async decode(bytes: Uint8Array): Promise<unknown> {
		try {
			return await this.toJson(decodeMessage(this.type, bytes));
		} catch (error) {
			throw new CallError({
				kind: 'invalidResponse',
				message: `The answer does not fit ${this.type.typeName}, the type that is described`,
				description: getMessage(error),
				sent: true,
			});
		}
	}

	/** Repeats the conversion after each type that was loaded, until none is missing or the time is up. */
	private async toJson(message: Message): Promise<unknown> {
		const until = Date.now() + this.options.timeout;
		const tried = new Set<string>();
		for (;;) {
			const writer = new MessageWriter(this.catalog.types, this.options.bytesAs);
			const json = writer.formatMessage(this.type, message);
			const left = until - Date.now();
			const missing = [...writer.missingTypes].filter(([key]) => !tried.has(key));
			if (missing.length === 0 || left <= 0) return json;
			for (const [key] of missing) tried.add(key);
			await Promise.all(missing.map(async ([key, type]) => await this.load(key, type, left)));
		}
	}

	/** A type that cannot be loaded affects only one part of the response. */
	private async load(
		key: string,
		{ type, extension }: MissingType,
		timeout: number,
	): Promise<void> {
		const load = async () =>
			extension === undefined
				? await this.catalog.load(type, timeout)
				: await this.catalog.loadExtension(type, extension, timeout);
		const loading = this.loading.get(key) ?? load().catch(() => {});
		this.loading.set(key, loading);
		await loading;
	}
}
