import { fromBinary, fromJson, toBinary, toJson, type FileRegistry } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { CallError, hasStatus, getMessage, getProblem } from '../callError.mts';
import { converse } from '../connection/calls.mts';
import type { Channel } from '../connection/channel.mts';
import {
	defineMessages,
	buildField,
	isWellKnown,
	buildRegistry,
	repeated,
	Type,
} from '../descriptors/registry.mts';
import type { SchemaSource } from './catalog.mts';

const REFLECTION_VERSIONS = ['v1', 'v1alpha'];
const NOT_FOUND_CODE = 5;
const UNIMPLEMENTED_CODE = 12;

type SendReflection = (request: ReflectionRequest) => Promise<ReflectionResponse>;

/** Server reflection, in the newest version that the server supports. */
export class Reflection implements SchemaSource {
	readonly name = 'The endpoint';
	private version = 0;

	constructor(private readonly channel: Channel) {}

	async fetchServices(timeout: number): Promise<string[]> {
		return await this.converse(timeout, async (ask) => {
			const { listServicesResponse } = await ask({ listServices: '*' });
			const listed =
				listServicesResponse ?? throwInvalidReflection('It does not list its services.');
			return (listed.service ?? []).map(({ name = '' }) => name);
		});
	}

	async fetchFiles(symbol: string, timeout: number): Promise<FileRegistry | undefined> {
		return await this.fetchWithImports({ fileContainingSymbol: symbol }, timeout);
	}

	async fetchExtensionFiles(
		message: string,
		number: number,
		timeout: number,
	): Promise<FileRegistry | undefined> {
		return await this.fetchWithImports({ fileContainingExtension: { message, number } }, timeout);
	}

	/** Fetches a file with all its imports. */
	private async fetchWithImports(
		request: ReflectionRequest,
		timeout: number,
	): Promise<FileRegistry | undefined> {
		return await this.converse(timeout, async (ask) => {
			const first = await undefinedIfNotFound(ask(request));
			if (!first) return undefined;
			const files = new Map<string, FileDescriptorProto>();
			const keep = (more: ReflectionResponse) =>
				decodeFiles(more).forEach((file) => files.set(file.name, file));
			keep(first);
			for (
				let name = findMissingImport(files);
				name !== undefined;
				name = findMissingImport(files)
			) {
				const more = await undefinedIfNotFound(ask({ fileByFilename: name }));
				if (more) keep(more);
				if (!files.has(name)) throwMissingFile(name);
			}
			return buildRegistry([...files.values()]);
		});
	}

	private async converse<T>(
		timeout: number,
		conversation: (ask: SendReflection) => Promise<T>,
	): Promise<T> {
		for (let version = this.version; version < REFLECTION_VERSIONS.length; version++) {
			try {
				const result = await this.converseInVersion(version, timeout, conversation);
				this.version = version;
				return result;
			} catch (error) {
				if (!hasStatus(error, UNIMPLEMENTED_CODE)) throw error;
			}
		}
		throw new CallError({ kind: 'noReflection' });
	}

	private async converseInVersion<T>(
		version: number,
		timeout: number,
		conversation: (ask: SendReflection) => Promise<T>,
	): Promise<T> {
		const service = `grpc.reflection.${REFLECTION_VERSIONS[version]}.ServerReflection`;
		const path = `/${service}/ServerReflectionInfo`;
		try {
			return await converse(this.channel, { path, timeout }, async (ask) => {
				return await conversation(async (request) => {
					const response = await ask(encodeRequest(request));
					return response
						? throwIfErrorResponse(decodeResponse(response), path)
						: throwInvalidReflection('It says nothing.');
				});
			});
		} catch (error) {
			throw getProblem(error) ? error : throwInvalidReflection(getMessage(error));
		}
	}
}

function throwIfErrorResponse(response: ReflectionResponse, path: string): ReflectionResponse {
	const { errorCode: code = 0, errorMessage: message = '' } = response.errorResponse ?? {};
	if (code === 0) return response;
	const status = { code, message, fromServer: true, path: path.slice(1) };
	throw new CallError({ kind: 'status', ...status, sent: false, received: 0 });
}

/** Returns undefined for NOT_FOUND, which servers send as a response or as the status of the stream. */
async function undefinedIfNotFound(
	response: Promise<ReflectionResponse>,
): Promise<ReflectionResponse | undefined> {
	try {
		return await response;
	} catch (error) {
		if (hasStatus(error, NOT_FOUND_CODE)) return undefined;
		throw error;
	}
}

function decodeFiles({ fileDescriptorResponse }: ReflectionResponse): FileDescriptorProto[] {
	const { fileDescriptorProto: encoded = [] } =
		fileDescriptorResponse ??
		throwInvalidReflection('It does not give a file that it was asked for.');
	return encoded.map((file) => fromBinary(FileDescriptorProtoSchema, base64Decode(file)));
}

/** Finds the first import that has not arrived. */
function findMissingImport(files: ReadonlyMap<string, FileDescriptorProto>): string | undefined {
	const imported = [...files.values()].flatMap(({ dependency }) => dependency);
	return imported.find((name) => !files.has(name) && !isWellKnown(name));
}

function throwMissingFile(file: string): never {
	throw new CallError({
		kind: 'invalidResponse',
		message: 'The service describes itself incompletely',
		description: `It imports the file ${file}, but does not provide it.`,
		sent: false,
	});
}

function throwInvalidReflection(description: string): never {
	throw new CallError({
		kind: 'invalidResponse',
		message: 'The service describes itself in a way that cannot be understood',
		description,
		sent: false,
	});
}

/** The request is the same in both versions of the protocol. */
type ReflectionRequest =
	| { readonly listServices: string }
	| { readonly fileContainingSymbol: string }
	| { readonly fileContainingExtension: { readonly message: string; readonly number: number } }
	| { readonly fileByFilename: string };

interface ReflectionResponse {
	readonly listServicesResponse?: { readonly service?: ReadonlyArray<{ readonly name?: string }> };
	/** The files are in base64. */
	readonly fileDescriptorResponse?: { readonly fileDescriptorProto?: readonly string[] };
	readonly errorResponse?: { readonly errorCode?: number; readonly errorMessage?: string };
}

/** Members of a oneof are sent even if they are empty strings. */
const oneofMember = { oneofIndex: 0 };
const oneofDeclaration = { oneofDecl: [{ name: 'oneof' }] };

/** Only the fields that are used are defined. */
const messageTypes = defineMessages({
	Request: {
		...oneofDeclaration,
		field: [
			buildField('fileByFilename', 3, Type.STRING, oneofMember),
			buildField('fileContainingSymbol', 4, Type.STRING, oneofMember),
			buildField('fileContainingExtension', 5, '.Extension', oneofMember),
			buildField('listServices', 7, Type.STRING, oneofMember),
		],
	},
	Extension: {
		field: [buildField('message', 1, Type.STRING), buildField('number', 2, Type.INT32)],
	},
	Response: {
		...oneofDeclaration,
		field: [
			buildField('fileDescriptorResponse', 4, '.Files', oneofMember),
			buildField('listServicesResponse', 6, '.Services', oneofMember),
			buildField('errorResponse', 7, '.Error', oneofMember),
		],
	},
	Files: { field: [buildField('fileDescriptorProto', 1, Type.BYTES, repeated)] },
	Services: { field: [buildField('service', 1, '.Service', repeated)] },
	Service: { field: [buildField('name', 1, Type.STRING)] },
	Error: {
		field: [buildField('errorCode', 1, Type.INT32), buildField('errorMessage', 2, Type.STRING)],
	},
});

function encodeRequest(request: ReflectionRequest): Uint8Array {
	return toBinary(messageTypes.Request, fromJson(messageTypes.Request, request));
}

function decodeResponse(bytes: Uint8Array): ReflectionResponse {
	return toJson(
		messageTypes.Response,
		fromBinary(messageTypes.Response, bytes),
	) as ReflectionResponse;
}
