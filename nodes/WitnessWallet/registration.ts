import type { Field } from '../core/operation/field';
import { parseText, type Parse, InvalidValue } from '../core/values/parse';
import { formatBase58 } from '../core/witness/prepare/summary';
import { buildOperation } from './buildOperation';
import { ownerAddress, parseAddress, UNSIGNED_TEXT, visible } from './fields';
import { raise } from '../core/errors/raise';

const MAX_URL_BYTES = 256;
/** Matches characters that must be escaped in a URL, halves of surrogate pairs, and a % without two hex digits. */
const FORBIDDEN_IN_URL_PATTERN = /[\s\p{Cc}\p{Cs}"<>\\^`{|}]|%(?![0-9a-f]{2})/iu;

/** Checks the URL without `new URL`, which would repair spaces, backslashes and missing slashes. */
const parseWebAddress: Parse<string> = (given) => {
	const value = parseText(given);
	const isUrl =
		/^https?:\/\/[^/?#]/i.test(value) &&
		!FORBIDDEN_IN_URL_PATTERN.test(value) &&
		URL.canParse(value);
	if (!isUrl) throw new InvalidValue('a valid URL such as https://example.com');
	return Buffer.byteLength(value) <= MAX_URL_BYTES
		? value
		: raise(new InvalidValue(`at most ${MAX_URL_BYTES} bytes long`));
};

const url = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com',
	description: 'The website of the witness',
	parse: parseWebAddress,
} as const satisfies Field;

export const create = buildOperation({
	name: 'Build Witness Registration',
	action: 'Build witness registration',
	description: `Build a transaction that registers the account as a witness (maker of blocks). ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, url, visible],
	draft: (p) => ({
		method: 'createwitness',
		contract: 'WitnessCreateContract',
		parameters: {
			owner_address: parseAddress('From', p.ownerAddress, p.visible),
			url: p.url,
		},
		visible: p.visible,
		sentence: `Make ${formatBase58(parseAddress('From', p.ownerAddress, p.visible))} a witness with the website ${p.url}`,
	}),
});
