import { fromBinary, type FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { invalidInput, messageOf } from '../callError.mts';
import { isWellKnown, registryOf, WELL_KNOWN_FILES } from '../descriptors/registry.mts';
import type { SchemaSource } from './catalog.mts';
import { toFileDescriptor } from './fileDescriptor.mts';
import { parseProto, TypeScope, type ProtoText } from './protoFile.mts';

const WELL_KNOWN_NAMES = WELL_KNOWN_FILES.map(({ proto }) => proto.name);

/** The user's .proto files or descriptor set, for an endpoint without reflection. */
export class UserSchema implements SchemaSource {
	readonly name = 'The schema';

	private constructor(private readonly registry: FileRegistry) {}

	static ofProtoFiles(texts: readonly ProtoText[]): UserSchema {
		const files = texts.filter(({ name }) => !isWellKnown(name)).map(parseProto);
		const byName = new Map(files.map((file) => [file.name, file]));
		if (byName.size < files.length) invalidSchema('Proto Files', 'two of them have the same name');
		return UserSchema.of(
			'Proto Files',
			files.map((file) => toFileDescriptor(file, new TypeScope(file, byName))),
		);
	}

	/** The output of `protoc --descriptor_set_out`, in base64. */
	static ofDescriptorSet(base64: string): UserSchema {
		return UserSchema.of('Descriptor Set', filesIn(Buffer.from(base64, 'base64')));
	}

	/** Missing imports are dropped: often only options are in them. The well-known files need no import. */
	private static of(field: string, files: readonly FileDescriptorProto[]): UserSchema {
		if (files.length === 0) invalidSchema(field, 'it holds no file');
		const isThere = (name: string) => isWellKnown(name) || files.some((file) => file.name === name);
		for (const file of files) {
			const imports = new Set([...file.dependency, ...WELL_KNOWN_NAMES]);
			file.dependency = [...imports].filter(isThere);
		}
		try {
			return new UserSchema(registryOf(files));
		} catch (error) {
			return invalidSchema(field, messageOf(error));
		}
	}

	async services(): Promise<readonly string[]> {
		return [...this.registry].filter(({ kind }) => kind === 'service').map((one) => one.typeName);
	}

	async filesOf(): Promise<FileRegistry> {
		return this.registry;
	}

	async filesOfExtension(): Promise<FileRegistry> {
		return this.registry;
	}
}

function filesIn(set: Uint8Array): readonly FileDescriptorProto[] {
	try {
		return fromBinary(FileDescriptorSetSchema, set).file;
	} catch (error) {
		return invalidSchema(
			'Descriptor Set',
			`it is not a descriptor set in base64 (${messageOf(error)})`,
		);
	}
}

function invalidSchema(field: string, fault: string): never {
	return invalidInput(`'${field}' cannot be used: ${fault}`);
}
