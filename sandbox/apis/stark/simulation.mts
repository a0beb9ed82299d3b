import { createHash } from 'node:crypto';
import { RpcFailure } from '../../jsonRpc/calls.mts';
import { toHex } from './machine/felts.mts';

interface Transaction {
	type: 'INVOKE' | 'DECLARE' | 'DEPLOY_ACCOUNT';
	version: string;
	sender_address?: string;
	calldata?: string[];
	nonce?: string;
}

export type SimulationParams = [
	block: string | { block_number?: number },
	Transaction[],
	flags: string[],
];

const LAST_BLOCK = 1_000_000;

/** Invents the results of a simulation for transactions of accounts that the chain does not have. */
export function inventSimulation([block, transactions, flags]: SimulationParams) {
	const number = typeof block === 'object' ? block.block_number : undefined;
	if (number !== undefined && number > LAST_BLOCK) throw new RpcFailure(24, 'Block not found');
	transactions.forEach(checkNonce);
	const results = transactions.map(buildResult);
	if (!flags.includes('RETURN_INITIAL_READS')) return results;
	return { simulated_transactions: results, initial_reads: buildInitialReads(transactions) };
}

function checkNonce(transaction: Transaction, index: number): void {
	if (transaction.nonce !== '0xbad') return;
	throw new RpcFailure(41, 'Transaction execution error', {
		transaction_index: index,
		execution_error: {
			contract_address: transaction.sender_address ?? inventFelt(['sender', transaction]),
			class_hash: inventFelt(['class', transaction]),
			selector: inventFelt(['selector', transaction]),
			error: 'Invalid transaction nonce',
		},
	});
}

function buildInitialReads(transactions: Transaction[]) {
	const senders = transactions.map((one) => one.sender_address ?? inventFelt(['sender', one]));
	return {
		storage: senders.map((contract_address) => ({
			contract_address,
			key: inventFelt(['key', contract_address]),
			value: '0x1',
		})),
		nonces: senders.map((contract_address) => ({ contract_address, nonce: '0x0' })),
		class_hashes: [],
		declared_contracts: [],
	};
}

/**
 * Builds the invented result of a transaction. The same transaction always gives the same result, and a revert is part
 * of it.
 */
function buildResult(transaction: Transaction) {
	const gas = BigInt(inventFelt(['gas', transaction]).slice(0, 7)) + 3000n;
	const price = 1_000_000_007n;
	return {
		transaction_trace: {
			type: transaction.type,
			...(transaction.type === 'INVOKE' && { execute_invocation: buildInvocation(transaction) }),
		},
		fee_estimation: {
			gas_consumed: toHex(gas),
			gas_price: toHex(price),
			overall_fee: toHex(gas * price),
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

/** Invents a felt from a value, as 240 bits of its hash. */
function inventFelt(value: unknown): string {
	const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex');
	return toHex(BigInt(`0x${digest.slice(0, 60)}`));
}
