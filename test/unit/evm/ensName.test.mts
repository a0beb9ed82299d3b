import { namehash as oracle } from 'viem';
import { normalize, packetToBytes } from 'viem/ens';
import {
	parseEnsName,
	encodeDnsName,
	namehash,
	hashNameLevels,
} from '../../../nodes/core/evm/ensName';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { TRIES_ALL } from '../../harness/caseCount.mts';

const hashOf = (name: unknown) => `0x${namehash(parseEnsName(name)).toString('hex')}`;

test.each(['eth', 'foo.eth', 'a.b.c.d.example', '1-2.eth', '_dns.example', '$.eth', 'a-b--c.eth'])(
	'the node of %s is that of another implementation',
	(name) => {
		expect(hashOf(name)).toBe(oracle(name));
		expect(hashOf(` ${name.toUpperCase()}\n`)).toBe(oracle(name));
	},
);

/** Normalizes a name with another library for ENSIP-15. Returns undefined if the library refuses the name. */
function normalizeElsewhere(name: string): string | undefined {
	try {
		return normalize(name);
	} catch {
		return undefined;
	}
}

function parseOrRefuse(name: string): string | undefined {
	try {
		return parseEnsName(name);
	} catch (refusal) {
		expect(refusal).toBeInstanceOf(InvalidValue);
		return undefined;
	}
}

test.each(["o'clock.eth", 'o’clock.eth', "O'Clock.ETH", "_'a.eth", "ab--c'd.eth", "a'b'c.1'2"])(
	'an apostrophe is a character of names: %s',
	(name) => {
		const parsed = parseEnsName(name);
		expect(parsed).toBe(normalize(name));
		expect(parsed).not.toContain("'");
		expect(hashOf(name)).toBe(oracle(normalize(name)));
		expect(encodeDnsName(parsed)).toEqual(Buffer.from(packetToBytes(normalize(name))));
	},
);

test.each([
	["'’-_$aB7", TRIES_ALL ? 4 : 3],
	["'-_$a", TRIES_ALL ? 6 : 4],
])('a label of %s, of up to %i characters, is taken or refused as elsewhere', (alphabet, most) => {
	let labels = [''];
	for (let length = 1; length <= most; length++) {
		labels = labels.flatMap((label) => [...alphabet].map((one) => label + one));
		const differing = labels.filter((label) => parseOrRefuse(label) !== normalizeElsewhere(label));
		expect(differing).toEqual([]);
	}
});

test('the root has no name, and a hash of zeros', () => {
	expect(hashOf('')).toBe(`0x${'00'.repeat(32)}`);
});

test('the nodes of a name and of all above it take one hash of each label', () => {
	const name = 'a.b.c.eth';
	const parents = ['a.b.c.eth', 'b.c.eth', 'c.eth', 'eth'];
	expect(hashNameLevels(name).map((node) => `0x${node.toString('hex')}`)).toEqual(
		parents.map(oracle),
	);
});

test.each(['eth', 'a.b.c.eth', `${'a'.repeat(255)}.eth`])('%s is written as DNS does', (name) => {
	expect(encodeDnsName(name)).toEqual(Buffer.from(packetToBytes(name)));
});

test.each([
	['.', 'without two dots in a row'],
	['eth.', 'without two dots in a row'],
	['.eth', 'without two dots in a row'],
	['a..eth', 'without two dots in a row'],
	['a b.eth', 'letters a to z'],
	['café.eth', 'letters a to z'],
	['ex\u0430mple.eth', 'letters a to z'],
	['a\u200db.eth', 'letters a to z'],
	['a_b.eth', 'letters a to z'],
	['a/b.eth', 'letters a to z'],
	['xn--caf-dma.eth', 'never have --'],
	['a'.repeat(1001), 'at most 1000'],
	[`${'a'.repeat(256)}.eth`, 'at most 255'],
	[`a'${'a'.repeat(252)}.eth`, 'at most 255'],
	["'a.eth", 'without two apostrophes in a row'],
	["a'.eth", 'without two apostrophes in a row'],
	["a.'.eth", 'without two apostrophes in a row'],
	["a'’b.eth", 'without two apostrophes in a row'],
	['a‘b.eth', 'letters a to z'],
	['aʼb.eth', 'letters a to z'],
	['a`b.eth', 'letters a to z'],
	['a.'.repeat(127) + 'a', 'at most 127 parts'],
	// The first character is the sign for kelvin, whose lower case is the letter k.
	['\u212Aelvin.eth', 'letters a to z'],
	[['eth'], 'text'],
	[{}, 'text'],
])('%j is refused', (name, words) => {
	expect(() => parseEnsName(name)).toThrow(InvalidValue);
	expect(() => parseEnsName(name)).toThrow(words);
});
