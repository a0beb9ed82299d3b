import fc from 'fast-check';
import { bytesToHex, parseEther, parseTransaction, type Hex } from 'viem';
import { parseSecp256k1Rules } from '../../rules/rules';
import { ADDRESS, CONTRACT, FRIEND, STRANGER, TOKEN } from '../support/accounts.mts';
import { setClock } from '../support/clock.mts';
import {
	abi,
	brokenBy,
	credentialOf,
	encodeCall,
	written,
	type Given,
	type Ruled,
} from '../support/judge.mts';
import { allowTransaction, createTally, expectSame } from '../support/properties.mts';
import { NOW } from '../support/typedData.mts';

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const count = createTally();

const ADDRESSES = [ADDRESS, FRIEND, STRANGER, TOKEN, CONTRACT].map((one) => one.toLowerCase());
const AMOUNTS = [0n, 1n, 100n, 101n, 2n ** 256n - 1n];

const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
	address: fc.constantFrom(...ADDRESSES),
	uint256: fc.constantFrom(...AMOUNTS),
	'uint256[]': fc.array(fc.constantFrom(...AMOUNTS), { maxLength: 3 }),
	bool: fc.boolean(),
	bytes: fc.constantFrom('0x', '0x12', `0x${'12'.repeat(40)}`),
};

const call = fc.constantFrom(...abi).chain((item) => {
	const args = fc.tuple(...item.inputs.map(({ type }) => VALUES[type]!));
	return args.map((values): string => encodeCall(item, values));
});

const WORD_CHARS = 64;
const SELECTOR_CHARS = 10;

const splitWords = (data: string): readonly string[] =>
	data.slice(SELECTOR_CHARS).match(/.{1,64}/g) ?? [];

function replaceWord(data: string, at: number, word: string): string {
	const words = splitWords(data);
	const index = at % Math.max(words.length, 1);
	return (
		data.slice(0, SELECTOR_CHARS) +
		words.map((old, other) => (other === index ? word : old)).join('')
	);
}

const place = fc.nat({ max: 2000 });
const mutation = fc.oneof(
	fc.tuple(place, fc.nat({ max: 15 })).map(([at, digit]) => (data: string) => {
		const index = 2 + (at % (data.length - 2));
		return data.slice(0, index) + digit.toString(16) + data.slice(index + 1);
	}),
	fc
		.constantFrom('00', '01', 'ff', '0'.repeat(WORD_CHARS))
		.map((more) => (data: string) => data + more),
	place.map((at) => (data: string) => data.slice(0, 2 + 2 * (at % (data.length / 2)))),
	fc.tuple(place, place).map(([from, to]) => (data: string) => {
		const words = splitWords(data);
		return replaceWord(data, to, words[from % Math.max(words.length, 1)] ?? '');
	}),
	fc.tuple(place, fc.constantFrom(...ADDRESSES)).map(
		([at, address]) =>
			(data: string) =>
				replaceWord(data, at, address.slice(2).padStart(WORD_CHARS, '0')),
	),
	fc
		.constantFrom('0x12345678', '0xac9650d8', '0xa9059cbb', '0x095ea7b3')
		.map((selector) => (data: string) => selector + data.slice(SELECTOR_CHARS)),
);

const mutated = fc
	.tuple(call, fc.array(mutation, { maxLength: 2 }))
	.map(([data, changes]) => changes.reduce((one, change) => change(one), data))
	// Text that is no longer hex is left out, because it is refused before any rule reads it.
	.filter((data) => /^0x[0-9a-f]+$/i.test(data));

const list = <T,>(...all: readonly T[]) => fc.subarray([...all]);
const ruled: fc.Arbitrary<Ruled> = fc
	.record({
		recipients: list(...ADDRESSES),
		spenders: list(...ADDRESSES),
		contracts: list(TOKEN.toLowerCase(), CONTRACT.toLowerCase(), '*'),
		functions: fc.constantFrom(
			new Map<string, string[]>(),
			new Map([[TOKEN.toLowerCase(), ['mint(address,uint256)', '0xa22cb465']]]),
			new Map([[CONTRACT.toLowerCase(), ['approve(address,uint256)', '0x12345678']]]),
		),
		limits: fc.constantFrom(new Map<string, bigint>(), new Map([[TOKEN.toLowerCase(), 100n]])),
	})
	.map((more) => ({
		chainIds: [31337],
		maxAmount: parseEther('1'),
		maxFee: parseEther('0.01'),
		endOfNonces: 5n,
		allowDeployments: false,
		...more,
	}));

test('calls with changed bytes: those are signed that break no rule as viem reads them, and no others', () => {
	const receivers = fc.constantFrom(
		TOKEN.toLowerCase(),
		CONTRACT.toLowerCase(),
		STRANGER.toLowerCase(),
		ADDRESS.toLowerCase(),
	);
	fc.assert(
		fc.property(
			ruled,
			mutated,
			receivers,
			fc.constantFrom(0n, 0n, 1n),
			(rules, data, to, value) => {
				const given: Given = {
					chainId: 31337,
					nonce: 4n,
					to,
					value,
					data: data as Hex,
					gas: 1_000_000n,
					maxFeePerGas: 1n,
					accessList: [],
				};
				const allowed = allowTransaction(written(given), parseSecp256k1Rules(credentialOf(rules)));
				const broken = [...brokenBy(given, rules)];
				expectSame(allowed !== undefined, broken.length === 0, broken);
				count(allowed !== undefined);
				if (allowed === undefined) return;
				const found = parseTransaction(bytesToHex(allowed.unsigned));
				expectSame(found.to?.toLowerCase(), to, data);
				expectSame(found.data, data, to);
				expectSame(found.value ?? 0n, value, data);
			},
		),
	);
});
