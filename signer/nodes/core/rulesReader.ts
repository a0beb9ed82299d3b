import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { catching, formatInOneLine, InvalidInput } from '../../../nodes/core';

/** Parses the rules at once, so that nothing holds the credential longer. An unreadable rule refuses each item. */
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

/** Says the worst that the rules allow. What cannot be read is said too: nothing is signed then. */
export function sayWorst<Rules>(rules: () => Rules, describe: (rules: Rules) => string): string {
	const worst = catching(InvalidInput, () => describe(rules()));
	return worst instanceof InvalidInput ? formatInOneLine(worst) : worst;
}
