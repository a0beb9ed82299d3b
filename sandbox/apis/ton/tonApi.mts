import type { FastifyError, FastifyInstance, FastifyPluginCallback } from 'fastify';
import { addSetting, closedObject, describedObject, noQuery } from '../../http/schemas.mts';
import { addJsonBodies } from '../../http/server.mts';
import { tonChainApi } from './chainApi.mts';
import type { TonChainState } from './chainState.mts';
import type { EstimateBody } from './estimate.mts';

interface TonSettings {
	destinationFees: 'object' | 'array';
}

export interface TonState {
	ton: TonSettings;
}

export const createTonSettings = (): TonSettings => ({ destinationFees: 'array' });

const text = { type: 'string', description: 'a string' };
const boc = {
	type: 'string',
	pattern: '^([A-Za-z0-9+/]{4})+$|^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$',
	description: 'a bag of cells in base64 (the standard alphabet, padded)',
};

const estimateSchema = {
	querystring: noQuery,
	body: describedObject(
		{
			address: text,
			body: boc,
			ignore_chksig: { type: 'boolean', description: 'true or false' },
			init_code: boc,
			init_data: boc,
		},
		['address', 'body'],
	),
};

const addressQuery = closedObject(
	{ address: { type: 'array', items: text, description: 'a list of addresses' } },
	['address'],
);

export const tonApi =
	(state: TonState & TonChainState): FastifyPluginCallback =>
	(app, _options, done) => {
		addJsonBodies(app);
		app.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _request, reply) =>
			reply.code(statusCode < 500 ? 422 : 500).send({ error: message }),
		);
		app.post<{ Body: EstimateBody }>(
			'/api/v3/estimateFee',
			{ schema: estimateSchema },
			async ({ body }) => {
				// The virtual machine has megabytes of code, so it is loaded when it is first needed.
				const { answerEstimate } = await import('./estimate.mts');
				return await answerEstimate(state.tonChain, body, state.ton.destinationFees);
			},
		);
		void app.register(tonChainApi(state));
		app.get<{ Querystring: { address: string[] } }>(
			'/api/v3/addressBook',
			{ schema: { querystring: addressQuery } },
			async ({ query: { address } }) =>
				Object.fromEntries(address.map((one) => [one, { user_friendly: one, domain: null }])),
		);
		done();
	};

const settingsSchema = closedObject({
	destinationFees: { enum: ['object', 'array'], default: createTonSettings().destinationFees },
});

export function addTonControl(app: FastifyInstance, state: TonState): void {
	addSetting<TonSettings>(app, '/ton', settingsSchema, (settings) => {
		state.ton = settings;
	});
}
