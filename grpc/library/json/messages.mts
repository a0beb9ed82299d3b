import { fromBinary, toBinary, type DescMessage, type Message } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import { fail, messageOf } from '../problem.mts';
import type { Catalog } from '../schema/catalog.mts';
import type { BytesAs } from './scalars/bytes.mts';
import { Misfit } from './misfit.mts';
import { Reader } from './read.mts';
import { Writer, type MissingType } from './write.mts';

/** How messages are told, and how long it may take to ask what they are made of. */
export interface CodecOptions {
	readonly bytesAs?: BytesAs;
	readonly timeout: number;
}

/** The bytes of a message; without JSON, of one without values. Types that only the JSON names are asked for, one after the other. */
export async function encodeMessage(
	catalog: Catalog,
	{ type, json, label }: { type: DescMessage; json: unknown; label: string },
	{ bytesAs, timeout }: CodecOptions,
): Promise<Uint8Array> {
	if (json === undefined && hasCustomJsonRepresentation(type)) return new Uint8Array();
	for (;;) {
		const reader = new Reader(catalog.types, bytesAs);
		try {
			return toBinary(type, reader.message(type, json === undefined ? {} : json));
		} catch (error) {
			if (!(error instanceof Misfit)) throw error;
			const [name] = reader.missingTypes;
			if (name !== undefined) await catalog.load(name, timeout);
			const { types } = catalog;
			const isLearnt = name !== undefined && (types.getMessage(name) ?? types.getExtension(name));
			if (!isLearnt) invalidRequest(type, label, error);
		}
	}
}

function invalidRequest({ typeName }: DescMessage, label: string, { message }: Misfit): never {
	return fail({
		kind: 'refused',
		message: `${label} does not fit ${typeName}: ${message}`,
		description: "The operation 'Describe' shows the fields of a request.",
	});
}

/** Turns the answers of a call into JSON. What they hold of unknown types is asked for, once each. */
export class ResponseDecoder {
	private readonly asked = new Map<string, Promise<unknown>>();

	constructor(
		private readonly catalog: Catalog,
		private readonly type: DescMessage,
		private readonly manner: CodecOptions,
	) {}

	async decode(bytes: Uint8Array): Promise<unknown> {
		try {
			return await this.written(fromBinary(this.type, bytes));
		} catch (error) {
			return fail({
				kind: 'garbled',
				message: `The answer does not fit ${this.type.typeName}, the type that is described`,
				description: messageOf(error),
				sent: true,
			});
		}
	}

	/** Written again with what has been learnt, until there is nothing more to learn or no more time. */
	private async written(message: Message): Promise<unknown> {
		const until = Date.now() + this.manner.timeout;
		const waited = new Set<string>();
		for (;;) {
			const writer = new Writer(this.catalog.types, this.manner.bytesAs);
			const json = writer.message(this.type, message);
			const left = until - Date.now();
			const unasked = [...writer.missingTypes].filter(([key]) => !waited.has(key));
			if (unasked.length === 0 || left <= 0) return json;
			for (const [key] of unasked) waited.add(key);
			await Promise.all(unasked.map(async ([key, missing]) => await this.ask(key, missing, left)));
		}
	}

	/** Why a type cannot be had makes no difference: an answer is not lost because one part of it cannot be read. */
	private async ask(key: string, { type, extension }: MissingType, timeout: number): Promise<void> {
		const learn = async () =>
			extension === undefined
				? await this.catalog.load(type, timeout)
				: await this.catalog.loadExtension(type, extension, timeout);
		const asking = this.asked.get(key) ?? learn().catch(() => {});
		this.asked.set(key, asking);
		await asking;
	}
}
