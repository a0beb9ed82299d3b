import {
	type Address,
	beginCell,
	loadMessage,
	type Message,
	storeMessage,
	type Transaction,
} from '@ton/core';
import type { TonLedger } from './ledger.mts';
import { type Execution, NotAccepted } from './machine.mts';

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

/** A failure whose message is shown to the caller. */
export class EstimateFailure extends Error {
	readonly statusCode = 422;
}

/**
 * Splits the fees of a transaction. Its total contains the fees of each phase, and the rest is the fee for the incoming
 * message.
 */
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

/** Estimates from the present state of the accounts. Returns undefined for an address that the chain never saw. */
export async function estimateOnChain(
	ledger: TonLedger,
	address: Address,
	message: Message,
	ignoreChksig: boolean,
): Promise<Estimate | undefined> {
	if (!ledger.getAccount(address.toRawString())) return undefined;
	const cell = beginCell().store(storeMessage(message)).endCell();
	const sent = await ledger.tryOut(address, cell, ignoreChksig).catch(throwRefusal);
	const others = sent.outgoing.map(async (one) => {
		const { info } = loadMessage(one.beginParse());
		if (info.type !== 'internal') return undefined;
		const received = await ledger.tryOut(info.dest, one, false);
		return getFees(received.transaction);
	});
	const fees = (await Promise.all(others)).filter((one) => one !== undefined);
	return { source: getFees(sent.transaction), others: fees };
}

function throwRefusal(error: unknown): Execution {
	if (!(error instanceof NotAccepted)) throw error;
	const { exitCode, message } = error;
	const why = exitCode === undefined ? `: ${message}` : `, exitcode=${exitCode}`;
	throw new EstimateFailure(`external message was not accepted by the contract${why}`);
}
