import {
	create,
	ScalarType,
	type DescField,
	type DescMessage,
	type Message,
} from '@bufbuild/protobuf';
import {
	FieldError,
	reflect,
	type ReflectList,
	type ReflectMap,
	type ReflectMessage,
} from '@bufbuild/protobuf/reflect';
import { isRecord } from '../../../nodes/core';
import { typeName } from '../descriptors/typeNames.mts';
import { parseBytes, Doubt, type BytesAs } from './scalars/bytes.mts';
import { jsonExcerpt, expectedValue, type JsonPath } from './misfit.mts';
import { parseEnum, parseMapKey, parseScalar } from './scalars/scalars.mts';

type MapField = DescField & { readonly fieldKind: 'map' };

/** Sets the fields of a message to what JSON stands for, or refuses it. */
export class Setter {
	constructor(
		private readonly path: JsonPath,
		/** Makes the messages inside. */
		private readonly message: (type: DescMessage, json: unknown) => Message,
		private readonly bytesAs?: BytesAs,
	) {}

	readonly set = (message: ReflectMessage, field: DescField, json: unknown): void => {
		if (field.fieldKind === 'list') return this.setList(message.get(field), field, json);
		if (field.fieldKind === 'map') return this.setMap(message.get(field), field, json);
		this.checked(field, json, (value) => message.set(field, value));
	};

	/** A wrapper is written as the value that it holds. */
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
		const isNoMap = () => this.path.mustBe(`an object that is a ${typeName(field)}`, json);
		if (!isRecord(json)) return isNoMap();
		for (const [name, item] of Object.entries(json)) {
			const key = parseMapKey(field.mapKey, name);
			if (key === undefined) return isNoMap();
			this.path.in(name, () => this.checked(field, item, (value) => map.set(key, value)));
		}
	}

	private checked(field: DescField, json: unknown, set: (value: unknown) => unknown): void {
		if (!this.isSet(field, json, set)) this.path.mustBe(expectedValue(field), json);
	}

	/** The protobuf library has the last word: on ranges, for example. */
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
			if (error instanceof Doubt)
				return this.path.fail(`${error.message}; got ${jsonExcerpt(json)}`);
			throw error;
		}
	}
}
