import { stream, unary } from './calls.mts';
import { Catalog } from './catalog.mts';
import { Channel, type Target } from './channel.mts';
import { describeMethod, type MethodDescription } from './describe.mts';
import { Messages } from './messages.mts';
import { problemOf } from './problem.mts';
import { Reflection } from './reflection.mts';

export interface CallRequest {
	readonly service: string;
	readonly method: string;
	readonly request: unknown;
	/** Milliseconds. */
	readonly timeout: number;
	/** Where a stream is left. */
	readonly maxMessages: number;
}

/** An endpoint at work for one run of a node, over one connection. */
export class Session {
	private readonly channel: Channel;
	private readonly reflection: Reflection;
	private readonly catalog: Catalog;
	private readonly messages: Messages;

	constructor(target: Target, stop?: AbortSignal) {
		this.channel = new Channel(target, stop);
		this.reflection = new Reflection(this.channel);
		this.catalog = new Catalog(this.reflection);
		this.messages = new Messages(this.catalog);
	}

	async services(timeout: number): Promise<string[]> {
		return await this.catalog.services(timeout);
	}

	/** Whether the endpoint answers and takes the token; it need not describe itself. */
	async probe(timeout: number): Promise<void> {
		try {
			await this.reflection.services(timeout);
		} catch (error) {
			if (problemOf(error)?.kind !== 'noReflection') throw error;
		}
	}

	async describe(service: string, timeout: number): Promise<MethodDescription[]> {
		const { methods } = await this.catalog.service(service, timeout);
		return methods.map(describeMethod);
	}

	/** The one message of a plain method, or the messages of a stream. `ready` may refuse, just before it is sent. */
	async call(
		{ service, method, request, timeout, maxMessages }: CallRequest,
		ready?: () => Promise<void>,
	): Promise<unknown[]> {
		const { name, input, output, methodKind } = await this.catalog.method(service, method, timeout);
		const message = await this.messages.encode(input, request, timeout);
		const path = `/${service}/${name}`;
		await ready?.();
		const replies =
			methodKind === 'unary'
				? [await unary(this.channel, path, message, timeout)]
				: await stream(this.channel, path, message, timeout, maxMessages);
		return await Promise.all(replies.map((reply) => this.messages.decode(output, reply, timeout)));
	}

	readonly close = (): void => this.channel.close();
}
