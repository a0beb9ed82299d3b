import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { noQuery } from '../../http/schemas.mts';
import { addJsonBodies } from '../../http/server.mts';
import type { Chain } from '../evm/chain.mts';
import { ContractFailure, loadTronWeb } from './accounts.mts';
import { broadcast, type SignedTransaction } from './broadcast.mts';
import {
	checkContract,
	type Contract,
	type CreateValue,
	type FreezeValue,
	type TransferValue,
	type UnfreezeValue,
	type VoteValue,
} from './contracts.mts';
import type { ContractContext, CreateContext, Visible } from './context.mts';
import { createMachine } from './machine.mts';
import { addRead } from './readRoute.mts';
import { addReadRoutes } from './reads.mts';
import { addResourceRoutes } from './resourceRoutes.mts';
import * as schemas from './schemas.mts';
import type { WalletState } from './state.mts';
import { buildTransaction } from './transactions.mts';
import { buildTrigger, callConstant, type TriggerBody } from './trigger.mts';

/**
 * Serves the API of TRON. A missing `visible` means false, as on TRON's own server; the provider's document says true.
 */
export const walletApi =
	(state: WalletState, chain?: Chain): FastifyPluginCallback =>
	(app, _options, done) => {
		const machine = createMachine(chain);
		const createContext = async ({ visible = false }: Visible): Promise<ContractContext> => ({
			wallet: state.wallet,
			visible,
			tronWeb: await loadTronWeb(),
			machine,
		});
		addJsonBodies(app);
		app.setErrorHandler((error, _request, reply) => {
			if (!(error instanceof ContractFailure)) throw error;
			return reply.send({ Error: `${ERROR_CLASS} : ${error.message}` });
		});
		addBuildRoutes(app, createContext);
		addReadRoutes(app, state);
		addResourceRoutes(app, createContext);
		addRead<TriggerBody>(
			app,
			state,
			'/walletsolidity/triggerconstantcontract',
			schemas.triggerBody,
			async (body) => await callConstant(body, await createContext(body)),
		);
		app.post<{ Body: SignedTransaction }>(
			'/wallet/broadcasttransaction',
			{ schema: { body: schemas.broadcastBody, querystring: noQuery } },
			async ({ body }) => await broadcast(body, await createContext(body)),
		);
		done();
	};

interface Extras extends Visible {
	extra_data?: string;
}

const ERROR_CLASS = 'class org.tron.core.exception.ContractValidateException';

function addBuildRoutes(app: FastifyInstance, createContext: CreateContext): void {
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
				const { visible = false, extra_data, ...value } = request.body as Extras;
				const context = await createContext({ visible });
				const contract = contractOf(value as Value);
				await checkContract(contract, context);
				const envelope = { visible, extra_data };
				return buildTransaction(contract, envelope, context.wallet.clock, context.tronWeb);
			},
		);
	}

	for (const [path, answer] of [
		['triggersmartcontract', buildTrigger],
		['triggerconstantcontract', callConstant],
	] as const) {
		app.post<{ Body: TriggerBody }>(
			`/wallet/${path}`,
			{ schema: { body: schemas.triggerBody, querystring: noQuery } },
			async ({ body }) => await answer(body, await createContext(body)),
		);
	}
}
