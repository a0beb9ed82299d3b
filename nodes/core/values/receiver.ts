import { InvalidInput } from '../errors/invalidInput';

/** Addresses are compared as they stand: each family of chains gives its own in one spelling. */
interface ZeroAddress {
	readonly zeroAddress: string;
	/** What the user can do where it is meant. */
	readonly advice?: string;
}

/** Refuses a receiver that nobody has the key of. */
export function checkNotZeroAddress(
	label: string,
	receiver: string,
	{ zeroAddress, advice }: ZeroAddress,
): void {
	if (receiver !== zeroAddress) return;
	throw new InvalidInput(
		`'${label}' must be another address than the zero address`,
		['What it receives is lost.', ...(advice ? [advice] : [])].join(' '),
	);
}

/** Refuses a token that is sent to its own contract. */
export function checkNotOwnContract(label: string, receiver: string, token: string): void {
	if (receiver !== token) return;
	throw new InvalidInput(
		`'${label}' must be another address than the token's own contract`,
		'Did you mean the account that receives? What a token contract receives of itself is lost as a rule.',
	);
}
