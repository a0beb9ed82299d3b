import type { FileRegistry } from '@bufbuild/protobuf';

/** Where it is known from what services there are, and what their messages look like. */
export interface SchemaSource {
	/** As a person would name it. */
	readonly name: string;
	/** The names of the services. */
	services(timeout: number): Promise<readonly string[]>;
	/** The file that describes a service, a message or an extension, with all that it imports; undefined without one. */
	filesOf(symbol: string, timeout: number): Promise<FileRegistry | undefined>;
	/** The same for the extension that gives a message a field of this number. */
	filesOfExtension(
		message: string,
		number: number,
		timeout: number,
	): Promise<FileRegistry | undefined>;
}
