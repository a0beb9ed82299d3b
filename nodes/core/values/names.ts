import { keccak256 } from './keccak';
import { mustBe, text, type Read } from './read';

/** ENSIP-15 has the same rules for names of ASCII. */
const LABEL = /^_*[a-z0-9$-]*$/;
const LONGEST = 1000;
/** Its length is one byte where a resolver is asked for names below its own. */
const LONGEST_LABEL = 255;

/** A name such as `wallet.example.eth`, lower-cased. Only ASCII: what else a name may hold looks alike too easily. */
export const chainName: Read<string> = (given) => {
	const name = text(given).toLowerCase();
	if (name.length > LONGEST) return mustBe(`a name of at most ${LONGEST} characters`);
	return name === '' ? name : name.split('.').map(label).join('.');
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
	const labels = name === '' ? [] : name.split('.');
	return labels.reduceRight<Buffer>(
		(parent, one) => keccak256(Buffer.concat([parent, keccak256(Buffer.from(one))])),
		Buffer.alloc(32),
	);
}

/** The name as DNS writes it: each label behind its length, and an empty one at the end. */
export function dnsName(name: string): Buffer {
	const labels = name.split('.').map((one) => [Buffer.from([one.length]), Buffer.from(one)]);
	return Buffer.concat([...labels.flat(), Buffer.alloc(1)]);
}
