import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { DescMessage, Message } from '@bufbuild/protobuf';

/** On the wire, extensions of a MessageSet are items: groups of a type number and a message. */
type UnknownField = NonNullable<Message['$unknown']>[number];

const ITEM_FIELD = 1;
const TYPE_ID_FIELD = 2;
const MESSAGE_FIELD = 3;

export function isMessageSet({ proto }: DescMessage): boolean {
	return proto.options?.messageSetWireFormat ?? false;
}

/** Encodes an extension as an item. */
export function encodeItem(number: number, message: Uint8Array): UnknownField {
	const data = new BinaryWriter()
		.tag(TYPE_ID_FIELD, WireType.Varint)
		.uint32(number)
		.tag(MESSAGE_FIELD, WireType.LengthDelimited)
		.bytes(message)
		.tag(ITEM_FIELD, WireType.EndGroup)
		.finish();
	return { no: ITEM_FIELD, wireType: WireType.StartGroup, data };
}

/** Converts the items of a message to ordinary extensions. */
export function itemsToExtensions(message: Message): Message {
	return { ...message, $unknown: message.$unknown?.map(itemToExtension) };
}

function itemToExtension(field: UnknownField): UnknownField {
	if (field.no !== ITEM_FIELD || field.wireType !== WireType.StartGroup) return field;
	const { number, parts } = decodeItem(field.data);
	const data = new BinaryWriter().bytes(Buffer.concat(parts)).finish();
	return { no: number, wireType: WireType.LengthDelimited, data };
}

/** The fields of an item come in any order. If the message occurs repeatedly, its parts are merged. */
function decodeItem(data: Uint8Array): { readonly number: number; readonly parts: Uint8Array[] } {
	const reader = new BinaryReader(data);
	const parts: Uint8Array[] = [];
	for (let number = 0; ; ) {
		const [no, wireType] = reader.tag();
		if (wireType === WireType.EndGroup) return { number, parts };
		if (no === TYPE_ID_FIELD && wireType === WireType.Varint) number = reader.uint32();
		else if (no === MESSAGE_FIELD && wireType === WireType.LengthDelimited)
			parts.push(reader.bytes());
		else reader.skip(wireType, no);
	}
}
