import { fromBinary, type FileRegistry } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import type { Channel } from '../connection/channel.mts';
import { pingPong } from '../connection/conversation.mts';
import { isWellKnown, registryOf } from '../descriptors/registry.mts';
import { problemOf, fail, messageOf } from '../problem.mts';
import {
	decodeResponse,
	encodeRequest,
	type ReflectionResponse,
	type ReflectionRequest,
} from './reflectionMessages.mts';
import type { SchemaSource } from './source.mts';

const VERSIONS = ['v1', 'v1alpha'];
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

type AskReflection = (question: ReflectionRequest) => Promise<ReflectionResponse>;

/** Asks a service what it offers, in the newest version of the protocol that it knows. */
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

	/** A file with all files that it imports. */
	private async files(
		question: ReflectionRequest,
		timeout: number,
	): Promise<FileRegistry | undefined> {
		return await this.talk(timeout, async (ask) => {
			const answer = await found(ask(question));
			if (!answer) return undefined;
			const files = new Map<string, FileDescriptorProto>();
			const keep = (more: ReflectionResponse) =>
				filesIn(more).forEach((file) => files.set(file.name, file));
			keep(answer);
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
				const result = await this.talkIn(version, timeout, conversation);
				this.version = version;
				return result;
			} catch (error) {
				if (!hasStatus(error, UNIMPLEMENTED)) throw error;
			}
		}
		return fail({ kind: 'noReflection' });
	}

	private async talkIn<T>(
		version: number,
		timeout: number,
		conversation: (ask: AskReflection) => Promise<T>,
	): Promise<T> {
		const service = `grpc.reflection.${VERSIONS[version]}.ServerReflection`;
		const path = `/${service}/ServerReflectionInfo`;
		try {
			return await pingPong(this.channel, { path, timeout }, async (ask) => {
				return await conversation(async (question) => {
					const answer = await ask(encodeRequest(question));
					return answer
						? checked(decodeResponse(answer), path)
						: invalidReflection('It says nothing.');
				});
			});
		} catch (error) {
			throw problemOf(error) ? error : invalidReflection(messageOf(error));
		}
	}
}

function checked(answer: ReflectionResponse, path: string): ReflectionResponse {
	const { errorCode: code = 0, errorMessage: words = '' } = answer.errorResponse ?? {};
	if (code === 0) return answer;
	const said = { code, words, byService: true, path: path.slice(1) };
	return fail({ kind: 'status', ...said, sent: false, arrived: 0 });
}

/** That there is no such thing, some services say in an answer, and some in the status that ends the conversation. */
async function found(answer: Promise<ReflectionResponse>): Promise<ReflectionResponse | undefined> {
	try {
		return await answer;
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

/** A file that another imports and that has not come with it. */
function missingImport(files: ReadonlyMap<string, FileDescriptorProto>): string | undefined {
	const imported = [...files.values()].flatMap(({ dependency }) => dependency);
	return imported.find((name) => !files.has(name) && !isWellKnown(name));
}

function missingFile(file: string): never {
	return fail({
		kind: 'garbled',
		message: 'The service describes itself incompletely',
		description: `It imports the file ${file}, but does not provide it.`,
		sent: false,
	});
}

function invalidReflection(description: string): never {
	return fail({
		kind: 'garbled',
		message: 'The service describes itself in a way that cannot be understood',
		description,
		sent: false,
	});
}

function hasStatus(error: unknown, code: number): boolean {
	const problem = problemOf(error);
	return problem?.kind === 'status' && problem.code === code;
}
