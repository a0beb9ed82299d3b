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
import { isMessageSet, encodeItem } from './messageSets.mts';

interface ExtensionHolder {
	readonly type: DescMessage;
	readonly field: DescField;
}

const holders = new WeakMap<DescExtension, ExtensionHolder>();

/** Whether the number is in an extension range. */
export function isExtensionNumber({ proto }: DescMessage, number: number): boolean {
	return proto.extensionRange.some(({ start, end }) => number >= start && number < end);
}

/** Builds a message type with the extension as its only field. */
function getHolder(extension: DescExtension): ExtensionHolder {
	const made = holders.get(extension) ?? createHolder(extension);
	holders.set(extension, made);
	return made;
}

function createHolder(extension: DescExtension): ExtensionHolder {
	const { extendee: parent, typeName: localName } = extension;
	const field = { ...extension, kind: 'field', parent, localName } as unknown as DescField;
	return { field, type: { ...parent, fields: [field], members: [field], oneofs: [] } };
}

/** Returns the value of an extension like that of a field. */
export function getExtensionField(
	message: Message,
	extension: DescExtension,
): { readonly field: DescField; readonly value: unknown } {
	const { type, field } = getHolder(extension);
	const holder = create(type, { [field.localName]: getExtension(message, extension) } as never);
	return { field, value: reflect(type, holder, false).get(field) };
}

/** Sets an extension through the setter of a field. */
export function setExtensionField(
	message: Message,
	extension: DescExtension,
	set: (holder: ReflectMessage, field: DescField) => void,
): void {
	const { type, field } = getHolder(extension);
	const holder = reflect(type, create(type));
	set(holder, field);
	if (isMessageSet(extension.extendee) && field.fieldKind === 'message') {
		const held = holder.get(field) as ReflectMessage;
		const item = encodeItem(extension.number, toBinary(field.message, held.message));
		message.$unknown = [...(message.$unknown ?? []), item];
		return;
	}
	const { [field.localName]: value } = holder.message as unknown as Record<string, never>;
	if (holder.isSet(field)) setExtension(message, extension, value);
}
