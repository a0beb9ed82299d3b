import { tryParseJson } from '../values/json';
import { isRecord, type Parse, InvalidValue } from '../values/parse';
import { raise } from '../errors/raise';

type Family = 'evm' | 'witness' | 'ton' | 'stark';

const NAMES: Readonly<Record<Family, string>> = {
	evm: 'an EVM chain',
	witness: 'the witness chain',
	ton: 'the TON chain',
	stark: 'a STARK rollup',
};

/** Parses a signed transaction of this family, alone or in the item that has it. One of another family is refused by its name. */
export function signedTransactionParser<Signed>(
	family: Family,
	parse: Parse<Signed>,
): Parse<Signed> {
	return (given) => {
		const signed = unwrap(given);
		const found = findFamily(signed);
		return found === undefined || found === family
			? parse(signed)
			: raise(
					new InvalidValue(
						`a signed transaction of ${NAMES[family]}, and this one is of ${NAMES[found]}`,
					),
				);
	};
}

/** Under these names items have what was signed. */
const WRAPPERS = ['signedTransaction', 'signedMessage', 'transaction'];

function unwrap(given: unknown): unknown {
	if (!isRecord(given)) return given;
	const name = WRAPPERS.find((one) => Object.hasOwn(given, one));
	return name === undefined ? given : given[name];
}

/** A bag of cells begins so, in base64 and in hex. */
const BAG_PATTERN = /^(te6c|b5ee9c72)/i;
const HEX_PATTERN = /^0x[0-9a-f]*$/i;

function findFamily(signed: unknown): Family | undefined {
	const text = typeof signed === 'string' ? signed.trim() : '';
	if (HEX_PATTERN.test(text)) return 'evm';
	if (BAG_PATTERN.test(text)) return 'ton';
	const json = text.startsWith('{') ? tryParseJson(text) : signed;
	if (!isRecord(json)) return undefined;
	if (Object.hasOwn(json, 'txID')) return 'witness';
	return json.type === 'INVOKE' ? 'stark' : undefined;
}
