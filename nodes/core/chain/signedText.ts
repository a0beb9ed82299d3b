import { FAMILY_NAMES, FAMILY_WORDS, type Family } from '../values/families';
import { tryParseJson } from '../values/json';
import { isRecord, type Parse, InvalidValue } from '../values/parse';
import { raise } from '../errors/raise';
import { takeSigned } from './item';

/**
 * Makes a parser for a signed transaction of the family, alone or inside an n8n item. If the transaction belongs to
 * another family, the error names that family.
 */
export function signedTransactionParser<Signed>(
	family: Family,
	parse: Parse<Signed>,
): Parse<Signed> {
	return (given) => {
		const signed = takeSigned(given);
		const found = findFamily(signed);
		return found === undefined || found === family
			? parse(signed)
			: raise(
					new InvalidValue(
						`a signed transaction of ${FAMILY_WORDS[family].sentence}, but this one is of ${FAMILY_WORDS[found].sentence}`,
					),
				);
	};
}

/** How to recognize a signed transaction of a family: by its text, or by its JSON. */
interface SignedForm {
	readonly text?: RegExp;
	isJson?(json: Readonly<Record<string, unknown>>): boolean;
}

/** The form of the signed transactions of each family. */
const SIGNED_FORMS: Readonly<Record<Family, SignedForm>> = {
	evm: { text: /^0x[0-9a-f]*$/i },
	// The beginning of a bag of cells, the format of TON transactions, in base64 or hex.
	ton: { text: /^(te6c|b5ee9c72)/i },
	witness: { isJson: (json) => Object.hasOwn(json, 'txID') },
	stark: { isJson: ({ type }) => type === 'INVOKE' },
};

function findFamily(signed: unknown): Family | undefined {
	const text = typeof signed === 'string' ? signed.trim() : '';
	const json = text.startsWith('{') ? tryParseJson(text) : signed;
	return FAMILY_NAMES.find((family) => {
		const form = SIGNED_FORMS[family];
		return form.text?.test(text) === true || (isRecord(json) && form.isJson?.(json) === true);
	});
}
