import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { Chain } from '../../chain/chain.mts';
import type { SandboxState } from '../../state.mts';
import { readJson } from '../../wire/jsonBody.mts';
import { ContractFailure } from './accounts.mts';
import { broadcast, type SignedTransaction } from './broadcast.mts';
import {
	checked,
	type Contract,
	type CreateValue,
	type FreezeValue,
	type Surroundings,
	type TransferValue,
	type UnfreezeValue,
	type VoteValue,
} from './contracts.mts';
import { machineOf } from './machine.mts';
import { readRoutes } from './reads.mts';
import * as schemas from './schemas.mts';
import { loadTools } from './tools.mts';
import { built } from './transactions.mts';
import { builtTrigger, constantCall, type TriggerBody } from './trigger.mts';
import { listed } from './witnesses.mts';

const noQuery = schemas.noQuery;

interface Visible {
	visible?: boolean;
}

/** `visible` is false when absent, as on the chain's own server; the document says true. */
export const wallet =
	(state: SandboxState, chain?: Chain): FastifyPluginCallback =>
	(app, _options, done) => {
		const machine = machineOf(chain);
		const surroundings = async ({ visible = false }: Visible): Promise<Surroundings> => ({
			wallet: state.wallet,
			visible,
			tools: await loadTools(),
			machine,
		});
		readJson(app);
		app.setErrorHandler((error, _request, reply) => {
			if (!(error instanceof ContractFailure)) throw error;
			return reply.send({ Error: `${errorClass} : ${error.message}` });
		});
		buildRoutes(app, surroundings);
		readRoutes(app, () => state.wallet);
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
			async ({ body }) => await broadcast(body, await surroundings(body)),
		);
		done();
	};

const errorClass = 'class org.tron.core.exception.ContractValidateException';

type Around = (body: Visible) => Promise<Surroundings>;

function buildRoutes(app: FastifyInstance, surroundings: Around): void {
	build<VoteValue>('votewitnessaccount', schemas.voteBody, (value) => ({
		type: 'VoteWitnessContract',
		value,
	}));
	build<CreateValue>('createwitness', schemas.createBody, (value) => ({
		type: 'WitnessCreateContract',
		value,
	}));
	build<TransferValue>('createtransaction', schemas.transferBody, (value) => ({
		type: 'TransferContract',
		value,
	}));
	build<FreezeValue>('freezebalancev2', schemas.freezeBody, (value) => ({
		type: 'FreezeBalanceV2Contract',
		value,
	}));
	build<UnfreezeValue>('unfreezebalancev2', schemas.unfreezeBody, (value) => ({
		type: 'UnfreezeBalanceV2Contract',
		value,
	}));

	function build<Value>(path: string, body: object, contractOf: (value: Value) => Contract) {
		app.post<{ Body: Value & Visible }>(
			`/wallet/${path}`,
			{ schema: { body, querystring: noQuery } },
			async (request) => {
				const { visible = false, ...value } = request.body as object & Visible;
				const around = await surroundings({ visible });
				const contract = contractOf(value as Value);
				await checked(contract, around);
				return built(contract, { visible }, around.wallet.clock, around.tools);
			},
		);
	}

	for (const [path, answer] of [
		['triggersmartcontract', builtTrigger],
		['triggerconstantcontract', constantCall],
	] as const) {
		app.post<{ Body: TriggerBody }>(
			`/wallet/${path}`,
			{ schema: { body: schemas.triggerBody, querystring: noQuery } },
			async ({ body }) => await answer(body, await surroundings(body)),
		);
	}
}
