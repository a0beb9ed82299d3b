import type {
	FastifyError,
	FastifyInstance,
	FastifyPluginCallback,
	FastifyRequest,
	FastifySchemaValidationError,
} from 'fastify';
import type { Chain } from '../apis/evm/chain.mts';
import { faucetApi } from '../apis/faucet.mts';
import { gatewayApi } from '../apis/pins/gatewayApi.mts';
import { pinsApi } from '../apis/pins/pinsApi.mts';
import { organizationApi, projectsApi } from '../apis/projects.mts';
import type { Secrets } from '../http/credentials.mts';
import { addLimits } from '../http/limits.mts';
import { createServer, stripQuery } from '../http/server.mts';
import type { SandboxState } from '../state.mts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Paths that need no key. */
		public?: boolean;
	}
}

interface PlatformOptions {
	pageSize: number;
	/** The chain that the faucet pays on. */
	chain: Chain | undefined;
}

/** Lists the APIs of the platform, each as a plugin. */
const listApis = (state: SandboxState, { pageSize, chain }: PlatformOptions) =>
	[
		organizationApi,
		projectsApi(pageSize),
		pinsApi(state),
		gatewayApi(state),
		faucetApi(state, chain),
	] satisfies FastifyPluginCallback[];

export function createPlatformServer(
	state: SandboxState,
	{ apiKey }: Secrets,
	options: PlatformOptions,
) {
	const app = createServer({ name: 'platform', state });
	app.addHook('preValidation', async (request, reply) => {
		const isOpen = request.routeOptions.config.public;
		const detail = isOpen
			? undefined
			: findCredentialProblem(request.headers.authorization, apiKey);
		if (detail) return reply.code(401).send({ detail });
		if (request.method === 'GET' && hasBody(request)) {
			return reply.code(400).send({ detail: 'A GET request takes no body.' });
		}
	});
	addLimits(app, 'platform', state);
	app.setErrorHandler<FastifyError>((error, { headers }, reply) => {
		if (error.statusCode === 415) {
			const detail = `Unsupported media type "${headers['content-type'] ?? 'none'}" in request.`;
			return reply.code(415).send({ detail });
		}
		const body = error.validation ? formatFieldErrors(error.validation) : { detail: error.message };
		return reply.code(error.statusCode ?? 500).send(body);
	});
	refuseOtherPaths(app);
	for (const api of listApis(state, options)) void app.register(api);
	return app;
}

function findCredentialProblem(
	authorization: string | undefined,
	apiKey: string,
): string | undefined {
	if (!authorization) return 'Authentication credentials were not provided.';
	const [, scheme = '', credential] = /^(\S+)(?: (.*))?$/.exec(authorization) ?? [];
	if (scheme !== 'Bearer') return 'Only the Bearer scheme is accepted.';
	return credential === apiKey ? undefined : 'Invalid API key.';
}

function hasBody({ headers }: FastifyRequest): boolean {
	return Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
}

function refuseOtherPaths(app: FastifyInstance): void {
	app.setNotFoundHandler((request, reply) => {
		const url = stripQuery(request.url);
		const allowed = ['GET', 'POST'].filter((method) => app.hasRoute({ method, url }));
		if (allowed.length === 0) return reply.code(404).send({ detail: 'Not found.' });
		const detail = `Method "${request.method}" not allowed.`;
		return reply.code(405).header('allow', allowed.join(', ')).send({ detail });
	});
}

/** Converts schema errors into the form of the platform: `{"order_by": ["…"]}`. */
function formatFieldErrors(errors: FastifySchemaValidationError[]): Record<string, string[]> {
	const fields: Record<string, string[]> = {};
	for (const error of errors) (fields[getFieldName(error)] ??= []).push(formatSchemaError(error));
	return fields;
}

function getFieldName({ instancePath, params }: FastifySchemaValidationError): string {
	const field = params.additionalProperty ?? params.missingProperty ?? instancePath.slice(1);
	return String(field) || 'non_field_errors';
}

function formatSchemaError({
	keyword,
	params,
	message = '',
}: FastifySchemaValidationError): string {
	if (keyword === 'additionalProperties') return 'Unknown parameter.';
	if (keyword === 'required') return 'This field is required.';
	if (keyword === 'enum') return `Must be one of: ${[params.allowedValues].flat().join(', ')}.`;
	if (keyword === 'pattern') return 'A whole number from 1 is required.';
	return `The value ${message}.`;
}
