import { formatBlock } from '../core/evm/chainObjects';
import type { ChainView } from '../core/chain/advance';
import type { PollEvent } from '../core/trigger/poll';
import { log, newBlockEvent, nftTransfer } from '../fields/sharedTriggerEvents';
import { addressActivity } from './addressActivity';
import type { PollSource } from './pollSource';
import { tokenTransfer } from './tokenTransfer';

/** They are in the order of their names, in which n8n lists them. */
export const EVENTS = {
	addressActivity: {
		...addressActivity,
		sample: { none: 'No activity of these addresses in the last', check: 'the addresses' },
	},
	log: {
		...log,
		sample: {
			none: 'No such log in the last',
			check: 'Addresses, Event Signature, Where and Topics',
		},
	},
	newBlock: {
		...newBlockEvent(formatBlock, (block) => block),
		sample: {
			maxBlocks: 1,
			none: 'No block in the last',
			check: "the option 'Confirmations'",
		},
	},
	nftTransfer: {
		...nftTransfer,
		sample: {
			none: 'No such transfer of an NFT in the last',
			check: 'NFT Contracts, Accounts and Direction',
		},
	},
	tokenTransfer: {
		...tokenTransfer,
		sample: {
			none: 'No such transfer of a token in the last',
			check: 'Tokens, Accounts and Direction',
		},
	},
} as const satisfies Readonly<Record<string, PollEvent<PollSource, ChainView>>>;
