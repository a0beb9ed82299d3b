import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/p256';
import { utils } from 'tronweb';
import {
	keccak256,
	parseSignature,
	parseTransaction,
	recoverTransactionAddress,
	toFunctionSelector,
	type Hex,
	type TransactionSerializable,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createRandom, type Random } from '../../test/harness/random.mts';
import { createKey } from '../library/keys.mts';
import { NAMED_FUNCTIONS } from '../rules/contractCalls';
import { GENEROUS, signed } from './support/signerNode.mts';
import { ALL_WITNESS, builder } from './support/witness.mts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

const SEEDS = 500;
const HALF = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const seeds = Array.from({ length: SEEDS }, (_, index) => createRandom(index + 1));

/** The keys of the tests. There are only five, because each run signs all of its items with one key. */
const keys = Array.from({ length: 5 }, (_, index) => createRandom(9000 + index).bytes(32));

/** Returns the output of the node for each seed, in one run for each key. */
async function bySeed(
	parameters: object,
	rules: object,
	jsonOf: (random: Random, key: Hex, index: number) => object | Promise<object>,
) {
	const size = SEEDS / keys.length;
	const runs = keys.map(async (key, run) => {
		const own = seeds.slice(run * size, (run + 1) * size);
		const jsons = await Promise.all(
			own.map(async (random, index) => await jsonOf(random, key, index)),
		);
		const items = jsons.map((json) => ({ json: json as never }));
		const results = await signed(parameters as never, { items, key, rules: rules as never });
		return results.map((result, index) => ({ result, json: jsons[index]!, key }));
	});
	return (await Promise.all(runs)).flat();
}

interface OfViem {
	readonly viem: TransactionSerializable;
	readonly given: object;
}

function transactionFrom(random: Random): OfViem {
	const type = random.oneOf(['legacy', 'eip2930', 'eip1559'] as const);
	const isDeployment = random.upTo(7) === 0;
	const accessList = Array.from({ length: random.upTo(3) }, () => ({
		address: random.bytes(20),
		storageKeys: Array.from({ length: random.upTo(3) }, () => random.bytes(32)),
	}));
	const highest = random.number(4) + 1n;
	const fees =
		type === 'eip1559'
			? { maxFeePerGas: highest, maxPriorityFeePerGas: highest / 2n }
			: { gasPrice: highest };
	const viem = {
		type,
		chainId: random.oneOf([1, 31337, 2 ** 31]),
		nonce: random.upTo(2 ** random.upTo(40)),
		gas: 150_000n + random.number(3),
		value: random.number(10),
		...(!isDeployment && { to: random.bytes(20) }),
		data: isDeployment
			? random.bytes(40)
			: random.bytes(random.oneOf([0, 0, 1, 5, 36, 55, 56, 300])),
		...fees,
		...(type !== 'legacy' && { accessList }),
	};
	const numbers = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2' };
	const given = Object.entries(viem).map(([name, value]) => [
		name,
		typeof value === 'bigint' ? random.oneOf([`0x${value.toString(16)}`, String(value)]) : value,
	]);
	return {
		viem: viem as TransactionSerializable,
		given: { ...Object.fromEntries(given), type: numbers[type] },
	};
}

test(`${SEEDS} transactions are signed as viem signs them`, async () => {
	const rules = {
		...GENEROUS,
		chainIds: '1, 31337, 2147483648',
		maxAmount: '1000000000',
	};
	const viems: TransactionSerializable[] = [];
	const all = await bySeed(
		{ resource: 'transaction', operation: 'sign', transaction: '={{ $json }}' },
		rules,
		(random) => transactionFrom(random).given,
	);
	seeds.forEach((_, index) => viems.push(transactionFrom(createRandom(index + 1)).viem));
	expect(all).toHaveLength(SEEDS);
	for (const [index, { result, key }] of all.entries()) {
		const account = privateKeyToAccount(key);
		const wanted = await account.signTransaction(viems[index]!);
		expect(result).toEqual({
			signedTransaction: wanted,
			transactionHash: keccak256(wanted),
			from: account.address,
		});
		expect(BigInt(parseTransaction(wanted).s!)).toBeLessThanOrEqual(HALF);
	}
	const [first] = all;
	const serializedTransaction = first!.result.signedTransaction as never;
	expect(await recoverTransactionAddress({ serializedTransaction })).toBe(first!.result.from);
});

const TEXTS = ['', 'a', ' ', 'ä', '日本', '\n', '0x12', '\u0019', '😀', '{"a":1}'];

test(`${SEEDS} messages are signed as viem signs them, low in s`, async () => {
	const all = await bySeed(
		{ resource: 'message', operation: 'sign', message: '={{ $json.message }}' },
		GENEROUS,
		(random) => ({
			message: `${random.upTo(9)}${Array.from({ length: random.upTo(40) }, () => random.oneOf(TEXTS)).join('')}`,
		}),
	);
	for (const { result, json, key } of all) {
		const account = privateKeyToAccount(key);
		const { message } = json as { message: string };
		expect(result).toEqual({
			signature: await account.signMessage({ message }),
			signer: account.address,
		});
		expect(BigInt(parseSignature(result.signature as Hex).s)).toBeLessThanOrEqual(HALF);
	}
});

const ATOMS: Readonly<Record<string, (random: Random) => unknown>> = {
	address: (random) => random.bytes(20),
	bool: (random) => random.upTo(1) === 1,
	string: (random) => Array.from({ length: random.upTo(9) }, () => random.oneOf(TEXTS)).join(''),
	bytes: (random) => random.bytes(random.upTo(70)),
	bytes4: (random) => random.bytes(4),
	bytes32: (random) => random.bytes(32),
	uint8: (random) => random.upTo(255),
	uint256: (random) => String(random.number(32)),
	int64: (random) => -random.upTo(2 ** 40),
};

/** Draws a type of a member and a value of this type. */
function memberFrom(random: Random, structs: readonly Struct[]): { type: string; value: unknown } {
	const struct = structs.length > 0 && random.upTo(2) === 0 ? random.oneOf(structs) : undefined;
	const atom = random.oneOf(Object.keys(ATOMS));
	const one = () => (struct ? struct.value(random) : ATOMS[atom]!(random));
	const type = struct?.name ?? atom;
	const length = random.upTo(3);
	const list = () => Array.from({ length }, one);
	return random.oneOf([
		() => ({ type, value: one() }),
		() => ({ type: `${type}[]`, value: list() }),
		() => ({ type: `${type}[${length + 1}]`, value: [...list(), one()] }),
	])();
}

interface Struct {
	readonly name: string;
	readonly members: ReadonlyArray<{ name: string; type: string }>;
	value(random: Random): unknown;
}

function typedDataFrom(random: Random) {
	const structs: Struct[] = [];
	for (const name of ['Zeta', 'Alpha', 'Mail']) {
		const inner = [...structs];
		const members = Array.from({ length: 1 + random.upTo(4) }, (_, index) => ({
			name: `m${index}`,
			...memberFrom(random, inner),
		}));
		const value = Object.fromEntries(members.map((member) => [member.name, member.value]));
		structs.push({
			name,
			members: members.map(({ name: own, type }) => ({ name: own, type })),
			value: () => value,
		});
	}
	const mail = structs.at(-1)!;
	const domain = {
		...(random.upTo(1) && { name: 'Ether Mail' }),
		...(random.upTo(1) && { version: '1' }),
		...(random.upTo(1) && { chainId: random.upTo(9999) }),
		...(random.upTo(1) && { verifyingContract: random.bytes(20) }),
		...(random.upTo(3) === 0 && { salt: random.bytes(32) }),
	};
	return {
		types: Object.fromEntries(structs.map(({ name, members }) => [name, members])),
		domain,
		primaryType: 'Mail',
		message: mail.value(random),
	};
}

test(`${SEEDS} pieces of typed data are signed as viem signs them`, async () => {
	const all = await bySeed(
		{ resource: 'typedData', operation: 'sign', typedData: '={{ $json }}' },
		GENEROUS,
		typedDataFrom,
	);
	for (const { result, json, key } of all) {
		const account = privateKeyToAccount(key);
		expect(result).toEqual({
			signature: await account.signTypedData(withBigints(json) as never),
			signer: account.address,
		});
	}
});

/** Converts long numbers to bigint, as viem needs them. */
function withBigints(value: unknown): unknown {
	if (typeof value === 'string' && /^\d{10,}$/.test(value)) return BigInt(value);
	if (Array.isArray(value)) return value.map(withBigints);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withBigints(one)]));
}

test(`${SEEDS} transactions of the witness chain are signed as tronweb signs them`, async () => {
	const all = await bySeed(
		{ resource: 'witnessTransaction', operation: 'sign', transaction: '={{ $json }}' },
		{ ...ALL_WITNESS, witnessMaxAmount: '9000000000' },
		async (random, key) => {
			const owner = `41${privateKeyToAccount(key).address.slice(2).toLowerCase()}`;
			return await witnessFrom(random, owner);
		},
	);
	for (const { result, json, key } of all) {
		const { txID } = json as { txID: string };
		const wanted = utils.crypto.ECKeySign(
			[...Buffer.from(txID, 'hex')],
			[...Buffer.from(key.slice(2), 'hex')],
		);
		const signed = { ...json, signature: [wanted.toLowerCase().replace(/^0x/, '')] };
		expect(result).toEqual({ ...signed, transaction: signed });
	}
});

async function witnessFrom(random: Random, owner: string): Promise<object> {
	const timestamp = 1_600_000_000_000 + random.upTo(10 ** 11);
	const options = {
		txLocal: true,
		blockHeader: {
			ref_block_bytes: random.bytes(2).slice(2),
			ref_block_hash: random.bytes(8).slice(2),
			expiration: timestamp + 60_000,
			timestamp,
		},
	};
	const other = () => `41${random.bytes(20).slice(2)}`;
	const amount = 1 + random.upTo(10 ** random.upTo(12));
	const kinds = [
		async () => await builder.sendTrx(other(), amount, owner, options),
		async () =>
			await builder.freezeBalanceV2(amount, random.oneOf(['ENERGY', 'BANDWIDTH']), owner, options),
		async () =>
			await builder.unfreezeBalanceV2(
				amount,
				random.oneOf(['ENERGY', 'BANDWIDTH']),
				owner,
				options,
			),
		async () => await builder.vote({ [other()]: amount, [other()]: 1 }, owner, options),
		async () =>
			await builder.applyForSR(
				owner,
				`https://example.com/${random.oneOf(['', 'ä', 'a?b=c'])}`,
				options,
			),
		async () => {
			const input = random.bytes(4 + random.upTo(200)).slice(2);
			const more = { ...options, input, feeLimit: amount, callValue: random.oneOf([0, amount]) };
			return (await builder.triggerSmartContract(other(), '', more as never, [], owner))
				.transaction;
		},
	];
	const { visible, txID, raw_data, raw_data_hex } = JSON.parse(
		JSON.stringify(await random.oneOf(kinds)()),
	) as Record<string, unknown>;
	return { visible: visible ?? false, txID, raw_data, raw_data_hex };
}

/** Test vectors of RFC 6979, A.2.5 (P-256 with SHA-256). The library makes the nonces of all curves with the same code. */
test.each([
	[
		'sample',
		'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716',
		'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
	],
	[
		'test',
		'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367',
		'019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
	],
])("RFC 6979's vector of %p", (message, r, s) => {
	const key = 'c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721';
	const signature = p256.sign(sha256(message), key, { lowS: false });
	expect(signature.toCompactHex()).toBe(r + s);
});

/** Test vectors for secp256k1 with SHA-256, which many wallets use. */
test.each([
	[
		1n,
		'Satoshi Nakamoto',
		'934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
	],
	[
		1n,
		'All those moments will be lost in time, like tears in rain. Time to die...',
		'8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
	],
	[
		ORDER - 1n,
		'Satoshi Nakamoto',
		'fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d06b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
	],
])('the key %p signs %p as it is known to', (number, message, wanted) => {
	const key = createKey(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'))!;
	const { r, s } = key.sign(sha256(message));
	expect([r, s].map((one) => one.toString(16).padStart(64, '0')).join('')).toBe(wanted);
});

test('the functions that the rules know have these selectors', () => {
	for (const [selector, { called }] of Object.entries(NAMED_FUNCTIONS)) {
		expect([selector, called.selector]).toEqual([
			toFunctionSelector(`function ${called.signature}`),
			selector,
		]);
	}
});
