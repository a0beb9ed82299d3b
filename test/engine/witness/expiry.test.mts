import type { INodeParameters } from 'n8n-workflow';
import { utils } from 'tronweb';
import {
	create,
	first,
	hexOf,
	LEADER,
	OWNER,
	sandbox,
	vote,
	votes,
	wallet,
} from './support/wallet.mts';

const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const MINUTE = 60_000;

const inHex = { visible: false, ownerAddress: hexOf(OWNER) };
const built = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'transaction',
	operation,
	amount: '1.5',
	...inHex,
	...more,
});
const transfer = built('buildTransfer', { toAddress: hexOf(LEADER) });

const owner_address = hexOf(OWNER);
const token = hexOf(LEADER);
const word = (hex: string) => hex.padStart(64, '0');

type Build = readonly [type: string, asked: INodeParameters, value: object];

const PAYMENT: Build = [
	'TransferContract',
	transfer,
	{ owner_address, to_address: hexOf(LEADER), amount: 1_500_000 },
];

/** All builds, and the chain's names for them. */
const all: Build[] = [
	PAYMENT,
	[
		'TriggerSmartContract',
		built('buildTokenTransfer', { token, toAddress: owner_address }),
		{
			owner_address,
			contract_address: token,
			data: `a9059cbb${word(owner_address.slice(2))}${word((1_500_000).toString(16))}`,
		},
	],
	['FreezeBalanceV2Contract', built('buildFreeze'), { owner_address, frozen_balance: 1_500_000 }],
	[
		'UnfreezeBalanceV2Contract',
		built('buildUnfreeze'),
		{ owner_address, unfreeze_balance: 1_500_000 },
	],
	[
		'VoteWitnessContract',
		vote({ ...inHex, votes: votes([hexOf(LEADER), 5]) }),
		{ owner_address, votes: [{ vote_address: hexOf(LEADER), vote_count: 5 }] },
	],
	[
		'WitnessCreateContract',
		create(inHex),
		{ owner_address, url: Buffer.from('https://example.com').toString('hex') },
	],
];

/** Answers as a node does that builds the requested transaction, with this expiry. */
function builtUntil(type: string, value: object, expiration: number | string) {
	const parameter = { value, type_url: `type.googleapis.com/protocol.${type}` };
	const raw_data = {
		contract: [{ parameter, type }],
		ref_block_bytes: '0001',
		ref_block_hash: '0000000000000001',
		expiration,
		timestamp: NOW,
		...(type === 'TriggerSmartContract' && { fee_limit: 100_000_000 }),
	};
	const message: unknown = utils.transaction.txJsonToPb({ visible: false, raw_data });
	const transaction = {
		visible: false,
		raw_data,
		txID: utils.transaction.txPbToTxID(message).slice(2),
		raw_data_hex: utils.transaction.txPbToRawDataHex(message),
	};
	return type === 'TriggerSmartContract' ? { result: { result: true }, transaction } : transaction;
}

/** Returns the outcome at this machine's time, with a node that builds like this. */
async function outcomeOf([type, asked, value]: Build, expiration: number | string) {
	const six = { result: { result: true }, constant_result: [word('6')] };
	// The token has so many decimals, and takes the call.
	await sandbox.fault({ path: 'triggerconstant', times: 2, do: { status: 200, body: six } });
	await sandbox.fault({ do: { status: 200, body: builtUntil(type, value, expiration) } });
	return await wallet(asked);
}

afterEach(() => jest.restoreAllMocks());

describe.each(all)('a node that builds a %s', (...one) => {
	beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));

	test('for a minute, builds what was asked', async () => {
		const { items, error } = await outcomeOf(one, NOW + MINUTE);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toHaveProperty('txID');
	});

	test('for ten years, builds nothing: it could be broadcast after another one has taken its place', async () => {
		const { items, error } = await outcomeOf(one, Date.parse('2036-11-23T12:00:00.000Z'));
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			'The node built a transaction that holds for more than 60 minutes: it could be broadcast until 2036-11-23T12:00:00.000Z, and the clock of this machine says 2026-11-23T12:00:00.000Z',
		);
		expect(error?.description).toMatch(/^Do not sign it\. .* Unless the clock of this machine/);
	});

	test('that has expired, builds nothing', async () => {
		const { items, error } = await outcomeOf(one, NOW - 11 * MINUTE);
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			'The node built a transaction that has expired already: it could be broadcast until 2026-11-23T11:49:00.000Z, and the clock of this machine says 2026-11-23T12:00:00.000Z',
		);
		expect(error?.description).toMatch(/^The node is behind its chain: .* Unless the clock/);
	});
});

test.each<[what: string, expiration: number, words: RegExp | undefined]>([
	['60 minutes', NOW + 60 * MINUTE, undefined],
	['a moment more', NOW + 60 * MINUTE + 1, /holds for more than 60 minutes/],
	['10 minutes before now', NOW - 10 * MINUTE, undefined],
	['a moment before that', NOW - 10 * MINUTE - 1, /has expired already/],
	['no time', 0, /until 1970-01-01T00:00:00\.000Z/],
	['a time that is no date', 9e15, /until 9000000000000000 ms after 1970/],
])('until %s', async (_, expiration, words) => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	const { items, error } = await outcomeOf(PAYMENT, expiration);
	if (words) expect(error?.message).toMatch(words);
	else expect(items).toHaveLength(1);
});

describe('the clock of this machine', () => {
	const minutesOff = (minutes: number) => {
		const now = Date.now() + minutes * MINUTE;
		jest.spyOn(Date, 'now').mockReturnValue(now);
	};

	test.each([-30, -5, 5])('may be off by %d minutes', async (minutes) => {
		minutesOff(minutes);
		expect(await first(transfer)).toHaveProperty('txID');
	});

	test.each<[minutes: number, words: RegExp]>([
		[-120, /holds for more than 60 minutes: .*Z, and the clock of this machine says .*Z$/],
		[120, /has expired already: .*Z, and the clock of this machine says .*Z$/],
	])('that is off by %d minutes is reported', async (minutes, words) => {
		minutesOff(minutes);
		const { error } = await wallet(transfer);
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/the clock of this machine is wrong: then set it right/);
	});
});
