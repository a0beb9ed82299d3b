import { type Pauses, catching, InvalidInput } from '../../../nodes/core';
import type { DepositRules } from '../../rules/depositRules';
import type { Secp256k1Rules } from '../../rules/rules';
import type { StarkRules } from '../../rules/starkRules';
import type { TonRules } from '../../rules/tonRules';
import type { Payers, SignedRequest } from './request';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

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

/** Parses the rules at once, so that nothing holds the credential longer. An unreadable rule makes each item be refused. */
export function createRulesReader<Rules>(
	data: ICredentialDataDecryptedObject,
	parse: (data: ICredentialDataDecryptedObject) => Rules,
): () => Rules {
	const read = catching(InvalidInput, () => parse(data));
	return () => {
		if (read instanceof InvalidInput) throw read;
		return read;
	};
}

/** Refuses a transaction from another account than the signer's own. */
export function checkSender<Account>(
	from: Account,
	own: Account,
	format: (account: Account) => string,
): void {
	if (from === own) return;
	throw new InvalidInput(
		`The transaction is from ${format(from)}, but this signer is ${format(own)}`,
		'Prepare it from the account of the signer, or choose its credential. Nothing was signed.',
	);
}
