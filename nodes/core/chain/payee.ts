import { InvalidInput } from '../errors/invalidInput';
import { findAddressFamily } from '../values/addressForms';
import { formatExcerpt } from '../values/excerpt';
import { FAMILY_WORDS, type Family } from '../values/families';
import { catching, InvalidValue, parseField, type Parse } from '../values/parse';

/**
 * Parses an address of a receiver or a token. If the address belongs to another family, the error names the right
 * value of the field Chain.
 */
export function parsePayee<T>(label: string, given: string, family: Family, parse: Parse<T>): T {
	const address = catching(InvalidValue, () => parse(given));
	if (!(address instanceof InvalidValue)) return address;
	const other = findAddressFamily(given);
	if (!other || other === family) return parseField(label, given, parse);
	const { name } = FAMILY_WORDS[other];
	const { name: chosen } = FAMILY_WORDS[family];
	throw new InvalidInput(
		`'${label}' is an address for the chain ${name}, but 'Chain' is ${chosen}: ${formatExcerpt(given)}`,
		`Choose ${name} in the field Chain, or enter the address that the receiver has on ${chosen}. Nothing was signed.`,
	);
}

/** Parses the token and the receiver of a payment. The token is undefined for coins. */
export function parseTokenAndReceiver<T>(
	{ token, to }: Readonly<Record<'token' | 'to', string>>,
	family: Family,
	parse: Parse<T>,
): { readonly token: T | undefined; readonly to: T } {
	return {
		token: token === '' ? undefined : parsePayee('Token', token, family, parse),
		to: parsePayee('To', to, family, parse),
	};
}

/** Throws if there is a comment, although payments on this chain cannot carry comments. */
export function refuseComment(comment: string): void {
	if (comment === '') return;
	throw new InvalidInput(
		"'Comment' must be empty here: payments on this chain carry no comment",
		'A comment goes along on TON, and with coins on TRON. Payment ID keeps a text of your own beside the item.',
	);
}
