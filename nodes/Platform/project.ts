import type { Field } from '../core/operation/field';
import type { PageState } from '../core/operation/operation';
import { limit, returnAll } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import { invalidResponseError } from '../core/net/responses/response';
import { rest, type RestRequest } from '../core/protocols/rest';
import { isRecord, wholeNumberParser } from '../core/values/parse';
import { raise } from '../core/errors/raise';

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
			type: 'string',
			default: '',
			placeholder: 'e.g. Treasury',
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
	description: 'The first page to read; earlier pages are left out',
	parse: wholeNumberParser(1),
} as const satisfies Field;

const getAll = rest({
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

interface ProjectPage {
	readonly results: readonly unknown[];
	readonly next?: unknown;
	readonly count?: unknown;
}

function parseProjectPage(body: unknown): ProjectPage {
	return isRecord(body) && Array.isArray(body.results)
		? { ...body, results: body.results }
		: raise(invalidResponseError('a page of projects', body));
}

const MAX_PAGES_AT_ONCE = 50;

/** If `next` has a number, the count and the size of a page give all pages, which are requested at once; else one link follows another. */
function buildFurtherRequests(
	{ results, next, count }: ProjectPage,
	{ missing }: PageState<RestRequest>,
): RestRequest[] {
	if (typeof next !== 'string' || next === '' || results.length === 0) return [];
	const number = Number(/[?&]page=(\d+)/.exec(next)?.[1]);
	if (!number || typeof count !== 'number') return [{ path: next, whenMissing: { results: [] } }];
	const last = Math.ceil(count / results.length);
	const needed = number - 1 + Math.ceil(missing / results.length);
	const pages = Math.min(last, needed, number - 1 + MAX_PAGES_AT_ONCE) - number + 1;
	return Array.from({ length: Math.max(pages, 1) }, (_, index) => ({
		path: next.replace(/([?&]page=)\d+/, `$1${number + index}`),
		// Projects may have been removed meanwhile.
		whenMissing: { results: [] },
	}));
}

export const project = { name: 'Project', operations: { getAll } };
