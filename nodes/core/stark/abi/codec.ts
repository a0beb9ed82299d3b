import { InvalidValue } from '../../values/parse';
import type { FeltReader, FeltWriter } from './data';

/** The kind of field in which the editor shows a value of a type. */
type CairoForm = 'value' | 'boolean' | 'text' | 'composed';

/** A codec of a Cairo type. */
export interface CairoCodec {
	/** The name of the type as signatures show it: only the last part of each path. */
	readonly name: string;
	readonly form: CairoForm;
	/** The fewest felts that a value of this type takes. */
	readonly leastFelts: number;
	/** Whether null can be a value of this type. An option of this type then writes an item that is null as `{ "Some": null }`. */
	readonly isNullable?: boolean;
	/** Throws DecodingError. */
	readonly decode: (data: FeltReader) => unknown;
	/** Throws InvalidInput with the label, and InvalidValue if the values are too many. */
	readonly encode: (given: unknown, label: string, to: FeltWriter) => void;
}

/** A parameter of a function, or a member of a struct or an event. */
export interface CairoParameter {
	/** The name in the ABI, which may be empty. */
	readonly name: string;
	/** The key in objects: the name, or `arg0`, `arg1`, … if the name is missing, unsafe or not unique. */
	readonly key: string;
	readonly type: CairoCodec;
}

/** A parameter or a member, as an ABI declares it. */
export interface Declared {
	readonly name: string;
	readonly type: string;
}

export function invalidAbiError(reason: string) {
	return new InvalidValue(`a valid ABI: ${reason}`);
}

/** `core::array::Array::<core::integer::u8>` becomes `Array<u8>`. */
export function shortenTypeName(name: string): string {
	return name.replace(/[\w$]+::(?=[\w$])/g, '').replace(/::</g, '<');
}

/** `recipient: ContractAddress` */
export function formatDeclared({ name, type }: Declared): string {
	return `${name}: ${shortenTypeName(type)}`;
}

/** Returns the last part of a path, as in `Transfer` for `token::erc20::Transfer`. */
export function getLastPart(path: string): string {
	return path.slice(path.lastIndexOf('::') + 1).replace(/^:/, '');
}
