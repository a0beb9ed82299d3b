import {
	createMutableRegistry,
	type DescMethod,
	type DescService,
	type FileRegistry,
	type Registry,
} from '@bufbuild/protobuf';
import { WELL_KNOWN_FILES } from '../descriptors/registry.mts';
import { problemOf, fail } from '../problem.mts';
import type { SchemaSource } from './source.mts';

const DEADLINE_EXCEEDED = 4;

/** What an endpoint offers. Asked for once, however many items need it. */
export class Catalog {
	private readonly registry = createMutableRegistry(...WELL_KNOWN_FILES);
	private readonly loading = new Map<string, Promise<FileRegistry | undefined>>();

	constructor(private readonly source: SchemaSource) {}

	/** All types that have been met: those that an Any names at run time, and extensions, stand in files of their own. */
	get types(): Registry {
		return this.registry;
	}

	/** The names of the services, without those that describe them. */
	async services(timeout: number): Promise<string[]> {
		const names = await this.source.services(timeout);
		return names.filter((name) => name.trim() && !name.startsWith('grpc.reflection.')).sort();
	}

	async service(name: string, timeout: number): Promise<DescService> {
		const found = (await this.load(name, timeout))?.getService(name);
		if (found) return found;
		return fail({
			kind: 'refused',
			message: `${this.source.name} offers no service ${name}`,
			description: 'Choose a service from the list, or check the spelling of its name.',
		});
	}

	async method(service: string, name: string, timeout: number): Promise<DescMethod> {
		const { methods } = await this.service(service, timeout);
		const found = methods.find((method) => method.name === name);
		if (found) return found;
		return fail({
			kind: 'refused',
			message: `The service ${service} has no method ${name}`,
			description: `Its methods are: ${methods.map((method) => method.name).join(', ')}.`,
		});
	}

	/** Reads the file that describes a service, a message or an extension, so that it is one of `types`. */
	async load(symbol: string, timeout: number): Promise<FileRegistry | undefined> {
		return await this.loadOnce(
			symbol,
			timeout,
			async (left) => await this.source.filesOf(symbol, left),
		);
	}

	/** The same for the extension that gives a message a field of this number. */
	async loadExtension(
		message: string,
		number: number,
		timeout: number,
	): Promise<FileRegistry | undefined> {
		const read = async (left: number) => await this.source.filesOfExtension(message, number, left);
		return await this.loadOnce(`${message} ${number}`, timeout, read);
	}

	/** What failed is asked for again. */
	private async loadOnce(
		key: string,
		timeout: number,
		read: (timeout: number) => Promise<FileRegistry | undefined>,
	): Promise<FileRegistry | undefined> {
		const until = Date.now() + timeout;
		const shared = this.loading.get(key);
		const reading = shared ?? this.read(read(timeout));
		this.loading.set(key, reading);
		try {
			return await reading;
		} catch (error) {
			if (this.loading.get(key) === reading) this.loading.delete(key);
			const left = until - Date.now();
			if (shared && isTooLate(error) && left > 0) return await this.loadOnce(key, left, read);
			throw error;
		}
	}

	private async read(files: Promise<FileRegistry | undefined>): Promise<FileRegistry | undefined> {
		const found = await files;
		for (const type of found ?? []) this.registry.add(type);
		return found;
	}
}

/** Whoever asked first may have had less time. */
function isTooLate(error: unknown): boolean {
	const problem = problemOf(error);
	return problem?.kind === 'status' && problem.code === DEADLINE_EXCEEDED;
}
