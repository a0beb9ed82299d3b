import { type Pauses, catching, InvalidInput } from '../../../nodes/core';
import type { DepositRules } from '../../rules/depositRules';
import type { Secp256k1Rules } from '../../rules/rules';
import type { StarkRules } from '../../rules/starkRules';
import type { TonRules } from '../../rules/tonRules';
import type { Payers, SignedRequest } from './request';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** A signer whose key is in its credential in n8n. */
export interface LocalSigner {
	/** Formats the addresses that it signs for. */
	readonly formatAccount: (index?: number) => object;
	readonly getPayers: () => Payers;
	/** Returns the rules. Throws if they cannot be read. */
	readonly getRules: () => Secp256k1Rules | StarkRules | TonRules | DepositRules;
	/** Throws if the rules forbid the request, or if its chain needs another credential. Signs nothing. */
	readonly check: (request: SignedRequest) => Promise<void>;
	/** Signs the request. Throws if the rules forbid it, or if its chain needs another credential. */
	readonly sign: (request: SignedRequest, pauses: Pauses) => Promise<object>;
}

/** Parses the rules at once, so that the credential is not kept in memory. An error in a rule is thrown when the rules are used. */
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

/** Refuses a transaction whose sender is not the signer's own account. */
export function checkSender<Account>(
	from: Account,
	own: Account,
	format: (account: Account) => string,
): void {
	if (from === own) return;
	throw new InvalidInput(
		`The transaction is from ${format(from)}, but this credential signs for ${format(own)}`,
		"Prepare it from the credential's account, or choose the credential of the sender. Nothing was signed.",
	);
}
