import type { ChainView } from '../core/follow/advance';
import type { ChainReader } from '../core/transport/rpc/chain';
import type { EventInfo } from '../core/operation/panel';
import type { Field, Params } from '../core/operation/field';
import type { PollOptions } from './options';

/** Blocks and traces may live at two paths. */
export interface ChainPaths {
	readonly blocks: ChainReader;
	readonly traces: ChainReader;
	/** Hears of a block of which something may be missing for good. */
	readonly reportDoubt: (block: number) => void;
}

/** An event that a poll can look for: one file, and its name in the menu. */
interface PollEvent<Fields extends readonly Field[]> extends EventInfo {
	readonly fields: Fields;
	/** What the user chose; after a change of it the trigger begins anew. */
	getChoices(parameters: Params<Fields>): ReadonlyArray<string | readonly string[]>;
	createView(parameters: Params<Fields>, chain: ChainPaths, options: PollOptions): ChainView;
	/** How many blocks are searched for a sample. */
	getSampleBlocks(options: PollOptions): number;
	/** What is told where no sample is found. */
	readonly sampleTexts: SampleTexts;
}

interface SampleTexts {
	/** What there is none of, as a sentence without its end. */
	readonly none: string;
	readonly check: string;
}

/** An event among others: its own types are known to itself alone. */
export interface AnyPollEvent extends EventInfo {
	getChoices(parameters: never): ReadonlyArray<string | readonly string[]>;
	createView(parameters: never, chain: ChainPaths, options: PollOptions): ChainView;
	getSampleBlocks(options: PollOptions): number;
	readonly sampleTexts: SampleTexts;
}

/** Gives an event its types; at run time it returns the event as it is. */
export function pollEvent<const Fields extends readonly Field[]>(
	event: PollEvent<Fields>,
): PollEvent<Fields> {
	return event;
}
