import {
	create,
	fromJson,
	toBinary,
	type DescField,
	type DescMessage,
	type JsonValue,
	type Message,
	type Registry,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import {
	AnySchema,
	FeatureSet_FieldPresence as Presence,
	hasCustomJsonRepresentation,
	isWrapperDesc,
	ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { isRecord } from '../../../nodes/core';
import { jsonForm } from '../descriptors/typeNames.mts';
import type { BytesAs } from './scalars/bytes.mts';
import { setExtensionField } from './extensions.mts';
import { MAX_DEPTH, typeNameInUrl } from './limits.mts';
import { JsonPath } from './misfit.mts';
import { Setter } from './setter.mts';
import { valueMessage } from './valuesIn.mts';

/** Turns JSON into a message, with each digit and bit of it. What fits no field is refused with the way to it. */
export class Reader {
	/** The names of types and extensions that the JSON uses and that are not described yet. */
	readonly missingTypes = new Set<string>();
	private readonly path = new JsonPath();
	private readonly setter: Setter;
	private depth = 0;

	constructor(
		private readonly types: Registry,
		bytesAs?: BytesAs,
	) {
		this.setter = new Setter(this.path, (type, json) => this.message(type, json), bytesAs);
	}

	message(type: DescMessage, json: unknown): Message {
		if (++this.depth > MAX_DEPTH) this.path.fail(`is nested deeper than ${MAX_DEPTH} messages`);
		const message = this.inOwnForm(type, json);
		this.depth--;
		return message;
	}

	private inOwnForm(type: DescMessage, json: unknown): Message {
		if (type.typeName === AnySchema.typeName) return this.any(json);
		if (isWrapperDesc(type)) return this.setter.wrapped(type, json);
		if (!hasCustomJsonRepresentation(type)) return this.fields(type, json);
		return valueMessage(type, json, this.path) ?? this.fromText(type, json);
	}

	private fromText(type: DescMessage, json: unknown): Message {
		try {
			return fromJson(type, json as JsonValue);
		} catch {
			return this.path.mustBe(`${jsonForm(type)}`, json);
		}
	}

	private fields(type: DescMessage, json: unknown): Message {
		if (!isRecord(json)) return this.path.mustBe('a JSON object', json);
		const message = reflect(type, create(type));
		const seen = new Set<DescField>();
		for (const [key, value] of Object.entries(json)) {
			this.path.in(key, () => this.field(message, key, value, seen));
		}
		const isLacking = (field: DescField) =>
			field.presence === Presence.LEGACY_REQUIRED && !message.isSet(field);
		const lacking = type.fields.find(isLacking);
		if (lacking) this.path.in(lacking.jsonName, () => this.path.fail('is required'));
		return message.message;
	}

	private field(message: ReflectMessage, key: string, json: unknown, seen: Set<DescField>): void {
		const isMeant = ({ name, jsonName }: DescField) => key === name || key === jsonName;
		const field = message.fields.find(isMeant);
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

/** For everything else, null says that there is no value. */
function takesNull({ fieldKind, message, enum: choice }: DescField): boolean {
	if (fieldKind === 'list' || fieldKind === 'map') return false;
	return (
		message?.typeName === ValueSchema.typeName || choice?.typeName === 'google.protobuf.NullValue'
	);
}
