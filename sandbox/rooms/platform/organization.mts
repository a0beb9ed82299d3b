import type { FastifyPluginCallback } from 'fastify';
import { owner } from '../../data/projects.mts';

const schema = {
	querystring: { type: 'object', additionalProperties: false, properties: {} },
};

export const organization: FastifyPluginCallback = (app, _options, done) => {
	app.get('/v1/organization/', { schema }, async () => owner);
	done();
};
