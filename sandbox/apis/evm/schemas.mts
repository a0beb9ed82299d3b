import { closedObject } from '../../http/schemas.mts';
import { tuple } from '../../jsonRpc/calls.mts';

const QUANTITY_PATTERN = '0x(0|[1-9a-fA-F][0-9a-fA-F]*)';

const textMatching = (pattern: string, description: string) => ({
	type: 'string',
	pattern: `^(${pattern})$`,
	description,
});

const arrayOf = (items: object, description: string) => ({ type: 'array', items, description });

export const emptyArray = { type: 'array', maxItems: 0, description: 'an empty array' };

/**
 * Many nodes refuse quantities with leading zeros, so the sandbox refuses them as well. The chain behind it would
 * accept them.
 */
export const quantity = textMatching(QUANTITY_PATTERN, 'a quantity (0x-hex without leading zeros)');

export const hash = textMatching('0x[0-9a-fA-F]{64}', 'a 32-byte hash');

export const address = textMatching('0x[0-9a-fA-F]{40}', 'a 20-byte address');

const bytes = textMatching('0x([0-9a-fA-F]{2})*', 'bytes (0x and an even number of hex digits)');

export const boolean = { type: 'boolean', description: 'true or false' };

/** The block parameter of methods that read blocks. The provider's document does not list `safe` and `finalized`. */
export const blockNumber = textMatching(
	`latest|earliest|pending|${QUANTITY_PATTERN}`,
	'latest, earliest, pending or a quantity',
);

export const blockSelector = textMatching(
	`latest|safe|finalized|earliest|pending|${QUANTITY_PATTERN}`,
	'latest, safe, finalized, earliest, pending or a quantity',
);

/**
 * The object of a call has the key `gasPrice`. The provider's document calls it `gasprice`, which the chain
 * ignores without an error.
 */
export const callObject = {
	...closedObject(
		{
			from: address,
			to: address,
			gas: quantity,
			gasPrice: quantity,
			value: quantity,
			data: bytes,
		},
		['to'],
	),
	description: 'a call object',
};

const wholeNumber = { type: 'integer', minimum: 0, description: 'a whole number' };

export const traceFilter = {
	...closedObject({
		fromBlock: quantity,
		toBlock: quantity,
		fromAddress: arrayOf(address, 'an array of addresses'),
		toAddress: arrayOf(address, 'an array of addresses'),
		after: wholeNumber,
		count: wholeNumber,
	}),
	description: 'a filter object',
};

const topic = {
	description: 'null, a hash or an array of hashes',
	anyOf: [{ type: 'null' }, hash, arrayOf(hash, 'an array of hashes')],
};

const logFilter = {
	...closedObject({
		address: { anyOf: [address, arrayOf(address, 'an array of addresses')] },
		topics: { ...arrayOf(topic, 'an array of topics'), maxItems: 4 },
	}),
	description: 'a log filter',
};

export const subscription = {
	description: '["newHeads"], ["newPendingTransactions"], ["logs"] or ["logs", {address, topics}]',
	anyOf: [
		tuple({ enum: ['newHeads', 'newPendingTransactions', 'logs'] }),
		tuple({ const: 'logs' }, logFilter),
	],
};
