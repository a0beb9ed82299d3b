import {
	fromBinary,
	toBinary,
	toJson,
	type DescMessage,
	type Message,
	type Registry,
} from '@bufbuild/protobuf';
import { Anys, noting } from './anys.mts';
import type { Catalog } from './catalog.mts';
import { faithful } from './faithful.mts';
import { misfit } from './misfit.mts';
import { trouble, wordsOf } from './problem.mts';

/** Turns JSON into the bytes of a message and back. */
export class Messages {
	constructor(private readonly catalog: Catalog) {}

	/** Tried again for each type of an Any that has been asked for. */
	async encode(type: DescMessage, json: unknown, timeout: number): Promise<Uint8Array> {
		for (;;) {
			const { registry, missing } = noting(this.catalog.types);
			try {
				return toBinary(type, faithful(type, json, registry));
			} catch (error) {
				const [name] = missing;
				const isLearnt = name !== undefined && (await this.catalog.message(name, timeout));
				if (!isLearnt) misfit(type, json, this.catalog.types, error);
			}
		}
	}

	async decode(type: DescMessage, bytes: Uint8Array, timeout: number): Promise<unknown> {
		try {
			return await this.read(type, fromBinary(type, bytes), timeout);
		} catch (error) {
			return trouble({
				kind: 'garbled',
				message: `The answer does not fit ${type.typeName}, the type that the service describes`,
				description: wordsOf(error),
				sent: true,
			});
		}
	}

	private async read(type: DescMessage, message: Message, timeout: number): Promise<unknown> {
		const { registry, missing } = noting(this.catalog.types);
		try {
			return asJson(type, message, registry);
		} catch (error) {
			if (missing.size === 0) throw error;
		}
		const anys = new Anys(this.catalog, timeout);
		await anys.open(message);
		return asJson(type, message, anys.registry);
	}
}

/** Fields without a value come out too, as 0, false, "" or [], so that a workflow can rely on them. */
function asJson(type: DescMessage, message: Message, registry: Registry): unknown {
	return toJson(type, message, { registry, alwaysEmitImplicit: true });
}
