import { createHash } from 'crypto';
import { trimText, InvalidValue } from '../values/parse';
import {
	addressType,
	booleanType,
	hexBytesType,
	choiceType,
	defineField,
	int32Type,
	int64Type,
	listType,
	messageType,
	textType,
	plainTextType,
} from './fieldTypes';
import { decodeMessage, unreadableError, type MessageFields, type Message } from './protobuf';

/** The supported kinds of TRON transactions. Their names, and the names of their fields, are those of TRON. */
export const CONTRACTS = {
	TransferContract: {
		number: 1,
		kind: 'transfer',
		fields: {
			owner_address: defineField(1, addressType),
			to_address: defineField(2, addressType),
			amount: defineField(3, int64Type),
		},
	},
	TransferAssetContract: {
		number: 2,
		kind: 'assetTransfer',
		fields: {
			asset_name: defineField(1, textType),
			owner_address: defineField(2, addressType),
			to_address: defineField(3, addressType),
			amount: defineField(4, int64Type),
		},
	},
	VoteWitnessContract: {
		number: 4,
		kind: 'vote',
		fields: {
			owner_address: defineField(1, addressType),
			votes: defineField(
				2,
				listType(
					messageType({
						vote_address: defineField(1, addressType),
						vote_count: defineField(2, int64Type),
					}),
				),
			),
		},
	},
	WitnessCreateContract: {
		number: 5,
		kind: 'registration',
		fields: { owner_address: defineField(1, addressType), url: defineField(2, textType) },
	},
	WithdrawBalanceContract: {
		number: 13,
		kind: 'withdraw',
		fields: { owner_address: defineField(1, addressType) },
	},
	TriggerSmartContract: {
		number: 31,
		kind: 'contractCall',
		fields: {
			owner_address: defineField(1, addressType),
			contract_address: defineField(2, addressType),
			call_value: defineField(3, int64Type),
			data: defineField(4, hexBytesType),
			call_token_value: defineField(5, int64Type),
			token_id: defineField(6, int64Type),
		},
	},
	FreezeBalanceV2Contract: {
		number: 54,
		kind: 'freeze',
		fields: {
			owner_address: defineField(1, addressType),
			frozen_balance: defineField(2, int64Type),
			resource: defineField(3, resourceType()),
		},
	},
	UnfreezeBalanceV2Contract: {
		number: 55,
		kind: 'unfreeze',
		fields: {
			owner_address: defineField(1, addressType),
			unfreeze_balance: defineField(2, int64Type),
			resource: defineField(3, resourceType()),
		},
	},
	WithdrawExpireUnfreezeContract: {
		number: 56,
		kind: 'withdraw',
		fields: { owner_address: defineField(1, addressType) },
	},
	DelegateResourceContract: {
		number: 57,
		kind: 'delegate',
		fields: {
			owner_address: defineField(1, addressType),
			resource: defineField(2, resourceType()),
			balance: defineField(3, int64Type),
			receiver_address: defineField(4, addressType),
			lock: defineField(5, booleanType),
			lock_period: defineField(6, int64Type),
		},
	},
	UnDelegateResourceContract: {
		number: 58,
		kind: 'undelegate',
		fields: {
			owner_address: defineField(1, addressType),
			resource: defineField(2, resourceType()),
			balance: defineField(3, int64Type),
			receiver_address: defineField(4, addressType),
		},
	},
} as const satisfies Readonly<
	Record<string, { readonly number: number; readonly kind: string; readonly fields: MessageFields }>
>;

type Contracts = typeof CONTRACTS;
export type ContractName = keyof Contracts;

function resourceType() {
	return choiceType({ 0: 'BANDWIDTH', 1: 'ENERGY', 2: 'TRON_POWER' } as const, 'BANDWIDTH');
}

const CONTRACT_NAMES = Object.keys(CONTRACTS) as ContractName[];
const NAMES_BY_NUMBER = Object.fromEntries(
	CONTRACT_NAMES.map((name) => [CONTRACTS[name].number, name]),
);

const TYPE_URL_PREFIX = 'type.googleapis.com/protocol.';

/** The fields of the single contract in a transaction, without its parameter. */
export const envelopeFields = {
	type: defineField(1, choiceType(NAMES_BY_NUMBER)),
	Permission_id: defineField(5, int32Type),
};

const contractFields = {
	...envelopeFields,
	parameter: defineField(
		2,
		messageType({ type_url: defineField(1, plainTextType), value: defineField(2, hexBytesType) }),
	),
};

/** The fields of a transaction's raw data, without its contract. */
export const headerFields = {
	ref_block_bytes: defineField(1, hexBytesType),
	ref_block_hash: defineField(4, hexBytesType),
	expiration: defineField(8, int64Type),
	data: defineField(10, hexBytesType),
	timestamp: defineField(14, int64Type),
	fee_limit: defineField(18, int64Type),
};

const rawFields = {
	...headerFields,
	contract: defineField(11, listType(messageType(contractFields))),
};

/**
 * A transaction's action: the kind of its contract, and the parameters. Integers are bigint, and addresses are 42 hex
 * digits with 41.
 */
type Action = {
	[Name in ContractName]: {
		readonly contract: Name;
		readonly kind: Contracts[Name]['kind'];
		readonly parameters: Message<Contracts[Name]['fields']>;
	};
}[ContractName];

export type WitnessTransaction = Action & {
	/** The SHA-256 hash of the transaction's bytes. A signer signs this hash. */
	readonly txID: string;
	readonly owner: string;
	readonly refBlockBytes: string;
	readonly refBlockHash: string;
	/** The expiration and the timestamp are in milliseconds since 1970. */
	readonly expiration: bigint;
	readonly timestamp: bigint;
	/** The limit is in sun. */
	readonly feeLimit: bigint;
	/** The memo in hex. */
	readonly data: string;
	readonly permissionId: bigint;
};

/** The longest raw data that the chain accepts, in hex digits. */
const MAX_RAW_DATA_CHARS = 2 * 500 * 1024;

/** Decodes a transaction from its bytes alone. Throws InvalidValue if its bytes have two possible readings. */
export function decodeTransaction(rawDataHex: unknown): WitnessTransaction {
	const hex = trimText(rawDataHex);
	if (hex.length > MAX_RAW_DATA_CHARS) throw unreadableError('it is longer than the chain takes');
	if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new InvalidValue('a transaction with its raw_data_hex');
	const encoded = Buffer.from(hex, 'hex');
	const raw = decodeMessage(rawFields, encoded, 'raw_data');
	const [contract, ...others] = raw.contract;
	if (!contract || others.length > 0) {
		throw unreadableError(`it has ${raw.contract.length} contracts, not one`);
	}
	const action = decodeAction(contract);
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

/**
 * Reads until when the chain accepts a transaction of any kind. Throws InvalidValue if its bytes have two possible
 * readings.
 */
export function decodeExpiration(rawDataHex: unknown): bigint {
	const fields = { ...headerFields, contract: defineField(11, listType(hexBytesType)) };
	return decodeMessage(fields, Buffer.from(trimText(rawDataHex), 'hex'), 'raw_data').expiration;
}

function decodeAction({ type, parameter }: Message<typeof contractFields>): Action {
	if (parameter.type_url !== getTypeUrl(type)) {
		throw unreadableError(`its contract is a ${type}, its parameter is another`);
	}
	const { kind, fields } = CONTRACTS[type];
	const parameters = decodeMessage(
		fields as MessageFields,
		Buffer.from(parameter.value, 'hex'),
		type,
	);
	return { contract: type, kind, parameters } as object as Action;
}

export function getTypeUrl(type: ContractName): string {
	return TYPE_URL_PREFIX + type;
}
