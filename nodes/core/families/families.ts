import type { ChainFamily, UnsignedTransaction } from '../chain/family';
import { evm } from '../evm/family';
import { stark } from '../stark/family';
import { ton } from '../ton/family';
import type { Family } from '../values/families';
import { witness } from '../witness/family';

/** All families of chains by name, so that shared code can use any family. */
export const FAMILIES = { evm, witness, ton, stark } as const satisfies Readonly<
	Record<Family, ChainFamily<'rpc' | 'rest', never, UnsignedTransaction>>
>;
