import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { SandboxState } from '../../state.mts';
import { readJson } from '../../wire/jsonBody.mts';
import { ContractFailure } from './accounts.mts';
import { broadcast, type SignedTransaction } from './broadcast.mts';
import { checked, type Contract, type CreateValue, type VoteValue } from './contracts.mts';
import * as schemas from './schemas.mts';
import { loadTools } from './tools.mts';
import { built } from './transactions.mts';
import { listed } from './witnesses.mts';

const noQuery = schemas.noQuery;

interface Visible {
	visible?: boolean;
}

/** `visible` is false when absent, as on the chain's own server; the document says true. */
export const wallet =
	(state: SandboxState): FastifyPluginCallback =>
	(app, _options, done) => {
		readJson(app);
		app.setErrorHandler((error, _request, reply) => {
			if (!(error instanceof ContractFailure)) throw error;
			return reply.send({ Error: `${errorClass} : ${error.message}` });
		});
		buildRoutes(app, state);
		app.post<{ Querystring: { visible?: string } }>(
			'/wallet/listwitnesses',
			{ schema: { body: schemas.listBody, querystring: schemas.listQuery } },
			async ({ query }) => ({
				witnesses: listed(state.wallet, query.visible === 'true', await loadTools()),
			}),
		);
		app.post<{ Body: SignedTransaction }>(
			'/wallet/broadcasttransaction',
			{ schema: { body: schemas.broadcastBody, querystring: noQuery } },
			async ({ body }) => {
				const { visible = false } = body;
				return broadcast(body, { wallet: state.wallet, visible, tools: await loadTools() });
			},
		);
		done();
	};

const errorClass = 'class org.tron.core.exception.ContractValidateException';

function buildRoutes(app: FastifyInstance, state: SandboxState): void {
	app.post<{ Body: VoteValue & Visible }>(
		'/wallet/votewitnessaccount',
		{ schema: { body: schemas.voteBody, querystring: noQuery } },
		async ({ body: { visible = false, ...value } }) =>
			await build({ type: 'VoteWitnessContract', value }, visible),
	);
	app.post<{ Body: CreateValue & Visible }>(
		'/wallet/createwitness',
		{ schema: { body: schemas.createBody, querystring: noQuery } },
		async ({ body: { visible = false, ...value } }) =>
			await build({ type: 'WitnessCreateContract', value }, visible),
	);

	async function build(contract: Contract, visible: boolean) {
		const tools = await loadTools();
		checked(contract, { wallet: state.wallet, visible, tools });
		return built(contract, visible, tools);
	}
}
