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
import { fieldOf, jsonForm, typeName, typeNameInUrl } from '../descriptors/typeNames.mts';
import { parseBytes, type BytesAs } from './bytes.mts';
import { setExtensionField } from './extensions.mts';
import { expectedValue, jsonExcerpt, JsonPath } from './jsonPath.mts';
import { valueMessage } from './jsonValues.mts';
import { parseEnum, parseMapKey, parseScalar } from './scalars.mts';
import { fromText, isImpossibleTime } from './texts.mts';

/** Makes a message of JSON without losing a digit. Throws InvalidValue, with the path, for what fits no field. */
export class Reader {
	/** Types and extensions that the JSON names and that are not loaded. */
	readonly missingTypes = new Set<string>();
	private readonly path = new JsonPath();
	private readonly setter: Setter;

	constructor(
		private readonly types: Registry,
		bytesAs?: BytesAs,
	) {
		this.setter = new Setter(this.path, (type, json) => this.message(type, json), bytesAs);
	}

	message(type: DescMessage, json: unknown): Message {
		return this.path.inMessage(() => this.wellKnownOrFields(type, json));
	}

	private wellKnownOrFields(type: DescMessage, json: unknown): Message {
		if (type.typeName === AnySchema.typeName) return this.any(json);
		if (isWrapperDesc(type)) return this.setter.wrapped(type, json);
		if (!hasCustomJsonRepresentation(type)) return this.fields(type, json);
		return valueMessage(type, json, this.path) ?? this.textOrFields(type, json);
	}

	/** The fields of a time that has no text, as answers show it, are understood as well. */
	private textOrFields(type: DescMessage, json: unknown): Message {
		if (isRecord(json)) return this.fields(type, json);
		if (isImpossibleTime(type, json)) this.path.mustBe('a day and a time that exist', json);
		return fromText(type, json) ?? this.path.mustBe(`${jsonForm(type)}`, json);
	}

	private fields(type: DescMessage, json: unknown): Message {
		if (!isRecord(json)) return this.path.mustBe('a JSON object', json);
		const message = reflect(type, create(type));
		const seen = new Set<DescField>();
		for (const [key, value] of Object.entries(json)) {
			this.path.in(key, () => this.field(message, key, value, seen));
		}
		const isMissing = (field: DescField) =>
			field.presence === Presence.LEGACY_REQUIRED && !message.isSet(field);
		const missing = type.fields.find(isMissing);
		if (missing) this.path.in(missing.jsonName, () => this.path.fail('is required'));
		return message.message;
	}

	private field(message: ReflectMessage, key: string, json: unknown, seen: Set<DescField>): void {
		const field = fieldOf(message.fields, key);
		if (!field) return this.extension(message, key, json);
		if (seen.has(field)) this.path.fail('is given twice');
		seen.add(field);
		if (json === null && !takesNull(field)) return;
		const other = field.oneof && message.oneofCase(field.oneof);
		if (other) this.path.fail(`and ${other.jsonName} are alternatives: give only one`);
		this.setter.set(message, field, json);
	}

	private extension({ message, desc }: ReflectMessage, key: string, json: unknown): void {
		const [, name = ''] = /^\[(.+)\]$/.exec(key) ?? [];
		const extension = this.types.getExtension(name);
		if (name !== '' && !extension) this.missingTypes.add(name);
		if (extension?.extendee.typeName !== desc.typeName) {
			return this.path.fail(`is not a field of ${desc.typeName}`);
		}
		const set = (holder: ReflectMessage, field: DescField) => this.setter.set(holder, field, json);
		if (json !== null) setExtensionField(message, extension, set);
	}

	private any(json: unknown): Message {
		if (!isRecord(json)) return this.path.mustBe(`${jsonForm(AnySchema)}`, json);
		if (Object.keys(json).length === 0) return create(AnySchema);
		const { '@type': url, ...held } = json;
		const type = this.typeOf(url);
		const message = hasCustomJsonRepresentation(type)
			? this.path.in('value', () => this.message(type, held.value))
			: this.message(type, held);
		const typeUrl = String(url).includes('/') ? String(url) : `type.googleapis.com/${String(url)}`;
		return create(AnySchema, { typeUrl, value: toBinary(type, message) });
	}

	private typeOf(url: unknown): DescMessage {
		return this.path.in('@type', () => {
			const name = typeof url === 'string' ? typeNameInUrl(url) : '';
			if (name === '') return this.path.mustBe('the name of a type', url);
			const type = this.types.getMessage(name);
			if (type) return type;
			this.missingTypes.add(name);
			return this.path.fail(`names ${name}, a type that is not described`);
		});
	}
}

/** In all other fields, null means not set. */
function takesNull({ fieldKind, message, enum: choice }: DescField): boolean {
	if (fieldKind === 'list' || fieldKind === 'map') return false;
	return (
		message?.typeName === ValueSchema.typeName || choice?.typeName === 'google.protobuf.NullValue'
	);
}

type MapField = DescField & { readonly fieldKind: 'map' };

/** Sets single fields to JSON values. */
class Setter {
	constructor(
		private readonly path: JsonPath,
		/** Reads nested messages. */
		private readonly message: (type: DescMessage, json: unknown) => Message,
		private readonly bytesAs?: BytesAs,
	) {}

	readonly set = (message: ReflectMessage, field: DescField, json: unknown): void => {
		if (field.fieldKind === 'list') return this.setList(message.get(field), field, json);
		if (field.fieldKind === 'map') return this.setMap(message.get(field), field, json);
		this.checked(field, json, (value) => message.set(field, value));
	};

	/** The JSON of a wrapper is its value. */
	wrapped(type: DescMessage, json: unknown): Message {
		const [field] = type.fields as [DescField];
		const message = reflect(type, create(type));
		const isSet = this.isSet(field, json, (value) => message.set(field, value));
		return isSet ? message.message : this.path.mustBe(`${expectedValue(field)} or null`, json);
	}

	private setList(list: ReflectList, field: DescField, json: unknown): void {
		if (!Array.isArray(json)) return this.path.mustBe('a list', json);
		json.forEach((item: unknown, index) =>
			this.path.in(`[${index}]`, () => this.checked(field, item, (value) => list.add(value))),
		);
	}

	private setMap(map: ReflectMap, field: MapField, json: unknown): void {
		const notAMap = () => this.path.mustBe(`an object that is a ${typeName(field)}`, json);
		if (!isRecord(json)) return notAMap();
		for (const [name, item] of Object.entries(json)) {
			const key = parseMapKey(field.mapKey, name);
			if (key === undefined) return notAMap();
			this.path.in(name, () => {
				if (String(key) !== name) this.path.fail(`is a key that is written ${String(key)}`);
				this.checked(field, item, (value) => map.set(key, value));
			});
		}
	}

	private checked(field: DescField, json: unknown, set: (value: unknown) => unknown): void {
		if (!this.isSet(field, json, set)) this.path.mustBe(expectedValue(field), json);
	}

	/** False for a value that protobuf-es refuses, such as one out of range. */
	private isSet(field: DescField, json: unknown, set: (value: unknown) => unknown): boolean {
		const value = this.single(field, json);
		if (value === undefined) return false;
		try {
			set(value);
			return true;
		} catch (error) {
			if (error instanceof FieldError) return false;
			throw error;
		}
	}

	private single(field: DescField, json: unknown): unknown {
		if (field.message) return reflect(field.message, this.message(field.message, json));
		if (field.enum) return parseEnum(field.enum, json);
		return field.scalar === ScalarType.BYTES ? this.bytes(json) : parseScalar(field.scalar, json);
	}

	private bytes(json: unknown): Uint8Array | undefined {
		if (typeof json !== 'string') return undefined;
		try {
			return parseBytes(json, this.bytesAs);
		} catch (error) {
			if (!(error instanceof InvalidValue)) throw error;
			return this.path.fail(`${error.message}; got ${jsonExcerpt(json)}`);
		}
	}
}
