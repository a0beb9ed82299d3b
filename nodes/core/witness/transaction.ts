import { createHash } from 'crypto';
import { mustBe, trimmed } from '../values/read';
import {
	address,
	bytes,
	choice,
	field,
	int32,
	int64,
	listOf,
	message,
	text,
	word,
} from './fieldTypes';
import { decodeMessage, unreadable, type Fields, type Message } from './protobuf';

/** What an account can do here, by the chain's name of the contract; the fields have the names of the chain, too. */
export const CONTRACTS = {
	TransferContract: {
		number: 1,
		kind: 'transfer',
		fields: {
			owner_address: field(1, address),
			to_address: field(2, address),
			amount: field(3, int64),
		},
	},
	TransferAssetContract: {
		number: 2,
		kind: 'assetTransfer',
		fields: {
			asset_name: field(1, text),
			owner_address: field(2, address),
			to_address: field(3, address),
			amount: field(4, int64),
		},
	},
	VoteWitnessContract: {
		number: 4,
		kind: 'vote',
		fields: {
			owner_address: field(1, address),
			votes: field(
				2,
				listOf(message({ vote_address: field(1, address), vote_count: field(2, int64) })),
			),
		},
	},
	WitnessCreateContract: {
		number: 5,
		kind: 'registration',
		fields: { owner_address: field(1, address), url: field(2, text) },
	},
	TriggerSmartContract: {
		number: 31,
		kind: 'contractCall',
		fields: {
			owner_address: field(1, address),
			contract_address: field(2, address),
			call_value: field(3, int64),
			data: field(4, bytes),
			call_token_value: field(5, int64),
			token_id: field(6, int64),
		},
	},
	FreezeBalanceV2Contract: {
		number: 54,
		kind: 'freeze',
		fields: {
			owner_address: field(1, address),
			frozen_balance: field(2, int64),
			resource: field(3, resource()),
		},
	},
	UnfreezeBalanceV2Contract: {
		number: 55,
		kind: 'unfreeze',
		fields: {
			owner_address: field(1, address),
			unfreeze_balance: field(2, int64),
			resource: field(3, resource()),
		},
	},
} as const satisfies Readonly<
	Record<string, { readonly number: number; readonly kind: string; readonly fields: Fields }>
>;

type Contracts = typeof CONTRACTS;
export type ContractName = keyof Contracts;

function resource() {
	return choice({ 0: 'BANDWIDTH', 1: 'ENERGY', 2: 'TRON_POWER' } as const, 'BANDWIDTH');
}

const names = Object.keys(CONTRACTS) as ContractName[];
const byNumber = Object.fromEntries(names.map((name) => [CONTRACTS[name].number, name]));

const TYPE_URL = 'type.googleapis.com/protocol.';

/** Of the one contract, without its parameter. */
export const envelopeFields = {
	type: field(1, choice(byNumber)),
	Permission_id: field(5, int32),
};

const contractFields = {
	...envelopeFields,
	parameter: field(2, message({ type_url: field(1, word), value: field(2, bytes) })),
};

/** Of the raw transaction, without its contract. */
export const headerFields = {
	ref_block_bytes: field(1, bytes),
	ref_block_hash: field(4, bytes),
	expiration: field(8, int64),
	data: field(10, bytes),
	timestamp: field(14, int64),
	fee_limit: field(18, int64),
};

const rawFields = { ...headerFields, contract: field(11, listOf(message(contractFields))) };

/** One of the kinds, with the parameters of its contract. Integers are bigint, addresses 42 hex digits with 41. */
type Action = {
	[Name in ContractName]: {
		readonly contract: Name;
		readonly kind: Contracts[Name]['kind'];
		readonly parameters: Message<Contracts[Name]['fields']>;
	};
}[ContractName];

export type WitnessTransaction = Action & {
	/** SHA-256 of the bytes, which is what is signed. */
	readonly txID: string;
	readonly owner: string;
	readonly refBlockBytes: string;
	readonly refBlockHash: string;
	/** Both in milliseconds. */
	readonly expiration: bigint;
	readonly timestamp: bigint;
	/** In sun. */
	readonly feeLimit: bigint;
	/** The memo, in hex. */
	readonly data: string;
	readonly permissionId: bigint;
};

/** As much as the chain takes, in hex digits. */
const LONGEST = 2 * 500 * 1024;

/** What a transaction says, by its bytes alone. Throws InvalidValue for all that may be read in two ways. */
export function decodeTransaction(rawDataHex: unknown): WitnessTransaction {
	const hex = trimmed(rawDataHex);
	if (hex.length > LONGEST) return unreadable('it is longer than the chain takes');
	if (!/^([0-9a-f]{2})+$/i.test(hex)) return mustBe('a transaction with its raw_data_hex');
	const encoded = Buffer.from(hex, 'hex');
	const raw = decodeMessage(rawFields, encoded, 'raw_data');
	const [contract, ...others] = raw.contract;
	if (!contract || others.length > 0) {
		return unreadable(`it has ${raw.contract.length} contracts, not one`);
	}
	const action = actionOf(contract);
	return {
		...action,
		txID: createHash('sha256').update(encoded).digest('hex'),
		owner: action.parameters.owner_address,
		refBlockBytes: raw.ref_block_bytes,
		refBlockHash: raw.ref_block_hash,
		expiration: raw.expiration,
		timestamp: raw.timestamp,
		feeLimit: raw.fee_limit,
		data: raw.data,
		permissionId: contract.Permission_id,
	};
}

function actionOf({ type, parameter }: Message<typeof contractFields>): Action {
	if (parameter.type_url !== typeUrl(type)) {
		return unreadable(`its contract is a ${type}, its parameter is another`);
	}
	const { kind, fields } = CONTRACTS[type];
	const parameters = decodeMessage(fields as Fields, Buffer.from(parameter.value, 'hex'), type);
	return { contract: type, kind, parameters } as object as Action;
}

export function typeUrl(type: ContractName): string {
	return TYPE_URL + type;
}
