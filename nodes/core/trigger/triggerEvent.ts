import type { ChainView } from '../chain/advance';
import type { LeastAmount } from '../chain/payment';
import { buildFingerprint } from '../chain/cursor';
import type { Field, Params } from '../operation/field';
import type { EventInfo } from '../operation/panel';
import { createParameterParser, type ParameterSource } from '../operation/parameters';
import type { RpcReader } from '../chain/reader';

/** The place where a view reads the chain. */
export interface ViewSource {
	readonly blocks: RpcReader;
	/** Reports a block whose logs may be missing for good. */
	readonly reportDoubt: (block: number) => void;
	/** Smaller payments are left out. */
	readonly least: LeastAmount;
}

/** An event of the chain that a user can choose. */
export interface TriggerEvent<Source, View> extends EventInfo {
	/** Parses what the user chose for it. */
	choose(parameters: ParameterSource): ChosenEvent<Source, View>;
}

/** An event with its parameters. */
export interface ChosenEvent<Source, View> {
	/** A fingerprint of what the user chose; after a change of it the trigger starts at the head. */
	readonly watched: string;
	createView(source: Source): View;
}

interface EventDefinition<Fields extends readonly Field[], Source, View> extends EventInfo {
	readonly fields: Fields;
	/** What decides which events are found. */
	getChoices(parameters: Params<Fields>): ReadonlyArray<string | readonly string[]>;
	createView(parameters: Params<Fields>, source: Source): View;
}

/** Infers the types of the parameters from the fields; the event itself hides them. */
export function triggerEvent<
	const Fields extends readonly Field[],
	Source = ViewSource,
	View = ChainView,
>({
	getChoices,
	createView,
	...info
}: EventDefinition<Fields, Source, View>): TriggerEvent<Source, View> {
	return {
		...info,
		choose: (source) => {
			const parameters = createParameterParser(source, info.fields)(0);
			return {
				watched: buildFingerprint(getChoices(parameters)),
				createView: (viewSource) => createView(parameters, viewSource),
			};
		},
	};
}

/** Reads the choice that the user made in the menu of events. */
export function parseEventChoice<Event>(
	source: ParameterSource,
	menu: Field,
	events: Readonly<Record<string, Event>>,
): Event {
	const chosen = createParameterParser(source, [menu])(0)[menu.name];
	return events[chosen as string] as Event;
}
