import { parseAccount, ContractFailure, getBook, isHex, type TronWeb } from './accounts.mts';
import { checkContract, type TriggerValue } from './contracts.mts';
import type { ContractContext } from './context.mts';
import { formatLog } from './formats.mts';
import { buildTransaction } from './transactions.mts';

export interface TriggerBody extends TriggerValue {
	visible?: boolean;
	function_selector?: string;
	parameter?: string;
	fee_limit?: number;
	Permission_id?: number;
}

const REFUSED_CODE = 'CONTRACT_VALIDATE_ERROR';

/** Answers `triggersmartcontract`: builds a transaction that is not run yet. */
export async function buildTrigger(body: TriggerBody, context: ContractContext) {
	const { fee_limit, Permission_id, visible = false } = body;
	return await answerContractFailure(visible, async () => {
		const value = buildValue(body, context.tronWeb);
		await checkContract({ type: 'TriggerSmartContract', value }, context);
		const envelope = { visible, fee_limit, Permission_id };
		const contract = { type: 'TriggerSmartContract', value } as const;
		const transaction = buildTransaction(contract, envelope, context.wallet.clock, context.tronWeb);
		return { result: { result: true }, transaction };
	});
}

/** Answers `triggerconstantcontract`: runs a call at once and changes nothing on the chain. */
export async function callConstant(body: TriggerBody, context: ContractContext) {
	const { visible = false } = body;
	return await answerContractFailure(visible, async () => {
		const value = buildValue(body, context.tronWeb);
		const tried = await tryCall(value, context);
		const transaction = buildTransaction(
			{ type: 'TriggerSmartContract', value },
			{ visible },
			context.wallet.clock,
			context.tronWeb,
		);
		const ret = [tried.hasReverted ? { ret: 'FAILED' } : {}];
		return {
			result: {
				result: true,
				...(tried.hasReverted && { message: formatWords('REVERT opcode executed', visible) }),
			},
			energy_used: tried.energy,
			constant_result: [tried.returned],
			...(tried.logs.length > 0 && {
				logs: tried.logs.map((log) =>
					formatLog(log, visible, context.tronWeb.utils.address.fromHex),
				),
			}),
			transaction: { ret, ...transaction },
		};
	});
}

/** Runs a call without changing the chain. The caller must have the coins that the call sends. */
export async function tryCall(value: TriggerValue, context: ContractContext) {
	const { wallet, visible, tronWeb, machine } = context;
	const owner = parseAccount(value.owner_address, visible, tronWeb);
	const contract = parseAccount(value.contract_address, visible, tronWeb);
	const { data = '', call_value: callValue = 0 } = value;
	if (!(await machine.hasCode(contract))) throw new ContractFailure('Smart contract is not exist.');
	if (callValue > 0 && getBook(owner, wallet, tronWeb).balance < callValue) {
		throw new ContractFailure('Validate InternalTransfer error, balance is not sufficient.');
	}
	return await machine.tryCall({ owner, contract, data, callValue });
}

export function buildValue(body: TriggerBody, { utils }: TronWeb): TriggerValue {
	const { owner_address, contract_address, call_value, function_selector, parameter = '' } = body;
	if (!isHex(parameter)) throw new ContractFailure(`INVALID hex String: "${parameter}"`);
	const selector = function_selector
		? utils.ethersUtils.keccak256(Buffer.from(function_selector)).slice(2, 10)
		: '';
	const data = selector ? selector + parameter : body.data;
	return { owner_address, contract_address, data, call_value };
}

/** Returns the result of `work`. For an invalid contract, returns the error in the form of `triggersmartcontract`. */
export async function answerContractFailure(
	visible: boolean,
	work: () => Promise<object>,
): Promise<object> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ContractFailure)) throw error;
		const words = `Contract validate error : ${error.message}`;
		return { result: { code: REFUSED_CODE, message: formatWords(words, visible) } };
	}
}

export const formatWords = (words: string, visible: boolean) =>
	visible ? words : Buffer.from(words).toString('hex');
