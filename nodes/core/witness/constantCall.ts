import type { AbiError, AbiFunction } from '../evm/abi/entry';
import { decodeErrorResult } from '../evm/abi/call';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { decodeRevertReason, isContractFailure } from '../net/responses/reverts';
import { stringifyExactJson } from '../values/json';
import { isRecord } from '../values/parse';
import { decodeChainMessage, isNotServed, throwIfError } from './answers';
import type { RestCaller } from '../chain/reader';

/** The address of an account that belongs to nobody. */
export const ZERO_ADDRESS = `41${'0'.repeat(40)}`;

export interface ConstantCall {
	/** The addresses are in hex (41…). */
	readonly owner: string;
	readonly contract: string;
	readonly called: AbiFunction;
	/** The encoded call as 0x-hex. */
	readonly data: string;
	/** The coins that are sent with the call, in sun. */
	readonly amount?: bigint;
	readonly errors: readonly AbiError[];
}

const SELECTOR_CHARS = 10;

/** Formats a call for a request. The chain expects the arguments without 0x and without the selector. */
export function formatCall({ signature }: AbiFunction, data: string) {
	return { function_selector: signature, parameter: data.slice(SELECTOR_CHARS) };
}

/**
 * Builds the body of a request that runs or estimates a call. It is JSON text, because a JavaScript number cannot
 * hold every amount.
 */
export function buildCallBody({
	owner,
	contract,
	called,
	data,
	amount = 0n,
}: ConstantCall): string {
	return stringifyExactJson({
		owner_address: owner,
		contract_address: contract,
		...formatCall(called, data),
		...(amount > 0n && { call_value: amount }),
		visible: false,
	});
}

/** The result of a call that a node runs without a transaction. */
export interface ConstantOutcome {
	/** What it returns, as 0x-hex. */
	readonly result: string;
	readonly energyUsed: number;
	/**
	 * The logs that the call would write, as the node gave them. Undefined if there are none, or if the node does not
	 * give logs.
	 */
	readonly logs: unknown;
}

/** Runs a function of a contract on the node, without a transaction. */
export async function callConstant(
	{ call }: RestCaller,
	given: ConstantCall,
): Promise<ConstantOutcome> {
	const { errors } = given;
	const body = buildCallBody(given);
	const answer = throwIfError(await call({ path: '/wallet/triggerconstantcontract', body }));
	const outcome = isRecord(answer) ? answer.result : undefined;
	const isRun = isRecord(outcome) && outcome.result === true;
	if (!isRecord(answer) || !isRun) throw invalidResponseError('a result', answer);
	const [returned = ''] = Array.isArray(answer.constant_result)
		? (answer.constant_result as unknown[])
		: [];
	const { energy_used: energyUsed = 0 } = answer;
	const isHex = typeof returned === 'string' && /^(?:[0-9a-f]{2})*$/i.test(returned);
	if (!isHex || !isAmount(energyUsed)) throw invalidResponseError('a result', answer);
	const result = `0x${returned}`;
	const { message } = outcome;
	if (typeof message === 'string' && message !== '') throw failedCallError(message, result, errors);
	if (hasFailed(answer.transaction)) throw failedCallError('REVERT', result, errors);
	return { result, energyUsed, logs: answer.logs };
}

function isAmount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * Whether a call has failed. A reverted call also has `result.result: true`, so the outcome in its transaction
 * decides.
 */
function hasFailed(transaction: unknown): boolean {
	const [outcome] =
		isRecord(transaction) && Array.isArray(transaction.ret) ? (transaction.ret as unknown[]) : [];
	return isRecord(outcome) && outcome.ret === 'FAILED';
}

function failedCallError(
	message: string,
	data: string,
	errors: readonly AbiError[],
): RequestFailure {
	const words = decodeChainMessage(message).trim();
	const reason = decodeErrorResult(errors, data)?.text ?? decodeRevertReason(data);
	const details = { description: `The chain node ran the call, and the call failed: ${words}.` };
	if (reason) return new RequestFailure(`The contract reverted with ${reason}`, details);
	return new RequestFailure(`The call failed: ${words}`, details);
}

/** Whether the contract failed. A node that does not run calls refuses them in similar words, which do not count. */
export function isFailureOfContract(failure: unknown): boolean {
	return failure instanceof RequestFailure && isContractFailure(failure) && !isNotServed(failure);
}
