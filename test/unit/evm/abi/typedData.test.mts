import fc from 'fast-check';
import { hashTypedData as hashByViem } from 'viem';
import { hashTypedData } from '../../../../nodes/core/evm/abi/typedData';
import { parameters, values, type Json } from './support/anything.mts';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261123), numRuns: getCaseCount(500) });

const hashOf = (given: unknown) => `0x${hashTypedData(given, 'Data').toString('hex')}`;

/** The example of EIP-712. */
const MAIL = {
	types: {
		Person: [
			{ name: 'name', type: 'string' },
			{ name: 'wallet', type: 'address' },
		],
		Mail: [
			{ name: 'from', type: 'Person' },
			{ name: 'to', type: 'Person' },
			{ name: 'contents', type: 'string' },
		],
	},
	primaryType: 'Mail',
	domain: {
		name: 'Ether Mail',
		version: '1',
		chainId: 1,
		verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
	},
	message: {
		from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
		to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
		contents: 'Hello, Bob!',
	},
};
const MAIL_HASH = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';

type Structs = Record<string, Array<{ name: string; type: string }>>;

/** Turns each tuple into a struct with a name of its own. */
function structsOf(types: readonly Json[], name: string, all: Structs = {}): Structs {
	all[name] = types.map(({ type, components }, index) => {
		if (!components) return { name: `m${index}`, type };
		structsOf(components, `${name}${index}`, all);
		return { name: `m${index}`, type: type.replace('tuple', `${name}${index}`) };
	});
	return all;
}

function objectOf(types: readonly Json[], plain: readonly unknown[]): object {
	return Object.fromEntries(types.map((type, at) => [`m${at}`, memberOf(type, plain[at])]));
}

function memberOf({ type, components }: Json, plain: unknown): unknown {
	if (!components) return plain;
	if (type.endsWith(']')) {
		const item = { name: '', components, type: type.replace(/\[\d*\]$/, '') };
		return (plain as unknown[]).map((one) => memberOf(item, one));
	}
	return objectOf(components, Object.values(plain as object));
}

const domains = fc.record(
	{
		name: fc.string(),
		// The library viem treats an empty version as missing, unlike ethers and the standard, so the version is never
		// empty here.
		version: fc.string({ minLength: 1 }),
		chainId: fc.bigInt({ min: 1n, max: 2n ** 64n }),
		verifyingContract: fc.constant(`0x${'12'.repeat(20)}`),
		salt: fc.constant(`0x${'34'.repeat(32)}`),
	},
	{ requiredKeys: [] },
);

const asText = (_key: string, value: unknown) =>
	typeof value === 'bigint' ? value.toString() : value;

test('the hash of random typed data is that of another implementation', () => {
	const cases = parameters(2).chain((types) =>
		fc.tuple(fc.constant(types), values(types), domains),
	);
	fc.assert(
		fc.property(cases, ([types, list, domain]) => {
			const message = objectOf(
				types,
				list.map(({ plain }) => plain),
			);
			const given = { types: structsOf(types, 'S'), primaryType: 'S', domain, message };
			const expected = hashByViem(given as never);
			expect(hashOf(given)).toBe(expected);
			expect(hashOf(JSON.stringify(given, asText))).toBe(expected);
		}),
	);
}, 120_000);

describe('typed data', () => {
	const domainType = [
		{ name: 'name', type: 'string' },
		{ name: 'version', type: 'string' },
		{ name: 'chainId', type: 'uint256' },
		{ name: 'verifyingContract', type: 'address' },
	];
	const withDomain = (EIP712Domain: unknown, domain: object = MAIL.domain) => ({
		...MAIL,
		domain,
		types: { ...MAIL.types, EIP712Domain },
	});

	test('may declare the type of its domain or leave it out', () => {
		expect(hashOf(MAIL)).toBe(MAIL_HASH);
		expect(hashOf(withDomain(domainType))).toBe(MAIL_HASH);
	});

	test('has the domain as it is declared, in another order or with members of its own', () => {
		const own = [{ name: 'network', type: 'string' }, ...domainType.toReversed()];
		const domain = { ...MAIL.domain, network: 'test' };
		const given = withDomain(own, domain);
		expect(hashOf(given)).toBe(hashByViem(given as never));
		expect(hashOf(given)).not.toBe(MAIL_HASH);
	});

	test('may have a domain that says nothing', () => {
		const given = { ...MAIL, domain: {} };
		expect(hashOf(given)).toBe(hashByViem(given as never));
		expect(hashOf({ ...MAIL, domain: { name: null } })).toBe(hashOf(given));
	});

	test('may be a domain alone', () => {
		const given = { ...withDomain(domainType), primaryType: 'EIP712Domain', message: undefined };
		expect(hashOf(given)).toBe(hashByViem(given as never));
	});

	test('may have a type that is named after its protocol', () => {
		const types = { 'Chain:Send': [{ name: 'amount', type: 'uint64' }] };
		const given = { types, domain: {}, primaryType: 'Chain:Send', message: { amount: 7 } };
		expect(hashOf(given)).toBe(hashByViem(given as never));
	});

	test('hashes the name of a type as it is written, and takes integers as JSON has them', () => {
		const given = (type: string, amount: unknown) => ({
			types: { Pay: [{ name: 'amount', type }] },
			domain: {},
			primaryType: 'Pay',
			message: { amount },
		});
		expect(hashOf(given('uint', '7'))).not.toBe(hashOf(given('uint256', '7')));
		const most = 2n ** 256n - 1n;
		const exact = JSON.stringify(given('uint256', 'most')).replace('"most"', String(most));
		expect(hashOf(exact)).toBe(hashByViem(given('uint256', most) as never));
	});

	test('may use a type twice', () => {
		expect(hashOf({ ...MAIL, message: { ...MAIL.message, to: MAIL.message.from } })).toMatch(/^0x/);
	});
});

describe('typed data is refused', () => {
	const { message, types } = MAIL;
	const held = (type: string) => ({ A: [{ name: 'b', type: 'B' }], B: [{ name: 'a', type }] });

	test.each([
		['text that is no JSON', 'hello', /typed data: a JSON object with types, domain/],
		['nothing', '', /typed data.*it is empty/],
		['a list', [], /typed data: a JSON object/],
		['no domain', { ...MAIL, domain: undefined }, /typed data: a JSON object/],
		['no primary type', { ...MAIL, primaryType: undefined }, /one of its types \(Person, Mail\)/],
		['another primary type', { ...MAIL, primaryType: 'Letter' }, /primaryType is one of/],
		[
			'a primary type of every object',
			{ ...MAIL, primaryType: 'constructor' },
			/primaryType is one of/,
		],
		[
			'a type that is not declared',
			{ ...MAIL, types: { ...types, Person: [{ name: 'wallet', type: 'adress' }] } },
			/declares its types: 'adress' of Person.wallet is none/,
		],
		[
			'a type that holds itself',
			{ ...MAIL, types: held('A'), primaryType: 'A' },
			/no type contains itself: A > B > A/,
		],
		[
			'a type that holds a list of itself',
			{ ...MAIL, types: held('A[][2]'), primaryType: 'A' },
			/no type contains itself: A > B > A/,
		],
		[
			'a type named like another',
			{ ...MAIL, types: { ...types, uint256: [] } },
			/'uint256' is malformed, or the name of a built-in type/,
		],
		[
			'a name that is a declaration',
			{ ...MAIL, types: { ...types, 'Mail(string a)': [] } },
			/'Mail\(string a\)' is malformed, or the name of a built-in type/,
		],
		[
			'a member that is a declaration',
			{ ...MAIL, types: { ...types, Mail: [{ name: 'a,uint256 b', type: 'uint256' }] } },
			/valid field names: 'a,uint256 b' in the type Mail is repeated or malformed/,
		],
		[
			'two members of a name',
			{ ...MAIL, types: { ...types, Person: [types.Person[0], types.Person[0]] } },
			/valid field names: 'name' in the type Person is repeated or malformed/,
		],
		[
			'members that are none',
			{ ...MAIL, types: { ...types, Person: 'string name' } },
			/type Person is a list of objects, each with name and type/,
		],
		['no message', { ...MAIL, message: undefined }, /'Data > message' must be an object with from/],
		[
			'a member that is missing',
			{ ...MAIL, message: { ...message, to: { name: 'Bob' } } },
			/'Data > message.to' must be an object with name, wallet: there is no 'wallet'/,
		],
		[
			'a member that is null',
			{ ...MAIL, message: { ...message, to: null } },
			/'Data > message' must be an object with .*: there is no 'to'/,
		],
		[
			'a member that its type does not have',
			{ ...MAIL, message: { ...message, amount: 7 } },
			/'Data > message' must be an object with .*: remove 'amount', /,
		],
		[
			'a wrong checksum',
			{
				...MAIL,
				message: {
					...message,
					to: { name: '', wallet: MAIL.domain.verifyingContract.slice(0, -1) },
				},
			},
			/'Data > message.to.wallet' must be an address/,
		],
		[
			'a list in place of an object',
			{ ...MAIL, message: { ...message, to: ['Bob', '0x'] } },
			/'Data > message.to' must be an object/,
		],
		[
			'a domain of something else',
			{ ...MAIL, domain: { ...MAIL.domain, network: 'main' } },
			/'Data > domain' must be an object with .*: remove 'network', /,
		],
		[
			'a chain ID that is none',
			{ ...MAIL, domain: { chainId: 'main' } },
			/'Data > domain.chainId' must be a whole number that fits uint256/,
		],
	])('for %s', (_, given, words) => {
		expect(() => hashOf(given)).toThrow(words);
		if (typeof given === 'object' && !Array.isArray(given)) {
			expect(() => hashOf(JSON.stringify(given))).toThrow(words);
		}
	});

	test('for a list of another length, and says which item is wrong', () => {
		const given = (list: unknown) => ({
			types: { A: [{ name: 'list', type: 'uint8[2]' }] },
			domain: {},
			primaryType: 'A',
			message: { list },
		});
		expect(hashOf(given([1, 2]))).toBe(hashByViem(given([1, 2]) as never));
		expect(() => hashOf(given([1]))).toThrow("'Data > message.list' must be a list of length 2");
		expect(() => hashOf(given([1, 256]))).toThrow("'Data > message.list[1]' must be");
	});

	test('for a domain alone with a message beside it, which would not be signed', () => {
		const given = { types: {}, domain: { name: 'A' }, primaryType: 'EIP712Domain' };
		for (const message of [undefined, null, {}]) {
			expect(hashOf({ ...given, message })).toBe(hashOf(given));
		}
		for (const message of [{ to: 'Bob' }, 'pay', [1]]) {
			expect(() => hashOf({ ...given, message })).toThrow('without a message');
		}
	});

	test('soon, when a type is endless', () => {
		const type = `uint8${'[1]'.repeat(1_000_000)}x`;
		const given = {
			types: { A: [{ name: 'a', type }] },
			domain: {},
			primaryType: 'A',
			message: {},
		};
		expect(() => hashOf(given)).toThrow('with type names of at most 300 characters');
	});

	test('soon, when its types are many or deep', () => {
		const names = Array.from({ length: 90 }, (_, at) => `T${at}`);
		const next = (at: number) => [`a`, `b`].map((name) => ({ name, type: `T${at + 1}` }));
		const deep = Object.fromEntries(names.map((name, at) => [name, at < 89 ? next(at) : []]));
		const given = { types: deep, domain: {}, primaryType: 'T0', message: {} };
		expect(() => hashOf(given)).toThrow('types and lists are nested at most 64 levels deep');
		expect(() => hashOf({ ...given, primaryType: 'T40' })).toThrow("there is no 'a'");
		const circle = { ...deep, T89: [{ name: 'a', type: 'T0' }] };
		expect(() => hashOf({ ...given, types: circle })).toThrow(
			'types and lists are nested at most 64 levels deep',
		);
		const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`T${at}`, []]));
		expect(() => hashOf({ ...given, types: many })).toThrow('at most 100 types');
	});
});
