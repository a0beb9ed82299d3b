import { formatDecimal, parseDecimal, shiftDecimal } from '../../nodes/core/values/units';
import { hashTypedData } from '../../nodes/core/evm/abi/typedData';
import { encodeRlp, type Rlp } from '../../nodes/core/evm/transactions/rlp';
import { keccak256 } from '../../nodes/core/values/keccak';
import { parseEnsName, namehash } from '../../nodes/core/evm/ensName';
import { vectors } from './vectors.mts';

/** Test vectors from npm's `@ethersproject/testcases`. */
const typed = vectors<TypedVector>('eip712', 1025);
const names = vectors<NameVector>('namehash', 8);
const amounts = vectors<AmountVector>('units', 20);
const lists = vectors<RlpVector>('rlp-coder', 61);
const hashes = vectors<HashVector>('hashes', 516);

interface TypedVector {
	readonly name: string;
	readonly domain: unknown;
	readonly types: object;
	readonly primaryType: string;
	readonly data: unknown;
	readonly digest: string;
}

interface NameVector {
	readonly name: string;
	readonly expected: string;
}

/**
 * An amount in several units. The keys are the names of the units. A key such as `ether_format` holds the amount as
 * ethers formats it.
 */
type AmountVector = Readonly<Record<string, string>>;

type Decoded = string | readonly Decoded[];

interface RlpVector {
	readonly name: string;
	readonly decoded: Decoded;
	readonly encoded: string;
}

interface HashVector {
	readonly data: string;
	readonly keccak256: string;
}

const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`;
const bytes = (text: string) => Buffer.from(text.slice(2), 'hex');

describe(`what ethers' own tests hold`, () => {
	test(`are the hashes of ${typed.length} typed data`, () => {
		for (const { name, domain, types, primaryType, data, digest } of typed) {
			const given = { types, domain, primaryType, message: data };
			for (const form of [given, JSON.stringify(given)]) {
				expect([name, hex(hashTypedData(form, 'Data'))]).toEqual([name, digest]);
			}
		}
	});

	test(`are the nodes of ${names.length} names`, () => {
		for (const { name, expected } of names)
			expect(hex(namehash(parseEnsName(name)))).toBe(expected);
	});

	test(`are ${amounts.length} amounts in several units`, () => {
		for (const vector of amounts) {
			for (const [unit, decimals] of Object.entries(UNITS)) {
				const amount = vector[unit];
				if (amount === undefined) continue;
				expect(formatDecimal(shiftDecimal(parseDecimal(amount), decimals))).toBe(vector.wei);
				const short = (vector[`${unit}_format`] ?? amount).replace(/\.0$/, '');
				expect(formatDecimal(shiftDecimal(parseDecimal(vector.wei), -decimals))).toBe(short);
			}
		}
	});

	test(`are ${lists.length} lists in RLP`, () => {
		for (const { name, decoded, encoded } of lists) {
			expect([name, hex(encodeRlp(inBytes(decoded)))]).toEqual([name, encoded]);
		}
	});

	test(`are ${hashes.length} hashes`, () => {
		for (const vector of hashes) expect(hex(keccak256(bytes(vector.data)))).toBe(vector.keccak256);
	});
});

const UNITS = {
	wei: 0,
	kwei: 3,
	mwei: 6,
	satoshi: 8,
	gwei: 9,
	szabo: 12,
	finney: 15,
	ether: 18,
} as const;

function inBytes(decoded: Decoded): Rlp {
	return typeof decoded === 'string' ? bytes(decoded) : decoded.map(inBytes);
}
