import { fromBinary, toBinary, type DescMessage, type Registry } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Catalog } from './catalog.mts';
import { DEEPEST, typeIn } from './faithful.mts';
import { field, messagesOf, Type } from './handMade.mts';

const { Opaque } = messagesOf({ Opaque: { field: [field('value', 1, Type.BYTES)] } });

/** The same types, and the names of those that were asked for in vain. */
export function noting(types: Registry): { registry: Registry; missing: Set<string> } {
	const missing = new Set<string>();
	const getMessage = (name: string) => {
		const type = types.getMessage(name);
		if (!type) missing.add(name);
		return type;
	};
	return { registry: { ...types, getMessage }, missing };
}

/**
 * Makes the Anys of an answer ready for JSON. The types that they name are asked for; what stays unknown keeps its
 * bytes, as the `value` of a type made for it: an answer is not lost because one part of it cannot be read.
 */
export class Anys {
	private readonly sealed = new Map<string, DescMessage>();
	private readonly until: number;

	constructor(
		private readonly catalog: Catalog,
		timeout: number,
	) {
		this.until = Date.now() + timeout;
	}

	get registry(): Registry {
		const { types } = this.catalog;
		return { ...types, getMessage: (name) => this.sealed.get(name) ?? types.getMessage(name) };
	}

	/** Whether the message, or one inside, is now another. */
	async open(message: object, depth = 1): Promise<boolean> {
		if (depth > DEEPEST) throw new Error(`more than ${DEEPEST} messages lie inside each other`);
		let isChanged = false;
		for (const any of anysIn(message)) if (await this.openOne(any, depth)) isChanged = true;
		return isChanged;
	}

	private async openOne(any: Any, depth: number): Promise<boolean> {
		const type = await this.typeOf(typeIn(any.typeUrl));
		if (!type) {
			any.value = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(any.value).finish();
			return true;
		}
		const inner = fromBinary(type, any.value);
		const isChanged = await this.open(inner, depth + 1);
		if (isChanged) any.value = toBinary(type, inner);
		return isChanged;
	}

	private async typeOf(name: string): Promise<DescMessage | undefined> {
		if (this.sealed.has(name)) return undefined;
		const type = this.catalog.types.getMessage(name) ?? (await this.asked(name));
		if (!type) this.sealed.set(name, { ...Opaque, typeName: name });
		return type;
	}

	/** Why a type cannot be had makes no difference, and all of them together take no longer than a call may. */
	private async asked(name: string): Promise<DescMessage | undefined> {
		const left = this.until - Date.now();
		return left > 0 ? await this.catalog.message(name, left).catch(() => undefined) : undefined;
	}
}

function* anysIn(message: object): Generator<Any> {
	const parts: unknown[] = [message];
	for (const part of parts) {
		if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue;
		if (isAny(part)) yield part;
		else for (const inner of Object.values(part)) if (typeof inner === 'object') parts.push(inner);
	}
}

/** A map of the service's may look similar, but holds no bytes beside a name. */
function isAny(part: object): part is Any {
	const { $typeName, typeUrl, value } = part as Partial<Any>;
	return $typeName === 'google.protobuf.Any' && Boolean(typeUrl) && ArrayBuffer.isView(value);
}
