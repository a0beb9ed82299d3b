import { createHash } from 'node:crypto';

export interface Transaction {
	type: 'INVOKE' | 'DECLARE' | 'DEPLOY_ACCOUNT';
	version: string;
	sender_address?: string;
	calldata?: string[];
	nonce?: string;
}

/** One result, the same for the same input. A revert is part of it, not an error. */
export function simulated(transaction: Transaction) {
	const gas = BigInt(feltOf(['gas', transaction]).slice(0, 7)) + 3000n;
	const price = 1_000_000_007n;
	return {
		transaction_trace: {
			type: transaction.type,
			...(transaction.type === 'INVOKE' && { execute_invocation: invocation(transaction) }),
		},
		fee_estimation: {
			gas_consumed: hex(gas),
			gas_price: hex(price),
			overall_fee: hex(gas * price),
			unit: transaction.version === '0x3' ? 'FRI' : 'WEI',
		},
	};
}

function invocation(transaction: Transaction) {
	const { sender_address: sender, calldata = [] } = transaction;
	if (calldata[0] === '0xdead') {
		return { revert_reason: "Error in the called contract: ('ERC20: insufficient balance')" };
	}
	return {
		contract_address: sender,
		entry_point_selector: feltOf(['selector', transaction]),
		calldata,
		caller_address: '0x0',
		class_hash: feltOf(['class', transaction]),
		entry_point_type: 'EXTERNAL',
		call_type: 'CALL',
		result: [feltOf(['result', transaction])],
		calls: [],
		events: [],
		messages: [],
	};
}

const hex = (value: bigint) => `0x${value.toString(16)}`;

/** A felt made from a value: 240 bits of its hash. */
export function feltOf(value: unknown): string {
	const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex');
	return hex(BigInt(`0x${digest.slice(0, 60)}`));
}
