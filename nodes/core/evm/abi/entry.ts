import { keccak256 } from '../../values/keccak';
import { catching, InvalidValue } from '../../values/parse';
import {
	declareParameters,
	formatAbiParameter,
	formatTypeList,
	type AbiParameter,
} from './composed';
import { invalidAbiError } from './elementary';

interface AbiItemBase {
	readonly name: string;
	/** `transfer(address,uint256)` */
	readonly signature: string;
	readonly inputs: readonly AbiParameter[];
}

export interface AbiFunction extends AbiItemBase {
	readonly kind: 'function';
	/** The first four bytes of the signature's hash, which identify the function. */
	readonly selector: string;
	readonly outputs: readonly AbiParameter[];
	/** Whether the function takes coins; undefined if its declaration does not say. */
	readonly isPayable: boolean | undefined;
	/** Whether the function only reads; undefined if its declaration does not say. */
	readonly isView: boolean | undefined;
}

export interface AbiConstructor extends AbiItemBase {
	readonly kind: 'constructor';
	readonly isPayable: boolean | undefined;
}

export interface AbiError extends AbiItemBase {
	readonly kind: 'error';
	readonly selector: string;
}

export interface AbiEvent extends AbiItemBase {
	readonly kind: 'event';
	/** The hash of the signature. It is the first topic of a log, except for anonymous events. */
	readonly topic: string;
	readonly isAnonymous: boolean;
	readonly indexed: readonly AbiParameter[];
	/** The parameters that are not indexed. */
	readonly nonIndexed: readonly AbiParameter[];
}

export type AbiItem = AbiFunction | AbiConstructor | AbiEvent | AbiError;
export type AbiItemKind = AbiItem['kind'];

/** An entry of an ABI that cannot be parsed or used. */
export interface InvalidAbiItem {
	readonly kind: AbiItemKind;
	/** Empty if the text may not be an entry at all. */
	readonly name: string;
	readonly problem: string;
}

export type ParsedAbiItem = CheckedEntry | InvalidAbiItem;

/** Parses an entry. If the entry is invalid, its problem is returned, so that other entries can still be used. */
export function parseItemOrProblem(
	kind: AbiItemKind,
	name: string,
	parse: () => CheckedEntry,
): ParsedAbiItem {
	const entry = catching(InvalidValue, parse);
	return entry instanceof InvalidValue ? { kind, name, problem: entry.message } : entry;
}

interface AbiItemParts {
	readonly kind: AbiItemKind;
	readonly name: string;
	readonly inputs: readonly AbiParameter[];
	readonly outputs: readonly AbiParameter[];
	readonly isPayable: boolean | undefined;
	readonly isView: boolean | undefined;
	readonly isAnonymous: boolean;
}

/** An entry of an ABI whose signature is not hashed yet. */
export interface CheckedEntry extends AbiItemParts {
	readonly signature: string;
}

export function checkEntry(parsed: AbiItemParts): CheckedEntry {
	const { kind, name, inputs, isAnonymous } = parsed;
	if (!/^[a-z_$][\w$]*$/i.test(name))
		throw invalidAbiError(`'${name}' is not the name of a ${kind}`);
	const most = isAnonymous ? 4 : 3;
	if (kind === 'event' && inputs.filter(({ isIndexed }) => isIndexed).length > most)
		throw invalidAbiError(`'${name}' has more than ${most} indexed arguments`);
	return { ...parsed, signature: name + formatTypeList(inputs) };
}

/** Hashes the signature. */
export function hashEntry(entry: CheckedEntry): AbiItem {
	const { kind, name, signature, inputs, outputs, isPayable, isView, isAnonymous } = entry;
	if (kind === 'constructor') return { kind, name, signature, inputs, isPayable };
	const hash = `0x${keccak256(Buffer.from(signature)).toString('hex')}`;
	if (kind === 'event') {
		const indexed = inputs.filter((input) => input.isIndexed);
		const inData = inputs.filter((input) => !input.isIndexed);
		return { kind, name, signature, inputs, topic: hash, isAnonymous, indexed, nonIndexed: inData };
	}
	const selector = hash.slice(0, 10);
	return kind === 'function'
		? { kind, name, signature, inputs, outputs, selector, isPayable, isView }
		: { kind, name, signature, inputs, selector };
}

/** `transfer(address to, uint256 amount)` */
export function formatAbiItem({ name, inputs }: AbiItem): string {
	return `${name}(${inputs.map(formatAbiParameter).join(', ')})`;
}

/** These names of functions are declared with the keyword `function`, because they have another meaning without it. */
const NAMES_AFTER_KEYWORD = ['constructor', 'fallback', 'function', 'receive'];

/** `transfer(address to, uint256 amount) nonpayable returns (bool)`, from which the same function is parsed */
export function declareFunction({ name, inputs, outputs, isPayable, isView }: AbiFunction): string {
	const mutability = isPayable
		? ' payable'
		: isView
			? ' view'
			: isView === false
				? ' nonpayable'
				: '';
	const returned = outputs.length === 0 ? '' : ` returns ${declareParameters(outputs)}`;
	const keyword = NAMES_AFTER_KEYWORD.includes(name) ? 'function ' : '';
	return `${keyword}${name}${declareParameters(inputs)}${mutability}${returned}`;
}
