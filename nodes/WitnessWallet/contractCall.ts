import type { AbiError, AbiFunction } from '../core/evm/abi/entry';
import { stringifyExactJson } from '../core/values/json';
import { isRecord } from '../core/values/parse';
import { throwIfError } from '../core/witness/answers';
import type { RestCaller } from '../core/chain/reader';
import { parseBuiltAnswer, verifyBuilt, type BuiltTransaction } from './builtTransaction';
import { callConstant, formatCall } from '../core/witness/constantCall';
import type { WitnessAddress } from './fields';

/** A call of a contract that becomes a transaction. */
interface ContractCall {
	readonly owner: WitnessAddress;
	readonly contract: WitnessAddress;
	readonly called: AbiFunction;
	/** The encoded call as 0x-hex. */
	readonly data: string;
	/** The coins that are sent along, in sun. */
	readonly amount?: bigint;
	/** The most that it may burn, in sun. */
	readonly feeLimit: bigint;
	readonly visible: boolean;
}

/** Runs the call on the node before: what would fail is refused with its reason, and nothing is built. */
export async function buildCheckedCall(
	context: RestCaller,
	given: ContractCall,
	errors: readonly AbiError[] = [],
): Promise<BuiltTransaction> {
	const { owner, contract, called, data, amount } = given;
	const tried = { owner: owner.hex, contract: contract.hex, called, data, amount, errors };
	await callConstant(context, tried);
	return await buildContractCall(context, given);
}

/** Builds the transaction; the node does not run it, so that one which fails is built, too. */
async function buildContractCall(
	{ call }: RestCaller,
	{ owner, contract, called, data, amount = 0n, feeLimit, visible }: ContractCall,
): Promise<BuiltTransaction> {
	const body = stringifyExactJson({
		owner_address: owner.written,
		contract_address: contract.written,
		...formatCall(called, data),
		fee_limit: feeLimit,
		call_value: amount,
		visible,
	});
	const answer = throwIfError(await call({ path: '/wallet/triggersmartcontract', body }));
	return verifyBuilt(parseBuiltAnswer(isRecord(answer) ? answer.transaction : answer), {
		contract: 'TriggerSmartContract',
		parameters: {
			owner_address: owner.hex,
			contract_address: contract.hex,
			call_value: amount,
			data: data.slice(2),
			call_token_value: 0n,
			token_id: 0n,
		},
		feeLimit,
	});
}
