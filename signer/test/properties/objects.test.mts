import fc from 'fast-check';
import { parseEther, parseTransaction, type Hex, type TransactionSerializable } from 'viem';
import { StolenValues } from '../../../test/harness/hostile.mts';
import { ADDRESS, CONTRACT, FRIEND, signGiven, STRANGER } from '../support/signerNode.mts';
import { account, createTally, expectSame } from '../support/properties.mts';

/** No JSON can make these objects: whoever reads them twice, or by their own methods, is given something else. */

const RULES = {
	chainIds: '31337',
	maxAmount: '1',
	maxFee: '0.01',
	recipients: FRIEND,
};

const KEYS = [`0x${'1'.repeat(64)}`];

/** A careful owner would sign these values; those of `EVIL` break the rules. */
const HONEST = {
	type: '0x2',
	chainId: '31337',
	to: FRIEND,
	nonce: '5',
	gas: '60000',
	value: '1000',
	data: '0x',
	maxFeePerGas: '2',
	maxPriorityFeePerGas: '1',
	accessList: [{ address: CONTRACT, storageKeys: KEYS }],
};
type Name = keyof typeof HONEST;
const NAMES = Object.keys(HONEST) as Name[];

const EVIL: Readonly<Record<Name, unknown>> = {
	type: '0x4',
	chainId: '1',
	to: STRANGER,
	nonce: '0x10000000000000000',
	gas: '0xffffffffffffffff',
	value: String(parseEther('2')),
	data: '0x12345678',
	maxFeePerGas: String(10n ** 18n),
	maxPriorityFeePerGas: '3',
	accessList: [{ address: STRANGER, storageKeys: ['0x12'] }],
};

/** Methods and traps keep here whatever the node's own code hands them. */
const loot = new StolenValues();

type Define = (target: object, name: string, honest: unknown, evil: unknown) => void;

const define = (target: object, name: string, property: PropertyDescriptor) =>
	void Object.defineProperty(target, name, { enumerable: true, configurable: true, ...property });

/** Methods that code is likely to call, which give something else than the value itself. */
function withMethods<T extends object>(target: T, given: unknown): T {
	const answer = (...handed: unknown[]) => {
		loot.collect(handed);
		return given;
	};
	const names = ['toString', 'valueOf', 'toJSON', 'trim', 'map', 'toLowerCase', 'slice', 'then'];
	for (const name of names) Object.defineProperty(target, name, { value: answer });
	Object.defineProperty(target, Symbol.toPrimitive, { value: answer });
	return target;
}

/** Ways to hold a value. Each of them could show the honest one to the rules, and the other to what signs. */
const WAYS: Readonly<Record<string, Define>> = {
	plain: (target, name, honest) => define(target, name, { value: honest }),
	evil: (target, name, _honest, evil) => define(target, name, { value: evil }),
	getter: (target, name, honest, evil) => {
		let reads = 0;
		define(target, name, { get: () => (reads++ === 0 ? honest : evil) });
	},
	'a value with methods': (target, name, honest, evil) =>
		define(target, name, { value: withMethods(Object(structuredClone(honest)) as object, evil) }),
	'an empty object with methods': (target, name, honest) =>
		define(target, name, { value: withMethods({}, honest) }),
	'a list of one': (target, name, honest) => define(target, name, { value: [honest] }),
	'a list with methods': (target, name, honest, evil) =>
		define(target, name, { value: withMethods([honest], evil) }),
	hidden: (target, name, honest) => define(target, name, { value: honest, enumerable: false }),
	inherited: (target, name, honest) =>
		define(Object.getPrototypeOf(target) as object, name, { value: honest }),
	'a function': (target, name, honest) => define(target, name, { value: () => honest }),
};

/** Proxies around the whole, which answer the second question otherwise than the first. */
const WRAPPERS: Readonly<Record<string, (target: object) => object>> = {
	none: (target) => target,
	'another value to whoever gets it': (target) =>
		new Proxy(target, {
			get: (_, name) => EVIL[name as Name],
		}),
	'another value at the second look': (target) => {
		const seen = new Set<PropertyKey>();
		return new Proxy(target, {
			getOwnPropertyDescriptor: (inner, name) => {
				const property = Reflect.getOwnPropertyDescriptor(inner, name);
				const isFirst = !seen.has(name);
				seen.add(name);
				if (!property || isFirst) return property;
				return { ...property, get: undefined, set: undefined, value: EVIL[name as Name] };
			},
		});
	},
	'more names at the second look': (target) => {
		let looks = 0;
		return new Proxy(target, {
			ownKeys: (inner) => [...Reflect.ownKeys(inner), ...(looks++ > 0 ? ['gasPrice'] : [])],
		});
	},
	'names that it has not': (target) =>
		new Proxy(target, { has: () => true, get: (_, name) => EVIL[name as Name] }),
	'another prototype each time': (target) =>
		new Proxy(target, { getPrototypeOf: () => ({ value: EVIL.value, to: EVIL.to }) }),
	'methods of its own': (target) => withMethods(target, EVIL),
	'a member of an item': (target) => ({ transaction: target }),
};

const PLAIN = 'plain';
const way = fc.oneof(
	{ weight: 12, arbitrary: fc.constant(PLAIN) },
	{ weight: 1, arbitrary: fc.constantFrom(...Object.keys(WAYS)) },
);
const ways = fc.record(Object.fromEntries(NAMES.map((name) => [name, way])));
const cases = fc.record({ ways, wrapper: fc.constantFrom(...Object.keys(WRAPPERS)) });

const count = createTally();
/** These show the plain values alone to whoever looks once, and only by descriptors. */
const HARMLESS = Object.keys(WRAPPERS).filter((name) => name !== 'more names at the second look');

test('objects that change or have methods of their own: what is signed is what they showed once, within the rules', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async ({ ways: chosen, wrapper }) => {
			const target = Object.create({}) as object;
			for (const name of NAMES) WAYS[chosen[name]!]!(target, name, HONEST[name], EVIL[name]);
			const result = await signGiven(WRAPPERS[wrapper]!(target), RULES);
			const isSigned = typeof result === 'string';
			const about = { chosen, wrapper, result };
			count(isSigned);
			expectSame(loot.functions.length, 0, about);
			if (!isSigned) {
				const isPlain = Object.values(chosen).every((one) => one === PLAIN);
				expectSame(isPlain && HARMLESS.includes(wrapper), false, about);
				return;
			}
			const {
				chainId,
				data,
				gas,
				maxFeePerGas = 0n,
				nonce,
				to,
				value = 0n,
			} = parseTransaction(result as Hex);
			expectSame(chainId, 31337, about);
			expectSame(to, FRIEND.toLowerCase(), about);
			expectSame(data ?? '0x', '0x', about);
			expectSame(nonce, 5, about);
			expectSame(gas, 60_000n, about);
			expectSame(value === 0n || value === 1000n, true, about);
			expectSame(maxFeePerGas, 2n, about);
			expectSame(result, await signByViem(result as Hex), about);
		}),
	);
});

/** Signs again what viem reads in a signed transaction. */
async function signByViem(serialized: Hex): Promise<Hex> {
	const { r: _r, s: _s, v: _v, yParity: _yParity, ...rest } = parseTransaction(serialized);
	return await account.signTransaction(rest as TransactionSerializable);
}

test('the judge would notice another signer', async () => {
	expect(account.address).toBe(ADDRESS);
	const honest = await signGiven(HONEST, RULES);
	expect(honest).toBe(await signByViem(honest as Hex));
});
