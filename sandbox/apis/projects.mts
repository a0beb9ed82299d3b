import { createHash } from 'node:crypto';
import type { FastifyPluginCallback } from 'fastify';
import { closedObject, noQuery } from '../http/schemas.mts';

interface Organization {
	id: string;
	name: string;
}

interface Project {
	id: string;
	name: string;
	type: 'public';
	networks: number;
	created_at: string;
	creator: {
		id: string;
		email: string;
		first_name: string;
		last_name: string;
		organization: Organization;
	};
}

/** The organization that owns the API key. */
export const OWNER: Organization = { id: 'RG-104-221-873', name: 'Example Organization' };

const PARTNERS: Organization[] = [
	{ id: 'RG-388-015-462', name: 'Übungsgemäße Prüfgesellschaft' },
	{ id: 'RG-731-940-206', name: 'サンプル組織' },
];

const CREATORS: Project['creator'][] = [
	buildCreator('UR-112-704-935', 'First', 'Account', OWNER),
	buildCreator('UR-290-517-648', 'Año', 'Ñandú', OWNER),
	buildCreator('UR-446-803-171', 'Prüf', 'Konto', PARTNERS[0]!),
	buildCreator('UR-665-129-380', 'テスト', '利用者', PARTNERS[1]!),
];

/* The lengths of the two lists, 17 and 14, share no divisor: 238 pairs until a name comes again. */
const PLACE_WORDS = (
	'Aurora Basalt Cinder Délta Élan Fjörd Granite Harbor Çınar Öresund ' +
	'Łódź Ελπίδα Север 雪花 مرساة 🚀Apollo zephyr'
).split(' ');
const PURPOSE_WORDS = (
	'indexer explorer wallet bridge oracle staging mainnet archive relay payroll ' +
	'lottery dashboard keeper watchtower'
).split(' ');

const FIRST_DAY_MS = Date.parse('2021-03-01T08:00:00Z');
const INTERVAL_MS = 7 * 3_600_000 + 12_345;

/**
 * The 237 projects are always the same, the oldest first. They fill nine pages of 25 projects and a tenth page of 12
 * projects.
 */
export const PROJECTS: Project[] = Array.from({ length: 237 }, (_, index) => ({
	id: buildProjectId(index),
	name: `${PLACE_WORDS[index % PLACE_WORDS.length]} ${PURPOSE_WORDS[index % PURPOSE_WORDS.length]}`,
	type: 'public',
	networks: (index * 7) % 12,
	created_at: new Date(FIRST_DAY_MS + index * INTERVAL_MS).toISOString(),
	creator: CREATORS[index % CREATORS.length]!,
}));

function buildCreator(id: string, first: string, last: string, organization: Organization) {
	const email = `${id.toLowerCase()}@example.com`;
	return { id, email, first_name: first, last_name: last, organization };
}

function buildProjectId(index: number): string {
	const digest = createHash('sha256').update(`project ${index}`).digest();
	const digits = String(digest.readUInt32BE() % 1_000_000_000).padStart(9, '0');
	return `PR-${digits.replace(/(\d{3})(?=\d)/g, '$1-')}`;
}

const ORDERS = ['name', '-name', 'created_at', '-created_at'] as const;

interface Query {
	order_by?: (typeof ORDERS)[number];
	page?: string;
	organization?: string;
	name?: string;
	type?: 'public';
}

const projectQuery = closedObject({
	order_by: { type: 'string', enum: ORDERS },
	page: { type: 'string', pattern: '^[1-9][0-9]*$' },
	organization: { type: 'string', minLength: 1 },
	name: { type: 'string', minLength: 1 },
	type: { type: 'string', enum: ['public'] },
});

export const projectsApi =
	(pageSize: number): FastifyPluginCallback =>
	(app, _options, done) => {
		app.get<{ Querystring: Query }>(
			'/v1/projects/',
			{ schema: { querystring: projectQuery } },
			async (request, reply) => {
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
			},
		);
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

/**
 * Creates the link to a page. The link keeps the filters of the query, and the link to the first page has no page
 * number.
 */
const createPageLink = (address: string, query: Query) => (page: number) => {
	const { page: _, ...filters } = query;
	const parameters = new URLSearchParams({ ...filters, ...(page > 1 && { page: String(page) }) });
	return parameters.size > 0 ? `${address}?${parameters}` : address;
};

export const organizationApi: FastifyPluginCallback = (app, _options, done) => {
	app.get('/v1/organization/', { schema: { querystring: noQuery } }, async () => OWNER);
	done();
};
