import { keccak256 } from './keccak';
import { mustBe, text, type Read } from './read';

/** ENSIP-15 has the same rules for names of ASCII. */
const LABEL = /^_*[a-zA-Z0-9$-]*$/;
const LONGEST = 1000;
/** As in DNS. The resolver of each is asked for, and anybody may claim any name for an address. */
const MOST_LABELS = 127;
/** Its length is one byte where a resolver is asked for names below its own. */
const LONGEST_LABEL = 255;

/** A name such as `wallet.example.eth`, lower-cased. Only ASCII: what else a name may hold looks alike too easily. */
export const chainName: Read<string> = (given) => {
	const name = text(given);
	if (name.length > LONGEST) return mustBe(`a name of at most ${LONGEST} characters`);
	const labels = name === '' ? [] : name.split('.');
	if (labels.length > MOST_LABELS) return mustBe(`a name of at most ${MOST_LABELS} labels`);
	// Not before: in lower case, some characters that are not of ASCII are.
	return labels.map(label).join('.').toLowerCase();
};

function label(given: string): string {
	if (given === '')
		return mustBe('a name without empty labels: two dots, or one at an end, enclose nothing');
	if (!LABEL.test(given)) {
		return mustBe(
			'a name of the letters a to z, digits, hyphens, $, and underscores that begin a label',
		);
	}
	if (given.length > LONGEST_LABEL)
		return mustBe(`a name of labels of at most ${LONGEST_LABEL} characters`);
	return given.slice(2, 4) === '--'
		? mustBe('a name without -- after two letters of a label')
		: given;
}

/** ENS's hash of a name; that of no name, the root, is all zeros. */
export function namehash(name: string): Buffer {
	return nodesOf(name)[0] ?? ROOT;
}

const ROOT = Buffer.alloc(32);

/** The hashes of a name and of all names above it, up to the last label; none of no name. */
export function nodesOf(name: string): Buffer[] {
	const labels = name === '' ? [] : name.split('.');
	const fromRoot: Buffer[] = [];
	for (const one of labels.reverse()) {
		const parent = fromRoot.at(-1) ?? ROOT;
		fromRoot.push(keccak256(Buffer.concat([parent, keccak256(Buffer.from(one))])));
	}
	return fromRoot.reverse();
}

/** The name as DNS writes it: each label behind its length, and an empty one at the end. */
export function dnsName(name: string): Buffer {
	const labels = name.split('.').map((one) => [Buffer.from([one.length]), Buffer.from(one)]);
	return Buffer.concat([...labels.flat(), Buffer.alloc(1)]);
}
