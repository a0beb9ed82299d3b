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

/** The secrets of one sandbox: random, unless the environment names them. */
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

/** Returns what follows `/<TOKEN>` in a path, to the letter; null without the token in front. */
export function getPathAfterToken(url: string, token: string): string | null {
	const path = stripQuery(url);
	if (path === `/${token}`) return '';
	return path.startsWith(`/${token}/`) ? path.slice(token.length + 1) : null;
}

/** The URL that routes see: without the token, and with a slash in place of an empty path. */
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

/** Methods of the chains' own APIs that only read, by GET. The methods of the document are all POST. */
function isReadRequest({ method, url }: FastifyRequest): boolean {
	return method === 'GET' && /^\/(api\/v3|wallet|walletsolidity)\//.test(url);
}

/** A request must have only one kind of credential. With two, it would leak one of them. */
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
