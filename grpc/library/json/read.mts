import {
	create,
	ScalarType,
	toBinary,
	type DescField,
	type DescMessage,
	type Message,
	type Registry,
} from '@bufbuild/protobuf';
import {
	FieldError,
	reflect,
	type ReflectList,
	type ReflectMap,
	type ReflectMessage,
} from '@bufbuild/protobuf/reflect';
import {
	AnySchema,
	FeatureSet_FieldPresence as Presence,
	hasCustomJsonRepresentation,
	isWrapperDesc,
	ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { InvalidValue, isRecord } from '../../../nodes/core';
import {
	findField,
	getJsonForm,
	formatTypeName,
	getTypeNameInUrl,
} from '../descriptors/typeNames.mts';
import { parseBytes, type BytesAs } from './bytes.mts';
import { setExtensionField } from './extensions.mts';
import { formatExpectedValue, formatJsonExcerpt, JsonPath } from './jsonPath.mts';
import { buildValueMessage } from './jsonValues.mts';
import { parseEnum, parseMapKey, parseScalar } from './scalars.mts';
import { parseTextForm, isImpossibleTime } from './texts.mts';

/** Builds a message from JSON without losing a digit. Throws InvalidValue, with the path, for JSON that fits no field. */
export class MessageReader {
	/** Types and extensions that the JSON names but that are not loaded. */
	readonly missingTypes = new Set<string>();
	private readonly path = new JsonPath();
	private readonly setter: FieldSetter;

	constructor(
		private readonly types: Registry,
		bytesAs?: BytesAs,
	) {
		this.setter = new FieldSetter(
			this.path,
			(type, json) => this.buildMessage(type, json),
			bytesAs,
		);
	}

	buildMessage(type: DescMessage, json: unknown): Message {
		return this.path.inMessage(() => this.buildWellKnownOrFields(type, json));
	}

	private buildWellKnownOrFields(type: DescMessage, json: unknown): Message {
		if (type.typeName === AnySchema.typeName) return this.buildAny(json);
		if (isWrapperDesc(type)) return this.setter.buildWrapper(type, json);
		if (!hasCustomJsonRepresentation(type)) return this.buildFields(type, json);
		return buildValueMessage(type, json, this.path) ?? this.buildTextOrFields(type, json);
	}

	/** Times without a text form are accepted as an object of their fields, too, as answers show them. */
	private buildTextOrFields(type: DescMessage, json: unknown): Message {
		if (isRecord(json)) return this.buildFields(type, json);
		if (isImpossibleTime(type, json)) this.path.throwInvalid('a day and a time that exist', json);
		return parseTextForm(type, json) ?? this.path.throwInvalid(`${getJsonForm(type)}`, json);
	}

	private buildFields(type: DescMessage, json: unknown): Message {
		if (!isRecord(json)) return this.path.throwInvalid('a JSON object', json);
		const message = reflect(type, create(type));
		const seen = new Set<DescField>();
		for (const [key, value] of Object.entries(json)) {
			this.path.inPart(key, () => this.setField(message, key, value, seen));
		}
		const isMissing = (field: DescField) =>
			field.presence === Presence.LEGACY_REQUIRED && !message.isSet(field);
		const missing = type.fields.find(isMissing);
		if (missing) this.path.inPart(missing.jsonName, () => this.path.throwFault('is required'));
		return message.message;
	}

	private setField(
		message: ReflectMessage,
		key: string,
		json: unknown,
		seen: Set<DescField>,
	): void {
		const field = findField(message.fields, key);
		if (!field) return this.setExtension(message, key, json);
		if (seen.has(field)) this.path.throwFault('is given twice');
		seen.add(field);
		if (json === null && !acceptsNull(field)) return;
		const other = field.oneof && message.oneofCase(field.oneof);
		if (other) this.path.throwFault(`and ${other.jsonName} are alternatives: give only one`);
		this.setter.set(message, field, json);
	}

	private setExtension({ message, desc }: ReflectMessage, key: string, json: unknown): void {
		const [, name = ''] = /^\[(.+)\]$/.exec(key) ?? [];
		const extension = this.types.getExtension(name);
		if (name !== '' && !extension) this.missingTypes.add(name);
		if (extension?.extendee.typeName !== desc.typeName) {
			return this.path.throwFault(`is not a field of ${desc.typeName}`);
		}
		const set = (holder: ReflectMessage, field: DescField) => this.setter.set(holder, field, json);
		if (json !== null) setExtensionField(message, extension, set);
	}

	private buildAny(json: unknown): Message {
		if (!isRecord(json)) return this.path.throwInvalid(`${getJsonForm(AnySchema)}`, json);
		if (Object.keys(json).length === 0) return create(AnySchema);
		const { '@type': url, ...held } = json;
		const type = this.findType(url);
		const message = hasCustomJsonRepresentation(type)
			? this.path.inPart('value', () => this.buildMessage(type, held.value))
			: this.buildMessage(type, held);
		const typeUrl = String(url).includes('/') ? String(url) : `type.googleapis.com/${String(url)}`;
		return create(AnySchema, { typeUrl, value: toBinary(type, message) });
	}

	private findType(url: unknown): DescMessage {
		return this.path.inPart('@type', () => {
			const name = typeof url === 'string' ? getTypeNameInUrl(url) : '';
			if (name === '') return this.path.throwInvalid('the name of a type', url);
			const type = this.types.getMessage(name);
			if (type) return type;
			this.missingTypes.add(name);
			return this.path.throwFault(`names ${name}, a type that is not described`);
		});
	}
}

/** In all other fields, null means that the field is not set. */
function acceptsNull({ fieldKind, message, enum: choice }: DescField): boolean {
	if (fieldKind === 'list' || fieldKind === 'map') return false;
	return (
		message?.typeName === ValueSchema.typeName || choice?.typeName === 'google.protobuf.NullValue'
	);
}

type MapField = DescField & { readonly fieldKind: 'map' };

/** Sets single fields to JSON values. */
class FieldSetter {
	constructor(
		private readonly path: JsonPath,
		/** Reads nested messages. */
		private readonly message: (type: DescMessage, json: unknown) => Message,
		private readonly bytesAs?: BytesAs,
	) {}

	readonly set = (message: ReflectMessage, field: DescField, json: unknown): void => {
		if (field.fieldKind === 'list') return this.setList(message.get(field), field, json);
		if (field.fieldKind === 'map') return this.setMap(message.get(field), field, json);
		this.setChecked(field, json, (value) => message.set(field, value));
	};

	/** The JSON of a wrapper is its value. */
	buildWrapper(type: DescMessage, json: unknown): Message {
		const [field] = type.fields as [DescField];
		const message = reflect(type, create(type));
		const isSet = this.trySet(field, json, (value) => message.set(field, value));
		return isSet
			? message.message
			: this.path.throwInvalid(`${formatExpectedValue(field)} or null`, json);
	}

	private setList(list: ReflectList, field: DescField, json: unknown): void {
		if (!Array.isArray(json)) return this.path.throwInvalid('a list', json);
		json.forEach((item: unknown, index) =>
			this.path.inPart(`[${index}]`, () =>
				this.setChecked(field, item, (value) => list.add(value)),
			),
		);
	}

	private setMap(map: ReflectMap, field: MapField, json: unknown): void {
		const notAMap = () =>
			this.path.throwInvalid(`an object that is a ${formatTypeName(field)}`, json);
		if (!isRecord(json)) return notAMap();
		for (const [name, item] of Object.entries(json)) {
			const key = parseMapKey(field.mapKey, name);
			if (key === undefined) return notAMap();
			this.path.inPart(name, () => {
				if (String(key) !== name) this.path.throwFault(`is a key that is written ${String(key)}`);
				this.setChecked(field, item, (value) => map.set(key, value));
			});
		}
	}

	private setChecked(field: DescField, json: unknown, set: (value: unknown) => unknown): void {
		if (!this.trySet(field, json, set)) this.path.throwInvalid(formatExpectedValue(field), json);
	}

	/** Returns false for a value that protobuf-es refuses, such as one out of range. */
	private trySet(field: DescField, json: unknown, set: (value: unknown) => unknown): boolean {
		const value = this.parseSingle(field, json);
		if (value === undefined) return false;
		try {
			set(value);
			return true;
		} catch (error) {
			if (error instanceof FieldError) return false;
			throw error;
		}
	}

	private parseSingle(field: DescField, json: unknown): unknown {
		if (field.message) return reflect(field.message, this.message(field.message, json));
		if (field.enum) return parseEnum(field.enum, json);
		return field.scalar === ScalarType.BYTES
			? this.parseBytes(json)
			: parseScalar(field.scalar, json);
	}

	private parseBytes(json: unknown): Uint8Array | undefined {
		if (typeof json !== 'string') return undefined;
		try {
			return parseBytes(json, this.bytesAs);
		} catch (error) {
			if (!(error instanceof InvalidValue)) throw error;
			return this.path.throwFault(`${error.message}; got ${formatJsonExcerpt(json)}`);
		}
	}
}
