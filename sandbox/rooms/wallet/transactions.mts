import { createHash } from 'node:crypto';
import type { Contract } from './contracts.mts';
import type { Tools } from './tools.mts';

export interface Transaction {
	visible?: boolean;
	txID: string;
	raw_data: {
		contract: [{ type: Contract['type']; parameter: { value: Contract['value'] } }];
		ref_block_bytes: string;
		ref_block_hash: string;
		expiration: number;
		timestamp: number;
	};
	raw_data_hex: string;
}

/** A transaction that lives for a minute, unsigned. */
export function built({ type, value }: Contract, visible: boolean, tools: Tools): Transaction {
	const { txJsonToPb, txPbToRawDataHex, txPbToTxID } = tools.utils.transaction;
	const parameter = { value, type_url: `type.googleapis.com/protocol.${type}` };
	const raw_data: Transaction['raw_data'] = { contract: [{ parameter, type }], ...header() };
	const message: unknown = txJsonToPb({ visible, raw_data });
	const txID = txPbToTxID(message).replace('0x', '');
	return { visible, txID, raw_data, raw_data_hex: txPbToRawDataHex(message).toLowerCase() };
}

const blockTime = 3000;
const lifetime = 60_000;

/** The reference block is made up: the sandbox has no such chain. */
function header() {
	const timestamp = Date.now();
	const block = Math.floor(timestamp / blockTime);
	const hash = createHash('sha256').update(`block ${block}`).digest('hex');
	return {
		ref_block_bytes: block.toString(16).slice(-4),
		ref_block_hash: hash.slice(16, 32),
		expiration: timestamp + lifetime,
		timestamp,
	};
}
