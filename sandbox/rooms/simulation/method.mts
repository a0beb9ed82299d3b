import type { FindMethod, Method } from '../../rpc/method.mts';
import { RpcFailure } from '../../wire/envelope.mts';
import { inventFelt, buildResult, type Transaction } from './results.mts';
import { simulationParams } from './schema.mts';

/** The prefix is `l2` in the document and `starknet` on live nodes. */
export const findSimulationMethod: FindMethod = (name) =>
	/^(l2|starknet)_simulateTransactions$/.test(name) ? simulateMethod : undefined;

type Params = [block: string | { block_number?: number }, Transaction[], flags: string[]];

const LAST_BLOCK = 1_000_000;

const simulateMethod: Method = {
	params: simulationParams,
	documentedAt: [''],
	answer: ({ params }) => {
		const [block, transactions, flags] = params as Params;
		const number = typeof block === 'object' ? block.block_number : undefined;
		if (number !== undefined && number > LAST_BLOCK) throw new RpcFailure(24, 'Block not found');
		transactions.forEach(checkNonce);
		const results = transactions.map(buildResult);
		if (!flags.includes('RETURN_INITIAL_READS')) return results;
		return { simulated_transactions: results, initial_reads: buildInitialReads(transactions) };
	},
};

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
