import { addressActivity } from './addressActivity';
import { newBlock } from './newBlock';
import { tokenTransfer } from './tokenTransfer';

/** By name, as n8n lists them. */
export const events = { addressActivity, newBlock, tokenTransfer } as const;
