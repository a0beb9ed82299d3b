import { Address, beginCell, type Builder, type Cell as OracleCell } from '@ton/core';
import fc from 'fast-check';
import {
	buildComment,
	buildJettonTransfer,
	buildNftTransfer,
	formatOpcode,
	getOpcode,
	parseBouncedReceipt,
	parseJettonReceipt,
	parseJettonSending,
	parseJettonTransfer,
	parseNftTransfer,
	readComment,
	type JettonTransfer,
} from '../../../nodes/core/ton/bodies';
import type { Cell } from '../../../nodes/core/ton/cell';
import { parseBagBytes } from '../../../nodes/core/ton/bag/parse';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { anyCharacter } from '../../harness/anyText.mts';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';
import { accounts, oracleAddress, oracleCells } from './support.mts';

fc.configureGlobal({ seed: getSeed(20261125), numRuns: getCaseCount(500) });

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const ours = (cell: OracleCell) => parseBagBytes(cell.toBoc());
const hashOf = (cell: Cell | null | undefined) => cell && hex(cell.hash);

const coins = fc.bigInt({ min: 0n, max: 2n ** 120n - 1n });
const queries = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const transfers = fc.record({
	queryId: queries,
	amount: coins,
	to: fc.option(accounts),
	responseTo: fc.option(accounts),
	customPayload: fc.option(oracleCells),
	forwardAmount: coins,
	forwardPayload: fc.option(oracleCells),
});

const toAddress = (account: JettonTransfer['to']) => account && oracleAddress(account);

describe('a comment', () => {
	test('is built and read as another implementation does', () => {
		fc.assert(
			fc.property(fc.string({ unit: anyCharacter, maxLength: 500, size: 'max' }), (text) => {
				const oracle = beginCell().storeUint(0, 32).storeStringTail(text).endCell();
				expect(hashOf(buildComment(text))).toBe(hex(oracle.hash()));
				expect(readComment(ours(oracle))).toEqual({ comment: text, isEncrypted: false });
			}),
		);
	});

	test('that is no text is refused', () => {
		expect(() => buildComment('\ud800')).toThrow(InvalidValue);
	});

	test.each([
		['nothing', null, null, false],
		['an empty body', beginCell().endCell(), null, false],
		['too short a body', beginCell().storeUint(0, 31).endCell(), null, false],
		['an empty comment', beginCell().storeUint(0, 32).endCell(), '', false],
		['half a byte', beginCell().storeUint(0, 36).endCell(), null, false],
		['another body', beginCell().storeUint(1, 32).storeStringTail('hi').endCell(), null, false],
		['an encrypted comment', beginCell().storeUint(0x2167da4b, 32).endCell(), null, true],
		[
			'bytes that are no UTF-8',
			beginCell().storeUint(0, 32).storeUint(0xff, 8).endCell(),
			'\ufffd',
			false,
		],
		[
			'a library',
			beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32)).endCell({ exotic: true }),
			null,
			false,
		],
	])('of %s', (_, body, comment, isEncrypted) => {
		expect(readComment(body && ours(body))).toEqual({ comment, isEncrypted });
	});
});

test('an opcode is written as 0x and 8 digits', () => {
	expect(formatOpcode(getOpcode(buildComment('hi')))).toBe('0x00000000');
	expect(formatOpcode(0x0f8a7ea5)).toBe('0x0f8a7ea5');
	expect(formatOpcode(getOpcode(ours(beginCell().endCell())))).toBeNull();
});

describe('a transfer of jettons', () => {
	test('is built as the standard says, and read again', () => {
		fc.assert(
			fc.property(transfers, (fields) => {
				const { customPayload, forwardPayload, ...plain } = fields;
				const oracle = beginCell()
					.storeUint(0x0f8a7ea5, 32)
					.storeUint(fields.queryId, 64)
					.storeCoins(fields.amount)
					.storeAddress(toAddress(fields.to))
					.storeAddress(toAddress(fields.responseTo))
					.storeMaybeRef(customPayload)
					.storeCoins(fields.forwardAmount)
					.storeMaybeRef(forwardPayload)
					.endCell();
				const built = buildJettonTransfer({
					...plain,
					customPayload: customPayload && ours(customPayload),
					forwardPayload: forwardPayload && ours(forwardPayload),
				});
				expect(hashOf(built)).toBe(hex(oracle.hash()));
				const read = parseJettonTransfer(built);
				expect(read).toMatchObject(plain);
				const { queryId, amount, to } = plain;
				const sent = parseJettonSending(built);
				expect(sent).toMatchObject({ queryId, amount, to });
				expect(hashOf(sent?.forwardPayload)).toBe(hashOf(read?.forwardPayload));
				expect(hashOf(read?.customPayload)).toBe(customPayload && hex(customPayload.hash()));
				expect(hashOf(read?.forwardPayload)).toBe(forwardPayload && hex(forwardPayload.hash()));
				expect(parseNftTransfer(built)).toBeUndefined();
			}),
		);
	});

	test('is none when there is something behind it, or too little of it', () => {
		const start = () => beginCell().storeUint(0x0f8a7ea5, 32).storeUint(1, 64).storeCoins(1);
		const whole = start().storeUint(0, 2 + 2 + 1 + 4 + 1);
		expect(parseJettonTransfer(ours(whole.endCell()))).toMatchObject({ amount: 1n, to: null });
		expect(parseJettonTransfer(ours(start().endCell()))).toBeUndefined();
		const twice = start()
			.storeUint(1, 2 + 2 + 1 + 4 + 1)
			.storeRef(beginCell().endCell())
			.storeRef(beginCell().endCell());
		expect(parseJettonTransfer(ours(twice.endCell()))).toBeUndefined();
	});
});

test('a transfer of an NFT is built as the standard says, and read again', () => {
	fc.assert(
		fc.property(transfers, ({ amount: _, customPayload: __, forwardPayload, ...plain }) => {
			const oracle = beginCell()
				.storeUint(0x5fcc3d14, 32)
				.storeUint(plain.queryId, 64)
				.storeAddress(toAddress(plain.to))
				.storeAddress(toAddress(plain.responseTo))
				.storeBit(false)
				.storeCoins(plain.forwardAmount)
				.storeMaybeRef(forwardPayload)
				.endCell();
			const payload = forwardPayload && ours(forwardPayload);
			const built = buildNftTransfer({ ...plain, customPayload: null, forwardPayload: payload });
			expect(hashOf(built)).toBe(hex(oracle.hash()));
			const read = parseNftTransfer(built);
			expect(read).toMatchObject({ ...plain, customPayload: null });
			expect(hashOf(read?.forwardPayload)).toBe(hashOf(payload));
			expect(parseJettonTransfer(built)).toBeUndefined();
		}),
	);
});

test('a transfer that a jetton wallet takes in and reports to its owner is read with its payload, wherever that is', () => {
	const texts = fc.string({ maxLength: 20 });
	const payloads = fc.constantFrom('inline', 'reference', 'none', 'left out');
	fc.assert(
		fc.property(transfers, texts, payloads, (fields, text, place) => {
			const comment = beginCell().storeUint(0, 32).storeStringTail(text).endCell();
			const withPayload = (body: ReturnType<typeof beginCell>) => {
				if (place === 'left out') return body.endCell();
				if (place === 'none') return body.storeBit(false).endCell();
				return place === 'inline' && body.availableBits > comment.bits.length
					? body.storeBit(false).storeBuilder(comment.asBuilder()).endCell()
					: body.storeBit(true).storeRef(comment).endCell();
			};
			const start = (opcode: number) =>
				beginCell()
					.storeUint(opcode, 32)
					.storeUint(fields.queryId, 64)
					.storeCoins(fields.amount)
					.storeAddress(toAddress(fields.to));
			const receipt = start(0x178d4519)
				.storeAddress(toAddress(fields.responseTo))
				.storeCoins(fields.forwardAmount);
			const expected = { queryId: fields.queryId, amount: fields.amount, from: fields.to };
			const found = parseJettonReceipt(ours(withPayload(receipt)));
			expect(found).toMatchObject(expected);
			const hasText = place === 'inline' || place === 'reference';
			expect(readComment(found!.forwardPayload).comment).toBe(hasText ? text : null);
			expect(parseJettonReceipt(ours(withPayload(start(0x7362d09c))))).toBeUndefined();
		}),
	);
});

const payloadsThatCannotBeRead: ReadonlyArray<readonly [string, Builder]> = [
	['whose reference is missing', beginCell().storeBit(true)],
	[
		'with something behind it',
		beginCell().storeBit(true).storeRef(beginCell().endCell()).storeUint(1, 8),
	],
];
const fromOutside = beginCell().storeUint(0b01, 2).storeUint(8, 9).storeUint(1, 8);
const moved = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(7, 64).storeCoins(5);
const otherOwner = new Address(0, Buffer.alloc(32, 1));

/**
 * Lists the bytes that may follow the sender's address in a message. A payload stands after the given number of zero
 * bits.
 */
function listRests(bits: number): ReadonlyArray<readonly [string, Builder]> {
	const payloads = payloadsThatCannotBeRead.map(
		([which, payload]) =>
			[`a payload ${which}`, beginCell().storeUint(0, bits).storeBuilder(payload)] as const,
	);
	return [['nothing', beginCell()], ['an address from outside', fromOutside], ...payloads];
}

test.each(listRests(2 + 4))(
	'jettons that a wallet took in count whatever is behind the sender: %s',
	(_, rest) => {
		const body = moved(0x178d4519).storeAddress(otherOwner).storeBuilder(rest).endCell();
		expect(parseJettonReceipt(ours(body))).toMatchObject({
			queryId: 7n,
			amount: 5n,
			from: { workchain: 0, hash: otherOwner.hash },
			forwardPayload: null,
		});
		expect(parseJettonReceipt(ours(moved(0x178d4519).endCell()))).toBeUndefined();
	},
);

test.each(listRests(2 + 1 + 4))(
	'jettons that a wallet gave away count whatever is behind the receiver: %s',
	(_, rest) => {
		const body = moved(0x0f8a7ea5).storeAddress(otherOwner).storeBuilder(rest).endCell();
		expect(parseJettonSending(ours(body))).toMatchObject({
			queryId: 7n,
			amount: 5n,
			to: { workchain: 0, hash: otherOwner.hash },
			forwardPayload: null,
		});
		expect(parseJettonTransfer(ours(body))).toBeUndefined();
		expect(parseJettonSending(ours(moved(0x0f8a7ea5).endCell()))).toBeUndefined();
		expect(
			parseJettonSending(ours(moved(0x178d4519).storeAddress(otherOwner).endCell())),
		).toBeUndefined();
	},
);

test('jettons that came back are known by the first bits of what was sent', () => {
	fc.assert(
		fc.property(queries, coins, accounts, (queryId, amount, from) => {
			const bounced = (opcode: number) => {
				const sent = beginCell()
					.storeUint(opcode, 32)
					.storeUint(queryId, 64)
					.storeCoins(amount)
					.storeAddress(oracleAddress(from))
					.endCell();
				const kept = sent.bits.substring(0, Math.min(256, sent.bits.length));
				return ours(beginCell().storeUint(0xffffffff, 32).storeBits(kept).endCell());
			};
			expect(parseBouncedReceipt(bounced(0x178d4519))).toEqual({ queryId, amount });
			expect(parseBouncedReceipt(bounced(0x0f8a7ea5))).toBeUndefined();
		}),
	);
});
