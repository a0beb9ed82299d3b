import {
	createMutableRegistry,
	type DescMessage,
	type DescMethod,
	type DescService,
	type FileRegistry,
} from '@bufbuild/protobuf';
import { WELL_KNOWN_FILES } from './descriptors.mts';
import { problemOf, trouble } from './problem.mts';
import type { Reflection } from './reflection.mts';

const DEADLINE_EXCEEDED = 4;

/** What an endpoint offers, as it describes itself. Asked for once, however many items need it. */
export class Catalog {
	/** All types that have been met: those that an Any names at run time, and extensions, stand in files of their own. */
	readonly types = createMutableRegistry(...WELL_KNOWN_FILES);
	private readonly known = new Map<string, Promise<FileRegistry | undefined>>();

	constructor(private readonly reflection: Reflection) {}

	/** The names of the services, without those that describe them. */
	async services(timeout: number): Promise<string[]> {
		const names = await this.reflection.services(timeout);
		return names.filter((name) => name.trim() && !name.startsWith('grpc.reflection.')).sort();
	}

	async service(name: string, timeout: number): Promise<DescService> {
		const found = (await this.files(name, timeout))?.getService(name);
		if (found) return found;
		return trouble({
			kind: 'refused',
			message: `The endpoint offers no service ${name}`,
			description: 'Choose a service from the list, or check how its name is spelt.',
		});
	}

	/** A method that takes one request. */
	async method(service: string, name: string, timeout: number): Promise<DescMethod> {
		const { methods } = await this.service(service, timeout);
		const found = methods.find((method) => method.name === name);
		if (!found) {
			const names = methods.map((method) => method.name).join(', ');
			const message = `The service ${service} has no method ${name}`;
			return trouble({ kind: 'refused', message, description: `Its methods are: ${names}.` });
		}
		if (found.methodKind === 'unary' || found.methodKind === 'server_streaming') return found;
		return trouble({
			kind: 'refused',
			message: `The method ${name} takes a stream of requests, which this node cannot send`,
			description: 'Choose a method that takes one request; it may give one message or a stream.',
		});
	}

	/** The type of a message; once found, it is one of `types`. */
	async message(name: string, timeout: number): Promise<DescMessage | undefined> {
		await this.files(name, timeout);
		return this.types.getMessage(name);
	}

	/** The file that describes a service or a message, with its imports. What failed is asked for again. */
	private async files(symbol: string, timeout: number): Promise<FileRegistry | undefined> {
		const until = Date.now() + timeout;
		const shared = this.known.get(symbol);
		const reading = shared ?? this.read(symbol, timeout);
		this.known.set(symbol, reading);
		try {
			return await reading;
		} catch (error) {
			if (this.known.get(symbol) === reading) this.known.delete(symbol);
			const left = until - Date.now();
			if (shared && isTooLate(error) && left > 0) return await this.files(symbol, left);
			throw error;
		}
	}

	private async read(symbol: string, timeout: number): Promise<FileRegistry | undefined> {
		const files = await this.reflection.filesOf(symbol, timeout);
		for (const type of files ?? []) this.types.add(type);
		return files;
	}
}

/** Whoever asked first may have had less time. */
function isTooLate(error: unknown): boolean {
	const problem = problemOf(error);
	return problem?.kind === 'status' && problem.code === DEADLINE_EXCEEDED;
}
