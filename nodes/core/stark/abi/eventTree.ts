import { computeSelector } from '../selectors';
import { getLastPart, invalidAbiError, type Declared } from './codec';

interface EventMember extends Declared {
	/** Whether the member is one of the keys of the event. Nodes can search only for keys. */
	readonly isKey: boolean;
}

/** A variant of an enum of events, or a member of an event. `kind` is its kind as the ABI states it. */
export interface DeclaredPart extends Declared {
	readonly kind: unknown;
}

/** The declaration of events: a struct for one event, or an enum of several events. */
export type EventDeclaration =
	| { readonly name: string; readonly members: readonly EventMember[] }
	| { readonly name: string; readonly variants: readonly DeclaredPart[] };

/** A declared event, which a contract can emit. */
export interface DeclaredEvent {
	/** The name of the last variant on the way to the event. Without a variant, the last part of the struct's name. */
	readonly name: string;
	/** The names that lead to the event, such as `Erc20Event::Transfer`. */
	readonly path: string;
	/** The keys that name the event. The keys of its members follow them. */
	readonly selectors: readonly bigint[];
	readonly members: readonly EventMember[];
}

/**
 * No contract has as many events. In a hostile ABI, enums that refer twice to the next enum would double the number
 * at each level.
 */
const MAX_EVENTS = 5_000;
/** The search for events also ends after this many steps, because paths that lead to no event take time, too. */
const MAX_EVENT_STEPS = 20_000;
const MAX_EVENT_DEPTH = 16;

/** Lists all events. Walks from the enums that no other enum contains down to the structs. */
export function buildEvents(declarations: readonly EventDeclaration[]): DeclaredEvent[] {
	const known = new Map(declarations.map((one) => [one.name, one]));
	const named = new Set(
		declarations.flatMap((one) => ('variants' in one ? one.variants.map(({ type }) => type) : [])),
	);
	const getSelector = createSelectorMemory();
	const found: DeclaredEvent[] = [];
	let steps = 0;

	const walk = (
		name: string,
		names: readonly string[],
		selectors: readonly bigint[],
		depth: number,
	) => {
		if (++steps > MAX_EVENT_STEPS) throw invalidAbiError('its events name each other too often');
		const declared = known.get(name);
		if (!declared) return;
		if (depth > MAX_EVENT_DEPTH) throw invalidAbiError('its events contain each other');
		if ('members' in declared) {
			const last = names.at(-1) ?? getLastPart(name);
			found.push({
				name: last,
				path: names.join('::') || last,
				selectors,
				members: declared.members,
			});
			if (found.length > MAX_EVENTS) throw invalidAbiError(`it has more than ${MAX_EVENTS} events`);
			return;
		}
		for (const variant of declared.variants) {
			const isFlat = variant.kind === 'flat';
			const longer = isFlat ? selectors : [...selectors, getSelector(variant.name)];
			walk(variant.type, isFlat ? names : [...names, variant.name], longer, depth + 1);
		}
	};

	for (const one of declarations) {
		if (named.has(one.name)) continue;
		if ('variants' in one) walk(one.name, [], [], 0);
		else walk(one.name, [getLastPart(one.name)], [getSelector(getLastPart(one.name))], 0);
	}
	return found;
}

/** Makes a function that hashes a name to its selector. It hashes each name once, because names repeat in an ABI. */
function createSelectorMemory() {
	const known = new Map<string, bigint>();
	return (name: string) => {
		const selector = known.get(name) ?? computeSelector(name);
		known.set(name, selector);
		return selector;
	};
}
