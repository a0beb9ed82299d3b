import type { FastifyError, FastifyPluginCallback } from 'fastify';
import type { SandboxState } from '../../state.mts';
import { addJsonBodies } from '../../wire/jsonBody.mts';
import { tonChainApi } from '../tonChain/api.mts';
import type { EstimateBody } from './estimate.mts';

const closedObject = { type: 'object', description: 'an object', additionalProperties: false };
const text = { type: 'string', description: 'a string' };
const boc = {
	type: 'string',
	pattern: '^([A-Za-z0-9+/]{4})+$|^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$',
	description: 'a bag of cells in base64 (the standard alphabet, padded)',
};

const schema = {
	querystring: { ...closedObject, properties: {} },
	body: {
		...closedObject,
		required: ['address', 'body'],
		properties: {
			address: text,
			body: boc,
			ignore_chksig: { type: 'boolean', description: 'true or false' },
			init_code: boc,
			init_data: boc,
		},
	},
};

const NO_FEES = { in_fwd_fee: 0, storage_fee: 0, gas_fee: 0, fwd_fee: 0 };

export const tonApi =
	(state: SandboxState): FastifyPluginCallback =>
	(app, _options, done) => {
		addJsonBodies(app);
		app.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _request, reply) =>
			reply.code(statusCode < 500 ? 422 : 500).send({ error: message }),
		);
		app.post<{ Body: EstimateBody }>('/api/v3/estimateFee', { schema }, async ({ body }) => {
			// The emulator is a megabyte of machine code: loaded when first needed.
			const { estimate } = await import('./estimate.mts');
			const { loadLedger } = await import('../tonChain/service.mts');
			const { source, others } = await estimate(body, await loadLedger(state.tonChain));
			const asArray = state.ton.destinationFees === 'array';
			return {
				source_fees: source,
				destination_fees: asArray ? others : (others[0] ?? NO_FEES),
			};
		});
		void app.register(tonChainApi(state));
		app.get<{ Querystring: { address: string[] } }>(
			'/api/v3/addressBook',
			{ schema: { querystring: addressQuery } },
			async ({ query: { address } }) =>
				Object.fromEntries(address.map((one) => [one, { user_friendly: one, domain: null }])),
		);
		done();
	};

const addressQuery = {
	...closedObject,
	required: ['address'],
	properties: { address: { type: 'array', items: text, description: 'a list of addresses' } },
};
