import type { ChainData } from './chainData';

/** What a value is to the user, who fills a field with it. */
export type AbiForm = 'integer' | 'boolean' | 'address' | 'bytes' | 'text' | 'list' | 'tuple';

/** A type of the ABI as a value: its name, the room it takes, how it is read from a chain and written for it. */
export interface AbiType {
	/** As it stands in the text whose hash is a selector or a topic. */
	readonly name: string;
	readonly form: AbiForm;
	/** How many words it takes in its place. A type of any length stands elsewhere, and its place says where. */
	readonly words: number | 'any';
	/** The value that stands here. */
	readonly read: (data: ChainData, at: number) => unknown;
	/** Hex of whole words; refuses what does not fit under the label. */
	readonly write: (given: unknown, label: string) => string;
	/** Hex that an indexed value is hashed from; a type without it stands in the topic as it is. */
	readonly pack?: (given: unknown, label: string) => string;
}

/** How many words hold its place in a list or a tuple: the value itself, or where it stands. */
export function placeWords({ words }: AbiType): number {
	return words === 'any' ? 1 : words;
}
