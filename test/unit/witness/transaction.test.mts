import fc from 'fast-check';
import { TronWeb, utils } from 'tronweb';
import { catching, InvalidValue } from '../../../nodes/core/values/parse';
import { decodeTransaction } from '../../../nodes/core/witness/transaction';
import { parseBuiltTransaction } from '../../../nodes/core/witness/rawData';
import { createRandom, drawFrom, type Random } from '../../harness/random.mts';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

const RUNS = { seed: getSeed(8), numRuns: getCaseCount(150) };
const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' });

interface Built {
	readonly visible: boolean;
	readonly txID: string;
	readonly raw_data: {
		readonly contract: [{ type: string; parameter: { value: Record<string, unknown> } }];
		readonly [name: string]: unknown;
	};
	readonly raw_data_hex: string;
}

const hexFrom = (random: Random, bytes: number) => random.bytes(bytes).slice(2);
const accountFrom = (random: Random) => `41${hexFrom(random, 20)}`;
const amountFrom = (random: Random) => 1 + random.upTo(10 ** random.upTo(15));
const RESOURCES = ['BANDWIDTH', 'ENERGY'] as const;

function optionsFrom(random: Random) {
	const timestamp = 1_600_000_000_000 + random.upTo(10 ** 11);
	const blockHeader = {
		ref_block_bytes: hexFrom(random, 2),
		ref_block_hash: hexFrom(random, 8),
		expiration: timestamp + 60_000,
		timestamp,
	};
	return { blockHeader, permissionId: random.oneOf([undefined, 2, 3]), txLocal: true };
}

/** The kinds of transactions, built by tronweb, with the expected result of decoding. */
const kinds: Record<string, (random: Random) => Promise<{ built: object; expected: object }>> = {
	async transfer(random) {
		const [owner_address, to_address] = [accountFrom(random), accountFrom(random)];
		const amount = amountFrom(random);
		const options = optionsFrom(random);
		const { sendTrx } = builder();
		const built = await sendTrx(to_address, amount, owner_address, options);
		return { built, expected: { owner_address, to_address, amount: BigInt(amount) } };
	},
	async assetTransfer(random) {
		const [owner_address, to_address] = [accountFrom(random), accountFrom(random)];
		const amount = amountFrom(random);
		const asset_name = String(1_000_001 + random.upTo(5000));
		const { sendToken } = builder();
		const options = optionsFrom(random);
		const built = await sendToken(to_address, amount, asset_name, owner_address, options);
		return { built, expected: { asset_name, owner_address, to_address, amount: BigInt(amount) } };
	},
	async vote(random) {
		const owner_address = accountFrom(random);
		const votes = Array.from({ length: 1 + random.upTo(29) }, () => ({
			vote_address: accountFrom(random),
			vote_count: amountFrom(random),
		}));
		const counts = votes.map(({ vote_address, vote_count }) => [vote_address, vote_count]);
		const { vote } = builder();
		const options = optionsFrom(random);
		const built = await vote(Object.fromEntries(counts) as never, owner_address, options);
		const expected = votes.map((one) => ({ ...one, vote_count: BigInt(one.vote_count) }));
		return { built, expected: { owner_address, votes: expected } };
	},
	async registration(random) {
		const owner_address = accountFrom(random);
		const url = `https://example.com/${random.oneOf(['', 'ä', '日本', 'a?b=c'])}${hexFrom(random, random.upTo(40))}`;
		const built = await builder().applyForSR(owner_address, url, optionsFrom(random));
		return { built, expected: { owner_address, url } };
	},
	async contractCall(random) {
		const [owner_address, contract_address] = [accountFrom(random), accountFrom(random)];
		const data = hexFrom(random, 4 + random.upTo(200));
		const [callValue, tokenValue] = [random.oneOf([0, amountFrom(random)]), amountFrom(random)];
		const tokenId = random.oneOf([undefined, 1_000_001 + random.upTo(5000)]);
		const { transaction } = await builder().triggerSmartContract(
			contract_address,
			'',
			{
				...optionsFrom(random),
				input: data,
				callValue,
				feeLimit: amountFrom(random),
				...(tokenId ? { tokenId, tokenValue } : {}),
			} as never,
			[],
			owner_address,
		);
		return {
			built: transaction,
			expected: {
				owner_address,
				contract_address,
				call_value: BigInt(callValue),
				data,
				call_token_value: tokenId ? BigInt(tokenValue) : 0n,
				token_id: BigInt(tokenId ?? 0),
			},
		};
	},
	async freeze(random) {
		const owner_address = accountFrom(random);
		const [amount, resource] = [amountFrom(random), random.oneOf(RESOURCES)];
		const { freezeBalanceV2 } = builder();
		const built = await freezeBalanceV2(amount, resource, owner_address, optionsFrom(random));
		return { built, expected: { owner_address, frozen_balance: BigInt(amount), resource } };
	},
	async unfreeze(random) {
		const owner_address = accountFrom(random);
		const [amount, resource] = [amountFrom(random), random.oneOf(RESOURCES)];
		const { unfreezeBalanceV2 } = builder();
		const built = await unfreezeBalanceV2(amount, resource, owner_address, optionsFrom(random));
		return { built, expected: { owner_address, unfreeze_balance: BigInt(amount), resource } };
	},
	async delegate(random) {
		const [owner_address, receiver_address] = [accountFrom(random), accountFrom(random)];
		const [amount, resource] = [amountFrom(random), random.oneOf(RESOURCES)];
		const [lock, blocks] = [random.oneOf([true, false]), random.upTo(864_000)];
		const { delegateResource } = builder();
		const options = optionsFrom(random);
		const built = await delegateResource(
			amount,
			receiver_address,
			resource,
			owner_address,
			lock,
			blocks,
			options,
		);
		const lock_period = BigInt(lock ? blocks : 0);
		const balance = BigInt(amount);
		const expected = { owner_address, receiver_address, balance, resource, lock, lock_period };
		return { built, expected };
	},
	async undelegate(random) {
		const [owner_address, receiver_address] = [accountFrom(random), accountFrom(random)];
		const [amount, resource] = [amountFrom(random), random.oneOf(RESOURCES)];
		const { undelegateResource } = builder();
		const options = optionsFrom(random);
		const built = await undelegateResource(
			amount,
			receiver_address,
			resource,
			owner_address,
			options,
		);
		return {
			built,
			expected: { owner_address, receiver_address, balance: BigInt(amount), resource },
		};
	},
	async withdraw(random) {
		const owner_address = accountFrom(random);
		const { withdrawExpireUnfreeze, withdrawBlockRewards } = builder();
		const withdraw = random.oneOf([withdrawExpireUnfreeze, withdrawBlockRewards]);
		return {
			built: await withdraw(owner_address, optionsFrom(random)),
			expected: { owner_address },
		};
	},
};

/** Gives the transaction builder of tronweb, whose methods can then be called without `this`. */
function builder() {
	const { transactionBuilder } = tronWeb;
	return new Proxy(transactionBuilder, {
		get: (target, name) => (target[name as never] as () => unknown).bind(target),
	});
}

/** Formats a transaction like a node that shows base58: addresses and texts are readable, and zeros are left out. */
function visible(built: Built): Built {
	const copy = structuredClone(built);
	const [contract] = copy.raw_data.contract;
	contract.parameter.value = readable(contract.parameter.value) as Record<string, unknown>;
	return { ...copy, visible: true };
}

function readable(value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.map((one) => readable(one));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([name, one]) => [name, readable(one, name)]);
		return Object.fromEntries(entries.filter(([, one]) => one !== 0 && one !== 'BANDWIDTH'));
	}
	if (key.endsWith('_address')) return utils.address.fromHex(value as string);
	const isText = ['url', 'asset_name'].includes(key);
	return isText ? Buffer.from(value as string, 'hex').toString() : value;
}

describe.each(Object.entries(kinds))('of the kind %s', (kind, buildOne) => {
	test(`${RUNS.numRuns} transactions of tronweb are read back, in both spellings`, async () => {
		const property = fc.asyncProperty(fc.gen(), async (generate) => {
			const { built, expected } = await buildOne(drawFrom(generate));
			const transaction = built as Built;
			const { raw_data: raw } = transaction;
			const read = decodeTransaction(transaction.raw_data_hex);
			expect(read).toMatchObject({ kind, parameters: expected, txID: transaction.txID });
			expect(Object.keys(read.parameters)).toHaveLength(Object.keys(expected).length);
			expect(read).toMatchObject({
				owner: (expected as { owner_address: string }).owner_address,
				refBlockBytes: raw.ref_block_bytes,
				refBlockHash: raw.ref_block_hash,
				expiration: BigInt(raw.expiration as number),
				timestamp: BigInt(raw.timestamp as number),
				feeLimit: BigInt((raw.fee_limit as number | undefined) ?? 0),
				data: '',
			});
			expect(parseBuiltTransaction(transaction)).toEqual(read);
			expect(parseBuiltTransaction(visible(transaction))).toEqual(read);
		});
		await fc.assert(property, RUNS);
	}, 60_000);
});

describe('what a transaction says beside its bytes', () => {
	const changes: Array<[name: string, wanted: RegExp, change: (built: Built) => unknown]> = [
		[
			'another amount',
			/parameter.amount is 6 in raw_data, and 5 in raw_data_hex/,
			value('amount', 6),
		],
		['another receiver', /parameter.to_address is/, value('to_address', `41${'3'.repeat(40)}`)],
		['a field more', /: parameter.asset_name is not in raw_data_hex/, value('asset_name', '00')],
		['a field less', /parameter.to_address is missing/, value('to_address', undefined)],
		['base58 in hex', /parameter.to_address is of another form/, value('to_address', 'T')],
		['another type', /contract.type is/, contract({ type: 'TransferAssetContract' })],
		['an unknown type', /contract.type is/, contract({ type: 'toString' })],
		[
			'a permission',
			/contract.Permission_id is 2 in raw_data, and 0/,
			contract({ Permission_id: 2 }),
		],
		['an older reference', /raw_data.ref_block_hash is/, raw({ ref_block_hash: '00' })],
		['a fee limit', /raw_data.fee_limit is 7 in raw_data, and 0/, raw({ fee_limit: 7 })],
		['a memo', /raw_data.data is/, raw({ data: '6869' })],
		['endless hex', /raw_data.data is/, raw({ data: '0'.repeat(20_000_000) })],
		[
			'endless base58',
			/parameter.owner_address is of another form/,
			(built) => ({ ...value('owner_address', 'T'.repeat(3_000_000))(built), visible: true }),
		],
		['no contract', /raw_data.contract is/, raw({ contract: [] })],
		[
			'a contract more',
			/raw_data.contract is/,
			(built) => raw({ contract: [...built.raw_data.contract, {}] })(built),
		],
		[
			'a parameter of another type',
			/parameter.type_url is/,
			(built) => {
				const { parameter } = built.raw_data.contract[0];
				return contract({ parameter: { ...parameter, type_url: 'type.example.com/Other' } })(built);
			},
		],
		['no raw_data', /its raw_data/, (built) => ({ ...built, raw_data: undefined })],
		['another ID', /txID is the hash \(SHA-256\)/, (built) => ({ ...built, txID: '0'.repeat(64) })],
		['no ID', /txID is the hash \(SHA-256\)/, (built) => ({ ...built, txID: undefined })],
		[
			'an ID in a list',
			/txID is the hash \(SHA-256\)/,
			(built) => ({ ...built, txID: [built.txID] }),
		],
		['no bytes', /its raw_data_hex/, (built) => ({ ...built, raw_data_hex: '' })],
		[
			'hex with 0x',
			/its raw_data_hex/,
			(one) => ({ ...one, raw_data_hex: `0x${one.raw_data_hex}` }),
		],
		['a list for raw_data', /its raw_data/, (built) => ({ ...built, raw_data: [] })],
		['an object of contracts', /raw_data.contract is/, raw({ contract: { 0: {} } })],
		['the other spelling', /_address is of another form/, (one) => ({ ...one, visible: true })],
		['a visible that is none', /'visible' is true or false/, (built) => ({ ...built, visible: 1 })],
	];

	test.each(changes)('%s is refused', async (_name, wanted, change) => {
		const built = await transfer();
		expect(parseBuiltTransaction(built).kind).toBe('transfer');
		expect(() => parseBuiltTransaction(change(built))).toThrow(wanted);
	});

	test.each([-5, 2 ** 60, 5.5, 1e21, null, [5]])('an amount of %p is refused', async (amount) => {
		const built = value('amount', amount)(await transfer());
		expect(() => parseBuiltTransaction(built)).toThrow(/parameter.amount is of another form/);
	});

	test.each([
		['lock', 'true'],
		['lock', 1],
		['lock_period', 0.5],
	])('a delegation whose %s is %p is refused', async (name, changed) => {
		const { blockHeader } = optionsFrom(createRandom(1));
		const { delegateResource } = builder();
		const options = { blockHeader };
		const built: unknown = await delegateResource(5, RECEIVER, 'ENERGY', OWNER, true, 5, options);
		const other = value(name, changed)(built as Built);
		expect(() => parseBuiltTransaction(other)).toThrow(`parameter.${name} is of another form`);
	});

	test('a large integer is exact when it is given as text', async () => {
		const built = await transfer();
		const exact = hexOf(raws({ amount: varint(2n ** 62n + 1n) }));
		const txID = decodeTransaction(exact).txID;
		const json = value('amount', String(2n ** 62n + 1n))(built) as Built;
		const { raw_data } = json;
		expect(
			parseBuiltTransaction({
				txID,
				raw_data_hex: exact,
				raw_data: { ...raw_data, ref_block_bytes: '', ref_block_hash: '', ...NO_TIME },
			}).parameters,
		).toMatchObject({ amount: 2n ** 62n + 1n });
	});

	const NO_TIME = { expiration: 0, timestamp: 0 };

	async function transfer(): Promise<Built> {
		const { blockHeader } = optionsFrom(createRandom(1));
		const built = await builder().sendTrx(RECEIVER, 5, OWNER, { blockHeader });
		return built as object as Built;
	}

	function value(name: string, changed: unknown) {
		return (built: Built) => {
			const copy = structuredClone(built);
			copy.raw_data.contract[0].parameter.value[name] = changed;
			return copy;
		};
	}

	function contract(changed: object) {
		return (built: Built) =>
			raw({ contract: [{ ...built.raw_data.contract[0], ...changed }] })(built);
	}

	function raw(changed: object) {
		return (built: Built) => ({ ...built, raw_data: { ...built.raw_data, ...changed } });
	}
});

const OWNER = `41${'1'.repeat(40)}`;
const RECEIVER = `41${'2'.repeat(40)}`;

/** Encodes a number for protobuf by hand, to write transactions that no client would write. */
function varint(value: bigint): number[] {
	const low = Number(value & 0x7fn);
	return value < 0x80n ? [low] : [low | 0x80, ...varint(value >> 7n)];
}
const number = (field: number, value: number[]) => [...varint(BigInt(field * 8)), ...value];
const chunk = (field: number, value: number[] | Buffer) => [
	...varint(BigInt(field * 8 + 2)),
	...varint(BigInt(value.length)),
	...value,
];
const hexOf = (bytes: number[]) => Buffer.from(bytes).toString('hex');
const unhex = (digits: string) => [...Buffer.from(digits, 'hex')];

interface Parts {
	readonly amount?: number[];
	readonly value?: number[];
	readonly url?: string;
	readonly type?: number[];
	readonly envelope?: number[];
	readonly before?: number[];
	readonly after?: number[];
}

function raws({
	amount = [5],
	value = [...chunk(1, unhex(OWNER)), ...chunk(2, unhex(RECEIVER)), ...number(3, amount)],
	url = 'type.googleapis.com/protocol.TransferContract',
	type = [1],
	envelope = [],
	before = [],
	after = [],
}: Parts): number[] {
	const parameter = [...chunk(1, Buffer.from(url)), ...chunk(2, value)];
	const contract = [...number(1, type), ...chunk(2, parameter), ...envelope];
	return [...before, ...chunk(11, contract), ...after];
}

describe('bytes that may be read in more than one way are refused', () => {
	const owner = chunk(1, unhex(OWNER));
	const receiver = chunk(2, unhex(RECEIVER));
	const cases: Array<[name: string, wanted: RegExp, bytes: number[]]> = [
		['two contracts', /it has 2 contracts/, [...raws({}), ...raws({})]],
		['no contract', /it has 0 contracts/, number(14, [5])],
		['an unknown field', /field 13, which is not known/, raws({ after: number(13, [1]) })],
		['scripts', /field 12, which is not known/, raws({ after: chunk(12, [1]) })],
		['authorities', /field 9, which is not known/, raws({ before: chunk(9, [1]) })],
		['the number of a block', /field 3,/, raws({ before: number(3, [1]) })],
		['an unknown field of the contract', /has a field 7/, raws({ envelope: number(7, [1]) })],
		[
			'an unknown field of the transfer',
			/TransferContract has a field 4/,
			raws({ value: [...owner, ...receiver, ...number(3, [5]), ...number(4, [5])] }),
		],
		[
			'a lock that is neither true nor false',
			/DelegateResourceContract.lock is neither true nor false/,
			raws({
				url: 'type.googleapis.com/protocol.DelegateResourceContract',
				type: [57],
				value: [...owner, ...number(3, [5]), ...chunk(4, unhex(RECEIVER)), ...number(5, [2])],
			}),
		],
		['a fixed number', /wire type 1/, raws({ after: [14 * 8 + 1, 0, 0, 0, 0, 0, 0, 0, 0] })],
		['a group', /wire type 3/, raws({ after: [14 * 8 + 3] })],
		['a number for bytes', /of another type/, raws({ before: number(1, [5]) })],
		['bytes for a number', /of another type/, raws({ after: chunk(14, [5]) })],
		[
			'an amount twice',
			/TransferContract.amount is there twice/,
			raws({ value: [...owner, ...receiver, ...number(3, [5]), ...number(3, [6])] }),
		],
		[
			'an owner twice',
			/owner_address is there twice/,
			raws({ value: [...owner, ...owner, ...receiver] }),
		],
		[
			'a timestamp twice',
			/timestamp is there twice/,
			raws({ after: [...number(14, [5]), ...number(14, [5])] }),
		],
		[
			'fields out of order',
			/out of order/,
			raws({ value: [...receiver, ...owner, ...number(3, [5])] }),
		],
		['a padded number', /more bytes than it needs/, raws({ amount: [0x85, 0] })],
		['a padded tag', /more bytes than it needs/, raws({ after: [0xf0, 0x80, 0, 5] })],
		['a padded length', /more bytes than it needs/, [0x5a, 0x80, 0]],
		['a zero written out', /a zero that is written out/, raws({ amount: [0] })],
		['empty bytes written out', /is empty/, raws({ before: chunk(1, []) })],
		['a negative number', /negative or too large/, raws({ amount: varint(2n ** 64n - 5n) })],
		['65 bits', /a number in .* is too large/, raws({ amount: varint(2n ** 64n) })],
		['a number without end', /too large/, raws({ amount: Array.from({ length: 11 }, () => 0xff) })],
		[
			'a permission of 33 bits',
			/negative or too large/,
			raws({ envelope: number(5, varint(2n ** 32n)) }),
		],
		['a field 0', /no such field/, raws({ after: [0, 1] })],
		['a trailing byte', /ends too early/, raws({ after: [0xf0] })],
		['a length beyond the end', /ends too early/, raws({ after: [0x52, 5, 1] })],
		['a length of 2^63', /ends too early/, raws({ after: [0x52, ...varint(2n ** 63n)] })],
		['an unknown contract', /type is 30, which is not known/, raws({ type: [30] })],
		['a contract without a type', /type is missing/, chunk(11, chunk(2, chunk(1, [65])))],
		[
			'a parameter of another type',
			/is a TransferContract, its parameter/,
			raws({ url: 'type.googleapis.com/protocol.VoteWitnessContract' }),
		],
		[
			'a type of nobody',
			/its parameter is another/,
			raws({ url: 'example.com/protocol.TransferContract' }),
		],
		[
			'a short address',
			/no address of 21 bytes/,
			raws({ value: [...chunk(1, unhex(OWNER.slice(2))), ...receiver] }),
		],
		[
			'an address of another network',
			/no address of 21 bytes/,
			raws({ value: [...chunk(1, unhex(OWNER.replace(/^41/, 'a0'))), ...receiver] }),
		],
		['no receiver', /to_address is missing/, raws({ value: owner })],
		[
			'a name that is no text',
			/is no UTF-8/,
			raws({
				type: [5],
				url: 'type.googleapis.com/protocol.WitnessCreateContract',
				value: [...owner, ...chunk(2, [0xff])],
			}),
		],
	];

	test.each(cases)('%s', (_name, wanted, bytes) => {
		expect(() => decodeTransaction(hexOf(bytes))).toThrow(wanted);
	});

	test.each([undefined, null, 5, '', '0', 'zz', {}, []])('%p is no transaction', (given) => {
		expect(() => decodeTransaction(given)).toThrow(/raw_data_hex/);
		expect(() => parseBuiltTransaction(given)).toThrow(/transaction/);
	});

	test('bytes by hand are otherwise read', () => {
		expect(decodeTransaction(hexOf(raws({}))).parameters).toMatchObject({ amount: 5n });
	});

	test('a million bytes are refused at once, and so are more votes than the chain allows', () => {
		expect(() => decodeTransaction('00'.repeat(1_000_000))).toThrow(/longer than the chain takes/);
		expect(() => decodeTransaction('0'.repeat(20_000_000))).toThrow(/longer than the chain takes/);
		const small = chunk(2, [1]);
		const value = [...owner, ...Buffer.alloc(100_000 * small.length, Buffer.from(small))];
		const url = 'type.googleapis.com/protocol.VoteWitnessContract';
		expect(() => decodeTransaction(hexOf(raws({ type: [4], url, value })))).toThrow(
			'votes has 100000 entries; the chain allows 30',
		);
	});

	test('a bit that is flipped is either refused or means something else', () => {
		const bytes = Buffer.from(
			hexOf(raws({ before: chunk(1, [1, 2]), after: number(14, [5]) })),
			'hex',
		);
		const whole = withoutId(bytes.toString('hex'));
		for (let bit = 0; bit < bytes.length * 8; bit++) {
			const changed = Buffer.from(bytes);
			changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
			const read = catching(InvalidValue, () => withoutId(changed.toString('hex')));
			expect(read).not.toEqual(whole);
		}
	});
});

function withoutId(hex: string): object {
	return { ...decodeTransaction(hex), txID: '' };
}
