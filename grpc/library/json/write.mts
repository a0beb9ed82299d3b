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
import { getMessage } from '../callError.mts';
import { formatBytes, type BytesAs } from './bytes.mts';
import { getExtensionField, isExtensionNumber } from './extensions.mts';
import { getTypeNameInUrl } from '../descriptors/typeNames.mts';
import { MAX_DEPTH } from './jsonPath.mts';
import { enumToJson, scalarToJson } from './scalars.mts';
import { listToJson, structToJson, valueToJson } from './jsonValues.mts';
import { isMessageSet, itemsToExtensions } from './messageSets.mts';
import { formatTextForm } from './texts.mts';

/** An unloaded type that an Any names, or an extension given by its number. */
export interface MissingType {
	readonly type: string;
	readonly extension?: number;
}

/**
 * Converts a message to JSON, whatever its parts hold: an Any of an unknown type stays bytes, a Timestamp out of range
 * becomes an object of its fields.
 */
export class MessageWriter {
	readonly missingTypes = new Map<string, MissingType>();
	private depth = 0;

	constructor(
		private readonly types: Registry,
		private readonly bytesAs?: BytesAs,
	) {}

	/** Includes default values, so that a workflow can rely on the fields. */
	formatMessage(type: DescMessage, message: Message): unknown {
		if (++this.depth > MAX_DEPTH) throw tooDeepError();
		const json = this.formatWellKnownOrFields(type, message);
		this.depth--;
		return json;
	}

	private formatWellKnownOrFields(type: DescMessage, message: Message): unknown {
		switch (type.typeName) {
			case 'google.protobuf.Any':
				return this.formatAny(message as Any);
			case 'google.protobuf.Value':
				return valueToJson(message as Value);
			case 'google.protobuf.ListValue':
				return listToJson(message as ListValue);
			case 'google.protobuf.Struct':
				return structToJson(message as Struct);
			case 'google.protobuf.Timestamp':
			case 'google.protobuf.Duration':
			case 'google.protobuf.FieldMask':
				return formatTextForm(type, message) ?? this.formatFields(type, message);
			default:
				return isWrapperDesc(type)
					? this.formatWrapper(type, message)
					: this.formatFields(type, message);
		}
	}

	private formatWrapper(type: DescMessage, message: Message): unknown {
		const [field] = type.fields as [DescField];
		return this.formatSingle(field, reflect(type, message, false).get(field));
	}

	private formatFields(type: DescMessage, message: Message): object {
		const reflected = reflect(type, message, false);
		const entries = type.fields
			.filter((field) => field.presence === Presence.IMPLICIT || reflected.isSet(field))
			.map((field): [string, unknown] => [
				field.jsonName,
				this.formatField(field, reflected.get(field)),
			]);
		return Object.fromEntries([...entries, ...this.formatExtensions(type, message)]);
	}

	private formatExtensions(type: DescMessage, given: Message): Array<[string, unknown]> {
		const message = isMessageSet(type) ? itemsToExtensions(given) : given;
		const numbers = new Set(message.$unknown?.map(({ no }) => no));
		return [...numbers]
			.filter((number) => isExtensionNumber(type, number))
			.flatMap((number) => {
				const extension = this.types.getExtensionFor(type, number);
				if (!extension) return this.addMissing({ type: type.typeName, extension: number }) ?? [];
				const { field, value } = getExtensionField(message, extension);
				return [[extension.jsonName, this.formatField(field, value)] as [string, unknown]];
			});
	}

	private formatField(field: DescField, value: unknown): unknown {
		if (field.fieldKind === 'list') {
			return Array.from(value as ReflectList, (item) => this.formatSingle(field, item));
		}
		if (field.fieldKind !== 'map') return this.formatSingle(field, value);
		const entries = [...(value as ReflectMap).entries()];
		return Object.fromEntries(entries.map(([key, item]) => [key, this.formatSingle(field, item)]));
	}

	private formatSingle(field: DescField, value: unknown): unknown {
		if (field.message) return this.formatMessage(field.message, (value as ReflectMessage).message);
		if (field.enum) return enumToJson(field.enum, value as number);
		return scalarToJson(field.scalar, value, this.bytesAs);
	}

	private formatAny({ typeUrl, value }: Any): object {
		if (typeUrl === '') return {};
		const named = { '@type': typeUrl };
		const type = this.types.getMessage(getTypeNameInUrl(typeUrl));
		if (!type) this.addMissing({ type: getTypeNameInUrl(typeUrl) });
		const held = type && tryDecodeMessage(type, value);
		if (!held) return { ...named, value: formatBytes(value, this.bytesAs) };
		const json = this.formatMessage(type, held);
		return {
			...named,
			...(hasCustomJsonRepresentation(type) ? { value: json } : (json as object)),
		};
	}

	private addMissing(missing: MissingType): void {
		this.missingTypes.set(`${missing.type} ${missing.extension ?? ''}`, missing);
	}
}

/** In bytes, each level of a Value is two messages, but one in JSON. */
const DECODE_LIMITS = { recursionLimit: 2 * MAX_DEPTH };

/** Throws for bytes that do not encode the type. */
export function decodeMessage(type: DescMessage, bytes: Uint8Array): Message {
	try {
		return fromBinary(type, bytes, DECODE_LIMITS);
	} catch (error) {
		throw /recursion depth/.test(getMessage(error)) ? tooDeepError() : error;
	}
}

function tryDecodeMessage(type: DescMessage, bytes: Uint8Array): Message | undefined {
	try {
		return decodeMessage(type, bytes);
	} catch {
		return undefined;
	}
}

function tooDeepError(): Error {
	return new Error(`messages are nested more than ${MAX_DEPTH} deep`);
}
