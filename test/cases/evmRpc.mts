import type { NodeCases } from './case.mts';
import { accounts } from './evmRpc/accounts.mts';
import { contracts } from './evmRpc/contracts.mts';
import { httpPayments } from './evmRpc/httpPayments.mts';
import { tokens } from './evmRpc/tokens.mts';
import { transactions } from './evmRpc/transactions.mts';

export const evmRpc: NodeCases = {
	node: 'evmRpc',
	accesses: ['token', 'basicAuth'],
	cases: [...accounts, ...contracts, ...httpPayments, ...tokens, ...transactions],
};
