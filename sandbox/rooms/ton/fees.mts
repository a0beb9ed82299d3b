import type { Transaction } from '@ton/core';

export interface Fees {
	in_fwd_fee: number;
	storage_fee: number;
	gas_fee: number;
	fwd_fee: number;
}

export interface Estimate {
	source: Fees;
	others: Fees[];
}

/** What the caller is meant to see. */
export class EstimateFailure extends Error {
	readonly statusCode = 422;
}

/** The total of a transaction contains its phases; the rest is the import of the message. */
export function getFees({ description, totalFees }: Transaction): Fees {
	if (description.type !== 'generic') throw new Error(`unexpected ${description.type} transaction`);
	const { storagePhase, computePhase, actionPhase } = description;
	const storage = storagePhase?.storageFeesCollected ?? 0n;
	const gas = computePhase.type === 'vm' ? computePhase.gasFees : 0n;
	const actions = actionPhase?.totalActionFees ?? 0n;
	return {
		in_fwd_fee: Number(totalFees.coins - storage - gas - actions),
		storage_fee: Number(storage),
		gas_fee: Number(gas),
		fwd_fee: Number(actionPhase?.totalFwdFees ?? 0n),
	};
}
