import type { Field } from '../core/operation/field';
import type { Read } from '../core/values/read';
import { readAs, unfit } from '../core/values/read';
import { rest } from '../core/protocols/rest';
import { text } from '../core/values/basic';
import { witnessAddress } from '../core/values/witnessAddress';
import { builtTransaction } from './answer';
import { options, ownerAddress, visible } from './fields';

const MOST_BYTES = 256;
/** What a URL may not contain as it stands, and % that escapes nothing. */
const NOT_IN_URL = /[\s\p{Cc}"<>\\^`{|}]|%(?![0-9a-f]{2})/iu;

/** Parsing alone is too kind: it would mend spaces, backslashes and missing slashes. */
const webAddress: Read<string> = (given) => {
	const value = text(given);
	const isUrl = /^https?:\/\/[^/?#]/i.test(value) && !NOT_IN_URL.test(value) && URL.canParse(value);
	if (!isUrl) return unfit('a valid URL such as https://example.com');
	return Buffer.byteLength(value) <= MOST_BYTES ? value : unfit(`at most ${MOST_BYTES} bytes long`);
};

const url = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com',
	description: 'The website of the witness',
	read: webAddress,
} as const satisfies Field;

export const create = rest({
	name: 'Build Witness Registration',
	action: 'Build a witness registration',
	description:
		'Build a transaction that makes the account a witness. Nothing happens until it is signed and, within a minute, broadcast.',
	fields: [ownerAddress, url, visible, options],
	request: (p) => ({
		path: '/wallet/createwitness',
		body: {
			owner_address: readAs('Owner Address', p.ownerAddress, witnessAddress(p.visible)),
			// The server takes all text as hex unless it is told that what it gets is visible.
			url: p.visible ? p.url : Buffer.from(p.url).toString('hex'),
			visible: p.visible,
		},
	}),
	answer: builtTransaction,
});
