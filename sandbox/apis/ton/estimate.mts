import { Address, Cell, external, type Message, type Transaction } from '@ton/core';
import { emulateTransaction, NotAccepted } from './emulator.mts';

export interface EstimateBody {
	address: string;
	body: string;
	ignore_chksig?: boolean;
	init_code?: string;
	init_data?: string;
}

interface Fees {
	in_fwd_fee: number;
	storage_fee: number;
	gas_fee: number;
	fwd_fee: number;
}

/** A failure is what the caller is meant to see. */
class EstimateFailure extends Error {
	readonly statusCode = 422;
}

export async function estimate(request: EstimateBody): Promise<{ source: Fees; others: Fees[] }> {
	const address = parseAddress(request.address);
	const init = parseInit(request);
	const message = external({ to: address, init, body: parseCell('body', request.body) });
	const { ignore_chksig: ignoreChksig = false } = request;
	try {
		const transaction = await emulateTransaction(address, message, { ignoreChksig, init });
		const others = transaction.outMessages.values().map(estimateReceived);
		const fees = (await Promise.all(others)).filter((one) => one !== undefined);
		return { source: getFees(transaction), others: fees };
	} catch (error) {
		throw error instanceof NotAccepted ? new EstimateFailure(error.message) : error;
	}
}

/** What a message costs where it arrives; one to the outside arrives nowhere. */
async function estimateReceived(message: Message): Promise<Fees | undefined> {
	if (message.info.type !== 'internal') return undefined;
	return getFees(await emulateTransaction(message.info.dest, message, { ignoreChksig: false }));
}

/** The total of a transaction contains its phases; the rest is the import of the message. */
function getFees({ description, totalFees }: Transaction): Fees {
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
