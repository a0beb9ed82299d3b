import type { FastifyError, FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Chain } from '../../chain/chain.mts';
import type { Secrets } from '../../secrets.mts';
import type { SandboxState } from '../../state.mts';
import { addLimits } from '../../wire/limits.mts';
import { createServer, stripQuery } from '../../wire/room.mts';
import { faucetApi } from '../faucet/faucet.mts';
import { gatewayApi } from '../pins/gateway.mts';
import { pinsApi } from '../pins/pins.mts';
import { formatFieldErrors } from './fieldErrors.mts';
import { organizationApi } from './organization.mts';
import { projectsApi } from './projects.mts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Answers without a key. */
		public?: boolean;
	}
}

export interface PlatformOptions {
	pageSize: number;
	/** Where the faucet pays. */
	chain: Chain | undefined;
}

/** Every part of the platform; a new one is a plugin more. */
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
	for (const part of listApis(state, options)) void app.register(part);
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
