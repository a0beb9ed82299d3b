const quantityForm = '0x(0|[1-9a-fA-F][0-9a-fA-F]*)';

const form = (pattern: string, description: string) => ({
	type: 'string',
	pattern: `^(${pattern})$`,
	description,
});

const array = (items: object, description: string) => ({ type: 'array', items, description });

const noOthers = { type: 'object', additionalProperties: false };

/** An array of exactly these items. */
export const tuple = (...items: object[]) => ({
	type: 'array',
	items,
	minItems: items.length,
	maxItems: items.length,
	additionalItems: false,
	description: `an array of ${items.length}`,
});

export const nothing = { type: 'array', maxItems: 0, description: 'an empty array' };

/** Many nodes refuse leading zeros, though the chain behind this sandbox does not. */
export const quantity = form(quantityForm, 'a quantity (0x-hex without leading zeros)');

export const hash = form('0x[0-9a-fA-F]{64}', 'a 32-byte hash');

export const address = form('0x[0-9a-fA-F]{40}', 'a 20-byte address');

const bytes = form('0x([0-9a-fA-F]{2})*', 'bytes (0x and an even number of hex digits)');

export const boolean = { type: 'boolean', description: 'true or false' };

/** The selector of the methods that read blocks: the document lists no safe and no finalized. */
export const blockNumber = form(
	`latest|earliest|pending|${quantityForm}`,
	'latest, earliest, pending or a quantity',
);

export const blockSelector = form(
	`latest|safe|finalized|earliest|pending|${quantityForm}`,
	'latest, safe, finalized, earliest, pending or a quantity',
);

/** The key is gasPrice: the chain ignores the document's gasprice without a word. */
export const callObject = {
	...noOthers,
	description: 'a call object',
	required: ['to'],
	properties: {
		from: address,
		to: address,
		gas: quantity,
		gasPrice: quantity,
		value: quantity,
		data: bytes,
	},
};

const wholeNumber = { type: 'integer', minimum: 0, description: 'a whole number' };

export const traceFilter = {
	...noOthers,
	description: 'a filter object',
	properties: {
		fromBlock: quantity,
		toBlock: quantity,
		fromAddress: array(address, 'an array of addresses'),
		toAddress: array(address, 'an array of addresses'),
		after: wholeNumber,
		count: wholeNumber,
	},
};

const topic = {
	description: 'null, a hash or an array of hashes',
	anyOf: [{ type: 'null' }, hash, array(hash, 'an array of hashes')],
};

const logFilter = {
	...noOthers,
	description: 'a log filter',
	properties: {
		address: { anyOf: [address, array(address, 'an array of addresses')] },
		topics: { ...array(topic, 'an array of topics'), maxItems: 4 },
	},
};

export const subscription = {
	description: '["newHeads"], ["newPendingTransactions"], ["logs"] or ["logs", {address, topics}]',
	anyOf: [
		tuple({ enum: ['newHeads', 'newPendingTransactions', 'logs'] }),
		tuple({ const: 'logs' }, logFilter),
	],
};
