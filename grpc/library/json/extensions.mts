import {
	create,
	getExtension,
	setExtension,
	toBinary,
	type DescExtension,
	type DescField,
	type DescMessage,
	type Message,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { isMessageSet, itemOf } from './messageSets.mts';

interface Holder {
	readonly type: DescMessage;
	readonly field: DescField;
}

const known = new WeakMap<DescExtension, Holder>();

/** Whether the number is in an extension range. */
export function mayExtend({ proto }: DescMessage, number: number): boolean {
	return proto.extensionRange.some(({ start, end }) => number >= start && number < end);
}

/** A message type with the extension as its only field. */
function holderOf(extension: DescExtension): Holder {
	const made = known.get(extension) ?? make(extension);
	known.set(extension, made);
	return made;
}

function make(extension: DescExtension): Holder {
	const { extendee: parent, typeName: localName } = extension;
	const field = { ...extension, kind: 'field', parent, localName } as unknown as DescField;
	return { field, type: { ...parent, fields: [field], members: [field], oneofs: [] } };
}

/** The value of an extension, as that of a field. */
export function extensionField(
	message: Message,
	extension: DescExtension,
): { readonly field: DescField; readonly value: unknown } {
	const { type, field } = holderOf(extension);
	const holder = create(type, { [field.localName]: getExtension(message, extension) } as never);
	return { field, value: reflect(type, holder, false).get(field) };
}

/** Sets an extension by the setter of a field. */
export function setExtensionField(
	message: Message,
	extension: DescExtension,
	set: (holder: ReflectMessage, field: DescField) => void,
): void {
	const { type, field } = holderOf(extension);
	const holder = reflect(type, create(type));
	set(holder, field);
	if (isMessageSet(extension.extendee) && field.fieldKind === 'message') {
		const held = holder.get(field) as ReflectMessage;
		const item = itemOf(extension.number, toBinary(field.message, held.message));
		message.$unknown = [...(message.$unknown ?? []), item];
		return;
	}
	const { [field.localName]: value } = holder.message as unknown as Record<string, never>;
	if (holder.isSet(field)) setExtension(message, extension, value);
}
