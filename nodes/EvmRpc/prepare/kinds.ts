import { contractFunction, data, deployment } from './calls';
import { coinTransfer, nftTransfer, tokenApproval, tokenTransfer } from './transfers';

/** By name, as n8n lists them. */
export const kinds = {
	coinTransfer,
	contractFunction,
	data,
	deployment,
	nftTransfer,
	tokenApproval,
	tokenTransfer,
} as const;
