import { InvalidInput } from '../errors/invalidInput';

/** The zero address of a chain family, in the spelling in which the family's addresses are compared as text. */
interface ZeroAddress {
	readonly zeroAddress: string;
	/** Advice for a user who really wants to pay to the zero address. */
	readonly advice?: string;
}

/** Refuses the zero address as a receiver, because nobody has its key. */
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

/** Refuses a transfer of tokens to the token's own contract. */
export function checkNotOwnContract(label: string, receiver: string, token: string): void {
	if (receiver !== token) return;
	throw new InvalidInput(
		`'${label}' must be another address than the token's own contract`,
		'Did you mean the account that receives? Tokens that their own contract receives are lost as a rule.',
	);
}
