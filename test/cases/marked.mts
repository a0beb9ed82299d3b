/**
 * These n8n expressions put `$json.mark` into parameters. Each item has another mark: twenty bytes in hex, by which a
 * test finds the requests of the item.
 */
export const MARKED_ADDRESS = '={{ "0x" + $json.mark }}';
/** An address of a STARK rollup. It has more than twenty bytes, because twenty would be an EVM address. */
export const MARKED_STARK = '={{ "0x" + $json.mark + "0".repeat(8) }}';
export const MARKED_HASH = '={{ "0x" + $json.mark + "0".repeat(24) }}';
export const MARKED_WITNESS = '={{ "41" + $json.mark }}';

/** A placeholder. The fake service replaces it with the hash of the transaction in the request. */
export const HASH_OF_SENT = 'the hash of what was sent';

export const ZERO_HASH = `0x${'0'.repeat(64)}`;
/** Six, as a word. */
export const SIX = `0x${'0'.repeat(63)}6`;
export const TOKEN_ADDRESS = `0x${'70'.repeat(20)}`;
export const EMPTY_BLOCK = { number: '0x1', hash: ZERO_HASH, transactions: [] };
export const ANY_LOG = {
	address: ZERO_HASH.slice(0, 42),
	topics: [],
	data: '0x',
	blockNumber: '0x1',
	blockHash: ZERO_HASH,
	logIndex: '0x0',
};

/** The ABI of a STARK contract. Its only function takes nothing and returns a number. */
export const STARK_ABI = JSON.stringify([
	{
		type: 'function',
		name: 'get_value',
		inputs: [],
		outputs: [{ type: 'core::integer::u8' }],
		state_mutability: 'view',
	},
]);

export const STARK_ESTIMATE = {
	l1_gas_consumed: '0x1',
	l1_gas_price: '0x1',
	l1_data_gas_consumed: '0x1',
	l1_data_gas_price: '0x1',
	l2_gas_consumed: '0x1',
	l2_gas_price: '0x1',
	overall_fee: '0x3',
	unit: 'FRI',
};
