import type { Chain } from '../chain/chain.mts';
import type { Call } from '../wire/envelope.mts';

export interface Method {
	/** A JSON schema of the params array. */
	params: object;
	/** The only paths that serve it when paths are strict. */
	documentedAt?: readonly string[];
	answer: (call: Call, chain: Chain | undefined) => unknown;
}

export type FindMethod = (name: string) => Method | undefined;
