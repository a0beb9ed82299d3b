import { keccak256 } from '../values/keccak';
import { attempt, InvalidValue } from '../values/read';
import { formattedParameter, typeList, type Parameter } from './composed';
import { invalidAbi } from './elementary';

interface Entry {
	readonly name: string;
	/** `transfer(address,uint256)` */
	readonly signature: string;
	readonly inputs: readonly Parameter[];
}

export interface AbiFunction extends Entry {
	readonly kind: 'function';
	/** The first four bytes of the signature's hash. */
	readonly selector: string;
	readonly outputs: readonly Parameter[];
	/** Whether it takes coins; undefined where its declaration does not say. */
	readonly isPayable: boolean | undefined;
}

export interface AbiConstructor extends Entry {
	readonly kind: 'constructor';
	readonly isPayable: boolean | undefined;
}

export interface AbiError extends Entry {
	readonly kind: 'error';
	readonly selector: string;
}

export interface AbiEvent extends Entry {
	readonly kind: 'event';
	/** The signature's hash; the first topic, except in logs of anonymous events. */
	readonly topic: string;
	readonly isAnonymous: boolean;
	readonly indexed: readonly Parameter[];
	/** Those not indexed. */
	readonly inData: readonly Parameter[];
}

export type AbiEntry = AbiFunction | AbiConstructor | AbiEvent | AbiError;
export type Kind = AbiEntry['kind'];

/** An entry that cannot be used. */
export interface Unread {
	readonly kind: Kind;
	/** Empty where it may be no entry at all. */
	readonly name: string;
	readonly problem: string;
}

export type Found = CheckedEntry | Unread;

/** An entry that cannot be used does not spoil the others; its problem is told when it is asked for. */
export function orUnread(kind: Kind, name: string, read: () => CheckedEntry): Found {
	const entry = attempt(InvalidValue, read);
	return entry instanceof InvalidValue ? { kind, name, problem: entry.message } : entry;
}

interface Parsed {
	readonly kind: Kind;
	readonly name: string;
	readonly inputs: readonly Parameter[];
	readonly outputs: readonly Parameter[];
	readonly isPayable: boolean | undefined;
	readonly isAnonymous: boolean;
}

/** Its signature is not hashed yet. */
export interface CheckedEntry extends Parsed {
	readonly signature: string;
}

export function checkEntry(parsed: Parsed): CheckedEntry {
	const { kind, name, inputs, isAnonymous } = parsed;
	if (!/^[a-z_$][\w$]*$/i.test(name)) return invalidAbi(`'${name}' is not the name of a ${kind}`);
	const most = isAnonymous ? 4 : 3;
	if (kind === 'event' && inputs.filter(({ isIndexed }) => isIndexed).length > most)
		return invalidAbi(`'${name}' has more than ${most} indexed arguments`);
	return { ...parsed, signature: name + typeList(inputs) };
}

/** Hashes the signature. */
export function hashEntry(entry: CheckedEntry): AbiEntry {
	const { kind, name, signature, inputs, outputs, isPayable, isAnonymous } = entry;
	if (kind === 'constructor') return { kind, name, signature, inputs, isPayable };
	const hash = `0x${keccak256(Buffer.from(signature)).toString('hex')}`;
	if (kind === 'event') {
		const indexed = inputs.filter((input) => input.isIndexed);
		const inData = inputs.filter((input) => !input.isIndexed);
		return { kind, name, signature, inputs, topic: hash, isAnonymous, indexed, inData };
	}
	const selector = hash.slice(0, 10);
	return kind === 'function'
		? { kind, name, signature, inputs, outputs, selector, isPayable }
		: { kind, name, signature, inputs, selector };
}

/** `transfer(address to, uint256 amount)` */
export function described({ name, inputs }: AbiEntry): string {
	return `${name}(${inputs.map(formattedParameter).join(', ')})`;
}
