import type { Field } from '../field';

/** One of the events that a trigger can wait for. */
export interface Described {
	readonly name: string;
	readonly description: string;
	/** What only this event, and others that name the same field, asks for. */
	readonly fields: readonly Field[];
}

/** The menu of a trigger's events, and the fields of each, drawn while it is chosen. The keys are what workflows store. */
export function eventFields<Key extends string>(
	events: Readonly<Record<Key, Described>>,
	usual: NoInfer<Key>,
): readonly [event: Field, ...own: Field[]] {
	const keys = Object.keys(events) as Key[];
	const shared = new Set(keys.flatMap((key) => events[key].fields));
	const own = [...shared].map((field) => ({
		...field,
		show: { ...field.show, event: keys.filter((key) => events[key].fields.includes(field)) },
	}));
	return [eventMenu(events, usual), ...own];
}

/** The line below a trigger on the canvas: what it waits for. */
export function eventSubtitle(events: Readonly<Record<string, Described>>): string {
	const names = Object.entries(events).map(([key, { name }]) => [key, name.toLowerCase()]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["event"]] }}`;
}

function eventMenu(events: Readonly<Record<string, Described>>, usual: string): Field {
	return {
		displayName: 'Event',
		name: 'event',
		type: 'options',
		default: usual,
		noDataExpression: true,
		options: Object.entries(events).map(([value, { name, description }]) => ({
			name,
			value,
			description,
		})),
	};
}
