import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { utils } from 'tronweb';
import { decodeTransaction } from '../../nodes/core';
import { parseSecp256k1Rules } from '../rules/rules';
import { judge } from '../rules/judge';
import { decodeWitnessTransaction } from '../rules/witness';
import { testAttacks, type Attacked } from './support/attacks.mts';
import { findSpellings } from '../../test/harness/spellings.mts';
import {
	ADDRESS,
	CONTRACT,
	FRIEND,
	KEY,
	signed,
	signWith,
	STRANGER,
	TOKEN,
} from './support/signerNode.mts';
import {
	ALL_WITNESS,
	asBase58,
	asWitness,
	callOf,
	delegationTo,
	expiringIn,
	memoOf,
	otherKinds,
	OWNER,
	permittedBy,
	signWitness,
	transferOf,
	type Built,
} from './support/witness.mts';
import type * as TakenOut from './support/takenOut.mts';
import { call } from './support/tokenCalls.mts';

jest.mock('../rules/refusal', () =>
	jest
		.requireActual<typeof TakenOut>('./support/takenOut.mts')
		.withoutThoseTakenOut(jest.requireActual('../rules/refusal')),
);

const seen: unknown[] = [];

async function run(transaction: object, rules: ICredentialDataDecryptedObject = ALL_WITNESS) {
	const result = await signWith(signWitness(transaction), { rules });
	seen.push(result);
	return result;
}

const messageOf = async (transaction: object, rules?: ICredentialDataDecryptedObject) =>
	(await run(transaction, rules)).error?.message;

describe('a transaction of the witness chain', () => {
	test.each([
		'transfer',
		'contractCall',
		...Object.keys(otherKinds).filter((kind) => kind !== 'assetTransfer'),
	])('%s is signed as tronweb does', async (kind) => {
		const made: Record<string, () => Promise<Built>> = {
			...otherKinds,
			transfer: async () => await transferOf(5),
			contractCall: async () => await callOf(TOKEN, call('transfer', FRIEND, 1n)),
		};
		const built = await made[kind]!();
		const [result] = await signed(signWitness(built), { rules: ALL_WITNESS });
		const { transaction, ...beside } = result ?? {};
		expect(beside).toEqual({ ...built, signature: [expect.stringMatching(/^[0-9a-f]{130}$/)] });
		expect(transaction).toEqual(beside);
		const [signature = ''] = result?.signature as string[];
		expect(`0x${signature}`).toBe(
			utils.crypto
				.ECKeySign([...Buffer.from(built.txID, 'hex')], [...Buffer.from(KEY.slice(2), 'hex')])
				.toLowerCase()
				.replace(/^(0x)?/, '0x'),
		);
		expect(utils.crypto.ecRecover(built.txID, signature).toLowerCase()).toBe(OWNER);
	});

	test('goes in as an object of an expression, and with addresses in base58', async () => {
		const built = await transferOf(5);
		const contract = (built.raw_data.contract as [{ parameter: { value: object } }])[0];
		const value = {
			...contract.parameter.value,
			owner_address: asBase58(OWNER.replace('41', '0x')),
			to_address: asBase58(FRIEND),
		};
		const visible = {
			...built,
			visible: true,
			raw_data: {
				...built.raw_data,
				contract: [{ ...contract, parameter: { ...contract.parameter, value } }],
			},
		};
		const parameters = { ...signWitness({}), transaction: '={{ $json }}' };
		const items = [{ json: visible as never }, { json: built as never }];
		const [one, other] = await signed(parameters, { items, rules: ALL_WITNESS });
		expect(one?.signature).toEqual(other?.signature);
		expect(one).toMatchObject({ visible: true, raw_data: visible.raw_data });
	});

	test('whose ID is not the hash of its bytes is refused', async () => {
		const [one, other] = [await transferOf(5), await transferOf(6)];
		const words = /must be a transaction whose txID is the hash \(SHA-256\) of its raw_data_hex/;
		expect(await messageOf({ ...one, txID: other.txID })).toMatch(words);
		expect(await messageOf({ ...one, raw_data_hex: other.raw_data_hex })).toMatch(words);
		expect(await messageOf({ ...one, txID: undefined })).toMatch(words);
	});

	test('whose JSON says something else than its bytes is refused', async () => {
		const one = await transferOf(5);
		const others = [
			await transferOf(6),
			await transferOf(5, asWitness(STRANGER)),
			await transferOf(5, undefined, asWitness(STRANGER)),
		];
		for (const { raw_data } of others) {
			expect(await messageOf({ ...one, raw_data })).toMatch(
				/must be a transaction that matches its raw_data_hex/,
			);
		}
		for (const change of [
			{ expiration: 1 },
			{ fee_limit: 5 },
			{ data: '12' },
			{ ref_block_bytes: 'ab13' },
			{ scripts: '00' },
		]) {
			const raw_data = { ...one.raw_data, ...change };
			expect(await messageOf({ ...one, raw_data })).toMatch(
				/must be a transaction that matches its raw_data_hex/,
			);
		}
		expect(await messageOf({ ...one, raw_data: undefined })).toMatch(/with its raw_data/);
	});

	test.each([1, 2, 3])('for permission %p, which several may share, is refused', async (id) => {
		expect(await messageOf(await permittedBy(id))).toBe(
			`The transaction is for permission ${id} of its account, and this signer signs for the owner's (0) alone`,
		);
	});

	test('that has a signature already is refused', async () => {
		const built = await transferOf(5);
		expect(await messageOf({ ...built, signature: ['00'] })).toMatch(/that is not signed yet/);
	});

	test('of another owner is refused', async () => {
		expect(await messageOf(await transferOf(5, undefined, asWitness(STRANGER)))).toBe(
			`The owner of the transaction is ${asBase58(STRANGER)}, but this credential signs for ${asBase58(OWNER.replace('41', '0x'))}`,
		);
	});

	test.each([' ', '{}', '[]', '1', '{"raw_data_hex": "0x"}'])('is not %p', async (transaction) => {
		const { error } = await signWith({ ...signWitness({}), transaction }, { rules: ALL_WITNESS });
		expect(error?.message).toMatch(/^'Transaction'/);
	});

	test('with keys of a prototype in its JSON is refused', async () => {
		const { raw_data, ...built } = await transferOf(5);
		const text = JSON.stringify(raw_data);
		const more = '"__proto__":{},';
		const others = [
			text.replace('{', `{${more}`),
			text.replace('[{', `[{${more}`),
			text.replace('"parameter":{', `"parameter":{${more}`),
			text.replace('"value":{', `"value":{${more}`),
		];
		for (const other of others) {
			const transaction = `{"raw_data":${other},${JSON.stringify(built).slice(1)}`;
			const { error } = await signWith({ ...signWitness({}), transaction }, { rules: ALL_WITNESS });
			expect(error?.message).toMatch(/must be a transaction that matches its raw_data_hex/);
		}
	});

	test('that has a key twice is refused, whichever of the two its bytes say', async () => {
		const text = JSON.stringify(await transferOf(5));
		const other = JSON.stringify((await transferOf(6)).raw_data);
		const texts = [
			`{"raw_data":${other},${text.slice(1)}`,
			`${text.slice(0, -1)},"raw_data":${other}}`,
		];
		for (const transaction of texts) {
			const { error } = await signWith({ ...signWitness({}), transaction }, { rules: ALL_WITNESS });
			expect(error?.message).toMatch(/no object has the same name twice/);
		}
	});

	test('with bytes that nobody knows is refused, though its hash is right', async () => {
		const built = await transferOf(5);
		const hex = `${built.raw_data_hex}a20100`;
		const txID = createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
		expect(await messageOf({ ...built, raw_data_hex: hex, txID })).toMatch(/read to its last byte/);
	});
});

const BASE = {
	witnessKinds: ['transfer', 'contractCall'],
	witnessMaxAmount: '1',
	witnessMaxFee: '10',
};
const COIN = 1_000_000;
const MINUTE_MS = 60_000;

type Make = () => Promise<Built>;

/** Lets a table of test cases contain a call of `build`, which only runs in the test of its row. */
const later =
	<Args extends readonly unknown[]>(build: (...args: Args) => Promise<Built>) =>
	(...args: Args): Make =>
	async () =>
		await build(...args);
const paid = later(transferOf);
const called = later(callOf);
const expiring = later(expiringIn);

const NOBODY = `0x${'0'.repeat(40)}`;
const WORD = `0x${'0'.repeat(64)}`;
const RECIPIENTS = /^The rule Recipients forbids it: T\w{33} would receive. Allowed: T\w{33}$/;
const CONTRACTS = /^The rule Contracts forbids it: the transaction calls .+ of T\w{33}. Allowed: /;
const LIMITS =
	/^The rule Token Limits forbids it: .+ of T\w{33} is about 101. Allowed: at most 100 of its/;
const UNCLEAR = /is not encoded in the one canonical way$/;
const AMOUNT =
	/^The rule Witness Max Amount forbids it: the transaction sends 1.000001 coins. Allowed: at most 1$/;
const ASSETS = /sends tokens of TRC-10/;
const EXPIRY = (most: number) =>
	new RegExp(
		`^The rule Witness Max Expiry forbids it: the transaction expires \\d+ minutes from now, at [-\\d]+T[:.\\d]+Z. Allowed: at most ${most} minutes, until [-\\d]+T[:.\\d]+Z$`,
	);
const transfer = call('transfer', FRIEND, 100n);

/** Writes the receiver's address with the first byte 41, as old TRON clients do. */
const prefixed = (data: string) =>
	data.replace(`00${FRIEND.slice(2).toLowerCase()}`, asWitness(FRIEND));

const table: Readonly<Record<string, Attacked<Make>>> = {
	'Witness Kinds': {
		rules: { ...BASE, witnessKinds: ['vote'] },
		allowed: [otherKinds.vote!],
		refused: [
			[
				'a transfer',
				paid(1),
				/^The rule Witness Kinds forbids it: the transaction is of the kind transfer. Allowed: vote$/,
			],
			['a call', called(TOKEN, transfer), /kind contractCall/, 'Contracts'],
			['freezing', otherKinds.freeze!, /kind freeze/],
			['unfreezing', otherKinds.unfreeze!, /kind unfreeze/],
			['a registration', otherKinds.registration!, /kind registration/],
			['a transfer of TRC-10', otherKinds.assetTransfer!, /kind assetTransfer/, 'TRC-10'],
		],
	},
	'Witness Kinds, those before delegate and withdraw': {
		rules: {
			...BASE,
			witnessKinds: ['transfer', 'contractCall', 'vote', 'registration', 'freeze'],
			witnessMaxAmount: '1000000',
		},
		allowed: [otherKinds.freeze!],
		refused: [
			['a delegation', otherKinds.delegate!, /kind delegate. Allowed: /],
			['what takes it back', otherKinds.undelegate!, /kind undelegate. Allowed: /],
			['what was unfrozen', otherKinds['withdraw unfrozen']!, /kind withdraw. Allowed: /],
			['rewards', otherKinds['withdraw rewards']!, /kind withdraw. Allowed: /],
		],
	},
	'Witness Kinds, with recipients of a delegation': {
		rules: { witnessKinds: ['delegate'], recipients: asWitness(FRIEND) },
		allowed: [otherKinds.delegate!, otherKinds.undelegate!],
		refused: [
			[
				'a delegation to a stranger',
				async () => await delegationTo(STRANGER),
				/^The rule Recipients forbids it: T\w{33} would receive. Allowed: T\w{33}$/,
			],
			['a withdrawal', otherKinds['withdraw rewards']!, /kind withdraw. Allowed: delegate$/],
		],
	},
	'Witness Kinds, empty': {
		rules: { chainIds: '31337' },
		allowed: [],
		refused: [['a vote', otherKinds.vote!, /kind vote. Allowed: none$/]],
	},
	'Witness Max Amount': {
		rules: { ...BASE, contracts: '*' },
		allowed: [paid(COIN), called(TOKEN, '12345678', { callValue: COIN })],
		refused: [
			['a transfer', paid(COIN + 1), AMOUNT],
			['coins along with a call', called(TOKEN, '12345678', { callValue: COIN + 1 }), AMOUNT],
			[
				'coins along with a transfer of a token',
				called(TOKEN, transfer, { callValue: COIN + 1 }),
				AMOUNT,
			],
			['tokens of TRC-10', otherKinds.assetTransfer!, /kind assetTransfer/, 'TRC-10'],
			[
				'tokens of TRC-10 along with a call',
				called(TOKEN, transfer, { tokenId: 1000001, tokenValue: 1 }),
				ASSETS,
			],
			[
				'the lowest ID of a token alone',
				called(TOKEN, transfer, { tokenId: 1, tokenValue: 0 }),
				ASSETS,
			],
			[
				'the ID of a token alone',
				called(TOKEN, transfer, { tokenId: 1000001, tokenValue: 0 }),
				ASSETS,
			],
		],
	},
	'Witness Max Amount, not set': {
		rules: { witnessKinds: ['transfer'] },
		allowed: [],
		refused: [['a millionth of a coin', paid(1), /sends 0.000001 coins. Allowed: at most 0$/]],
	},
	'Witness Max Fee': {
		rules: { ...BASE, contracts: '*' },
		allowed: [called(TOKEN, transfer, { feeLimit: 10 * COIN })],
		refused: [
			[
				'a high limit',
				called(TOKEN, transfer, { feeLimit: 10 * COIN + 1 }),
				/^The rule Witness Max Fee forbids it: the transaction has a fee limit of 10.000001 coins. Allowed: at most 10$/,
			],
		],
	},
	'Witness Max Fee, of bytes': {
		rules: { ...BASE, witnessMaxFee: '1', contracts: '*' },
		allowed: [called(TOKEN, '12'.repeat(2700), { feeLimit: 1000 }), async () => await memoOf(2500)],
		refused: [
			[
				'much data',
				called(TOKEN, '12'.repeat(3000), { feeLimit: 1000 }),
				/^The rule Witness Max Fee forbids it: the fee limit and the \d{4} bytes of the transaction may burn 1.\d+ coins. Allowed: at most 1$/,
			],
			[
				'much data on top of the whole fee limit',
				called(TOKEN, '12'.repeat(2700)),
				/^The rule Witness Max Fee forbids it: the fee limit and the \d{4} bytes of the transaction may burn 1.\d+ coins. Allowed: at most 1$/,
			],
			[
				'a long memo',
				async () => await memoOf(4000),
				/^The rule Witness Max Fee forbids it: the fee limit and the \d{4} bytes of the transaction may burn/,
			],
		],
	},
	Recipients: {
		rules: { ...BASE, recipients: asBase58(FRIEND), contracts: asWitness(TOKEN) },
		allowed: [
			paid(1),
			called(TOKEN, transfer),
			called(TOKEN, call('transfer', ADDRESS, 1n)),
			called(TOKEN, '12345678', { callValue: 1 }),
		],
		refused: [
			['a transfer', paid(1, asWitness(STRANGER)), RECIPIENTS],
			['a transfer of a token', called(TOKEN, call('transfer', STRANGER, 1n)), RECIPIENTS],
			['an approval', called(TOKEN, call('approve', STRANGER, 1n)), RECIPIENTS],
			['an approval of itself', called(TOKEN, call('approve', ADDRESS, 1n)), RECIPIENTS],
			['an address with its prefix in data', called(TOKEN, prefixed(transfer)), UNCLEAR],
			['bytes at the end', called(TOKEN, `${transfer}00`), UNCLEAR],
			['another contract', called(CONTRACT, transfer), CONTRACTS],
		],
	},
	'Recipients of EVM chains': {
		rules: { ...BASE, recipients: FRIEND },
		allowed: [],
		refused: [['the same bytes here', paid(1), /T\w{33} would receive. Allowed: 0x\w{40}$/]],
	},
	'Contracts of EVM chains': {
		rules: { ...BASE, contracts: TOKEN, tokenLimits: `${CONTRACT} 100` },
		allowed: [],
		refused: [
			['the same bytes here', called(TOKEN, '12345678'), CONTRACTS],
			['a limit of the same bytes here', called(CONTRACT, transfer), CONTRACTS],
		],
	},
	'Contracts, any, with recipients': {
		rules: { ...BASE, contracts: '*', recipients: asBase58(FRIEND) },
		allowed: [called(STRANGER, '12345678')],
		refused: [
			[
				'coins along with a call of a stranger',
				called(STRANGER, '12345678', { callValue: 1 }),
				RECIPIENTS,
			],
			['coins along with an empty call', called(STRANGER, '', { callValue: 1 }), RECIPIENTS],
		],
	},
	'Contracts, empty': {
		rules: BASE,
		allowed: [],
		refused: [
			['a transfer of a token', called(TOKEN, transfer), CONTRACTS],
			['an unknown function', called(TOKEN, '12345678'), CONTRACTS],
			['an empty call', called(TOKEN, '', { callValue: 1 }), CONTRACTS],
		],
	},
	'Token Limits': {
		rules: { ...BASE, tokenLimits: `${asBase58(TOKEN)} 100` },
		allowed: [called(TOKEN, transfer)],
		refused: [
			['transfer of more', called(TOKEN, call('transfer', FRIEND, 101n)), LIMITS],
			['approve of more', called(TOKEN, call('approve', FRIEND, 101n)), LIMITS],
			['increaseAllowance by more', called(TOKEN, call('increaseAllowance', FRIEND, 101n)), LIMITS],
			['permit', called(TOKEN, call('permit', FRIEND, FRIEND, 1n, 1n, 27, WORD, WORD)), CONTRACTS],
			['another token', called(CONTRACT, transfer), CONTRACTS],
		],
	},
	'Recipients, of what takes an approval back': {
		rules: {
			...BASE,
			recipients: asBase58(FRIEND),
			tokenLimits: `${asBase58(TOKEN)} 100`,
			contracts: asBase58(CONTRACT),
		},
		allowed: [
			called(TOKEN, call('approve', STRANGER, 0n)),
			called(TOKEN, call('decreaseAllowance', STRANGER, 101n)),
			called(CONTRACT, call('setApprovalForAll', STRANGER, false)),
			called(CONTRACT, call('approve', NOBODY, 7n)),
		],
		refused: [
			['the NFT with the ID 0', called(CONTRACT, call('approve', STRANGER, 0n)), RECIPIENTS],
			[
				'an approval of all NFTs',
				called(CONTRACT, call('setApprovalForAll', STRANGER, true)),
				RECIPIENTS,
			],
			['an approval of 1', called(TOKEN, call('approve', STRANGER, 1n)), RECIPIENTS],
			[
				'coins along with it',
				called(TOKEN, call('approve', STRANGER, 0n), { callValue: 1 }),
				RECIPIENTS,
			],
			[
				'an address with its prefix in data',
				called(TOKEN, prefixed(call('approve', FRIEND, 0n))),
				UNCLEAR,
				'Contracts',
			],
		],
	},
	'Token Limits, of tokens of others': {
		rules: { ...BASE, tokenLimits: `${asBase58(TOKEN)} 100` },
		allowed: [called(TOKEN, call('transferFrom', ADDRESS, FRIEND, 100n))],
		refused: [
			[
				'transferFrom of a stranger',
				called(TOKEN, call('transferFrom', STRANGER, FRIEND, 1n)),
				new RegExp(
					`^The rule Contracts forbids it: the transaction calls transferFrom\\(\\S+\\) of ${asBase58(TOKEN)}, about tokens of ${asBase58(STRANGER)}. Allowed: none$`,
				),
			],
		],
	},
	'Witness Max Expiry, not set': {
		rules: BASE,
		allowed: [expiring(60 * MINUTE_MS), expiring(-MINUTE_MS)],
		refused: [
			['more than an hour', expiring(61 * MINUTE_MS), EXPIRY(60)],
			['a day', expiring(24 * 60 * MINUTE_MS), EXPIRY(60)],
			[
				'what never expires',
				async () => await expiringIn(9e15 - Date.now()),
				/expires \d+ minutes from now, at a time later than the year 275760. Allowed: at most 60 minutes/,
			],
		],
	},
	'Witness Max Expiry, empty': {
		rules: { ...BASE, witnessMaxExpiry: ' ' },
		allowed: [expiring(60 * MINUTE_MS)],
		refused: [['more than an hour', expiring(62 * MINUTE_MS), EXPIRY(60)]],
	},
	'Witness Max Expiry': {
		rules: { ...BASE, witnessMaxExpiry: '2' },
		allowed: [expiring(2 * MINUTE_MS)],
		refused: [['a minute more', expiring(3 * MINUTE_MS), EXPIRY(2)]],
	},
	'Whose transaction it is': {
		rules: BASE,
		allowed: [paid(1)],
		refused: [
			[
				'that of another owner',
				paid(1, undefined, asWitness(STRANGER)),
				/^The owner of the transaction is T\w{33}, but this credential signs for T\w{33}$/,
			],
			[
				'one for a permission that others share',
				async () => await permittedBy(2),
				/^The transaction is for permission 2 of its account/,
			],
		],
	},
};

const KINDS: Readonly<Record<string, readonly Make[]>> = {
	transfer: [paid(1)],
	contractCall: [called(TOKEN, transfer)],
	vote: [otherKinds.vote!],
	registration: [otherKinds.registration!],
	freeze: [otherKinds.freeze!, otherKinds.unfreeze!],
	delegate: [otherKinds.delegate!, otherKinds.undelegate!],
	withdraw: [otherKinds['withdraw unfrozen']!, otherKinds['withdraw rewards']!],
};

describe('Witness Kinds', () => {
	test.each(Object.keys(KINDS))('%s alone allows nothing of the others', async (allowed) => {
		const rules = { ...BASE, witnessKinds: [allowed], witnessMaxAmount: '1000000', contracts: '*' };
		for (const [kind, made] of Object.entries(KINDS)) {
			for (const make of made) {
				const isSigned = (await messageOf(await make(), rules)) === undefined;
				expect([kind, isSigned]).toEqual([kind, kind === allowed]);
			}
		}
	});

	test('delegate and withdraw widen nothing that the rules say of the others', async () => {
		const older = Object.entries(table).filter(
			([, { rules }]) => !(rules.witnessKinds as string[] | undefined)?.includes('delegate'),
		);
		const isOlder = async (make: Make) => {
			const { kind } = decodeTransaction((await make()).raw_data_hex);
			return !['delegate', 'undelegate', 'withdraw'].includes(kind);
		};
		for (const [name, { rules, refused }] of older) {
			const kinds = (rules.witnessKinds ?? []) as string[];
			const more = { ...rules, witnessKinds: [...kinds, 'delegate', 'withdraw'] };
			for (const [way, make] of refused) {
				const isSigned = (await messageOf(await make(), more)) === undefined;
				expect([name, way, isSigned]).toEqual([name, way, !(await isOlder(make))]);
			}
		}
	});
});

testAttacks(table, async (make, rules) => await messageOf(await make(), rules));

test('a refusal names ten of many that are allowed, and counts the others', async () => {
	const many = (count: number) =>
		Array.from({ length: count }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`);
	const words = async (count: number) =>
		await messageOf(await transferOf(1), { ...BASE, recipients: many(count).join(',') });
	expect(await words(10)).toMatch(/. Allowed: (0x\w{40}, ){9}0x\w{40}$/);
	expect(await words(12)).toMatch(/. Allowed: (0x\w{40}, ){9}0x\w{40} and 2 more$/);
});

describe('a transaction expires by the clock of n8n:', () => {
	const most = 5n;
	const rules = parseSecp256k1Rules({ ...BASE, witnessMaxExpiry: String(most) });
	const account = OWNER.slice(2);

	/** Returns the error message for a transaction with this expiration at the time `now`, or undefined if it is allowed. */
	async function saidTo(expiration: bigint, now: number) {
		const transaction = { ...decodeTransaction((await transferOf(1)).raw_data_hex), expiration };
		try {
			judge(rules.witness, decodeWitnessTransaction(transaction, { account, size: 100 }), now);
		} catch (error) {
			return (error as Error).message;
		}
		return undefined;
	}

	const now = Date.parse('2026-01-02T03:04:05.678Z');
	const latest = BigInt(now) + most * BigInt(MINUTE_MS);

	test.each([0n, BigInt(now) - 1n, BigInt(now), latest])('in time: %p', async (expiration) => {
		expect(await saidTo(expiration, now)).toBeUndefined();
	});

	test.each([
		[latest + 1n, '6 minutes from now, at 2026-01-02T03:09:05.679Z'],
		[latest + BigInt(MINUTE_MS), '6 minutes from now, at 2026-01-02T03:10:05.678Z'],
		[latest + BigInt(MINUTE_MS) + 1n, '7 minutes from now, at 2026-01-02T03:10:05.679Z'],
		[8_640_000_000_000_000n, 'minutes from now, at +275760-09-13T00:00:00.000Z'],
		[8_640_000_000_000_001n, 'minutes from now, at a time later than the year 275760'],
		[2n ** 63n - 1n, 'minutes from now, at a time later than the year 275760'],
	])('too late: %p', async (expiration, words) => {
		const message = await saidTo(expiration, now);
		expect(message).toMatch(/^The rule Witness Max Expiry forbids it: the transaction expires /);
		expect(message).toContain(words);
		expect(message).toMatch(/. Allowed: at most 5 minutes, until 2026-01-02T03:09:05.678Z$/);
	});

	test('when it is signed', async () => {
		const built = await expiringIn(30 * MINUTE_MS);
		const timeOf = jest.spyOn(Date, 'now');
		const before = Date.now() - 45 * MINUTE_MS;
		timeOf.mockReturnValue(before);
		expect(await messageOf(built)).toMatch(/expires 75 minutes from now/);
		timeOf.mockRestore();
		expect(await messageOf(built)).toBeUndefined();
	});
});

test('a byte of a transaction above two thousand burns a thousandth of a coin, no more and no less', async () => {
	const built = await memoOf(4000);
	const burned = (built.raw_data_hex.length / 2 - 2000) * 1000;
	const rules = (most: number) => ({ ...BASE, witnessMaxFee: (most / COIN).toFixed(6) });
	expect(await messageOf(built, rules(burned))).toBeUndefined();
	expect(await messageOf(built, rules(burned - 1))).toMatch(/^The rule Witness Max Fee forbids it/);
});

test('the key is in nothing that came of it', () => {
	expect(findSpellings(KEY, seen)).toEqual([]);
});
