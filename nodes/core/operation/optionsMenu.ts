import type { INodeProperties } from 'n8n-workflow';
import type { Field } from './field';
import type { Menu } from './operation';
import { property, type Show } from './property';

export const OPTIONS = 'options';

interface Use {
	readonly resource: string;
	readonly operation: string;
	readonly options: readonly Field[];
}

/**
 * The options of all operations as one collection. n8n empties a collection that belongs to an operation when the user
 * switches to another one; in this one what was added stays, and each option is offered where it applies.
 */
export function optionsMenu<Request>(menu: Menu<Request>): INodeProperties[] {
	const uses = usesIn(menu);
	const [first] = uses;
	if (!first) return [];
	const options = new Map<string, INodeProperties>();
	for (const option of uses.flatMap((use) => use.options)) {
		for (const show of whereShown(option, uses, Object.keys(menu).length > 1)) {
			const drawn = property(option, show);
			options.set(JSON.stringify(drawn), drawn);
		}
	}
	return [{ ...property(first.field), options: byName([...options.values()]) }];
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

/** For which choices an option is offered: once for all, or resource by resource. */
function whereShown(option: Field, uses: readonly Use[], hasResources: boolean): readonly Show[] {
	const drawn = JSON.stringify(property(option));
	const users = uses.filter(({ options }) =>
		options.some((one) => JSON.stringify(property(one)) === drawn),
	);
	if (users.length === uses.length) return [{}];
	return [...new Set(users.map(({ resource }) => resource))].map((resource) => ({
		...(hasResources && { '/resource': [resource] }),
		'/operation': users.filter((use) => use.resource === resource).map((use) => use.operation),
	}));
}

function byName(options: readonly INodeProperties[]): INodeProperties[] {
	return [...options].sort((one, other) => one.displayName.localeCompare(other.displayName));
}
