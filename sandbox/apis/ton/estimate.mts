import { Address, Cell, external, type Message, type StateInit } from '@ton/core';
import { type Estimate, EstimateFailure, estimateOnChain, type Fees, getFees } from './fees.mts';
import { loadLedger } from './chainService.mts';
import type { TonChain } from './chainState.mts';
import type { TonLedger } from './ledger.mts';

export interface EstimateBody {
	address: string;
	body: string;
	ignore_chksig?: boolean;
	init_code?: string;
	init_data?: string;
}

const NO_FEES: Fees = { in_fwd_fee: 0, storage_fee: 0, gas_fee: 0, fwd_fee: 0 };

/**
 * Answers an estimate. The provider's document shows one object for the receivers, but live nodes answer with an array.
 */
export async function answerEstimate(
	chain: TonChain,
	request: EstimateBody,
	form: 'object' | 'array' = 'array',
) {
	const { source, others } = await estimate(request, await loadLedger(chain));
	return {
		source_fees: source,
		destination_fees: form === 'array' ? others : (others[0] ?? NO_FEES),
	};
}

/**
 * Estimates on the chain for an address that the chain knows. For every other address, the emulator pretends that it
 * has a wallet.
 */
async function estimate(request: EstimateBody, ledger: TonLedger): Promise<Estimate> {
	const address = parseAddress(request.address);
	const init = parseInit(request);
	const message = external({ to: address, init, body: parseCell('body', request.body) });
	const { ignore_chksig: ignoreChksig = false } = request;
	const found = await estimateOnChain(ledger, address, message, ignoreChksig);
	return found ?? (await estimateAnywhere(address, message, { ignoreChksig, init }));
}

/** Loads the emulator when it is first needed, because it creates a chain of its own. */
const loadEmulator = async () => await import('./emulator.mts');

async function estimateAnywhere(
	address: Address,
	message: Message,
	{ ignoreChksig, init }: { ignoreChksig: boolean; init: StateInit | undefined },
): Promise<Estimate> {
	const { emulateTransaction, NotAccepted } = await loadEmulator();
	try {
		const transaction = await emulateTransaction(address, message, { ignoreChksig, init });
		const others = transaction.outMessages.values().map(estimateReceived);
		const fees = (await Promise.all(others)).filter((one) => one !== undefined);
		return { source: getFees(transaction), others: fees };
	} catch (error) {
		throw error instanceof NotAccepted ? new EstimateFailure(error.message) : error;
	}
}

/** Estimates the cost of a message at its receiver. A message to the outside has no receiver on the chain. */
async function estimateReceived(message: Message): Promise<Fees | undefined> {
	if (message.info.type !== 'internal') return undefined;
	const { emulateTransaction } = await loadEmulator();
	return getFees(await emulateTransaction(message.info.dest, message, { ignoreChksig: false }));
}

function parseAddress(text: string): Address {
	try {
		return Address.parse(text);
	} catch {
		throw new EstimateFailure(`address "${text}" is not valid`);
	}
}

function parseInit({ init_code, init_data }: EstimateBody) {
	if (init_code === undefined && init_data === undefined) return undefined;
	if (init_code === undefined || init_data === undefined) {
		throw new EstimateFailure('init_code and init_data must be given together');
	}
	return { code: parseCell('init_code', init_code), data: parseCell('init_data', init_data) };
}

function parseCell(field: string, text: string): Cell {
	try {
		return Cell.fromBase64(text);
	} catch {
		throw new EstimateFailure(`${field} is not a bag of cells with one root`);
	}
}
