import type { AbiType } from './type';

/** An argument of a function, an event or an error, an output, or a part of a tuple. */
export interface Parameter {
	/** As it was declared; may be empty. */
	readonly name: string;
	/** Its name among the others: `arg` with its place where it has no good one. */
	readonly key: string;
	readonly type: AbiType;
	readonly isIndexed: boolean;
}

export type Declared = Omit<Parameter, 'key'>;

/** Names that a copy of an object may lose, or mistake for its class. */
const UNSAFE = ['__proto__', 'constructor', 'prototype'];

/** Gives each its key: its name, or its place where the name is not usable or not the only one. */
export function keyed(declared: readonly Declared[]): readonly Parameter[] {
	const counts = new Map<string, number>();
	for (const { name } of declared) counts.set(name, (counts.get(name) ?? 0) + 1);
	return declared.map((one, index) => {
		const place = `arg${index}`;
		const isGood = isName(one.name) && counts.get(one.name) === 1;
		return { ...one, key: isGood ? one.name : place };
	});
}

function isName(name: string): boolean {
	return /^[a-z_$][\w$]*$/i.test(name) && !/^arg\d+$/.test(name) && !UNSAFE.includes(name);
}

/** Whether each goes by the name that it was declared with. */
export function areNamed(parameters: readonly Parameter[]): boolean {
	return parameters.every(({ name, key }) => name === key);
}

export function byKey(
	parameters: readonly Parameter[],
	values: readonly unknown[],
): Record<string, unknown> {
	return Object.fromEntries(parameters.map(({ key }, index) => [key, values[index]]));
}

/** As it is declared: `address owner`. */
export function spelled({ type, name, isIndexed }: Parameter): string {
	return [type.name, isIndexed ? 'indexed' : '', name].filter((word) => word !== '').join(' ');
}
