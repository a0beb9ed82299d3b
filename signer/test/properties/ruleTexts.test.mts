import fc from 'fast-check';
import { utils } from 'tronweb';
import { isAddress, toFunctionSelector } from 'viem';
import { parseSecp256k1Rules, type Secp256k1Rules } from '../../rules/rules';
import { CONTRACT, FRIEND, KEY, STRANGER, TOKEN } from '../support/accounts.mts';
import { attempt, createTally, expectSame } from '../support/properties.mts';
import { asBase58, asWitness } from '../support/witness.mts';

/** Tests of the texts of rules as people type and paste them. Each text must either mean what a careful reader expects, or be refused. */

const count = createTally();

type Name = 'chainIds' | 'recipients' | 'contracts' | 'tokenLimits' | 'maxAmount' | 'firstNonce';

/** Compares the parsed rule with the value that a careful reader expects. `careful` is undefined if the text must be refused. */
function checkRule(
	name: Name,
	text: unknown,
	careful: unknown,
	show: (rules: Secp256k1Rules) => unknown,
) {
	const budget = { dailyTransactions: '1', firstNonce: '0', firstDay: '2026-11-24' };
	const given = { ...(name === 'firstNonce' && budget), [name]: text };
	const rules = attempt(() => parseSecp256k1Rules(given as never));
	count(rules !== undefined);
	const shown = rules && show(rules);
	expectSame(write(shown), write(careful), { name, text, shown, careful });
}

const write = (value: unknown) =>
	JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));

const usualThen = <T,>(usual: readonly T[], others: readonly T[]) =>
	fc.oneof(
		{ weight: 5, arbitrary: fc.constantFrom(...usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...others) },
	);

const separator = usualThen(
	[', ', ',', ' ', '\n'],
	['\t', '\r\n', ' ,, ', '\u00a0', ';', '|', '.', '\u200b', '\u2028', '，', ' and '],
);
const around = usualThen([''], [' ', '\n', ',', '[', '"', '\ufeff', '\u200b', '#']);

/** Generates texts of several words with separators of all kinds. */
const textOf = (word: fc.Arbitrary<string>, maxLength = 3) =>
	fc
		.record({
			start: around,
			parts: fc.array(fc.tuple(word, separator), { maxLength }),
			last: word,
			end: around,
		})
		.map(({ start, parts, last, end }) => start + parts.flat().join('') + last + end);

const CYRILLIC_A = 'а';
const SHORT = FRIEND.slice(0, -1);
const ADDRESS_WORDS = [
	[FRIEND, FRIEND.toLowerCase(), `0x${FRIEND.slice(2).toUpperCase()}`, STRANGER].concat(
		asBase58(STRANGER),
		asWitness(FRIEND),
	),
	[
		`0X${FRIEND.slice(2).toLowerCase()}`,
		`0x${FRIEND.slice(2).toLowerCase()}`.replace('f', 'F'),
		FRIEND.slice(2),
		SHORT,
		`${FRIEND}0`,
		FRIEND.toLowerCase().replace('a', CYRILLIC_A),
		`eth:${FRIEND}`,
		'friend.eth',
		'*',
		KEY,
		asBase58(FRIEND).toLowerCase(),
		`${asBase58(FRIEND).slice(0, -1)}1`,
		asWitness(FRIEND).replace('41', '42'),
		'none',
	],
] as const;

const addressWord = usualThen(...ADDRESS_WORDS);

/** Splits a text at commas and at all characters that JavaScript treats as white space. */
const splitWords = (text: string) => text.split(/[\s,]/).filter((word) => word !== '');

function readAddress(word: string): string | undefined {
	if (/^0x[\da-f]{40}$/i.test(word)) {
		const digits = word.slice(2);
		const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
		return !isMixed || isAddress(`0x${digits}`) ? `0x${digits.toLowerCase()}` : undefined;
	}
	if (/^41[\da-f]{40}$/i.test(word)) return word.toLowerCase();
	if (!/^T\w{33}$/.test(word) || !utils.crypto.isAddressValid(word)) return undefined;
	return utils.address.toHex(word).toLowerCase();
}

/** Reads each word of a list. Returns undefined if a word cannot be read, or if the text consists only of separators. */
function readList<T>(text: string, read: (word: string) => T | undefined): T[] | undefined {
	const words = splitWords(text.trim());
	const values = words.map(read);
	if (words.length === 0) return text.trim() === '' ? [] : undefined;
	return values.includes(undefined) ? undefined : (values as T[]);
}

test('lists of addresses and of chains', () => {
	const chainWord = usualThen(
		['1', '31337', '0x1', '0X2A', '007'],
		['0', '-1', '1.0', '1e3', '١', '1_000', '1n', '0b1', 'mainnet', '*', `${2n ** 256n}`],
	);
	fc.assert(
		fc.property(textOf(addressWord), textOf(chainWord), (addresses, chains) => {
			const careful = readList(addresses, readAddress);
			checkRule(
				'recipients',
				addresses,
				careful && { addresses: careful, keys: [] },
				(one) => one.recipients,
			);
			const ids = readList(chains, (word) => {
				const value = /^(\d+|0x[\da-f]+)$/i.test(word) ? BigInt(word.toLowerCase()) : 0n;
				return value > 0n && value < 2n ** 256n ? value : undefined;
			});
			const unique = ids && [...new Set(ids)];
			checkRule('chainIds', chains, unique, (one) => one.chainIds);
		}),
	);
});

/** Texts that may name a function. The first list is valid; the entries of the second list must be refused. */
const functionWord = usualThen(
	['mint(address,uint256)', 'mint(address to, uint256 amount)', '0x40c10f19', '0xA9059CBB'],
	[
		'mint(address',
		'mint address)',
		'mint(money)',
		'mint',
		'(address)',
		'multicall(bytes[])',
		'_Execute(bytes)',
		'tryAggregate(bool,bytes[])',
		'receive()',
		'0x40c10f1',
		'0x40c10f1999',
		'mint(address)mint(address)',
		'mint(аddress)',
	],
);

const SELECTORS: Readonly<Record<string, string>> = {
	'mint(address,uint256)': toFunctionSelector('function mint(address,uint256)'),
	'mint(address to, uint256 amount)': toFunctionSelector('function mint(address,uint256)'),
	'0x40c10f19': '0x40c10f19',
	'0xA9059CBB': '0xa9059cbb',
};

const line = fc.record({
	contract: usualThen(['*', CONTRACT, TOKEN, asBase58(STRANGER)], ADDRESS_WORDS[1]),
	functions: fc.array(functionWord, { maxLength: 2 }),
	between: fc.constantFrom(' ', ', ', '\t', ' , '),
});

type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;

/** Returns the expected selectors of each contract, or `all`. */
function readContracts(lines: readonly Line[]) {
	const named: Record<string, readonly string[] | 'all'> = {};
	for (const { contract, functions } of lines) {
		const selectors = functions.map((word) => SELECTORS[word]);
		const address = contract === '*' ? '*' : readAddress(contract);
		if (address === undefined || selectors.includes(undefined)) return undefined;
		if (address === '*' && selectors.length > 0) return undefined;
		const isAgain = named[address] !== undefined;
		if (isAgain && (named[address] !== 'all' || selectors.length > 0)) return undefined;
		named[address] = selectors.length > 0 ? [...new Set(selectors as string[])].sort() : 'all';
	}
	return Object.entries(named).sort();
}

function showContracts({ contracts: { any, named } }: Secp256k1Rules) {
	const entries = [...named].map(
		([address, functions]) =>
			[address, functions === 'all' ? 'all' : [...functions.keys()].sort()] as const,
	);
	return [...entries, ...(any ? [['*', 'all']] : [])].sort();
}

test('contracts and their functions', () => {
	fc.assert(
		fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
			const text = lines
				.map(({ contract, functions, between }) => [contract, ...functions].join(between))
				.join('\n');
			checkRule('contracts', text, readContracts(lines), showContracts);
		}),
	);
});

const amountWord = usualThen(
	['100', '2.5', '0', '25000000', '0.000001'],
	[
		'.5',
		'5.',
		'1e3',
		'0x10',
		'-1',
		'+1',
		'1_0',
		'1,5',
		'١',
		'１',
		'∞',
		'all',
		'1\u200b',
		'',
		'00.10',
		'1.0000000000000000001',
		`${10n ** 80n}`,
		'Infinity',
		'1 0',
	],
);

/** Returns the amount in the smallest unit. Returns undefined if the text is not a plain decimal number or has too many decimals. */
function readAmount(text: string, decimals: number, pattern = /^(\d+(\.\d+)?|\.\d+)$/) {
	const [, digits = ''] = text.split('.');
	const fraction = digits.replace(/0+$/, '');
	const isPlain = pattern.test(text) && (!text.includes('.') || fraction.length <= decimals);
	if (!isPlain) return undefined;
	const [whole = ''] = text.split('.');
	const value = BigInt(whole + fraction.padEnd(decimals, '0'));
	return value < 2n ** 256n ? value : undefined;
}

test('amounts of coins, and the first nonce', () => {
	fc.assert(
		fc.property(amountWord, around, (word, blank) => {
			const text = word + blank;
			const amount = text.trim() === '' ? 0n : readAmount(text.trim(), 18);
			checkRule('maxAmount', text, amount, (one) => one.maxAmount);
			const nonce = /^\d+$/.test(text.trim()) ? BigInt(text.trim()) : undefined;
			const isSafe = nonce !== undefined && nonce < 2n ** 53n;
			checkRule('firstNonce', text, isSafe ? nonce : undefined, (one) => one.budget?.firstNonce);
		}),
	);
});

test('limits of tokens', () => {
	const limit = fc.record({
		token: usualThen([TOKEN, CONTRACT, asBase58(TOKEN)], ADDRESS_WORDS[1]),
		amount: amountWord.filter((word) => !/^$| /.test(word)),
		decimals: usualThen(
			['', ' 6', ' 0', '\t18'],
			[' 77', ' 78', ' -6', ' 6.0', ' 0x6', ' 6 6', ',6', '\r6'],
		),
		end: fc.constantFrom('', '', ' ', '\r', '\n'),
	});
	fc.assert(
		fc.property(fc.array(limit, { maxLength: 3 }), (lines) => {
			const text = lines
				.map(({ token, amount, decimals, end }) => `${token} ${amount}${decimals}${end}`)
				.join('\n');
			const read = lines.map(({ token, amount, decimals }) => {
				const address = readAddress(token);
				const places = decimals.trim() === '' ? 0 : Number(decimals);
				const isPlain = /^([ \t]\d+)?$/.test(decimals) && places <= 77;
				const most = isPlain ? readAmount(amount, places, /^\d+(\.\d+)?$/) : undefined;
				const isWhole = decimals !== '' || !amount.includes('.');
				return address !== undefined && most !== undefined && isWhole
					? ([address, most] as const)
					: undefined;
			});
			const isUnique = new Set(read.map((one) => one?.[0])).size === lines.length;
			const careful = !read.includes(undefined) && isUnique ? read : undefined;
			checkRule('tokenLimits', text, careful, ({ tokenLimits }) =>
				[...tokenLimits].map(([token, { most }]) => [token, most]),
			);
		}),
	);
});
