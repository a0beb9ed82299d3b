import { createHash } from 'node:crypto';

export interface Transaction {
	type: 'INVOKE' | 'DECLARE' | 'DEPLOY_ACCOUNT';
	version: string;
	sender_address?: string;
	calldata?: string[];
	nonce?: string;
}

/** One result, the same for the same input. A revert is part of it, not an error. */
export function buildResult(transaction: Transaction) {
	const gas = BigInt(inventFelt(['gas', transaction]).slice(0, 7)) + 3000n;
	const price = 1_000_000_007n;
	return {
		transaction_trace: {
			type: transaction.type,
			...(transaction.type === 'INVOKE' && { execute_invocation: buildInvocation(transaction) }),
		},
		fee_estimation: {
			gas_consumed: numberToHex(gas),
			gas_price: numberToHex(price),
			overall_fee: numberToHex(gas * price),
			unit: transaction.version === '0x3' ? 'FRI' : 'WEI',
		},
	};
}

function buildInvocation(transaction: Transaction) {
	const { sender_address: sender, calldata = [] } = transaction;
	if (calldata[0] === '0xdead') {
		return { revert_reason: "Error in the called contract: ('ERC20: insufficient balance')" };
	}
	return {
		contract_address: sender,
		entry_point_selector: inventFelt(['selector', transaction]),
		calldata,
		caller_address: '0x0',
		class_hash: inventFelt(['class', transaction]),
		entry_point_type: 'EXTERNAL',
		call_type: 'CALL',
		result: [inventFelt(['result', transaction])],
		calls: [],
		events: [],
		messages: [],
	};
}

const numberToHex = (value: bigint) => `0x${value.toString(16)}`;

/** A felt made from a value: 240 bits of its hash. */
export function inventFelt(value: unknown): string {
	const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex');
	return numberToHex(BigInt(`0x${digest.slice(0, 60)}`));
}
