import type { RestCaller } from '../../chain/reader';
import { stringifyExactJson } from '../../values/json';
import { isRecord } from '../../values/parse';
import { throwIfError } from '../answers';
import { callConstant, formatCall, type ConstantCall } from '../constantCall';
import { formatMessageJson } from '../fieldTypes';
import { CONTRACTS } from '../transaction';
import { parseBuiltAnswer, verifyBuilt, type BuiltTransaction } from './built';

/** A call of a contract that is sent as a transaction. */
export interface ContractCall extends ConstantCall {
	/** The highest fee that the call may burn for energy, in sun. */
	readonly feeLimit: bigint;
	readonly visible: boolean;
}

/** Builds a contract call after running it on the node. A call that would fail is refused with its reason. */
export async function buildCheckedCall(
	reader: RestCaller,
	given: ContractCall,
): Promise<BuiltTransaction> {
	await callConstant(reader, given);
	return await buildContractCall(reader, given);
}

/**
 * Builds the transaction of a contract call. The node does not run the call, so it also builds a call that will fail.
 */
export async function buildContractCall(
	{ call }: RestCaller,
	{ owner, contract, called, data, amount = 0n, feeLimit, visible }: ContractCall,
): Promise<BuiltTransaction> {
	const parties = { owner_address: owner, contract_address: contract };
	const body = stringifyExactJson({
		...formatMessageJson(CONTRACTS.TriggerSmartContract.fields, parties, visible),
		...formatCall(called, data),
		fee_limit: feeLimit,
		call_value: amount,
		visible,
	});
	const answer = throwIfError(await call({ path: '/wallet/triggersmartcontract', body }));
	return verifyBuilt(parseBuiltAnswer(isRecord(answer) ? answer.transaction : answer), {
		contract: 'TriggerSmartContract',
		parameters: {
			...parties,
			call_value: amount,
			data: data.slice(2),
			call_token_value: 0n,
			token_id: 0n,
		},
		feeLimit,
	});
}
