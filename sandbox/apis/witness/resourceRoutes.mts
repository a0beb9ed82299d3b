import type { FastifyInstance } from 'fastify';
import { noQuery } from '../../http/schemas.mts';
import { ContractFailure, parseAccount } from './accounts.mts';
import { MEMO_FEE_SUN, NEW_ACCOUNT_BYTES_SUN } from './broadcast.mts';
import type { ContractContext, CreateContext, Visible } from './context.mts';
import { NEW_ACCOUNT_FEE_SUN } from './contracts.mts';
import { ENERGY_PRICE_SUN } from './machine.mts';
import { checkResourceContract, type ResourceContract } from './resources.mts';
import * as schemas from './schemas.mts';
import { buildTransaction } from './transactions.mts';
import {
	answerContractFailure,
	buildValue,
	formatWords,
	tryCall,
	type TriggerBody,
} from './trigger.mts';

/** Adds the methods that build delegations and withdrawals, and the methods about the price of energy. */
export function addResourceRoutes(app: FastifyInstance, createContext: CreateContext): void {
	const builders: ReadonlyArray<[path: string, type: ResourceContract['type'], body: object]> = [
		['delegateresource', 'DelegateResourceContract', schemas.delegateBody],
		['undelegateresource', 'UnDelegateResourceContract', schemas.undelegateBody],
		['withdrawexpireunfreeze', 'WithdrawExpireUnfreezeContract', schemas.withdrawBody],
		['withdrawbalance', 'WithdrawBalanceContract', schemas.withdrawBody],
	];
	for (const [path, type, body] of builders) {
		app.post<{ Body: Visible }>(
			`/wallet/${path}`,
			{ schema: { body, querystring: noQuery } },
			async (request) => {
				const { visible = false, ...value } = request.body;
				const context = await createContext({ visible });
				const contract = { type, value } as ResourceContract;
				await checkResourceContract(contract, context);
				return buildTransaction(contract, { visible }, context.wallet.clock, context.tronWeb);
			},
		);
	}
	app.post(
		'/wallet/getchainparameters',
		{ schema: { body: schemas.optionalBody, querystring: noQuery } },
		async () => ({ chainParameter: CHAIN_PARAMETERS }),
	);
	app.post<{ Body: Visible & { value: string } }>(
		'/wallet/getcontract',
		{ schema: { body: schemas.contractBody, querystring: noQuery } },
		async ({ body }) => await describeContract(body.value, await createContext(body)),
	);
	app.post<{ Body: Visible & { value: string } }>(
		'/wallet/getdelegatedresourceaccountindexv2',
		{ schema: { body: schemas.contractBody, querystring: noQuery } },
		async ({ body }) => listDelegations(body.value, await createContext(body)),
	);
	app.post<{ Body: TriggerBody }>(
		'/wallet/estimateenergy',
		{ schema: { body: schemas.estimateBody, querystring: noQuery } },
		async ({ body }) => await estimateEnergy(body, await createContext(body)),
	);
}

/**
 * Lists the accounts that an account delegates to, and the accounts that delegate to it. Empty lists are left out, as
 * on the chain.
 */
function listDelegations(account: string, { wallet, visible, tronWeb }: ContractContext) {
	const asked = parseAccount(account, visible, tronWeb);
	const format = (one: string) => (visible ? tronWeb.utils.address.fromHex(one) : one);
	const [from, to] = [
		wallet.loans.filter(({ receiver }) => receiver === asked).map(({ owner }) => owner),
		wallet.loans.filter(({ owner }) => owner === asked).map(({ receiver }) => receiver),
	].map((found) => [...new Set(found)].map(format));
	return {
		account,
		...(from?.length && { fromAccounts: from }),
		...(to?.length && { toAccounts: to }),
	};
}

/** Describes a contract. Callers pay all energy of a contract here. The answer is `{}` if there is no contract. */
async function describeContract(
	contract_address: string,
	{ visible, tronWeb, machine }: ContractContext,
) {
	const account = parseAccount(contract_address, visible, tronWeb);
	if (!(await machine.hasCode(account))) return {};
	return {
		origin_address: contract_address,
		contract_address,
		consume_user_resource_percent: 100,
		origin_energy_limit: 10_000_000,
	};
}

/** The chain prints no zeros. */
const CHAIN_PARAMETERS = [
	{ key: 'getMaintenanceTimeInterval', value: 21_600_000 },
	{ key: 'getCreateAccountFee', value: NEW_ACCOUNT_BYTES_SUN },
	{ key: 'getTransactionFee', value: 1000 },
	{ key: 'getAllowUpdateAccountName' },
	{ key: 'getEnergyFee', value: ENERGY_PRICE_SUN },
	{ key: 'getUnfreezeDelayDays', value: 14 },
	{ key: 'getCreateNewAccountFeeInSystemContract', value: NEW_ACCOUNT_FEE_SUN },
	{ key: 'getMemoFee', value: MEMO_FEE_SUN },
];

/** The step of the search for an estimate. The estimate can be too high by one step. */
const STEP_ENERGY = 1000;

async function estimateEnergy(body: TriggerBody, context: ContractContext) {
	const { visible = false } = body;
	return await answerContractFailure(visible, async () => {
		if (!context.wallet.settings.estimatesEnergy) {
			throw new ContractFailure('this node does not support estimate energy');
		}
		const tried = await tryCall(buildValue(body, context.tronWeb), context);
		if (tried.hasReverted) {
			const message = formatWords('REVERT opcode executed', visible);
			return { result: { code: 'CONTRACT_EXE_ERROR', message } };
		}
		const energy_required = Math.ceil(tried.energy / STEP_ENERGY) * STEP_ENERGY;
		return { result: { result: true }, energy_required };
	});
}
