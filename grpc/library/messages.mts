import {
	createMutableRegistry,
	fromBinary,
	fromJson,
	toBinary,
	toJson,
	type DescMessage,
	type JsonValue,
	type Registry,
} from '@bufbuild/protobuf';
import type { Catalog } from './catalog.mts';
import { WELL_KNOWN_FILES } from './descriptors.mts';
import { misfit } from './misfit.mts';
import { trouble, wordsOf } from './problem.mts';

/** Turns JSON into the bytes of a message and back. */
export class Messages {
	/** The types that an Any holds: it names them at run time, so no file need mention them. */
	private readonly registry = createMutableRegistry(...WELL_KNOWN_FILES);

	constructor(private readonly catalog: Catalog) {}

	async encode(type: DescMessage, json: unknown, timeout: number): Promise<Uint8Array> {
		const work = (registry: Registry) =>
			toBinary(type, fromJson(type, json as JsonValue, { registry }));
		return await this.withTypes(timeout, work, (error) => misfit(type, json, this.registry, error));
	}

	async decode(type: DescMessage, bytes: Uint8Array, timeout: number): Promise<unknown> {
		// Fields without a value come out too, as 0, false, "" or [], so that a workflow can rely on them.
		const work = (registry: Registry): unknown =>
			toJson(type, fromBinary(type, bytes), { registry, alwaysEmitImplicit: true });
		return await this.withTypes(timeout, work, (error) =>
			trouble({
				kind: 'garbled',
				message: `The answer does not fit ${type.typeName}, the type that the service describes`,
				description: wordsOf(error),
			}),
		);
	}

	/** Does it again for each type that turns out to be needed. */
	private async withTypes<T>(
		timeout: number,
		work: (registry: Registry) => T,
		failed: (error: unknown) => never,
	): Promise<T> {
		for (;;) {
			try {
				return work(this.registry);
			} catch (error) {
				const needed = unknownType(error);
				const isLearnt = needed !== undefined && (await this.learn(needed, timeout));
				if (!isLearnt) failed(error);
			}
		}
	}

	private async learn(name: string, timeout: number): Promise<boolean> {
		const files = await this.catalog.files(name, timeout);
		if (!files?.getMessage(name)) return false;
		for (const type of files) if (type.kind === 'message') this.registry.add(type);
		return true;
	}
}

/** The protobuf library tells an unknown type in words alone. */
function unknownType(error: unknown): string | undefined {
	const url = /([^\s"]+)"? is not in the type registry/.exec(wordsOf(error))?.[1];
	return url?.split('/').at(-1);
}
