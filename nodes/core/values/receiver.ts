import { InvalidInput } from '../errors/invalidInput';

/** Addresses are compared as text, because each family gives its own in one spelling. */
interface ZeroAddress {
	readonly zeroAddress: string;
	/** What the user can do if this receiver is intended. */
	readonly advice?: string;
}

/** Refuses a receiver whose key nobody has. */
export function checkNotZeroAddress(
	label: string,
	receiver: string,
	{ zeroAddress, advice }: ZeroAddress,
): void {
	if (receiver !== zeroAddress) return;
	throw new InvalidInput(
		`'${label}' must be another address than the zero address`,
		['Payments to it are lost.', ...(advice ? [advice] : [])].join(' '),
	);
}

/** Refuses a token that is sent to its own contract. */
export function checkNotOwnContract(label: string, receiver: string, token: string): void {
	if (receiver !== token) return;
	throw new InvalidInput(
		`'${label}' must be another address than the token's own contract`,
		'Did you mean the account that receives? Tokens that their own contract receives are lost as a rule.',
	);
}
