import type { FastifyPluginCallback } from 'fastify';
import { OWNER } from '../../data/projects.mts';

const schema = {
	querystring: { type: 'object', additionalProperties: false, properties: {} },
};

export const organizationApi: FastifyPluginCallback = (app, _options, done) => {
	app.get('/v1/organization/', { schema }, async () => OWNER);
	done();
};
