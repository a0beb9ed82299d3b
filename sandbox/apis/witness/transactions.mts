import type { TronWeb } from './accounts.mts';
import { type Clock, buildReferences } from './blocks.mts';
import type { Contract } from './contracts.mts';

export interface Transaction {
	visible?: boolean;
	txID: string;
	raw_data: {
		contract: [{ type: Contract['type']; parameter: { value: Contract['value'] } }];
		ref_block_bytes: string;
		ref_block_hash: string;
		expiration: number;
		timestamp: number;
		fee_limit?: number;
		/** The memo in hex. */
		data?: string;
	};
	raw_data_hex: string;
}

interface Envelope {
	visible: boolean;
	/** The highest fee, in sun. */
	fee_limit?: number;
	Permission_id?: number;
	/** The memo of the transaction. It is text if addresses are in base58, otherwise hex. */
	extra_data?: string;
}

/** Builds an unsigned transaction that is valid for a minute. */
export function buildTransaction(
	{ type, value }: Contract,
	{ visible, fee_limit, Permission_id, extra_data }: Envelope,
	clock: Clock,
	tronWeb: TronWeb,
): Transaction {
	const { txJsonToPb, txPbToRawDataHex, txPbToTxID } = tronWeb.utils.transaction;
	const parameter = {
		value: withoutDefaults(value),
		type_url: `type.googleapis.com/protocol.${type}`,
	};
	const contract = { parameter, type, ...(Permission_id && { Permission_id }) };
	const raw_data = {
		contract: [contract],
		...buildReferences(clock),
		...(fee_limit && { fee_limit }),
		...(extra_data && { data: visible ? Buffer.from(extra_data).toString('hex') : extra_data }),
	} as Transaction['raw_data'];
	const message: unknown = txJsonToPb(withResource({ visible, raw_data }));
	const txID = txPbToTxID(message).replace('0x', '');
	return { visible, txID, raw_data, raw_data_hex: txPbToRawDataHex(message).toLowerCase() };
}

/** Removes zeros and default values, which the chain does not print. */
function withoutDefaults<Value extends object>(value: Value): Value {
	const entries = Object.entries(value).filter(
		([, one]) => one !== 0 && one !== 'BANDWIDTH' && one !== false && one !== undefined,
	);
	return Object.fromEntries(entries) as Value;
}

/**
 * Adds the field `resource` to a transaction about frozen coins or delegations. The encoder needs the field even if it
 * has the default BANDWIDTH.
 */
export function withResource<T extends Pick<Transaction, 'raw_data'>>(transaction: T): T {
	const copy = structuredClone(transaction);
	const [{ type, parameter }] = copy.raw_data.contract;
	if (/freezeBalance|delegateResource/i.test(type)) {
		parameter.value = { resource: 'BANDWIDTH', ...parameter.value } as Contract['value'];
	}
	return copy;
}
