import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { catching, InvalidInput } from '../../../nodes/core';

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
