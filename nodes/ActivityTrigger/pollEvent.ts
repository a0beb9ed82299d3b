import type { ChainView } from '../core/follow/advance';
import type { ChainReader } from '../core/rpc/chain';
import type { Described } from '../core/operation/panel';
import type { Field, Params } from '../core/operation/field';
import type { Chosen } from './options';

/** Blocks and traces may live at two paths. */
export interface ChainPaths {
	readonly blocks: ChainReader;
	readonly traces: ChainReader;
	/** Hears of a block of which something may be missing for good. */
	readonly doubt: (block: number) => void;
}

/** An event that a poll can look for: one file, and its name in the menu. */
interface PollEvent<Fields extends readonly Field[]> extends Described {
	readonly fields: Fields;
	/** What the user chose; after a change of it the trigger begins anew. */
	choices(parameters: Params<Fields>): ReadonlyArray<string | readonly string[]>;
	view(parameters: Params<Fields>, chain: ChainPaths, options: Chosen): ChainView;
	/** How many blocks are searched for a sample. */
	samples(options: Chosen): number;
	/** What is told where no sample is found. */
	readonly sought: Sought;
}

interface Sought {
	/** What there is none of, as a sentence without its end. */
	readonly none: string;
	readonly check: string;
}

/** An event among others: its own types are known to itself alone. */
export interface AnyPollEvent extends Described {
	choices(parameters: never): ReadonlyArray<string | readonly string[]>;
	view(parameters: never, chain: ChainPaths, options: Chosen): ChainView;
	samples(options: Chosen): number;
	readonly sought: Sought;
}

/** Gives an event its types; at run time it returns the event as it is. */
export function pollEvent<const Fields extends readonly Field[]>(
	event: PollEvent<Fields>,
): PollEvent<Fields> {
	return event;
}
