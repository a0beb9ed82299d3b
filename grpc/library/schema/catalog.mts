import {
	createMutableRegistry,
	type DescMethod,
	type DescService,
	type FileRegistry,
	type Registry,
} from '@bufbuild/protobuf';
import { formatNames } from '../../../nodes/core';
import { hasStatus, throwInvalidInput } from '../callError.mts';
import { WELL_KNOWN_FILES } from '../descriptors/registry.mts';

/** The source of schemas: reflection, or files of the user. */
export interface SchemaSource {
	/** The name in error messages. */
	readonly name: string;
	fetchServices(timeout: number): Promise<readonly string[]>;
	/** Fetches the file of a service, message or extension, with all its imports. */
	fetchFiles(symbol: string, timeout: number): Promise<FileRegistry | undefined>;
	/** Fetches the file of the extension with this field number. */
	fetchExtensionFiles(
		message: string,
		number: number,
		timeout: number,
	): Promise<FileRegistry | undefined>;
}

const DEADLINE_EXCEEDED_CODE = 4;

/** The services and types of a source. Each file is loaded once, however many items need it. */
export class Catalog {
	private readonly registry = createMutableRegistry(...WELL_KNOWN_FILES);
	private readonly loading = new Map<string, Promise<FileRegistry | undefined>>();

	constructor(private readonly source: SchemaSource) {}

	/** The types of all loaded files: the types in an Any, and extensions, have files of their own. */
	get types(): Registry {
		return this.registry;
	}

	/** Leaves out the services of reflection itself. */
	async fetchServices(timeout: number): Promise<string[]> {
		const names = await this.source.fetchServices(timeout);
		return names.filter((name) => name.trim() && !name.startsWith('grpc.reflection.')).sort();
	}

	async fetchService(name: string, timeout: number): Promise<DescService> {
		const found = (await this.load(name, timeout))?.getService(name);
		if (found) return found;
		return throwInvalidInput(
			`${this.source.name} offers no service ${name}`,
			'Choose a service from the list, or check the spelling of its name.',
		);
	}

	async fetchMethod(service: string, name: string, timeout: number): Promise<DescMethod> {
		const { methods } = await this.fetchService(service, timeout);
		const found = methods.find((method) => method.name === name);
		if (found) return found;
		return throwInvalidInput(
			`The service ${service} has no method ${name}`,
			`Its methods are: ${formatNames(methods.map((method) => method.name))}.`,
		);
	}

	/** Adds the file of a service, message or extension to `types`. */
	async load(symbol: string, timeout: number): Promise<FileRegistry | undefined> {
		return await this.loadOnce(
			symbol,
			timeout,
			async (left) => await this.source.fetchFiles(symbol, left),
		);
	}

	/** Adds the file of the extension with this field number. */
	async loadExtension(
		message: string,
		number: number,
		timeout: number,
	): Promise<FileRegistry | undefined> {
		const read = async (left: number) =>
			await this.source.fetchExtensionFiles(message, number, left);
		return await this.loadOnce(`${message} ${number}`, timeout, read);
	}

	/** Failures are not cached. A shared load that timed out is repeated: it may have begun with a shorter timeout. */
	private async loadOnce(
		key: string,
		timeout: number,
		read: (timeout: number) => Promise<FileRegistry | undefined>,
	): Promise<FileRegistry | undefined> {
		const until = Date.now() + timeout;
		const shared = this.loading.get(key);
		const reading = shared ?? this.addFiles(read(timeout));
		this.loading.set(key, reading);
		try {
			return await reading;
		} catch (error) {
			if (this.loading.get(key) === reading) this.loading.delete(key);
			const left = until - Date.now();
			if (shared && hasStatus(error, DEADLINE_EXCEEDED_CODE) && left > 0)
				return await this.loadOnce(key, left, read);
			throw error;
		}
	}

	private async addFiles(
		files: Promise<FileRegistry | undefined>,
	): Promise<FileRegistry | undefined> {
		const found = await files;
		for (const type of found ?? []) this.registry.add(type);
		return found;
	}
}
