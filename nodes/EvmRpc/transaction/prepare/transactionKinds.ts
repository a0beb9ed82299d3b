import { authorization } from './authorization';
import { contractFunction, data, deployment } from './calls';
import { replacement } from './replacement';
import { tokenApproval, tokenTransfer } from './tokens';
import { coinTransfer, nftTransfer } from './transfers';

/** They are in the order of their names, in which n8n lists them. */
export const transactionKinds = {
	authorization,
	coinTransfer,
	contractFunction,
	data,
	deployment,
	nftTransfer,
	replacement,
	tokenApproval,
	tokenTransfer,
} as const;
