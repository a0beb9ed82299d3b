import { InvalidInput } from '../../../nodes/core';

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
