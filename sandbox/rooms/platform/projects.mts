import type { FastifyPluginCallback } from 'fastify';
import { type Project, PROJECTS } from '../../data/projects.mts';

const ORDERS = ['name', '-name', 'created_at', '-created_at'] as const;

interface Query {
	order_by?: (typeof ORDERS)[number];
	page?: string;
	organization?: string;
	name?: string;
	type?: 'public';
}

const schema = {
	querystring: {
		type: 'object',
		additionalProperties: false,
		properties: {
			order_by: { type: 'string', enum: ORDERS },
			page: { type: 'string', pattern: '^[1-9][0-9]*$' },
			organization: { type: 'string', minLength: 1 },
			name: { type: 'string', minLength: 1 },
			type: { type: 'string', enum: ['public'] },
		},
	},
};

export const projectsApi =
	(pageSize: number): FastifyPluginCallback =>
	(app, _options, done) => {
		app.get<{ Querystring: Query }>('/v1/projects/', { schema }, async (request, reply) => {
			const { query } = request;
			const found = sortProjects(
				PROJECTS.filter(matchesQuery(query)),
				query.order_by ?? 'created_at',
			);
			const pages = Math.max(1, Math.ceil(found.length / pageSize));
			const page = Number(query.page ?? 1);
			if (page > pages) return reply.code(404).send({ detail: 'Invalid page.' });
			const link = createPageLink(`http://${request.host}/v1/projects/`, query);
			return {
				count: found.length,
				next: page < pages ? link(page + 1) : null,
				previous: page > 1 ? link(page - 1) : null,
				results: found.slice((page - 1) * pageSize, page * pageSize),
			};
		});
		done();
	};

const matchesQuery = (query: Query) => (project: Project) =>
	(query.name ?? project.name) === project.name &&
	(query.organization ?? project.creator.organization.id) === project.creator.organization.id &&
	(query.type ?? project.type) === project.type;

function sortProjects(found: Project[], order: (typeof ORDERS)[number]): Project[] {
	const field = order.replace('-', '') as 'name' | 'created_at';
	const sign = order.startsWith('-') ? -1 : 1;
	return found.sort((a, b) => (a[field] < b[field] ? -sign : sign));
}

/** Links keep the filters; the one to the first page names no page. */
const createPageLink = (address: string, query: Query) => (page: number) => {
	const { page: _, ...filters } = query;
	const parameters = new URLSearchParams({ ...filters, ...(page > 1 && { page: String(page) }) });
	return parameters.size > 0 ? `${address}?${parameters}` : address;
};
