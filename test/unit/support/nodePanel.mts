import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

interface Action {
	readonly properties: { readonly displayName: string };
}

/** A node in the form in which n8n's editor lists it. */
export interface ListedNode {
	readonly properties: INodeTypeDescription;
	readonly actions: readonly Action[];
}

/**
 * Lists the given nodes as n8n's editor does. A trigger and the node of the same name become a single entry. It is
 * found by the node's words, has the trigger's description, and offers the actions of both.
 */
export function listNodes(nodes: readonly INodeTypeDescription[]): ListedNode[] {
	const [triggers, others] = [nodes.filter(isTrigger), nodes.filter((node) => !isTrigger(node))];
	const pairs = others.map((node) => ({ node, trigger: triggers.find(isOf(node)) }));
	const alone = triggers.filter((trigger) => !others.some((node) => isOf(node)(trigger)));
	return [
		...pairs.map(({ node, trigger }) => ({
			properties: { ...node, description: (trigger ?? node).description },
			actions: [...(trigger ? getTriggers(trigger) : []), ...getActions(node)],
		})),
		...alone.map((trigger) => ({ properties: trigger, actions: getTriggers(trigger) })),
	];
}

/** Searches items and lists the best results first. n8n searches names and aliases, but not descriptions. */
export function searchItems<Item extends object>(typed: string, items: readonly Item[]): Item[] {
	return sublimeSearch(typed.toLowerCase(), [...items]).map(({ item }) => item);
}

/** Returns the name that n8n shows for a node. */
export function getName({ properties }: ListedNode): string {
	return properties.displayName.replace(/ Trigger$/, '');
}

const isTrigger = ({ group }: INodeTypeDescription) => group.includes('trigger');

const isOf = (node: INodeTypeDescription) => (trigger: INodeTypeDescription) =>
	trigger.name === `${node.name}Trigger`;

/** Lists the events of a trigger, or a single action if the trigger has no menu of events. */
function getTriggers({ displayName, properties }: INodeTypeDescription): Action[] {
	const event = properties.find((one) => one.displayName === 'Event');
	if (!event) return [buildAction(`On new ${displayName.replace(/ Trigger$/, '')} event`)];
	return getChoices(event).map(({ action: text, name }) => buildAction(text ?? `On ${name}`));
}

function getActions({ properties }: INodeTypeDescription): Action[] {
	const menus = properties.filter(({ name }) => name === 'operation');
	return menus.flatMap(getChoices).map(({ action: text, name }) => buildAction(text ?? name));
}

function getChoices({ options = [] }: INodeProperties): INodePropertyOptions[] {
	return options as INodePropertyOptions[];
}

function buildAction(displayName: string): Action {
	return { properties: { displayName } };
}
