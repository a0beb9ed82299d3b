import { describedObject } from '../../http/schemas.mts';

const text = { type: 'string', description: 'a string' };
const boolean = { type: 'boolean', description: 'true or false' };
const integer = {
	type: 'integer',
	minimum: Number.MIN_SAFE_INTEGER,
	maximum: Number.MAX_SAFE_INTEGER,
	description: 'an integer that a number can hold',
};
const hex = { type: 'string', pattern: '^([0-9a-fA-F]{2})*$', description: 'hex digits' };

const vote = describedObject({ vote_address: text, vote_count: integer }, [
	'vote_address',
	'vote_count',
]);
const votes = { type: 'array', items: vote, description: 'an array' };

const voteFields = { owner_address: text, votes };
const createFields = { owner_address: text, url: text };
const voteValue = describedObject(voteFields, Object.keys(voteFields));
const createValue = describedObject(createFields, Object.keys(createFields));

const resource = { enum: ['BANDWIDTH', 'ENERGY'] };
const transferFields = { owner_address: text, to_address: text, amount: integer };
const freezeFields = { owner_address: text, frozen_balance: integer };
const unfreezeFields = { owner_address: text, unfreeze_balance: integer };
const triggerFields = { owner_address: text, contract_address: text };
const triggerMore = { data: hex, call_value: integer };

const bodyOf = (fields: object, optional: object = {}) =>
	describedObject({ ...fields, ...optional, visible: boolean }, Object.keys(fields));

export const voteBody = bodyOf(voteFields);
export const createBody = bodyOf(createFields);
export const transferBody = bodyOf(transferFields, { extra_data: text });
export const freezeBody = bodyOf(freezeFields, { resource });
export const unfreezeBody = bodyOf(unfreezeFields, { resource });

const loanFields = { owner_address: text, receiver_address: text, balance: integer };
const lockFields = { lock: boolean, lock_period: integer };
const withdrawFields = { owner_address: text };

export const delegateBody = bodyOf(loanFields, { resource, ...lockFields });
export const undelegateBody = bodyOf(loanFields, { resource });
export const withdrawBody = bodyOf(withdrawFields);

/** The body of a call. It names a function by its signature, or gives the whole data of the call. */
export const triggerBody = bodyOf(triggerFields, {
	...triggerMore,
	function_selector: text,
	parameter: hex,
	fee_limit: integer,
	Permission_id: integer,
});

const {
	Permission_id: _permission,
	fee_limit: _limit,
	...estimateFields
} = triggerBody.properties as Record<string, object>;
/** The body of an estimate, which has no fee limit. */
export const estimateBody = describedObject(estimateFields, Object.keys(triggerFields));

export const accountBody = bodyOf({ address: text });
export const transactionBody = bodyOf({ value: hex });
export const contractBody = bodyOf({ value: text });
export const blockBody = describedObject({ detail: boolean, id_or_num: text, visible: boolean });
export const blockNumberBody = bodyOf({ num: integer });
export const blockRangeBody = bodyOf({ startNum: integer, endNum: integer });
export const blockHashBody = bodyOf({ value: hex });
/** The schema of a body that a request may leave out. */
export const optionalBody = { ...describedObject({ visible: boolean }), type: ['object', 'null'] };

/** The query of the list of witnesses, which is the only place where this list reads `visible`. */
export const listQuery = describedObject({ visible: { enum: ['true', 'false'] } });

/** Builds the schema of a contract. Its value has the same fields as the request that built it, without `visible`. */
const contractOf = (type: string, value: object) =>
	describedObject(
		{
			type: { const: type },
			parameter: describedObject({ value, type_url: text }, ['value', 'type_url']),
			Permission_id: integer,
		},
		['type', 'parameter'],
	);

const contract = {
	type: 'object',
	description: 'a contract of a known type, with its documented fields',
	oneOf: [
		contractOf('VoteWitnessContract', voteValue),
		contractOf('WitnessCreateContract', createValue),
		contractOf('TransferContract', describedObject(transferFields, Object.keys(transferFields))),
		contractOf(
			'FreezeBalanceV2Contract',
			describedObject({ ...freezeFields, resource }, Object.keys(freezeFields)),
		),
		contractOf(
			'UnfreezeBalanceV2Contract',
			describedObject({ ...unfreezeFields, resource }, Object.keys(unfreezeFields)),
		),
		contractOf(
			'DelegateResourceContract',
			describedObject({ ...loanFields, resource, ...lockFields }, Object.keys(loanFields)),
		),
		contractOf(
			'UnDelegateResourceContract',
			describedObject({ ...loanFields, resource }, Object.keys(loanFields)),
		),
		...['WithdrawExpireUnfreezeContract', 'WithdrawBalanceContract'].map((type) =>
			contractOf(type, describedObject(withdrawFields, Object.keys(withdrawFields))),
		),
		contractOf(
			'TriggerSmartContract',
			describedObject({ ...triggerFields, ...triggerMore }, Object.keys(triggerFields)),
		),
	],
};

const rawData = describedObject(
	{
		contract: {
			type: 'array',
			items: contract,
			minItems: 1,
			maxItems: 1,
			description: 'an array of one contract',
		},
		ref_block_bytes: hex,
		ref_block_hash: hex,
		expiration: integer,
		timestamp: integer,
		data: hex,
		fee_limit: integer,
	},
	['contract', 'ref_block_bytes', 'ref_block_hash', 'expiration', 'timestamp'],
);

export const broadcastBody = describedObject(
	{
		visible: boolean,
		txID: hex,
		raw_data: rawData,
		raw_data_hex: hex,
		signature: { type: 'array', items: text, description: 'an array of hex strings' },
	},
	['txID', 'raw_data', 'raw_data_hex'],
);
