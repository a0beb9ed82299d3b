import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { DescMessage, Message } from '@bufbuild/protobuf';

/** The extensions of a MessageSet are items of their own on the wire: groups of the number of a type and a message. */
type UnknownField = NonNullable<Message['$unknown']>[number];

const ITEM = 1;
const TYPE_ID = 2;
const MESSAGE = 3;

export function isMessageSet({ proto }: DescMessage): boolean {
	return proto.options?.messageSetWireFormat ?? false;
}

/** The item of an extension. */
export function itemOf(number: number, message: Uint8Array): UnknownField {
	const data = new BinaryWriter()
		.tag(TYPE_ID, WireType.Varint)
		.uint32(number)
		.tag(MESSAGE, WireType.LengthDelimited)
		.bytes(message)
		.tag(ITEM, WireType.EndGroup)
		.finish();
	return { no: ITEM, wireType: WireType.StartGroup, data };
}

/** The same message with its items as extensions of any message are. */
export function withoutItems(message: Message): Message {
	return { ...message, $unknown: message.$unknown?.map(withoutItem) };
}

function withoutItem(field: UnknownField): UnknownField {
	if (field.no !== ITEM || field.wireType !== WireType.StartGroup) return field;
	const { number, parts } = readItem(field.data);
	const data = new BinaryWriter().bytes(Buffer.concat(parts)).finish();
	return { no: number, wireType: WireType.LengthDelimited, data };
}

/** In any order. Messages of one item are one: their fields follow each other. */
function readItem(data: Uint8Array): { readonly number: number; readonly parts: Uint8Array[] } {
	const reader = new BinaryReader(data);
	const parts: Uint8Array[] = [];
	for (let number = 0; ; ) {
		const [no, wireType] = reader.tag();
		if (wireType === WireType.EndGroup) return { number, parts };
		if (no === TYPE_ID && wireType === WireType.Varint) number = reader.uint32();
		else if (no === MESSAGE && wireType === WireType.LengthDelimited) parts.push(reader.bytes());
		else reader.skip(wireType, no);
	}
}
