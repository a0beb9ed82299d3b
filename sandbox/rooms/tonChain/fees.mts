import { type Address, beginCell, loadMessage, type Message, storeMessage } from '@ton/core';
import { EstimateFailure, type Estimate, getFees } from '../ton/fees.mts';
import type { TonLedger } from './ledger.mts';
import { type Execution, NotAccepted } from './machine.mts';

/** By the accounts as they stand; undefined for an address that the chain never saw. */
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
