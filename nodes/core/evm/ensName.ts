import { keccak256 } from '../values/keccak';
import { parseText, type Parse, InvalidValue } from '../values/parse';
import { raise } from '../errors/raise';

/**
 * Matches the labels of a name (its parts between dots) that ENSIP-15 leaves as they are, except for the case of
 * letters and for apostrophes.
 */
const LABEL_PATTERN = /^_*[a-zA-Z0-9$'’-]*$/;
const MISPLACED_APOSTROPHE_PATTERN = /^['’]|['’]$|['’]{2}/;
/** The only character outside of ASCII: every apostrophe of a name becomes this one. */
const APOSTROPHE = '’';
const MAX_NAME_CHARS = 1000;
/**
 * Limits the labels of a name (its parts between dots) as DNS does. Each label costs a request, and anybody may claim
 * any name for an address.
 */
const MAX_LABELS = 127;
/** Resolvers that answer for subnames get the length in one byte. */
const MAX_LABEL_BYTES = 255;

/**
 * Parses a name such as `wallet.example.eth`, and writes it in lower case. Only ASCII and the apostrophe are allowed,
 * because other characters look too much alike.
 */
export const parseEnsName: Parse<string> = (given) => {
	const name = parseText(given);
	if (name.length > MAX_NAME_CHARS)
		throw new InvalidValue(`a name of at most ${MAX_NAME_CHARS} characters`);
	const labels = name === '' ? [] : name.split('.');
	if (labels.length > MAX_LABELS)
		throw new InvalidValue(`a name of at most ${MAX_LABELS} parts, which dots separate`);
	// The name becomes lower case last, because lower case turns some characters outside of ASCII into ASCII.
	return labels.map(parseLabel).join('.').toLowerCase();
};

function parseLabel(given: string): string {
	if (given === '')
		throw new InvalidValue(
			'a name without two dots in a row, and without a dot at its start or end',
		);
	if (!LABEL_PATTERN.test(given)) {
		throw new InvalidValue(
			'a name of the letters a to z, digits, dots, hyphens, $, apostrophes and underscores, with underscores only at the start or directly after a dot',
		);
	}
	if (MISPLACED_APOSTROPHE_PATTERN.test(given)) {
		throw new InvalidValue(
			'a name without two apostrophes in a row, and without an apostrophe at its start, at its end or beside a dot',
		);
	}
	const label = given.replaceAll("'", APOSTROPHE);
	if (Buffer.byteLength(label) > MAX_LABEL_BYTES)
		throw new InvalidValue(`a name whose parts between dots have at most ${MAX_LABEL_BYTES} bytes`);
	return label.slice(2, 4) === '--' && !label.includes(APOSTROPHE)
		? raise(
				new InvalidValue(
					'a name whose parts between dots never have -- as the third and fourth characters, as xn--a has',
				),
			)
		: label;
}

/** Hashes a name as ENS does. The hash of the empty name, which is the root, is all zeros. */
export function namehash(name: string): Buffer {
	return hashNameLevels(name)[0] ?? ROOT_HASH;
}

const ROOT_HASH = Buffer.alloc(32);

/** Hashes a name and each of its parents, from the whole name to its last label. An empty name has no hashes. */
export function hashNameLevels(name: string): Buffer[] {
	const labels = name === '' ? [] : name.split('.');
	const fromRoot: Buffer[] = [];
	for (const one of labels.reverse()) {
		const parent = fromRoot.at(-1) ?? ROOT_HASH;
		fromRoot.push(keccak256(Buffer.concat([parent, keccak256(Buffer.from(one))])));
	}
	return fromRoot.reverse();
}

/** Encodes a name as DNS does: the length before each label, and an empty label at the end. */
export function encodeDnsName(name: string): Buffer {
	const labels = name.split('.').map((one) => Buffer.from(one));
	const parts = labels.flatMap((label) => [Buffer.from([label.length]), label]);
	return Buffer.concat([...parts, Buffer.alloc(1)]);
}
