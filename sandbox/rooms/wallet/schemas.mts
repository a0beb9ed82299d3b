const closedObject = (properties: object, required: string[]) => ({
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

const vote = closedObject({ vote_address: text, vote_count: integer }, [
	'vote_address',
	'vote_count',
]);
const votes = { type: 'array', items: vote, description: 'an array' };

const voteFields = { owner_address: text, votes };
const createFields = { owner_address: text, url: text };
const voteValue = closedObject(voteFields, Object.keys(voteFields));
const createValue = closedObject(createFields, Object.keys(createFields));

const resource = { enum: ['BANDWIDTH', 'ENERGY'] };
const transferFields = { owner_address: text, to_address: text, amount: integer };
const freezeFields = { owner_address: text, frozen_balance: integer };
const unfreezeFields = { owner_address: text, unfreeze_balance: integer };
const triggerFields = { owner_address: text, contract_address: text };
const triggerMore = { data: hex, call_value: integer };

const bodyOf = (fields: object, optional: object = {}) =>
	closedObject({ ...fields, ...optional, visible: boolean }, Object.keys(fields));

export const transferBody = bodyOf(transferFields);
export const freezeBody = bodyOf(freezeFields, { resource });
export const unfreezeBody = bodyOf(unfreezeFields, { resource });

/** A function is named by its signature, or its whole data is given. */
export const triggerBody = bodyOf(triggerFields, {
	...triggerMore,
	function_selector: text,
	parameter: hex,
	fee_limit: integer,
	Permission_id: integer,
});

export const accountBody = bodyOf({ address: text });
export const transactionBody = bodyOf({ value: hex });
export const blockBody = closedObject({ detail: boolean, id_or_num: text }, []);
export const blockNumberBody = closedObject({ num: integer }, ['num']);
export const anyBody = { ...closedObject({ visible: boolean }, []), type: ['object', 'null'] };

export const voteBody = closedObject({ ...voteFields, visible: boolean }, Object.keys(voteFields));

export const createBody = closedObject(
	{ ...createFields, visible: boolean },
	Object.keys(createFields),
);

/** Accepted with no body too; `visible` is read from the query string only. */
export const listBody = { ...closedObject({ visible: boolean }, []), type: ['object', 'null'] };

export const listQuery = closedObject({ visible: { enum: ['true', 'false'] } }, []);

export const noQuery = closedObject({}, []);

/** The value of a contract has the very shape of the request that built it, without `visible`. */
const contractOf = (type: string, value: object) =>
	closedObject(
		{
			type: { const: type },
			parameter: closedObject({ value, type_url: text }, ['value', 'type_url']),
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
		contractOf('TransferContract', closedObject(transferFields, Object.keys(transferFields))),
		contractOf(
			'FreezeBalanceV2Contract',
			closedObject({ ...freezeFields, resource }, Object.keys(freezeFields)),
		),
		contractOf(
			'UnfreezeBalanceV2Contract',
			closedObject({ ...unfreezeFields, resource }, Object.keys(unfreezeFields)),
		),
		contractOf(
			'TriggerSmartContract',
			closedObject({ ...triggerFields, ...triggerMore }, Object.keys(triggerFields)),
		),
	],
};

const rawData = closedObject(
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

export const broadcastBody = closedObject(
	{
		visible: boolean,
		txID: hex,
		raw_data: rawData,
		raw_data_hex: hex,
		signature: { type: 'array', items: text, description: 'an array of hex strings' },
	},
	['txID', 'raw_data', 'raw_data_hex'],
);
