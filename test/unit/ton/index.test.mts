import { Address, beginCell, type Cell as OracleCell } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import {
	formatAccount,
	getUnknownAccount,
	readAccountState,
} from '../../../nodes/core/ton/accounts';
import { addressFormatter } from '../../../nodes/core/ton/addressBook';
import { parseTonHash } from '../../../nodes/core/ton/answer';
import { buildJettonTransfer } from '../../../nodes/core/ton/bodies';
import { formatBag } from '../../../nodes/core/ton/bag/serialize';
import { findJettonEvent, formatJettonTransfer } from '../../../nodes/core/ton/jettonTransfers';
import {
	formatFailure,
	formatTransaction,
	hasArrived,
	hasSucceeded,
	readTransaction,
} from '../../../nodes/core/ton/transactions';
import { parseTonAccount } from '../../../nodes/core/ton/address';
import { catching, InvalidValue } from '../../../nodes/core/values/parse';
import {
	bocOf,
	commentCell,
	DONE,
	friendlyOf,
	messageRow,
	rawOf,
	transactionRow,
} from '../support/tonService.mts';

const [OWN, OTHER, THIRD, MASTER] = ['a', 'b', 'c', 'd'].map(rawOf) as [
	string,
	string,
	string,
	string,
];
const account = (address: string) => parseTonAccount(address);
const hash = (byte: number) => Buffer.alloc(32, byte).toString('base64');

const format = addressFormatter(
	{
		[OTHER]: { user_friendly: friendlyOf(OTHER, false), domain: null, interfaces: ['wallet_v4r2'] },
	},
	false,
);

interface Changes {
	readonly in?: object | null;
	readonly out?: readonly object[];
	readonly description?: object;
	readonly [key: string]: unknown;
}

const transaction = ({ in: incoming, out = [], description, ...changes }: Changes = {}) =>
	transactionRow(OWN, 47_000_000_000_001, {
		now: 1_767_225_600,
		hash: hash(1),
		description: { ...DONE, ...description },
		in_msg: incoming === undefined ? messageRow(OTHER, OWN, commentCell('invoice 7')) : incoming,
		out_msgs: out,
		...changes,
	});

/** Returns the failure as text. */
const refusal = (work: () => unknown) => {
	const failure = catching(RequestFailure, work);
	return failure instanceof RequestFailure
		? `${failure.message}. ${failure.description}`
		: undefined;
};

describe('an account', () => {
	const publicKey = Buffer.alloc(32, 3);
	const v4 = WalletContractV4.create({ workchain: 0, publicKey });
	const v5 = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -3 } });
	const state = (wallet: { init: { code: OracleCell; data: OracleCell } }) => ({
		address: OWN,
		balance: '1234567890',
		status: 'active',
		code_hash: wallet.init.code.hash().toString('base64'),
		data_boc: bocOf(wallet.init.data),
	});

	test('that is a wallet is known by its code, and its state by its data', () => {
		expect(formatAccount(readAccountState(state(v4)), false)).toEqual({
			address: friendlyOf(OWN, false),
			rawAddress: OWN.toLowerCase(),
			balance: '1.23456789',
			value: '1234567890',
			amount: '1.23456789',
			status: 'active',
			walletType: 'v4r2',
			seqno: 0,
		});
		expect(readAccountState(state(v5))).toMatchObject({ walletType: 'v5r1', walletId: 0x7ffffffd });
	});

	test('that is no wallet is bounceable, and has no number', () => {
		const other = { ...state(v4), code_hash: hash(4), seqno: 7 };
		expect(formatAccount(readAccountState(other), true)).toMatchObject({
			address: Address.parse(OWN).toString({ testOnly: true }),
			walletType: null,
			seqno: null,
		});
	});

	test.each([
		['uninit', 'uninitialized'],
		['uninitialized', 'uninitialized'],
		['frozen', 'frozen'],
		['nonexist', 'nonexistent'],
	])('of the status %s is %s', (status, expected) => {
		const found = readAccountState({ address: OWN, balance: '0', status, code_hash: null });
		expect(formatAccount(found, false)).toMatchObject({
			status: expected,
			walletType: null,
			balance: '0',
		});
	});

	test('that the index never saw does not exist', () => {
		expect(formatAccount(getUnknownAccount(account(OWN)), false)).toMatchObject({
			balance: '0',
			status: 'nonexistent',
			walletType: null,
			seqno: null,
		});
	});

	test.each([
		[{ balance: 1.5 }, 'Its balance must be a whole amount'],
		[{ balance: '1e9' }, 'Its balance must be a whole amount'],
		[{ balance: '-1' }, 'Its balance must be a whole amount'],
		[{ balance: String(2n ** 120n) }, 'Its balance must be a whole amount'],
		[{ balance: undefined }, 'Its balance must be a whole amount'],
		[{ status: 'gone' }, 'Its status must be one of active'],
		[{ status: 'toString' }, 'Its status must be one of active'],
		[{ address: 'x' }, 'Its address must be an address'],
		[{ code_hash: 'x' }, 'Its code_hash must be a hash'],
		[{ data_boc: 'x' }, 'Its data_boc must be a bag of cells'],
		[
			{ data_boc: bocOf(beginCell().endCell()) },
			'Its data_boc must be cells (the units of data on TON) that can be read',
		],
	])('with %p is refused', (changes, words) => {
		const given = () => readAccountState({ ...state(v4), ...changes });
		expect(refusal(given)).toContain('The service did not answer with the state of an account');
		expect(refusal(given)).toContain(words);
	});
});

describe('an address', () => {
	const book = (entry: unknown) => addressFormatter({ [OWN]: entry }, false)(account(OWN));

	test.each([
		['of a wallet', { interfaces: ['wallet_v5r1'], user_friendly: friendlyOf(OWN, true) }, false],
		[
			'of a contract',
			{ interfaces: ['jetton_wallet'], user_friendly: friendlyOf(OWN, false) },
			true,
		],
		[
			'that the service writes so',
			{ interfaces: [], user_friendly: friendlyOf(OWN, false) },
			false,
		],
		[
			'that the service writes otherwise',
			{ interfaces: null, user_friendly: friendlyOf(OWN, true) },
			true,
		],
		['of which nothing is known', {}, true],
		['with nonsense about it', { interfaces: [7], user_friendly: 'U' }, true],
		['of an entry that is none', 7, true],
	])('%s', (_, entry, bounceable) => {
		expect(book(entry)).toBe(friendlyOf(OWN, bounceable));
	});

	test('needs no book, and keeps the test flag', () => {
		expect(addressFormatter(undefined, true)(account(OWN))).toMatch(/^kQ/);
	});
});

describe('a transaction', () => {
	const read = (changes?: Changes) => readTransaction(transaction(changes), account(OWN));

	test('is readable', () => {
		const out = [messageRow(OWN, THIRD, commentCell('thanks')), messageRow(OWN, null)];
		expect(formatTransaction(read({ out }), format)).toEqual({
			hash: '01'.repeat(32),
			lt: '47000000000001',
			timestamp: '2026-01-01T00:00:00.000Z',
			success: true,
			exitCode: 0,
			fee: '0.0021',
			in: {
				from: friendlyOf(OTHER, false),
				amount: '1.5',
				comment: 'invoice 7',
				opcode: '0x00000000',
				bounced: false,
			},
			out: [
				{ to: friendlyOf(THIRD, true), amount: '1.5', comment: 'thanks', opcode: '0x00000000' },
				{ to: null, amount: '1.5', comment: null, opcode: null },
			],
		});
	});

	test('that came from outside, or from the clock, has no one that sent it', () => {
		for (const incoming of [messageRow(null, OWN), null])
			expect(formatTransaction(read({ in: incoming }), format).in).toBeNull();
	});

	test('with an encrypted comment says so', () => {
		const body = beginCell().storeUint(0x2167da4b, 32).endCell();
		const { in: found } = formatTransaction(read({ in: messageRow(OTHER, OWN, body) }), format);
		expect(found).toMatchObject({ comment: null, encrypted: true, opcode: '0x2167da4b' });
	});

	const skipped = (reason: string) => ({
		aborted: true,
		compute_ph: { skipped: true, reason },
		action: null,
	});
	const computed = (exit_code: number, success: boolean) => ({
		compute_ph: { skipped: false, success, exit_code },
	});

	test.each([
		['a payment', {}, true, true, 0, null],
		['the alternative code of success', computed(1, true), true, true, 1, null],
		['coins to an account without code', skipped('no_state'), true, true, null, null],
		['a notification without gas', skipped('no_gas'), true, true, null, null],
		[
			'coins that went back',
			{ ...skipped('no_state'), bounce: { type: 'ok' } },
			false,
			false,
			null,
			'sent back',
		],
		[
			'a contract that failed',
			{ ...computed(706, false), action: null, aborted: true },
			true,
			false,
			706,
			'exit code 706',
		],
		[
			'the same, and what it brought went back',
			{ ...computed(706, false), bounce: { type: 'ok' } },
			false,
			false,
			706,
			'exit code 706',
		],
		['a wallet that sends nothing', computed(137, true), true, false, 137, 'exit code 137'],
		['a code of success without success', computed(0, false), true, false, 0, 'exit code 0'],
		[
			'actions that failed',
			{ action: { success: false, result_code: 37 }, aborted: true },
			true,
			false,
			37,
			'result code 37 (the coins do not suffice)',
		],
		[
			'actions that failed without a code',
			{ action: { success: false } },
			true,
			false,
			0,
			'the actions of the contract failed',
		],
		[
			'a message that was left out',
			{ action: { success: true, result_code: 0, skipped_actions: 1 } },
			true,
			false,
			0,
			'left out',
		],
	] as const)('that is %s', (_, description, arrived, success, exitCode, words) => {
		const found = read({ description });
		expect(hasArrived(found)).toBe(arrived);
		expect(hasSucceeded(found)).toBe(success);
		expect(found.outcome.exitCode).toBe(exitCode);
		const reason = formatFailure(found.outcome);
		expect(words === null ? reason : reason?.includes(words)).toBe(words === null ? null : true);
	});

	test('into which coins came back has not brought a payment', () => {
		const found = read({ in: { ...messageRow(OTHER, OWN), bounced: true } });
		expect([hasArrived(found), hasSucceeded(found)]).toEqual([false, true]);
	});

	test.each([
		[{}, true],
		[{ finality: undefined }, true],
		[{ finality: 'confirmed' }, false],
		[{ finality: 'pending' }, false],
		[{ finality: undefined, emulated: true }, false],
	])('with %p is final: %p', (changes, isFinal) => {
		expect(read(changes).isFinal).toBe(isFinal);
	});

	test.each([
		['of another account', { account: OTHER }, 'Its account must be the account 0:'],
		[
			'to another account',
			{ in: messageRow(OTHER, THIRD) },
			'Its in_msg.destination must be the account 0:',
		],
		[
			'from another account',
			{ out: [messageRow(OTHER, THIRD)] },
			'Its out_msgs[0].source must be the account 0:',
		],
		[
			'with an amount in floats',
			{ in: { ...messageRow(OTHER, OWN), value: 1.5 } },
			'Its in_msg.value must be a whole amount',
		],
		['with a fee below zero', { total_fees: '-1' }, 'Its total_fees must be a whole amount'],
		['without a hash', { hash: null }, 'Its hash must be a hash'],
		['with half a time', { now: 1.5 }, 'Its now must be a whole number'],
		['with an endless time', { now: 1e15 }, 'Its now must be a whole number'],
		['with a time that is too large', { lt: String(2n ** 64n) }, 'Its lt must be a whole number'],
		['with a time that has lost digits', { lt: 2 ** 60 }, 'Its lt must be given as text'],
		['with messages that are none', { out_msgs: 7 }, 'Its out_msgs must be a list'],
		[
			'with a body that is none',
			{ in: { ...messageRow(OTHER, OWN), message_content: { body: 'AA' } } },
			'Its in_msg.message_content.body must be a bag',
		],
		[
			'with a code that is none',
			{ description: { compute_ph: { skipped: false } } },
			'Its description.compute_ph.exit_code must be',
		],
		[
			'with an action that is none',
			{ description: { action: {} } },
			'Its description.action.success must be true or false',
		],
	])('%s is refused', (_, changes, words) => {
		expect(refusal(() => read(changes))).toContain('The service did not answer with a transaction');
		expect(refusal(() => read(changes))).toContain(words);
	});

	test('of any account is read where none was asked for', () => {
		expect(readTransaction(transaction()).account).toEqual(account(OWN));
		expect(refusal(() => readTransaction([]))).toContain('must be a JSON object');
	});
});

describe('jettons', () => {
	const wallet = { owner: account(THIRD), master: account(MASTER) };
	const facts = { master: account(MASTER), symbol: 'USDT', decimals: 6 };
	const receipt = (from: string | null, opcode = 0x178d4519) =>
		beginCell()
			.storeUint(opcode, 32)
			.storeUint(5, 64)
			.storeCoins(2_500_000)
			.storeAddress(from ? Address.parse(from) : null)
			.storeAddress(null)
			.storeCoins(1)
			.storeBit(true)
			.storeRef(commentCell('invoice 7'))
			.endCell();
	const find = (changes: Changes) => findJettonEvent(readTransaction(transaction(changes)), wallet);
	const position = { time: 1_767_225_600, hash: '01'.repeat(32), lt: 47_000_000_000_001n };

	test('that came in are what the own jetton wallet took in', () => {
		const event = find({ in: messageRow(OTHER, OWN, receipt(OTHER)) });
		if (event?.kind !== 'movement') throw new Error('nothing moved');
		expect(event).toMatchObject({ queryId: 5n, movement: { direction: 'in', ...position } });
		expect(formatJettonTransfer(event.movement, facts, format)).toEqual({
			key: `${event.movement.messageHash}:jettons`,
			chain: 'ton',
			direction: 'in',
			jetton: friendlyOf(MASTER, true),
			token: friendlyOf(MASTER, true),
			symbol: 'USDT',
			decimals: 6,
			from: friendlyOf(OTHER, false),
			to: friendlyOf(THIRD, true),
			value: '2500000',
			amount: '2.5',
			comment: 'invoice 7',
			timestamp: '2026-01-01T00:00:00.000Z',
			transactionHash: '01'.repeat(32),
			lt: '47000000000001',
		});
		const unknown = { ...facts, symbol: null, decimals: null };
		expect(formatJettonTransfer(event.movement, unknown, format)).toMatchObject({ amount: null });
	});

	test('that the master sends are new, and from nobody', () => {
		for (const from of [OTHER, null]) {
			const source = from ? MASTER : OTHER;
			const event = find({ in: messageRow(source, OWN, receipt(from)) });
			expect(event).toMatchObject({ movement: { direction: 'in', from: null } });
		}
	});

	test('that went out are what the owner asked for', () => {
		const sent = buildJettonTransfer({
			queryId: 6n,
			amount: 7n,
			to: account(OTHER),
			responseTo: account(THIRD),
			customPayload: null,
			forwardAmount: 1n,
			forwardPayload: null,
		});
		const incoming = { ...messageRow(THIRD, OWN), message_content: { body: formatBag(sent) } };
		expect(find({ in: incoming })).toEqual({
			kind: 'movement',
			queryId: 6n,
			movement: {
				direction: 'out',
				from: account(THIRD),
				to: account(OTHER),
				value: 7n,
				payload: null,
				...position,
				messageHash: position.hash,
			},
		});
	});

	test('that came back are known by their number and their amount', () => {
		const body = beginCell()
			.storeUint(0xffffffff, 32)
			.storeBits(receipt(OTHER).bits.substring(0, 256))
			.endCell();
		const bounced = { ...messageRow(OTHER, OWN, body), bounced: true };
		expect(find({ in: bounced })).toEqual({ kind: 'return', queryId: 5n, value: 2_500_000n });
	});

	const failed = { compute_ph: { skipped: false, success: false, exit_code: 707 } };

	test.each([
		[
			'of a transaction that failed',
			{ in: messageRow(OTHER, OWN, receipt(OTHER)), description: failed },
		],
		[
			'that went back',
			{ in: messageRow(OTHER, OWN, receipt(OTHER)), description: { bounce: { type: 'ok' } } },
		],
		...['no_state', 'no_gas'].map((reason): [string, Parameters<typeof find>[0]] => [
			`that anybody can say where no code runs: ${reason}`,
			{
				in: messageRow(OTHER, OWN, receipt(OTHER)),
				description: { aborted: true, compute_ph: { skipped: true, reason }, action: null },
			},
		]),
		['of a notification', { in: messageRow(OTHER, OWN, receipt(OTHER, 0x7362d09c)) }],
		['of a comment', {}],
		['of a message without a body', { in: messageRow(OTHER, OWN) }],
		['of the clock', { in: null }],
		[
			'of something else that came back',
			{ in: { ...messageRow(OTHER, OWN, commentCell('')), bounced: true } },
		],
	])('are none %s', (_, changes) => {
		expect(find(changes)).toBeUndefined();
	});
});

describe('a hash', () => {
	const bytes = Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - at));
	const digits = bytes.toString('hex');

	test('is taken in hex and in both kinds of base64', () => {
		const forms = [digits, digits.toUpperCase(), `0x${digits}`, bytes.toString('base64')];
		for (const form of [...forms, bytes.toString('base64url')])
			expect(parseTonHash(form)).toBe(digits);
	});

	test.each([digits.slice(1), `${digits}0`, bytes.toString('base64').slice(2), '', 7, null])(
		'is not %p',
		(given) => {
			expect(() => parseTonHash(given)).toThrow(InvalidValue);
		},
	);
});
