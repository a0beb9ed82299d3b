import type { ChainFamily, UnsignedTransaction } from '../chain/family';
import { evm } from '../evm/family';
import { stark } from '../stark/family';
import { ton } from '../ton/family';
import type { Family } from '../values/families';
import { witness } from '../witness/family';

/** What each family of chains offers to code that knows no family by its name. */
export const FAMILIES = { evm, witness, ton, stark } as const satisfies Readonly<
	Record<Family, ChainFamily<'rpc' | 'rest', never, UnsignedTransaction>>
>;
