import type { FastifyInstance } from 'fastify';

class NotJson extends Error {
	readonly statusCode = 400;
}

/** Bodies arrive as text in this room; these routes take JSON, or nothing, after the guards. */
export function addJsonBodies(app: FastifyInstance): void {
	app.addHook('preValidation', async (request) => {
		const text = String(request.body ?? '');
		request.body = text === '' ? undefined : parseBody(text);
	});
}

function parseBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new NotJson('The body is not JSON.');
	}
}
