import type { FindMethod, Method } from '../../rpc/method.mts';
import { RpcFailure } from '../../wire/envelope.mts';
import { feltOf, simulated, type Transaction } from './results.mts';
import { simulationParams } from './schema.mts';

/** The prefix is `l2` in the document and `starknet` on live nodes. */
export const simulationMethod: FindMethod = (name) =>
	/^(l2|starknet)_simulateTransactions$/.test(name) ? simulate : undefined;

type Params = [block: string | { block_number?: number }, Transaction[], flags: string[]];

const lastBlock = 1_000_000;

const simulate: Method = {
	params: simulationParams,
	documentedAt: [''],
	answer: ({ params }) => {
		const [block, transactions, flags] = params as Params;
		const number = typeof block === 'object' ? block.block_number : undefined;
		if (number !== undefined && number > lastBlock) throw new RpcFailure(24, 'Block not found');
		transactions.forEach(refuseBadNonce);
		const results = transactions.map(simulated);
		if (!flags.includes('RETURN_INITIAL_READS')) return results;
		return { simulated_transactions: results, initial_reads: initialReads(transactions) };
	},
};

function refuseBadNonce(transaction: Transaction, index: number): void {
	if (transaction.nonce !== '0xbad') return;
	throw new RpcFailure(41, 'Transaction execution error', {
		transaction_index: index,
		execution_error: {
			contract_address: transaction.sender_address ?? feltOf(['sender', transaction]),
			class_hash: feltOf(['class', transaction]),
			selector: feltOf(['selector', transaction]),
			error: 'Invalid transaction nonce',
		},
	});
}

function initialReads(transactions: Transaction[]) {
	const senders = transactions.map((one) => one.sender_address ?? feltOf(['sender', one]));
	return {
		storage: senders.map((contract_address) => ({
			contract_address,
			key: feltOf(['key', contract_address]),
			value: '0x1',
		})),
		nonces: senders.map((contract_address) => ({ contract_address, nonce: '0x0' })),
		class_hashes: [],
		declared_contracts: [],
	};
}
