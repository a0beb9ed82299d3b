import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../field';
import type { Menu, Operations } from '../operation';
import { OPTIONS, optionsMenu } from './optionsMenu';
import { property, shownFor, type Show } from './property';
import { authentication } from '../sharedFields';

/**
 * The fields of a node as n8n wants them: menus of resources and operations, then each operation's own, then options.
 * There is always a resource, because n8n tells an AI agent what an operation does only if it belongs to one.
 */
export function properties<Request>(menu: Menu<Request>): INodeProperties[] {
	const resources = Object.entries(menu);
	const names = resources.map(([value, { name }]) => ({ name, value }));
	return [
		choice('Resource', 'resource', names),
		...resources.map(([key, { operations }]) => operationMenu(operations, { resource: [key] })),
		...resources.flatMap(([key, { operations }]) =>
			operationFields(operations, { resource: [key] }),
		),
		...optionsMenu(menu),
	];
}

/** The same for a node that talks to a chain node: how it is reached comes first. */
export function nodeProperties<Request>(menu: Menu<Request>): INodeProperties[] {
	return [property(authentication), ...properties(menu)];
}

/** The line below a node on the canvas: what it does, in few words. */
export function subtitle<Request>(menu: Menu<Request>): string {
	const words = Object.entries(menu).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([operation, { action }]) => [
			`${resource}.${operation}`,
			brief(action),
		]),
	);
	const lines = JSON.stringify(Object.fromEntries(words));
	return `={{ (${lines})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

/** "Get the balance of an account" becomes "get balance of account". */
function brief(action: string): string {
	const words = action.replace(/\b(a|an|the) /g, '');
	return words.charAt(0).toLowerCase() + words.slice(1);
}

function operationMenu<Request>(operations: Operations<Request>, show: Show): INodeProperties {
	const options = Object.entries(operations).map(([value, { name, action, description }]) => ({
		name,
		value,
		action,
		description,
	}));
	return { ...choice('Operation', 'operation', options), ...shownFor(show) };
}

/** Where there is only one thing to choose, there is nothing to see. */
function choice(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
): INodeProperties {
	const type = options.length > 1 ? 'options' : 'hidden';
	const usual = options[0]?.value ?? '';
	return { displayName, name, type, noDataExpression: true, options, default: usual };
}

/** A field that several operations share is drawn once, so that its value stays when the user switches. */
function operationFields<Request>(operations: Operations<Request>, show: Show): INodeProperties[] {
	const users = Object.entries(operations).map(([key, { fields }]) => ({
		key,
		fields: fields.filter(({ name }) => name !== OPTIONS),
	}));
	return inOrder(users.map(({ fields }) => fields)).map((field) => {
		const operation = users.filter(({ fields }) => fields.includes(field)).map(({ key }) => key);
		return property(field, { ...show, operation });
	});
}

/** Each field once, behind all that any list has before it. */
function inOrder(lists: ReadonlyArray<readonly Field[]>): Field[] {
	const heads = lists.flatMap(([first]) => first ?? []);
	const next = heads.find((head) => lists.every((list) => list.indexOf(head) <= 0)) ?? heads[0];
	if (!next) return [];
	return [next, ...inOrder(lists.map((list) => list.filter((field) => field !== next)))];
}
