import type { Pauses } from '../../../nodes/core';
import type { DepositRules } from '../../rules/depositRules';
import type { Secp256k1Rules } from '../../rules/rules';
import type { StarkRules } from '../../rules/starkRules';
import type { TonRules } from '../../rules/tonRules';
import type { Payers, SignedRequest } from './request';

/** A signer whose key is in its credential. */
export interface LocalSigner {
	/** Formats the addresses that it signs for. */
	readonly formatAccount: (index?: number) => object;
	readonly getPayers: () => Payers;
	/** Throws if the rules cannot be read. */
	readonly getRules: () => Secp256k1Rules | StarkRules | TonRules | DepositRules;
	/** Refuses what the rules forbid, and requests for other chains. Nothing is signed. */
	readonly check: (request: SignedRequest) => Promise<void>;
	/** Signs what the rules allow; refuses requests for other chains. */
	readonly sign: (request: SignedRequest, pauses: Pauses) => Promise<object>;
}
