import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../field';
import type { Menu } from '../operation';
import { property, type Show } from './property';

export const OPTIONS = 'options';

interface Use {
	readonly resource: string;
	readonly operation: string;
	readonly options: readonly Field[];
}

/** An option as it is drawn, and the operations that have it. */
interface Option {
	readonly field: Field;
	readonly users: Use[];
}

/**
 * The options of all operations as one collection. n8n empties a collection that belongs to an operation when the user
 * switches to another one; in this one what was added stays, and each option is offered where it applies.
 */
export function optionsMenu<Request>(menu: Menu<Request>): INodeProperties[] {
	const uses = usesIn(menu);
	const [first] = uses;
	if (!first) return [];
	const hasResources = Object.keys(menu).length > 1;
	const options = optionsOf(uses).flatMap(({ field, users }) => {
		const shows = users.length === uses.length ? [{}] : whereShown(users, hasResources);
		return shows.map((show) => property(field, show));
	});
	return [{ ...property(first.field), options: byName(options) }];
}

/** Options that are drawn alike are one. Many are the same object: how these are drawn is found once. */
function optionsOf(uses: readonly Use[]): readonly Option[] {
	const drawings = new Map<Field, string>();
	const options = new Map<string, Option>();
	for (const use of uses) {
		for (const field of use.options) {
			const drawing = drawings.get(field) ?? JSON.stringify(property(field));
			drawings.set(field, drawing);
			const known = options.get(drawing);
			if (known) known.users.push(use);
			else options.set(drawing, { field, users: [use] });
		}
	}
	return [...options.values()];
}

function usesIn<Request>(menu: Menu<Request>): Array<Use & { readonly field: Field }> {
	return Object.entries(menu).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, { fields }]) =>
			fields.flatMap((field) =>
				field.name === OPTIONS && field.type === 'collection'
					? [{ resource, operation, options: field.options, field }]
					: [],
			),
		),
	);
}

/** For which choices an option is offered, resource by resource. */
function whereShown(users: readonly Use[], hasResources: boolean): readonly Show[] {
	return [...new Set(users.map(({ resource }) => resource))].map((resource) => ({
		...(hasResources && { '/resource': [resource] }),
		'/operation': users.filter((use) => use.resource === resource).map((use) => use.operation),
	}));
}

/** Names are plain ASCII; `localeCompare` would load all of Unicode's rules for it, for ten milliseconds. */
function byName(options: readonly INodeProperties[]): INodeProperties[] {
	return [...options].sort(({ displayName: one }, { displayName: other }) =>
		one < other ? -1 : Number(one > other),
	);
}
