import { fromBinary, type FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { throwInvalidInput, getMessage } from '../callError.mts';
import { isWellKnown, buildRegistry, WELL_KNOWN_FILES } from '../descriptors/registry.mts';
import type { SchemaSource } from './catalog.mts';
import { buildFileDescriptor } from './fileDescriptor.mts';
import { parseProto, TypeScope, type ProtoText } from './protoFile.mts';

const WELL_KNOWN_NAMES = WELL_KNOWN_FILES.map(({ proto }) => proto.name);

/** The user's .proto files or descriptor set, for an endpoint without reflection. */
export class UserSchema implements SchemaSource {
	readonly name = 'The schema';

	private constructor(private readonly registry: FileRegistry) {}

	static fromProtoFiles(texts: readonly ProtoText[]): UserSchema {
		const files = texts.filter(({ name }) => !isWellKnown(name)).map(parseProto);
		const byName = new Map(files.map((file) => [file.name, file]));
		if (byName.size < files.length)
			throwInvalidSchema('Proto Files', 'two of them have the same name');
		return UserSchema.fromFiles(
			'Proto Files',
			files.map((file) => buildFileDescriptor(file, new TypeScope(file, byName))),
		);
	}

	/** Parses the output of `protoc --descriptor_set_out`, in base64. */
	static fromDescriptorSet(base64: string): UserSchema {
		return UserSchema.fromFiles(
			'Descriptor Set',
			decodeDescriptorSet(Buffer.from(base64, 'base64')),
		);
	}

	/** Missing imports are dropped: often only options come from them. The well-known files need no import. */
	private static fromFiles(field: string, files: readonly FileDescriptorProto[]): UserSchema {
		if (files.length === 0) throwInvalidSchema(field, 'it holds no file');
		const isThere = (name: string) => isWellKnown(name) || files.some((file) => file.name === name);
		for (const file of files) {
			const imports = new Set([...file.dependency, ...WELL_KNOWN_NAMES]);
			file.dependency = [...imports].filter(isThere);
		}
		try {
			return new UserSchema(buildRegistry(files));
		} catch (error) {
			return throwInvalidSchema(field, getMessage(error));
		}
	}

	async fetchServices(): Promise<readonly string[]> {
		return [...this.registry].filter(({ kind }) => kind === 'service').map((one) => one.typeName);
	}

	async fetchFiles(): Promise<FileRegistry> {
		return this.registry;
	}

	async fetchExtensionFiles(): Promise<FileRegistry> {
		return this.registry;
	}
}

function decodeDescriptorSet(set: Uint8Array): readonly FileDescriptorProto[] {
	try {
		return fromBinary(FileDescriptorSetSchema, set).file;
	} catch (error) {
		return throwInvalidSchema(
			'Descriptor Set',
			`it is not a descriptor set in base64 (${getMessage(error)})`,
		);
	}
}

function throwInvalidSchema(field: string, fault: string): never {
	return throwInvalidInput(`'${field}' cannot be used: ${fault}`);
}
