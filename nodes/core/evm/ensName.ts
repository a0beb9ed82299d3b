import { keccak256 } from '../values/keccak';
import { throwInvalidValue, parseText, type Parse } from '../values/read';

/** ENSIP-15 has the same rules for names of ASCII. */
const LABEL_PATTERN = /^_*[a-zA-Z0-9$-]*$/;
const MAX_NAME_CHARS = 1000;
/** As in DNS. The resolver of each is asked for, and anybody may claim any name for an address. */
const MAX_LABELS = 127;
/** Its length is one byte where a resolver is asked for names below its own. */
const MAX_LABEL_CHARS = 255;

/** A name such as `wallet.example.eth`, lower-cased. Only ASCII: what else a name may hold looks alike too easily. */
export const parseEnsName: Parse<string> = (given) => {
	const name = parseText(given);
	if (name.length > MAX_NAME_CHARS)
		return throwInvalidValue(`a name of at most ${MAX_NAME_CHARS} characters`);
	const labels = name === '' ? [] : name.split('.');
	if (labels.length > MAX_LABELS)
		return throwInvalidValue(`a name of at most ${MAX_LABELS} labels`);
	// Not before: in lower case, some characters that are not of ASCII are.
	return labels.map(parseLabel).join('.').toLowerCase();
};

function parseLabel(given: string): string {
	if (given === '')
		return throwInvalidValue(
			'a name without empty labels: two dots, or one at an end, enclose nothing',
		);
	if (!LABEL_PATTERN.test(given)) {
		return throwInvalidValue(
			'a name of the letters a to z, digits, hyphens, $, and underscores that begin a label',
		);
	}
	if (given.length > MAX_LABEL_CHARS)
		return throwInvalidValue(`a name of labels of at most ${MAX_LABEL_CHARS} characters`);
	return given.slice(2, 4) === '--'
		? throwInvalidValue('a name without -- after two letters of a label')
		: given;
}

/** ENS's hash of a name; that of no name, the root, is all zeros. */
export function namehash(name: string): Buffer {
	return hashNameLevels(name)[0] ?? ROOT_HASH;
}

const ROOT_HASH = Buffer.alloc(32);

/** The hashes of a name and of all names above it, up to the last label; none of no name. */
export function hashNameLevels(name: string): Buffer[] {
	const labels = name === '' ? [] : name.split('.');
	const fromRoot: Buffer[] = [];
	for (const one of labels.reverse()) {
		const parent = fromRoot.at(-1) ?? ROOT_HASH;
		fromRoot.push(keccak256(Buffer.concat([parent, keccak256(Buffer.from(one))])));
	}
	return fromRoot.reverse();
}

/** The name as DNS writes it: each label behind its length, and an empty one at the end. */
export function encodeDnsName(name: string): Buffer {
	const labels = name.split('.').map((one) => [Buffer.from([one.length]), Buffer.from(one)]);
	return Buffer.concat([...labels.flat(), Buffer.alloc(1)]);
}
