import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Secrets } from '../secrets.mts';
import { stripQuery } from './room.mts';

/** What follows `/<TOKEN>` in a path, to the letter; null without the token in front. */
export function getPathAfterToken(url: string, token: string): string | null {
	const path = stripQuery(url);
	if (path === `/${token}`) return '';
	return path.startsWith(`/${token}/`) ? path.slice(token.length + 1) : null;
}

/** The url that routes see: the token is gone, and an empty path is a slash. */
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

/** Besides what the document has, which is all POST: methods of the chains' own APIs that only read. */
function isReadRequest({ method, url }: FastifyRequest): boolean {
	return method === 'GET' && /^\/(api\/v3|wallet|walletsolidity)\//.test(url);
}

/** One way in, not both: a request that carries two credentials leaks one of them. */
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
