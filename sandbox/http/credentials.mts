import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stripQuery } from './server.mts';

export interface Secrets {
	apiKey: string;
	authToken: string;
	username: string;
	password: string;
}

type Environment = Record<string, string | undefined>;

/** Creates the secrets of one sandbox. They are random unless the environment sets them. */
export function createSecrets(environment: Environment): Secrets {
	return {
		apiKey: environment.SANDBOX_API_KEY || createSecret(),
		authToken: environment.SANDBOX_AUTH_TOKEN || createSecret(),
		username: environment.SANDBOX_USERNAME || `user-${createSecret()}`,
		password: environment.SANDBOX_PASSWORD || createSecret(),
	};
}

export const createXToken = (environment: Environment): string =>
	environment.SANDBOX_X_TOKEN || createSecret();

const createSecret = () => randomBytes(16).toString('hex');

/**
 * Returns the part of a path that follows `/<TOKEN>`, unchanged. Returns null if the path does not begin with the
 * token.
 */
export function getPathAfterToken(url: string, token: string): string | null {
	const path = stripQuery(url);
	if (path === `/${token}`) return '';
	return path.startsWith(`/${token}/`) ? path.slice(token.length + 1) : null;
}

/** Returns the URL for the routes. It lacks the token, and an empty path becomes a slash. */
export function getRoutedUrl(url: string, token: string): string {
	const path = getPathAfterToken(url, token);
	return path === null ? url : (path || '/') + url.slice(stripQuery(url).length);
}

export function addNodeGuard(app: FastifyInstance, secrets: Secrets): void {
	app.addHook('preValidation', async (request, reply) => {
		if (!isAuthorized(request, secrets)) return sendUnauthorized(reply);
		if (isReadRequest(request)) return;
		if (request.method !== 'POST') {
			const message = `${request.method} is not accepted: every node request is a POST.`;
			return reply.code(405).header('allow', 'POST').send({ message });
		}
		const type = request.headers['content-type'] ?? 'none';
		if (!/^application\/json *(;|$)/i.test(type)) {
			const message = `Content-Type must be application/json, got ${type}.`;
			return reply.code(415).send({ message });
		}
	});
}

/**
 * Returns whether a request reads from the API of TON or TRON by GET. All other requests to the node must be POST, like
 * the methods in the provider's document.
 */
function isReadRequest({ method, url }: FastifyRequest): boolean {
	return method === 'GET' && /^\/(api\/v3|wallet|walletsolidity)\//.test(url);
}

/**
 * Returns whether a request has exactly one valid credential. A request with two kinds of credentials reveals a secret
 * without need.
 */
function isAuthorized({ originalUrl, headers }: FastifyRequest, secrets: Secrets): boolean {
	const { authorization } = headers;
	const hasToken = getPathAfterToken(originalUrl, secrets.authToken) !== null;
	return hasToken ? authorization === undefined : authorization === formatBasicAuth(secrets);
}

export const formatBasicAuth = ({ username, password }: Secrets): string =>
	`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

export const sendUnauthorized = (reply: FastifyReply): FastifyReply =>
	reply.code(401).type('text/html').send(UNAUTHORIZED_PAGE);

const UNAUTHORIZED_PAGE = `<html>
<head><title>401 Authorization Required</title></head>
<body><center><h1>401 Authorization Required</h1></center></body>
</html>
`;
