import type { DescMethod, DescService, FileRegistry } from '@bufbuild/protobuf';
import { registryOf } from './descriptors.mts';
import { trouble, wordsOf } from './problem.mts';
import type { Reflection } from './reflection.mts';

/** What an endpoint offers, as it describes itself. Asked for once, however many items need it. */
export class Catalog {
	private readonly known = new Map<string, Promise<FileRegistry | undefined>>();

	constructor(private readonly reflection: Reflection) {}

	/** The names of the services, without those that describe them. */
	async services(timeout: number): Promise<string[]> {
		const names = await this.reflection.services(timeout);
		return names.filter((name) => !name.startsWith('grpc.reflection.')).sort();
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

	/** The file that describes a service or a message, with its imports. What failed is asked for again. */
	async files(symbol: string, timeout: number): Promise<FileRegistry | undefined> {
		const known = this.known.get(symbol) ?? this.read(symbol, timeout);
		this.known.set(symbol, known);
		try {
			return await known;
		} catch (error) {
			this.known.delete(symbol);
			throw error;
		}
	}

	private async read(symbol: string, timeout: number): Promise<FileRegistry | undefined> {
		const files = await this.reflection.filesOf(symbol, timeout);
		try {
			return files && registryOf(files);
		} catch (error) {
			return trouble({
				kind: 'garbled',
				message: 'The service describes itself in a way that cannot be understood',
				description: wordsOf(error),
			});
		}
	}
}
