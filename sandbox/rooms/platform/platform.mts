import type { FastifyError, FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Chain } from '../../chain/chain.mts';
import type { Secrets } from '../../secrets.mts';
import type { SandboxState } from '../../state.mts';
import { limitRequests } from '../../wire/limits.mts';
import { openRoom, withoutQuery } from '../../wire/room.mts';
import { faucet } from '../faucet/faucet.mts';
import { gateway } from '../pins/gateway.mts';
import { pins } from '../pins/pins.mts';
import { fieldErrors } from './fieldErrors.mts';
import { organization } from './organization.mts';
import { projectList } from './projects.mts';

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
const parts = (state: SandboxState, { pageSize, chain }: PlatformOptions) =>
	[
		organization,
		projectList(pageSize),
		pins(state),
		gateway(state),
		faucet(state, chain),
	] satisfies FastifyPluginCallback[];

export function platformRoom(state: SandboxState, { apiKey }: Secrets, options: PlatformOptions) {
	const app = openRoom({ name: 'platform', state });
	app.addHook('preValidation', async (request, reply) => {
		const isOpen = request.routeOptions.config.public;
		const detail = isOpen ? undefined : credentialProblem(request.headers.authorization, apiKey);
		if (detail) return reply.code(401).send({ detail });
		if (request.method === 'GET' && hasBody(request)) {
			return reply.code(400).send({ detail: 'A GET request takes no body.' });
		}
	});
	limitRequests(app, 'platform', state);
	app.setErrorHandler<FastifyError>((error, { headers }, reply) => {
		if (error.statusCode === 415) {
			const detail = `Unsupported media type "${headers['content-type'] ?? 'none'}" in request.`;
			return reply.code(415).send({ detail });
		}
		const body = error.validation ? fieldErrors(error.validation) : { detail: error.message };
		return reply.code(error.statusCode ?? 500).send(body);
	});
	refuseOtherPaths(app);
	for (const part of parts(state, options)) void app.register(part);
	return app;
}

function credentialProblem(authorization: string | undefined, apiKey: string): string | undefined {
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
		const url = withoutQuery(request.url);
		const allowed = ['GET', 'POST'].filter((method) => app.hasRoute({ method, url }));
		if (allowed.length === 0) return reply.code(404).send({ detail: 'Not found.' });
		const detail = `Method "${request.method}" not allowed.`;
		return reply.code(405).header('allow', allowed.join(', ')).send({ detail });
	});
}
