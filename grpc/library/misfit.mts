import {
	fromJson,
	type DescField,
	type DescMessage,
	type JsonValue,
	type Registry,
} from '@bufbuild/protobuf';
import { isRecord } from '../../nodes/core/json';
import { show } from '../../nodes/core/refusal';
import { trouble, wordsOf } from './problem.mts';
import { jsonForm, typeName, valueNames } from './typeNames.mts';

/** Refuses JSON that is no such message, and says where. */
export function misfit(
	type: DescMessage,
	json: unknown,
	registry: Registry,
	error: unknown,
): never {
	const fault = new Fault(registry).in(type, json, '') ?? plainWords(error);
	return trouble({
		kind: 'refused',
		message: `'Request' does not fit ${type.typeName}: ${fault}`,
		description: "The operation 'Describe' shows the fields of a request.",
	});
}

/** The protobuf library names the innermost message alone, so the way to it is found by trying part for part. */
class Fault {
	constructor(private readonly registry: Registry) {}

	in(type: DescMessage, json: unknown, path: string): string | undefined {
		// What an Any holds is no part of its type.
		if (type.typeName === 'google.protobuf.Any') return undefined;
		const form = jsonForm(type) ?? (isRecord(json) ? undefined : 'a JSON object');
		if (form) return wrong(path, form, json);
		for (const [key, value] of Object.entries(json as object)) {
			if (this.fits(type, { [key]: value })) continue;
			const place = path ? `${path}.${key}` : key;
			const field = type.fields.find(({ name, jsonName }) => key === name || key === jsonName);
			return field ? this.inField(field, value, place) : `${place} is no field of ${type.typeName}`;
		}
		return undefined;
	}

	private inField(field: DescField, value: unknown, place: string): string | undefined {
		switch (field.fieldKind) {
			case 'message':
				return this.in(field.message, value, place);
			case 'list':
				return this.inList(field, value, place);
			default:
				return wrong(place, wanted(field), value);
		}
	}

	private inList(field: DescField, value: unknown, place: string): string | undefined {
		if (!Array.isArray(value)) return wrong(place, 'a list', value);
		const index = value.findIndex((item) => !this.fits(field.parent, { [field.name]: [item] }));
		const item: unknown = value[index];
		const here = `${place}[${index}]`;
		return field.message ? this.in(field.message, item, here) : wrong(here, wanted(field), item);
	}

	private fits(type: DescMessage, json: object): boolean {
		try {
			return Boolean(fromJson(type, json as JsonValue, { registry: this.registry }));
		} catch {
			return false;
		}
	}
}

function plainWords(error: unknown): string {
	return wordsOf(error).replace(
		/^cannot \w+code (?:\w+ )?(\S+) (?:from|to) (?:JSON|binary): */,
		'$1: ',
	);
}

function wanted(field: DescField): string {
	if (field.fieldKind === 'map') return `an object that is a ${typeName(field)}`;
	if (field.enum) return `one of ${valueNames(field.enum).join(', ')}`;
	const type = typeName(field);
	if (type === 'bytes') return 'bytes in base64';
	return type.endsWith('64') ? `${type} (as text, where above 2^53)` : type;
}

function wrong(place: string, form: string, value: unknown): string {
	return `${place || 'it'} must be ${form}; got ${show(value)}`;
}
