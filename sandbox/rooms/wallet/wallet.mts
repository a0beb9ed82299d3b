import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { Chain } from '../../chain/chain.mts';
import type { SandboxState } from '../../state.mts';
import { addJsonBodies } from '../../wire/jsonBody.mts';
import { ContractFailure } from './accounts.mts';
import { broadcast, type SignedTransaction } from './broadcast.mts';
import {
	checkContract,
	type Contract,
	type CreateValue,
	type FreezeValue,
	type ContractContext,
	type TransferValue,
	type UnfreezeValue,
	type VoteValue,
} from './contracts.mts';
import { createMachine } from './machine.mts';
import { addReadRoutes } from './reads.mts';
import * as schemas from './schemas.mts';
import { loadTronWeb } from './tools.mts';
import { buildTransaction } from './transactions.mts';
import { buildTrigger, callConstant, type TriggerBody } from './trigger.mts';
import { formatWitnesses } from './witnesses.mts';

const noQuerySchema = schemas.noQuery;

interface Visible {
	visible?: boolean;
}

/** `visible` is false when absent, as on the chain's own server; the document says true. */
export const walletApi =
	(state: SandboxState, chain?: Chain): FastifyPluginCallback =>
	(app, _options, done) => {
		const machine = createMachine(chain);
		const surroundings = async ({ visible = false }: Visible): Promise<ContractContext> => ({
			wallet: state.wallet,
			visible,
			tools: await loadTronWeb(),
			machine,
		});
		addJsonBodies(app);
		app.setErrorHandler((error, _request, reply) => {
			if (!(error instanceof ContractFailure)) throw error;
			return reply.send({ Error: `${ERROR_CLASS} : ${error.message}` });
		});
		addBuildRoutes(app, surroundings);
		addReadRoutes(app, () => state.wallet);
		app.post<{ Querystring: { visible?: string } }>(
			'/wallet/listwitnesses',
			{ schema: { body: schemas.listBody, querystring: schemas.listQuery } },
			async ({ query }) => ({
				witnesses: formatWitnesses(state.wallet, query.visible === 'true', await loadTronWeb()),
			}),
		);
		app.post<{ Body: SignedTransaction }>(
			'/wallet/broadcasttransaction',
			{ schema: { body: schemas.broadcastBody, querystring: noQuerySchema } },
			async ({ body }) => await broadcast(body, await surroundings(body)),
		);
		done();
	};

const ERROR_CLASS = 'class org.tron.core.exception.ContractValidateException';

type CreateContext = (body: Visible) => Promise<ContractContext>;

function addBuildRoutes(app: FastifyInstance, surroundings: CreateContext): void {
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
			{ schema: { body, querystring: noQuerySchema } },
			async (request) => {
				const { visible = false, ...value } = request.body as object & Visible;
				const around = await surroundings({ visible });
				const contract = contractOf(value as Value);
				await checkContract(contract, around);
				return buildTransaction(contract, { visible }, around.wallet.clock, around.tools);
			},
		);
	}

	for (const [path, answer] of [
		['triggersmartcontract', buildTrigger],
		['triggerconstantcontract', callConstant],
	] as const) {
		app.post<{ Body: TriggerBody }>(
			`/wallet/${path}`,
			{ schema: { body: schemas.triggerBody, querystring: noQuerySchema } },
			async ({ body }) => await answer(body, await surroundings(body)),
		);
	}
}
