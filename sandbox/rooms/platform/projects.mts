import type { FastifyPluginCallback } from 'fastify';
import { type Project, projects } from '../../data/projects.mts';

const orders = ['name', '-name', 'created_at', '-created_at'] as const;

interface Query {
	order_by?: (typeof orders)[number];
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
			order_by: { type: 'string', enum: orders },
			page: { type: 'string', pattern: '^[1-9][0-9]*$' },
			organization: { type: 'string', minLength: 1 },
			name: { type: 'string', minLength: 1 },
			type: { type: 'string', enum: ['public'] },
		},
	},
};

export const projectList =
	(pageSize: number): FastifyPluginCallback =>
	(app, _options, done) => {
		app.get<{ Querystring: Query }>('/v1/projects/', { schema }, async (request, reply) => {
			const { query } = request;
			const found = sorted(projects.filter(matches(query)), query.order_by ?? 'created_at');
			const pages = Math.max(1, Math.ceil(found.length / pageSize));
			const page = Number(query.page ?? 1);
			if (page > pages) return reply.code(404).send({ detail: 'Invalid page.' });
			const link = linkTo(`http://${request.host}/v1/projects/`, query);
			return {
				count: found.length,
				next: page < pages ? link(page + 1) : null,
				previous: page > 1 ? link(page - 1) : null,
				results: found.slice((page - 1) * pageSize, page * pageSize),
			};
		});
		done();
	};

const matches = (query: Query) => (project: Project) =>
	(query.name ?? project.name) === project.name &&
	(query.organization ?? project.creator.organization.id) === project.creator.organization.id &&
	(query.type ?? project.type) === project.type;

function sorted(found: Project[], order: (typeof orders)[number]): Project[] {
	const field = order.replace('-', '') as 'name' | 'created_at';
	const sign = order.startsWith('-') ? -1 : 1;
	return found.sort((a, b) => (a[field] < b[field] ? -sign : sign));
}

/** Links keep the filters; the one to the first page names no page. */
const linkTo = (address: string, query: Query) => (page: number) => {
	const { page: _, ...filters } = query;
	const parameters = new URLSearchParams({ ...filters, ...(page > 1 && { page: String(page) }) });
	return parameters.size > 0 ? `${address}?${parameters}` : address;
};
