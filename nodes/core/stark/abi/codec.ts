import { InvalidValue } from '../../values/parse';
import type { FeltReader, FeltWriter } from './data';

/** Decides which field the editor shows for a type. */
type CairoForm = 'value' | 'boolean' | 'text' | 'composed';

/** A codec of a Cairo type. */
export interface CairoCodec {
	/** The type with the last parts of its names, as in signatures. */
	readonly name: string;
	readonly form: CairoForm;
	/** How many felts a value takes at least. */
	readonly leastFelts: number;
	/** Whether null may be the value of this type, so that an option of it says which null is meant. */
	readonly isNullable?: boolean;
	/** Throws DecodingError. */
	readonly decode: (data: FeltReader) => unknown;
	/** Throws InvalidInput with the label, InvalidValue where the budget ends. */
	readonly encode: (given: unknown, label: string, to: FeltWriter) => void;
}

/** A parameter of a function, a member of a struct or of an event. */
export interface CairoParameter {
	/** The name as declared, which may be empty. */
	readonly name: string;
	/** The name, or `arg0`, `arg1`, … where it is missing, unsafe or doubled. */
	readonly key: string;
	readonly type: CairoCodec;
}

/** A member as an ABI declares it. */
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

/** The last part of a path: `Transfer` of `token::erc20::Transfer`. */
export function getLastPart(path: string): string {
	return path.slice(path.lastIndexOf('::') + 1).replace(/^:/, '');
}
