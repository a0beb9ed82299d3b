import { addressActivity } from './addressActivity';
import { newBlock } from './newBlock';

/** By name, as n8n lists them. */
export const events = { addressActivity, newBlock } as const;
