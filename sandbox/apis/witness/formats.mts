import { createHash } from 'node:crypto';
import type { TronWeb } from './accounts.mts';
import { getBlockTimestamp } from './blocks.mts';
import type { Broadcast, InternalTransfer, Log, Wallet } from './state.mts';
import type { Transaction } from './transactions.mts';

/** Formats a transaction of a block. `visible` sets the form of its addresses. */
export function formatTransaction(
	{ transaction, outcome }: Broadcast,
	visible: boolean,
	tronWeb: TronWeb,
): Omit<Transaction, 'visible'> & { ret: object[] } {
	const { visible: _form, ...shown } = withForm(transaction as Transaction, visible, tronWeb);
	return { ret: [{ contractRet: outcome.result ?? 'SUCCESS' }], ...shown };
}

function withForm(transaction: Transaction, visible: boolean, tronWeb: TronWeb): Transaction {
	if ((transaction.visible ?? false) === visible) return transaction;
	const { raw_data } = transaction;
	const contract = convert(raw_data.contract, visible, tronWeb) as typeof raw_data.contract;
	return { ...transaction, raw_data: { ...raw_data, contract } };
}

/**
 * Converts all addresses in a value to base58 or to hex. The web address of a witness becomes text or hex accordingly.
 */
function convert(value: unknown, visible: boolean, tronWeb: TronWeb, key = ''): unknown {
	if (Array.isArray(value)) return value.map((one) => convert(one, visible, tronWeb, key));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([name, one]) => [
			name,
			convert(one, visible, tronWeb, name),
		]);
		return Object.fromEntries(entries) as object;
	}
	if (typeof value !== 'string') return value;
	if (key.endsWith('_address')) {
		const { fromHex, toHex } = tronWeb.utils.address;
		return visible ? fromHex(value) : toHex(value).toLowerCase();
	}
	if (key !== 'url') return value;
	return visible ? Buffer.from(value, 'hex').toString() : Buffer.from(value).toString('hex');
}

/**
 * Formats the result of a transaction without fields that are zero. Messages are text if `visible` is true, otherwise
 * hex.
 */
export function formatInfo(
	{ txid, block: number, outcome }: Broadcast,
	{ clock, settings }: Wallet,
	visible: boolean,
	tronWeb: TronWeb,
) {
	const { fee, net_usage, net_fee, energy, energy_fee, result, returned, message } = outcome;
	const { contract_address, logs = [], internal = [] } = outcome;
	const format = (address: string) => (visible ? tronWeb.utils.address.fromHex(address) : address);
	const receipt = {
		energy_usage_total: energy,
		energy_fee,
		net_usage,
		net_fee,
		result,
	};
	return {
		id: txid,
		...(fee > 0 && { fee }),
		blockNumber: number,
		blockTimeStamp: getBlockTimestamp(clock, number),
		contractResult: [returned ?? ''],
		...(contract_address && { contract_address: format(contract_address) }),
		receipt: Object.fromEntries(Object.entries(receipt).filter(([, value]) => value)),
		...(logs.length > 0 && { log: logs.map((log) => formatLog(log, visible, format)) }),
		...(result && result !== 'SUCCESS' && { result: 'FAILED' }),
		...(message && { resMessage: visible ? message : Buffer.from(message).toString('hex') }),
		...(settings.keepsInternal &&
			internal.length > 0 && {
				internal_transactions: internal.map((one, at) => formatInternal(one, txid, at, format)),
			}),
	};
}

type FormatAddress = (address: string) => string;

/** Formats a log of a contract. Its address in hex has no `41` at the front. */
export const formatLog = (
	{ address, topics, data }: Log,
	visible: boolean,
	format: FormatAddress,
) => ({
	address: visible ? format(address) : address.slice(2),
	topics,
	...(data !== '' && { data }),
});

function formatInternal(
	{ from, to, callValue, note, rejected }: InternalTransfer,
	txid: string,
	at: number,
	format: FormatAddress,
) {
	return {
		hash: createHash('sha256').update(`${txid} ${at}`).digest('hex'),
		caller_address: format(from),
		transferTo_address: format(to),
		callValueInfo: [callValue > 0 ? { callValue } : {}],
		note: Buffer.from(note).toString('hex'),
		...(rejected && { rejected }),
	};
}
