import {
	fromBinary,
	type DescField,
	type DescMessage,
	type Message,
	type Registry,
} from '@bufbuild/protobuf';
import {
	reflect,
	type ReflectList,
	type ReflectMap,
	type ReflectMessage,
} from '@bufbuild/protobuf/reflect';
import {
	FeatureSet_FieldPresence as Presence,
	hasCustomJsonRepresentation,
	isWrapperDesc,
	type Any,
	type ListValue,
	type Struct,
	type Value,
} from '@bufbuild/protobuf/wkt';
import { messageOf } from '../callError.mts';
import { formatBytes, type BytesAs } from './bytes.mts';
import { extensionField, mayExtend } from './extensions.mts';
import { typeNameInUrl } from '../descriptors/typeNames.mts';
import { MAX_DEPTH } from './jsonPath.mts';
import { enumToJson, scalarToJson } from './scalars.mts';
import { listToJson, structToJson, valueToJson } from './jsonValues.mts';
import { isMessageSet, withoutItems } from './messageSets.mts';
import { toText } from './texts.mts';

/** A type that an Any names, or an extension by its number, that is not loaded. */
export interface MissingType {
	readonly type: string;
	readonly extension?: number;
}

/**
 * Makes JSON of a message, whatever its parts hold: an Any of an unknown type stays bytes, a Timestamp out of range an
 * object of its fields.
 */
export class Writer {
	readonly missingTypes = new Map<string, MissingType>();
	private depth = 0;

	constructor(
		private readonly types: Registry,
		private readonly bytesAs?: BytesAs,
	) {}

	/** With default values, so that a workflow can rely on the fields. */
	message(type: DescMessage, message: Message): unknown {
		if (++this.depth > MAX_DEPTH) throw tooDeep();
		const json = this.wellKnownOrFields(type, message);
		this.depth--;
		return json;
	}

	private wellKnownOrFields(type: DescMessage, message: Message): unknown {
		switch (type.typeName) {
			case 'google.protobuf.Any':
				return this.any(message as Any);
			case 'google.protobuf.Value':
				return valueToJson(message as Value);
			case 'google.protobuf.ListValue':
				return listToJson(message as ListValue);
			case 'google.protobuf.Struct':
				return structToJson(message as Struct);
			case 'google.protobuf.Timestamp':
			case 'google.protobuf.Duration':
			case 'google.protobuf.FieldMask':
				return toText(type, message) ?? this.fields(type, message);
			default:
				return isWrapperDesc(type) ? this.wrapped(type, message) : this.fields(type, message);
		}
	}

	private wrapped(type: DescMessage, message: Message): unknown {
		const [field] = type.fields as [DescField];
		return this.single(field, reflect(type, message, false).get(field));
	}

	private fields(type: DescMessage, message: Message): object {
		const reflected = reflect(type, message, false);
		const entries = type.fields
			.filter((field) => field.presence === Presence.IMPLICIT || reflected.isSet(field))
			.map((field): [string, unknown] => [field.jsonName, this.field(field, reflected.get(field))]);
		return Object.fromEntries([...entries, ...this.extensions(type, message)]);
	}

	private extensions(type: DescMessage, given: Message): Array<[string, unknown]> {
		const message = isMessageSet(type) ? withoutItems(given) : given;
		const numbers = new Set(message.$unknown?.map(({ no }) => no));
		return [...numbers]
			.filter((number) => mayExtend(type, number))
			.flatMap((number) => {
				const extension = this.types.getExtensionFor(type, number);
				if (!extension) return this.addMissing({ type: type.typeName, extension: number }) ?? [];
				const { field, value } = extensionField(message, extension);
				return [[extension.jsonName, this.field(field, value)] as [string, unknown]];
			});
	}

	private field(field: DescField, value: unknown): unknown {
		if (field.fieldKind === 'list') {
			return Array.from(value as ReflectList, (item) => this.single(field, item));
		}
		if (field.fieldKind !== 'map') return this.single(field, value);
		const entries = [...(value as ReflectMap).entries()];
		return Object.fromEntries(entries.map(([key, item]) => [key, this.single(field, item)]));
	}

	private single(field: DescField, value: unknown): unknown {
		if (field.message) return this.message(field.message, (value as ReflectMessage).message);
		if (field.enum) return enumToJson(field.enum, value as number);
		return scalarToJson(field.scalar, value, this.bytesAs);
	}

	private any({ typeUrl, value }: Any): object {
		if (typeUrl === '') return {};
		const named = { '@type': typeUrl };
		const type = this.types.getMessage(typeNameInUrl(typeUrl));
		if (!type) this.addMissing({ type: typeNameInUrl(typeUrl) });
		const held = type && decoded(type, value);
		if (!held) return { ...named, value: formatBytes(value, this.bytesAs) };
		const json = this.message(type, held);
		return {
			...named,
			...(hasCustomJsonRepresentation(type) ? { value: json } : (json as object)),
		};
	}

	private addMissing(missing: MissingType): void {
		this.missingTypes.set(`${missing.type} ${missing.extension ?? ''}`, missing);
	}
}

/** In bytes, each level of a Value is two messages, where it is one in JSON. */
const LIMITS = { recursionLimit: 2 * MAX_DEPTH };

/** Throws for bytes that are none of the type. */
export function decode(type: DescMessage, bytes: Uint8Array): Message {
	try {
		return fromBinary(type, bytes, LIMITS);
	} catch (error) {
		throw /recursion depth/.test(messageOf(error)) ? tooDeep() : error;
	}
}

function decoded(type: DescMessage, bytes: Uint8Array): Message | undefined {
	try {
		return decode(type, bytes);
	} catch {
		return undefined;
	}
}

function tooDeep(): Error {
	return new Error(`messages are nested more than ${MAX_DEPTH} deep`);
}
