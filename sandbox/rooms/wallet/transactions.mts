import { createHash } from 'node:crypto';
import {
	checkCreate,
	type Checked,
	checkVote,
	type CreateValue,
	type Surroundings,
	type VoteValue,
} from './contracts.mts';
import type { Tron } from './tron.mts';

export type Contract =
	| { type: 'VoteWitnessContract'; value: VoteValue }
	| { type: 'WitnessCreateContract'; value: CreateValue };

export interface Transaction {
	visible?: boolean;
	txID: string;
	raw_data: {
		contract: [{ type: string; parameter: { value: unknown; type_url: string } }];
		ref_block_bytes: string;
		ref_block_hash: string;
		expiration: number;
		timestamp: number;
	};
	raw_data_hex: string;
}

export function check({ type, value }: Contract, around: Surroundings): Checked {
	return type === 'VoteWitnessContract' ? checkVote(value, around) : checkCreate(value, around);
}

/** A transaction that lives for a minute, unsigned. */
export function built({ type, value }: Contract, visible: boolean, tron: Tron): Transaction {
	const { txJsonToPb, txPbToRawDataHex, txPbToTxID } = tron.utils.transaction;
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
