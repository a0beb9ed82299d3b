import { authorization } from './authorization';
import { contractFunction, data, deployment } from './calls';
import { replacement } from './replacement';
import { tokenApproval, tokenTransfer } from './tokens';
import { coinTransfer, nftTransfer } from './transfers';

/** The kinds stand in the order of their names, because n8n lists them in this order. */
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
