import { fromBinary, fromJson, toBinary, toJson, type FileRegistry } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { CallError, hasStatus, messageOf, problemOf } from '../callError.mts';
import { pingPong } from '../connection/calls.mts';
import type { Channel } from '../connection/channel.mts';
import {
	defineMessages,
	field,
	isWellKnown,
	registryOf,
	repeated,
	Type,
} from '../descriptors/registry.mts';
import type { SchemaSource } from './catalog.mts';

const VERSIONS = ['v1', 'v1alpha'];
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

type AskReflection = (request: ReflectionRequest) => Promise<ReflectionResponse>;

/** Server reflection, in the newest version that the server has. */
export class Reflection implements SchemaSource {
	readonly name = 'The endpoint';
	private version = 0;

	constructor(private readonly channel: Channel) {}

	async services(timeout: number): Promise<string[]> {
		return await this.talk(timeout, async (ask) => {
			const { listServicesResponse } = await ask({ listServices: '*' });
			const listed = listServicesResponse ?? invalidReflection('It does not list its services.');
			return (listed.service ?? []).map(({ name = '' }) => name);
		});
	}

	async filesOf(symbol: string, timeout: number): Promise<FileRegistry | undefined> {
		return await this.files({ fileContainingSymbol: symbol }, timeout);
	}

	async filesOfExtension(
		message: string,
		number: number,
		timeout: number,
	): Promise<FileRegistry | undefined> {
		return await this.files({ fileContainingExtension: { message, number } }, timeout);
	}

	/** A file with all its imports. */
	private async files(
		request: ReflectionRequest,
		timeout: number,
	): Promise<FileRegistry | undefined> {
		return await this.talk(timeout, async (ask) => {
			const first = await found(ask(request));
			if (!first) return undefined;
			const files = new Map<string, FileDescriptorProto>();
			const keep = (more: ReflectionResponse) =>
				filesIn(more).forEach((file) => files.set(file.name, file));
			keep(first);
			for (let name = missingImport(files); name !== undefined; name = missingImport(files)) {
				const more = await found(ask({ fileByFilename: name }));
				if (more) keep(more);
				if (!files.has(name)) missingFile(name);
			}
			return registryOf([...files.values()]);
		});
	}

	private async talk<T>(
		timeout: number,
		conversation: (ask: AskReflection) => Promise<T>,
	): Promise<T> {
		for (let version = this.version; version < VERSIONS.length; version++) {
			try {
				const result = await this.talkVersion(version, timeout, conversation);
				this.version = version;
				return result;
			} catch (error) {
				if (!hasStatus(error, UNIMPLEMENTED)) throw error;
			}
		}
		throw new CallError({ kind: 'noReflection' });
	}

	private async talkVersion<T>(
		version: number,
		timeout: number,
		conversation: (ask: AskReflection) => Promise<T>,
	): Promise<T> {
		const service = `grpc.reflection.${VERSIONS[version]}.ServerReflection`;
		const path = `/${service}/ServerReflectionInfo`;
		try {
			return await pingPong(this.channel, { path, timeout }, async (ask) => {
				return await conversation(async (request) => {
					const response = await ask(encodeRequest(request));
					return response
						? checked(decodeResponse(response), path)
						: invalidReflection('It says nothing.');
				});
			});
		} catch (error) {
			throw problemOf(error) ? error : invalidReflection(messageOf(error));
		}
	}
}

function checked(response: ReflectionResponse, path: string): ReflectionResponse {
	const { errorCode: code = 0, errorMessage: message = '' } = response.errorResponse ?? {};
	if (code === 0) return response;
	const status = { code, message, fromServer: true, path: path.slice(1) };
	throw new CallError({ kind: 'status', ...status, sent: false, received: 0 });
}

/** Undefined for NOT_FOUND, which servers send as a response or as the status of the stream. */
async function found(
	response: Promise<ReflectionResponse>,
): Promise<ReflectionResponse | undefined> {
	try {
		return await response;
	} catch (error) {
		if (hasStatus(error, NOT_FOUND)) return undefined;
		throw error;
	}
}

function filesIn({ fileDescriptorResponse }: ReflectionResponse): FileDescriptorProto[] {
	const { fileDescriptorProto: encoded = [] } =
		fileDescriptorResponse ?? invalidReflection('It does not give a file that it was asked for.');
	return encoded.map((file) => fromBinary(FileDescriptorProtoSchema, base64Decode(file)));
}

/** The first import that has not come. */
function missingImport(files: ReadonlyMap<string, FileDescriptorProto>): string | undefined {
	const imported = [...files.values()].flatMap(({ dependency }) => dependency);
	return imported.find((name) => !files.has(name) && !isWellKnown(name));
}

function missingFile(file: string): never {
	throw new CallError({
		kind: 'invalidResponse',
		message: 'The service describes itself incompletely',
		description: `It imports the file ${file}, but does not provide it.`,
		sent: false,
	});
}

function invalidReflection(description: string): never {
	throw new CallError({
		kind: 'invalidResponse',
		message: 'The service describes itself in a way that cannot be understood',
		description,
		sent: false,
	});
}

/** The same in both versions of the protocol. */
type ReflectionRequest =
	| { readonly listServices: string }
	| { readonly fileContainingSymbol: string }
	| { readonly fileContainingExtension: { readonly message: string; readonly number: number } }
	| { readonly fileByFilename: string };

interface ReflectionResponse {
	readonly listServicesResponse?: { readonly service?: ReadonlyArray<{ readonly name?: string }> };
	/** In base64. */
	readonly fileDescriptorResponse?: { readonly fileDescriptorProto?: readonly string[] };
	readonly errorResponse?: { readonly errorCode?: number; readonly errorMessage?: string };
}

/** In a oneof, empty strings are sent, too. */
const member = { oneofIndex: 0 };
const oneof = { oneofDecl: [{ name: 'oneof' }] };

/** The fields that are used. */
const types = defineMessages({
	Request: {
		...oneof,
		field: [
			field('fileByFilename', 3, Type.STRING, member),
			field('fileContainingSymbol', 4, Type.STRING, member),
			field('fileContainingExtension', 5, '.Extension', member),
			field('listServices', 7, Type.STRING, member),
		],
	},
	Extension: { field: [field('message', 1, Type.STRING), field('number', 2, Type.INT32)] },
	Response: {
		...oneof,
		field: [
			field('fileDescriptorResponse', 4, '.Files', member),
			field('listServicesResponse', 6, '.Services', member),
			field('errorResponse', 7, '.Error', member),
		],
	},
	Files: { field: [field('fileDescriptorProto', 1, Type.BYTES, repeated)] },
	Services: { field: [field('service', 1, '.Service', repeated)] },
	Service: { field: [field('name', 1, Type.STRING)] },
	Error: { field: [field('errorCode', 1, Type.INT32), field('errorMessage', 2, Type.STRING)] },
});

function encodeRequest(request: ReflectionRequest): Uint8Array {
	return toBinary(types.Request, fromJson(types.Request, request));
}

function decodeResponse(bytes: Uint8Array): ReflectionResponse {
	return toJson(types.Response, fromBinary(types.Response, bytes)) as ReflectionResponse;
}
