import { fromBinary } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { converse } from './calls.mts';
import type { Channel } from './channel.mts';
import { isWellKnown } from './descriptors.mts';
import { problemOf, trouble } from './problem.mts';
import { decodeAnswer, encodeQuestion, type Answer, type Question } from './reflectionMessages.mts';

const VERSIONS = ['v1', 'v1alpha'];
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

type Ask = (question: Question) => Promise<Answer>;

/** Asks a service what it offers, in the newest version of the protocol that it knows. */
export class Reflection {
	private version = 0;

	constructor(private readonly channel: Channel) {}

	async services(timeout: number): Promise<string[]> {
		const answer = await this.talk(timeout, async (ask) => await ask({ listServices: '*' }));
		return (answer.listServicesResponse?.service ?? []).map(({ name }) => name);
	}

	/** The file that describes a service or a message, with all files that it imports; undefined when there is none. */
	async filesOf(symbol: string, timeout: number): Promise<FileDescriptorProto[] | undefined> {
		return await this.talk(timeout, async (ask) => {
			const answer = await ask({ fileContainingSymbol: symbol });
			if (answer.errorResponse?.errorCode === NOT_FOUND) return undefined;
			const files = new Map<string, FileDescriptorProto>();
			const keep = (more: Answer) => filesIn(more).forEach((file) => files.set(file.name, file));
			keep(answer);
			for (let name = missing(files); name !== undefined; name = missing(files)) {
				keep(await ask({ fileByFilename: name }));
				if (!files.has(name)) undescribed(name);
			}
			return [...files.values()];
		});
	}

	private async talk<T>(timeout: number, conversation: (ask: Ask) => Promise<T>): Promise<T> {
		for (let version = this.version; version < VERSIONS.length; version++) {
			try {
				const result = await this.talkIn(version, timeout, conversation);
				this.version = version;
				return result;
			} catch (error) {
				if (!isUnimplemented(error)) throw error;
			}
		}
		return trouble({ kind: 'noReflection' });
	}

	private async talkIn<T>(
		version: number,
		timeout: number,
		conversation: (ask: Ask) => Promise<T>,
	): Promise<T> {
		const service = `grpc.reflection.${VERSIONS[version]}.ServerReflection`;
		const path = `/${service}/ServerReflectionInfo`;
		return await converse(this.channel, path, timeout, async (ask) => {
			return await conversation(async (question) => {
				const answer = decodeAnswer(await ask(encodeQuestion(question)));
				const { errorCode: code = 0, errorMessage: words = '' } = answer.errorResponse ?? {};
				const isFailure = code !== 0 && code !== NOT_FOUND;
				return isFailure
					? trouble({ kind: 'status', code, words, path: path.slice(1), arrived: 0 })
					: answer;
			});
		});
	}
}

function filesIn({ fileDescriptorResponse }: Answer): FileDescriptorProto[] {
	const encoded = fileDescriptorResponse?.fileDescriptorProto ?? [];
	return encoded.map((file) => fromBinary(FileDescriptorProtoSchema, base64Decode(file)));
}

/** A file that another imports and that has not come with it. */
function missing(files: ReadonlyMap<string, FileDescriptorProto>): string | undefined {
	const imported = [...files.values()].flatMap(({ dependency }) => dependency);
	return imported.find((name) => !files.has(name) && !isWellKnown(name));
}

function undescribed(file: string): never {
	return trouble({
		kind: 'garbled',
		message: 'The service describes itself incompletely',
		description: `It imports the file ${file}, which it does not give.`,
	});
}

function isUnimplemented(error: unknown): boolean {
	const problem = problemOf(error);
	return problem?.kind === 'status' && problem.code === UNIMPLEMENTED;
}
