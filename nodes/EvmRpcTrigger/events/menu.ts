import { log } from './log';
import { newBlock } from './newBlock';
import { pendingTransaction } from './pendingTransaction';
import { tokenTransfer } from './tokenTransfer';

/** By name, as n8n lists them. */
export const events = { log, newBlock, pendingTransaction, tokenTransfer } as const;
