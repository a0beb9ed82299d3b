import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Secrets } from '../secrets.mts';
import { withoutQuery } from './room.mts';

/** What follows `/<TOKEN>` in a path, to the letter; null without the token in front. */
export function pathAfterToken(url: string, token: string): string | null {
	const path = withoutQuery(url);
	if (path === `/${token}`) return '';
	return path.startsWith(`/${token}/`) ? path.slice(token.length + 1) : null;
}

/** The url that routes see: the token is gone, and an empty path is a slash. */
export function routedUrl(url: string, token: string): string {
	const path = pathAfterToken(url, token);
	return path === null ? url : (path || '/') + url.slice(withoutQuery(url).length);
}

export function guardNode(app: FastifyInstance, secrets: Secrets): void {
	app.addHook('preValidation', async (request, reply) => {
		if (!isKnown(request, secrets)) return unauthorized(reply);
		if (isRead(request)) return;
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
function isRead({ method, url }: FastifyRequest): boolean {
	return method === 'GET' && /^\/(api\/v3|wallet|walletsolidity)\//.test(url);
}

/** One way in, not both: a request that carries two credentials leaks one of them. */
function isKnown({ originalUrl, headers }: FastifyRequest, secrets: Secrets): boolean {
	const { authorization } = headers;
	const hasToken = pathAfterToken(originalUrl, secrets.authToken) !== null;
	return hasToken ? authorization === undefined : authorization === basic(secrets);
}

export const basic = ({ username, password }: Secrets): string =>
	`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

export const unauthorized = (reply: FastifyReply): FastifyReply =>
	reply.code(401).type('text/html').send(unauthorizedPage);

const unauthorizedPage = `<html>
<head><title>401 Authorization Required</title></head>
<body><center><h1>401 Authorization Required</h1></center></body>
</html>
`;
