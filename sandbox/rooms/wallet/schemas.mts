const closed = (properties: object, required: string[]) => ({
	type: 'object',
	description: 'an object',
	additionalProperties: false,
	required,
	properties,
});

const text = { type: 'string', description: 'a string' };
const boolean = { type: 'boolean', description: 'true or false' };
const integer = {
	type: 'integer',
	minimum: Number.MIN_SAFE_INTEGER,
	maximum: Number.MAX_SAFE_INTEGER,
	description: 'an integer that a number can hold',
};
const hex = { type: 'string', pattern: '^([0-9a-fA-F]{2})*$', description: 'hex digits' };

const vote = closed({ vote_address: text, vote_count: integer }, ['vote_address', 'vote_count']);
const votes = { type: 'array', items: vote, description: 'an array' };

const voteFields = { owner_address: text, votes };
const createFields = { owner_address: text, url: text };
const voteValue = closed(voteFields, Object.keys(voteFields));
const createValue = closed(createFields, Object.keys(createFields));

const resource = { enum: ['BANDWIDTH', 'ENERGY'] };
const transferFields = { owner_address: text, to_address: text, amount: integer };
const freezeFields = { owner_address: text, frozen_balance: integer };
const unfreezeFields = { owner_address: text, unfreeze_balance: integer };
const triggerFields = { owner_address: text, contract_address: text };
const triggerMore = { data: hex, call_value: integer };

const body = (fields: object, optional: object = {}) =>
	closed({ ...fields, ...optional, visible: boolean }, Object.keys(fields));

export const transferBody = body(transferFields);
export const freezeBody = body(freezeFields, { resource });
export const unfreezeBody = body(unfreezeFields, { resource });

/** A function is named by its signature, or its whole data is given. */
export const triggerBody = body(triggerFields, {
	...triggerMore,
	function_selector: text,
	parameter: hex,
	fee_limit: integer,
	Permission_id: integer,
});

export const accountBody = body({ address: text });
export const transactionBody = body({ value: hex });
export const blockBody = closed({ detail: boolean, id_or_num: text }, []);
export const blockNumberBody = closed({ num: integer }, ['num']);
export const anyBody = { ...closed({ visible: boolean }, []), type: ['object', 'null'] };

export const voteBody = closed({ ...voteFields, visible: boolean }, Object.keys(voteFields));

export const createBody = closed({ ...createFields, visible: boolean }, Object.keys(createFields));

/** Accepted with no body too; `visible` is read from the query string only. */
export const listBody = { ...closed({ visible: boolean }, []), type: ['object', 'null'] };

export const listQuery = closed({ visible: { enum: ['true', 'false'] } }, []);

export const noQuery = closed({}, []);

/** The value of a contract has the very shape of the request that built it, without `visible`. */
const contractOf = (type: string, value: object) =>
	closed(
		{
			type: { const: type },
			parameter: closed({ value, type_url: text }, ['value', 'type_url']),
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
		contractOf('TransferContract', closed(transferFields, Object.keys(transferFields))),
		contractOf(
			'FreezeBalanceV2Contract',
			closed({ ...freezeFields, resource }, Object.keys(freezeFields)),
		),
		contractOf(
			'UnfreezeBalanceV2Contract',
			closed({ ...unfreezeFields, resource }, Object.keys(unfreezeFields)),
		),
		contractOf(
			'TriggerSmartContract',
			closed({ ...triggerFields, ...triggerMore }, Object.keys(triggerFields)),
		),
	],
};

const rawData = closed(
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

export const broadcastBody = closed(
	{
		visible: boolean,
		txID: hex,
		raw_data: rawData,
		raw_data_hex: hex,
		signature: { type: 'array', items: text, description: 'an array of hex strings' },
	},
	['txID', 'raw_data', 'raw_data_hex'],
);
