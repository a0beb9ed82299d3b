import fc from 'fast-check';
import { utils } from 'tronweb';
import { carriesMark, makeMark } from '../../../nodes/core/chain/mark';
import { addMark as addStarkMark, readMark as readStarkMark } from '../../../nodes/core/stark/mark';
import { parseTonAccount } from '../../../nodes/core/ton/address';
import { isMarkedPayment } from '../../../nodes/core/ton/markedPayment';
import { isSamePayment } from '../../../nodes/core/ton/otherTransfer';
import { buildSignedBody, buildUnsignedBody } from '../../../nodes/core/ton/transfer';
import { addMark, readMark } from '../../../nodes/core/witness/mark';
import { decodeTransaction } from '../../../nodes/core/witness/transaction';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261128), numRuns: getCaseCount(200) });

const anyId = fc.string({ minLength: 1 });
const anyPair = fc.tuple(anyId, anyId).filter(([one, other]) => one !== other);

describe('on STARK', () => {
	const anyBounds = fc
		.tuple(fc.integer({ min: 0, max: 60 }), fc.bigInt({ min: 0n, max: 2n ** 60n }))
		.map(([shift, price]) => ({
			l1_gas: {
				max_amount: '0x0',
				max_price_per_unit: `0x${(price >> BigInt(shift)).toString(16)}`,
			},
			l2_gas: { max_amount: '0x5', max_price_per_unit: '0x7' },
		}));
	const priceOf = ({ l1_gas: bound }: Record<string, { max_price_per_unit: string }>) =>
		BigInt(bound?.max_price_per_unit ?? 0);

	test('the price of the gas of L1 rises by a little, and carries the mark', () => {
		fc.assert(
			fc.property(anyPair, anyBounds, ([id, otherId], bounds) => {
				const [mark, other] = [makeMark('stark', id), makeMark('stark', otherId)];
				const marked = addStarkMark(bounds, mark.value);
				const more = priceOf(marked) - priceOf(bounds);
				const part = priceOf(marked) / 512n;
				expect(more).toBeGreaterThanOrEqual(0n);
				expect(more).toBeLessThanOrEqual(part > 2n ** 30n ? part : 2n ** 30n);
				expect({ ...marked, l1_gas: 0 }).toEqual({ ...bounds, l1_gas: 0 });
				expect(carriesMark(readStarkMark({ resource_bounds: marked }), mark)).toBe(true);
				expect(carriesMark(readStarkMark({ resource_bounds: marked }), other)).toBe(false);
				expect(marked).not.toEqual(addStarkMark(bounds, other.value));
			}),
		);
	});
});

describe('on the witness chain', () => {
	const OWNER = '41aabbccddeeff00112233445566778899aabbccdd';
	/** Builds the transaction as a node would. The library tronweb encodes it. */
	function build(raw: { time: number; place: string }) {
		const raw_data = {
			contract: [
				{
					parameter: {
						value: { owner_address: OWNER, to_address: OWNER, amount: 5 },
						type_url: 'type.googleapis.com/protocol.TransferContract',
					},
					type: 'TransferContract',
				},
			],
			ref_block_bytes: raw.place,
			ref_block_hash: '0011223344556677',
			expiration: raw.time + 60_000,
			timestamp: raw.time,
			data: '4d656d6f',
		};
		const message: unknown = utils.transaction.txJsonToPb({ visible: false, raw_data });
		const raw_data_hex = utils.transaction.txPbToRawDataHex(message).toLowerCase();
		return { visible: false, txID: '', raw_data, raw_data_hex };
	}
	const anyBuilt = fc
		.record({
			time: fc.integer({ min: 1_790_000_000_000, max: 1_900_000_000_000 }),
			place: fc.integer({ min: 0x1000, max: 0xffff }).map((one) => one.toString(16)),
		})
		.map(build);
	const SHARED = {
		period: 1_795_000_020_000,
		reference: { refBlockBytes: 'abcd', refBlockHash: '8899aabbccddeeff' },
	};

	test('whoever makes a payment in a period makes the same bytes, with another ID others', () => {
		fc.assert(
			fc.property(anyPair, anyBuilt, anyBuilt, ([id, otherId], one, other) => {
				const [mark, otherMark] = [makeMark('witness', id), makeMark('witness', otherId)];
				const marked = addMark(one, mark.value, SHARED);
				expect(addMark(other, mark.value, SHARED).raw_data_hex).toBe(marked.raw_data_hex);
				expect(addMark(one, otherMark.value, SHARED).raw_data_hex).not.toBe(marked.raw_data_hex);
				expect(
					addMark(one, mark.value, { ...SHARED, period: SHARED.period + 60_000 }).txID,
				).not.toBe(marked.txID);
				// The library tronweb encodes the JSON of the transaction to the same bytes.
				expect(utils.transaction.txCheck(marked as never)).toBe(true);
				const decoded = decodeTransaction(marked.raw_data_hex);
				expect(carriesMark(readMark(decoded), mark)).toBe(true);
				expect(carriesMark(readMark(decoded), otherMark)).toBe(false);
				const left = Number(decoded.expiration) - SHARED.period;
				expect(left).toBeGreaterThanOrEqual(100_000);
				expect(left).toBeLessThan(117_000);
			}),
		);
	});

	test('without a period, the times of the node move by seconds', () => {
		fc.assert(
			fc.property(anyBuilt, (built) => {
				const [one, other] = ['', ''].map((id) =>
					addMark(built, makeMark('witness', id).value, undefined),
				);
				expect(one?.raw_data_hex).not.toBe(other?.raw_data_hex);
				expect(utils.transaction.txCheck(one as never)).toBe(true);
				const decoded = decodeTransaction(one?.raw_data_hex);
				const late = Number(decoded.expiration) - built.raw_data.expiration;
				expect(late).toBeGreaterThanOrEqual(0);
				expect(late).toBeLessThan(17_000);
				expect(decoded.refBlockBytes).toBe(built.raw_data.ref_block_bytes);
			}),
		);
	});
});

describe('on TON', () => {
	const wallet = { type: 'v5r1', walletId: 5 } as const;
	const to = parseTonAccount(`0:${'ab'.repeat(32)}`);

	function sign(mark: bigint | undefined, more: { amount?: bigint; validUntil?: number } = {}) {
		const { amount = 7n, validUntil = 1_795_000_000 } = more;
		const message = { to, amount, bounce: false, body: null, stateInit: null, mark };
		const unsigned = buildUnsignedBody(wallet, {
			seqno: 3,
			validUntil,
			sendMode: 3,
			messages: [message],
		});
		return buildSignedBody(wallet.type, unsigned, Buffer.alloc(64, 1));
	}
	const toTon = (id: string) => BigInt.asUintN(64, makeMark('ton', id).value);

	test('another transfer is the same payment with the same message and the same mark, whenever it was signed', () => {
		fc.assert(
			fc.property(anyPair, ([id, otherId]) => {
				const own = sign(toTon(id));
				expect(isMarkedPayment(own, makeMark('ton', id))).toBe(true);
				expect(isMarkedPayment(own, makeMark('ton', otherId))).toBe(false);
				expect(isSamePayment(own, sign(toTon(id), { validUntil: 1_795_000_001 }))).toBe(true);
				expect(isSamePayment(own, sign(toTon(id), { amount: 8n }))).toBe(false);
				expect(isSamePayment(own, sign(toTon(otherId)))).toBe(false);
			}),
		);
	});

	test('transfers without a mark are never the same payment', () => {
		expect(isSamePayment(sign(undefined), sign(undefined))).toBe(false);
		expect(isMarkedPayment(sign(undefined), makeMark('ton', 'a'))).toBe(false);
	});
});
