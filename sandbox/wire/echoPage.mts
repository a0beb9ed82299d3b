import type { FastifyRequest } from 'fastify';

/** What a careless server shows on an error page: everything it was told, in three spellings. */
export function buildEchoPage(request: FastifyRequest): string {
	const { authorization = '' } = request.headers;
	const [, credential = ''] = authorization.split(' ');
	const [, firstSegment = ''] = request.originalUrl.split(/[/?]/);
	const url = `${request.protocol}://${request.host}${request.originalUrl}`;
	const told = [url, firstSegment, authorization, credential].filter((text) => text !== '');
	const lines = told.flatMap(getSpellings).map((text) => `<li>${text}</li>`);
	return `<html><head><title>401 ${url}</title></head><body><ul>${lines.join('')}</ul></body></html>`;
}

export const getSpellings = (text: string) => [
	text,
	encodeURIComponent(text),
	Buffer.from(text).toString('base64'),
];
