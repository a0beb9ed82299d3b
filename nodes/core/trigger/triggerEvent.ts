import type { WatchedAccounts } from '../accountKey/watchedAccounts';
import type { ChainView } from '../chain/advance';
import type { LeastAmount } from '../chain/payment';
import { buildFingerprint } from '../chain/cursor';
import type { Field, Params } from '../operation/field';
import type { EventInfo } from '../operation/panel';
import { createParameterParser, type ParameterSource } from '../operation/parameters';
import type { RpcReader } from '../chain/reader';

/** The reader of the chain, the function that reports doubtful blocks, and the smallest amount of a payment. */
export interface ViewSource {
	readonly blocks: RpcReader;
	/** Reports a block of which logs may be missing for good. */
	readonly reportDoubt: (block: number) => void;
	/** Smaller payments are left out. */
	readonly least: LeastAmount;
}

/** An event on the chain that the user can choose in the trigger. */
export interface TriggerEvent<Source, View> extends EventInfo {
	/** Parses the parameters of the event. */
	parseChoice(source: ParameterSource): ChosenEvent<Source, View>;
}

/** An event with its parameters. */
export interface ChosenEvent<Source, View> {
	/** A fingerprint of the user's choices. After a change, the trigger begins again at the latest block. */
	readonly watched: string;
	/** Prepares data that is needed before blocks are read, such as derived addresses. */
	prepare?(): Promise<void>;
	/** Creates the reader of the chain that finds the event. */
	createView(source: Source): View;
}

interface EventDefinition<Fields extends readonly Field[], Source, View> extends EventInfo {
	readonly fields: Fields;
	/** Returns the values that decide which events are found. The trigger starts anew if they change. */
	getChoices(parameters: Params<Fields>): ReadonlyArray<string | readonly string[]>;
	/** Returns the accounts of an account key, if the user watches a key instead of addresses. Their number may grow. */
	getAccounts?(parameters: Params<Fields>): WatchedAccounts | undefined;
	createView(parameters: Params<Fields>, source: Source, accounts?: WatchedAccounts): View;
}

/** Creates an event. The types of its parameters are inferred from its fields, and do not show in the result. */
export function triggerEvent<
	const Fields extends readonly Field[],
	Source = ViewSource,
	View = ChainView,
>({
	getChoices,
	getAccounts,
	createView,
	...info
}: EventDefinition<Fields, Source, View>): TriggerEvent<Source, View> {
	return {
		...info,
		parseChoice: (source) => {
			const parameters = createParameterParser(source, info.fields)(0);
			const accounts = getAccounts?.(parameters);
			return {
				watched: formatChoice({
					fingerprint: buildFingerprint(getChoices(parameters)),
					count: accounts?.count,
				}),
				...(accounts && { prepare: accounts.derive }),
				createView: (viewSource) => createView(parameters, viewSource, accounts),
			};
		},
	};
}

/** Returns the event that the user chose in the menu. */
export function parseChosenEvent<Event>(
	source: ParameterSource,
	menu: Field,
	events: Readonly<Record<string, Event>>,
): Event {
	const chosen = createParameterParser(source, [menu])(0)[menu.name];
	return events[chosen as string] as Event;
}

/** The user's choice, as it is stored together with the position. */
interface Choice {
	readonly fingerprint: string;
	/** The number of watched addresses. If it grows, the trigger keeps its position. */
	readonly count?: number;
	/** A fingerprint of the text that the user entered in the option Start At. */
	readonly start?: string;
}

export function formatChoice({ fingerprint, count, start }: Choice): string {
	return [
		fingerprint,
		...(count === undefined ? [] : [count]),
		...(start ? [`@${start}`] : []),
	].join(' ');
}

/** Adds where the trigger begins. */
export function withStart(choice: string, start: string | undefined): string {
	return formatChoice({ ...parseStoredChoice(choice), start });
}

/** Stored data may contain anything. */
function parseStoredChoice(stored: string): Choice {
	const [fingerprint = '', ...parts] = stored.split(' ');
	const count = parts.find((part) => !part.startsWith('@'));
	return {
		fingerprint,
		count: count === undefined ? undefined : Number(count),
		start: parts.find((part) => part.startsWith('@'))?.slice(1),
	};
}

/**
 * Whether the trigger continues from its position: the choice is the same, or has more addresses, and the chosen
 * start is the same.
 */
export function isContinued(before: string, present: string): boolean {
	const [old, now] = [parseStoredChoice(before), parseStoredChoice(present)];
	const isSameStart = now.start === undefined || now.start === old.start;
	return old.fingerprint === now.fingerprint && (old.count ?? 0) <= (now.count ?? 0) && isSameStart;
}
