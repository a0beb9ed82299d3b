import type { Field } from '../core/operation/field';
import { listOrHand } from '../core/operation/locator';
import { limit, returnAll } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import { restOperation } from '../core/protocols/rest';
import { wholeNumberParser } from '../core/values/parse';
import { buildFurtherRequests, parseProjectPage } from './projectPages';

const NAME_EXAMPLE = 'e.g. Treasury';

const filters = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			placeholder: NAME_EXAMPLE,
			modes: listOrHand('projects', {
				displayName: 'By Name',
				name: 'name',
				placeholder: NAME_EXAMPLE,
			}),
			description: 'Only projects with this name',
		},
		{
			displayName: 'Organization ID',
			name: 'organization',
			type: 'string',
			default: '',
			placeholder: 'e.g. RG-123-456',
			description: 'Only projects of this organization',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			default: 'public',
			description: 'Only projects of this type',
			options: [{ name: 'Public', value: 'public', description: 'A public chain project' }],
		},
	],
} as const satisfies Field;

const orderBy = {
	displayName: 'Order By',
	name: 'orderBy',
	type: 'options',
	default: 'name',
	description: 'How the projects are sorted',
	options: [
		{ name: 'Created (Newest First)', value: '-created_at' },
		{ name: 'Created (Oldest First)', value: 'created_at' },
		{ name: 'Name (A to Z)', value: 'name' },
		{ name: 'Name (Z to A)', value: '-name' },
	],
} as const satisfies Field;

const page = {
	displayName: 'Page',
	name: 'page',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description: 'The page of the list to start at. Earlier pages are left out.',
	parse: wholeNumberParser(1),
} as const satisfies Field;

const getAll = restOperation({
	name: 'Get Many',
	action: 'Get many projects',
	description: 'Get the projects that the API key can see',
	fields: [returnAll, limit, filters, restOptions(orderBy, page)],
	request: ({ filters: wanted, options }) => ({
		path: '/v1/projects/',
		query: { ...wanted, order_by: options.orderBy, page: options.page },
	}),
	answer: parseProjectPage,
	items: ({ results }) => results,
	next: buildFurtherRequests,
});

export const project = { name: 'Project', operations: { getAll } };
