import {
	ScalarType,
	type DescExtension,
	type DescField,
	type DescMessage,
	type Registry,
} from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation, isWrapperDesc, ValueSchema } from '@bufbuild/protobuf/wkt';
import { isRecord } from '../../nodes/core/values/parseJson';
import { excerpt } from '../../nodes/core/values/excerpt';
import { DEEPEST, faithful, fieldOf, heldType, isAnyJson } from './faithful.mts';
import { trouble, wordsOf } from './problem.mts';
import { jsonForm, typeName, valueNames } from './typeNames.mts';

type Field = DescField | DescExtension;

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
	private depth = 0;

	constructor(private readonly registry: Registry) {}

	in(type: DescMessage, json: unknown, path: string): string | undefined {
		if (++this.depth > DEEPEST) return undefined;
		if (isWrapperDesc(type)) return wrong(path, `${wanted(type.fields[0], json)} or null`, json);
		if (isAnyJson(type)) return this.inAnyJson(type, json, path);
		if (type.typeName === 'google.protobuf.Any') return this.inAny(json, path);
		const form = jsonForm(type);
		if (form) return wrong(path, form, json);
		return isRecord(json) ? this.inFields(type, json, path) : wrong(path, 'a JSON object', json);
	}

	private inFields(type: DescMessage, json: object, path: string): string | undefined {
		for (const { key, value, place } of partsOf(json, path)) {
			const fits = (alone: unknown) => this.fits(type, { [key]: alone });
			if (fits(value)) continue;
			const field = fieldOf(type, key, this.registry);
			if (!field) return `${place} is no field of ${type.typeName}`;
			const isMany = field.fieldKind === 'list' || field.fieldKind === 'map';
			return isMany ? this.inMany(field, value, place, fits) : this.inOne(field, value, place);
		}
		return undefined;
	}

	private inOne(field: Field, value: unknown, place: string): string | undefined {
		return field.message
			? this.in(field.message, value, place)
			: wrong(place, wanted(field, value), value);
	}

	private inMany(
		field: Field & { readonly fieldKind: 'list' | 'map' },
		value: unknown,
		place: string,
		fits: (alone: unknown) => boolean,
	): string | undefined {
		const isList = field.fieldKind === 'list';
		const parts = isList === Array.isArray(value) ? partsOf(value, place) : [];
		const key = !isList && field.mapKey === ScalarType.BOOL ? 'true' : '0';
		const part = parts.find((each) => !fits(isList ? [each.value] : { [key]: each.value }));
		if (part) return this.inOne(field, part.value, part.place);
		return wrong(place, isList ? 'a list' : `an object that is a ${typeName(field)}`, value);
	}

	/** What an Any holds is no part of its type. */
	private inAny(json: unknown, path: string): string | undefined {
		const type = isRecord(json) ? heldType(json, this.registry) : undefined;
		if (!isRecord(json) || !type) return undefined;
		const { '@type': _, ...held } = json;
		return hasCustomJsonRepresentation(type)
			? this.in(type, held.value, below(path, 'value'))
			: this.in(type, held, path);
	}

	private inAnyJson(type: DescMessage, json: unknown, path: string): string | undefined {
		const part = partsOf(json, path).find(({ value }) => !this.fits(ValueSchema, value));
		if (part) return this.in(ValueSchema, part.value, part.place);
		const isNumber = typeof json === 'symbol' || typeof json === 'number';
		return wrong(path, isNumber ? 'a number that a double holds, or text' : jsonForm(type), json);
	}

	private fits(type: DescMessage, json: unknown): boolean {
		try {
			return Boolean(faithful(type, json, this.registry));
		} catch {
			return false;
		}
	}
}

function partsOf(json: unknown, path: string) {
	if (typeof json !== 'object' || json === null) return [];
	return Object.entries(json).map(([key, value]: [string, unknown]) => {
		return { key, value, place: Array.isArray(json) ? `${path}[${key}]` : below(path, key) };
	});
}

function below(path: string, key: string): string {
	return path ? `${path}.${key}` : key;
}

function plainWords(error: unknown): string {
	return wordsOf(error).replace(
		/^cannot \w+code (?:\w+ )?(\S+) (?:from|to) (?:JSON|binary): */,
		'$1: ',
	);
}

/** What a field takes, or each item of one that takes many. */
function wanted(field: Field, value: unknown): string {
	if (field.enum) return `one of ${valueNames(field.enum).join(', ')}`;
	const type = ScalarType[field.scalar as ScalarType].toLowerCase();
	if (type === 'bytes')
		return /^0x/i.test(String(value)) ? 'bytes in base64 (not hex)' : 'bytes in base64';
	return type.endsWith('64') ? `${type} (as text, where above 2^53)` : type;
}

function wrong(place: string, form: string | undefined, value: unknown): string {
	return `${place || 'it'} must be ${form}; got ${shown(value)}`;
}

/** A number as it was written. Where an expression may have lost digits, they are not shown as if they were right. */
function shown(value: unknown): string {
	if (typeof value === 'symbol') return excerpt(value.description).replaceAll('"', '');
	const isLost = Number.isInteger(value) && !Number.isSafeInteger(value);
	if (isLost) return excerpt(Number(value).toExponential());
	if (typeof value !== 'object') return excerpt(value);
	return excerpt(JSON.parse(JSON.stringify(value, textOfNumber)));
}

function textOfNumber(_key: string, value: unknown): unknown {
	return typeof value === 'symbol' ? value.description : value;
}
