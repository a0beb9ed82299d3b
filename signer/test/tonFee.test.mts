import { Address, beginCell, Cell, comment, storeStateInit, toNano } from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { loadConfigParamsAsSlice, parseFullConfig } from '@ton/ton';
import fc from 'fast-check';
import { TRIES_ALL } from '../../test/harness/caseCount.mts';
import { signTonTransfer } from '../nodes/core/tonSigner';
import {
	BASE_PRICES,
	computeHighestTonFee,
	GAS_PRICE,
	MASTER_PRICES,
	RENT_SECONDS,
	STORAGE_PRICES,
} from '../rules/tonFee';
import { parseTonRules } from '../rules/tonRules';
import { setClock } from './support/clock.mts';
import { readBody, take, wrap, writeAccount } from './support/tonMachine.mts';
import { buildTransfer, KEY, type Asked } from './support/tonTransfers.mts';
import { buildWalletData, KEY_WALLETS } from './support/tonWallets.mts';
import { getSeed } from '../../test/harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261126) });

const NOW = '2026-11-24T12:00:00Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const KINDS = ['v3r2', 'v4r2', 'v5r1'] as const;
const MOST = { v3r2: 4, v4r2: 4, v5r1: 255 };

test('the prices are those of the main network', () => {
	const { storagePrices, gasPrices, msgPrices } = parseFullConfig(
		loadConfigParamsAsSlice(defaultConfig),
	);
	const { bit_price_ps: bit, cell_price_ps: cell } = storagePrices.at(-1)!;
	expect(STORAGE_PRICES).toEqual({ bit, cell });
	expect(GAS_PRICE).toBe(gasPrices.workchain.other.gasPrice);
	const read = ({ lumpPrice, bitPrice, cellPrice }: typeof msgPrices.workchain) => {
		return { lump: lumpPrice, bit: bitPrice, cell: cellPrice };
	};
	expect(BASE_PRICES).toEqual(read(msgPrices.workchain));
	expect(MASTER_PRICES).toEqual(read(msgPrices.masterchain));
});

const RULES = { maxAmount: 'unlimited', maxFee: '1000', contracts: '*' };

/**
 * Signs a transfer. Returns the computed limit of its fee, and what the chain charges for it as it was signed and in its most expensive
 * form.
 */
async function compare(asked: Asked, coins: bigint, isDeployed: boolean) {
	const rules = parseTonRules({ ...RULES, walletType: asked.name.slice(0, 4) });
	const transfer = buildTransfer(asked);
	const { signedMessage } = signTonTransfer(rules, KEY, transfer);
	const bound = computeHighestTonFee(rules.walletType, transfer);
	const paidUntil = NOW_SECONDS - Number(RENT_SECONDS);
	const wallet = KEY_WALLETS[asked.name];
	const data = isDeployed ? buildWalletData(asked.name, asked.seqno) : undefined;
	const account = writeAccount(wallet, { coins, data, paidUntil });
	const messages = [Cell.fromBase64(signedMessage), wrap(readBody(signedMessage), wallet)];
	const charges: bigint[] = [];
	for (const message of messages) {
		const taken = await take(account, message, NOW_SECONDS);
		if (taken) charges.push(taken.charged);
	}
	return { bound, charges };
}

const toAddress = (workchain: number, byte: number) =>
	new Address(workchain, Buffer.alloc(32, byte));

/** Builds a tree of different cells. `count` is the number of cells, and each has the given number of bits. */
function buildTree(count: number, bits: number): Cell {
	let cells = Array.from({ length: count }, (_, at) =>
		beginCell().storeUint(at, 16).storeUint(1n, bits).endCell(),
	);
	while (cells.length > 1) {
		const above = [];
		for (let at = 0; at < cells.length; at += 4) {
			const builder = beginCell();
			for (const one of cells.slice(at, at + 4)) builder.storeRef(one);
			above.push(builder.endCell());
		}
		cells = above;
	}
	return cells[0]!;
}

function buildJettonTransfer(amount: bigint, text: string): Cell {
	return beginCell()
		.storeUint(0x0f8a7ea5, 32)
		.storeUint(7, 64)
		.storeCoins(amount)
		.storeAddress(toAddress(0, 3))
		.storeAddress(toAddress(0, 4))
		.storeMaybeRef(null)
		.storeCoins(1)
		.storeMaybeRef(text === '' ? null : comment(text))
		.endCell();
}

const usualBody = fc.oneof(
	fc.constant(undefined),
	fc.string({ maxLength: 60 }).map(comment),
	fc
		.tuple(fc.bigInt(1n, 10n ** 15n), fc.string({ maxLength: 60 }))
		.map((one) => buildJettonTransfer(...one)),
);
const smallBody = fc.oneof(
	usualBody,
	fc.integer({ min: 1, max: 40 }).map((count) => buildTree(count, 100)),
);
const anyBody = fc.oneof(
	smallBody,
	fc.nat({ max: 1_000 }).map((length) => comment('y'.repeat(length))),
	fc
		.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 250 }))
		.map((one) => buildTree(...one)),
	fc.constant(beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32)).endCell({ exotic: true })),
);
const stateInit = fc.tuple(anyBody, anyBody).map(([code, data]) =>
	beginCell()
		.store(storeStateInit({ code: code ?? null, data: data ?? null }))
		.endCell(),
);

const messages = (body: fc.Arbitrary<Cell | undefined>, workchains: readonly number[]) =>
	fc.record({
		to: fc
			.tuple(fc.constantFrom(...workchains), fc.nat({ max: 255 }))
			.map((one) => toAddress(...one)),
		amount: fc.oneof(
			fc.bigInt(0n, 10n ** 9n),
			fc.constantFrom(0n, 1n, 10n ** 13n, 2n ** 120n - 1n),
		),
		bounce: fc.boolean(),
		body,
	});
const place = {
	name: fc.constantFrom(...KINDS),
	sendMode: fc.constantFrom(0, 1, 2, 3, 3, 3, 130, 131),
	validUntil: fc.constant(NOW_SECONDS + 300),
	isDeployed: fc.boolean(),
};

const RUNS = TRIES_ALL ? 40 : 8;

test('the chain charges no more than the bound for any transfer, however its message is wrapped', async () => {
	const message = fc
		.tuple(messages(anyBody, [0, -1]), fc.option(stateInit, { freq: 5, nil: undefined }))
		.map(([one, init]) => ({ ...one, stateInit: init }));
	const cases = fc
		.record({
			...place,
			coins: fc.constantFrom(toNano('0.005'), toNano('0.1'), toNano('5'), toNano('100000')),
			count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 2, 5, 100, 255)),
		})
		.chain(({ count, ...rest }) => {
			const length = Math.min(count, MOST[rest.name]);
			// Long lists repeat one small body, because the chain limits the bytes of a message.
			const same = messages(smallBody, [0, -1]).map((one) =>
				Array.from({ length }, (_, at) => ({ ...one, amount: BigInt(at) })),
			);
			const different = fc.array(message, { minLength: length, maxLength: length });
			return fc.record({ rest: fc.constant(rest), list: length > 4 ? same : different });
		});
	let taken = 0;
	await fc.assert(
		fc.asyncProperty(cases, async ({ rest: { isDeployed, coins, ...asked }, list }) => {
			const seqno = isDeployed ? 7 : 0;
			const { bound, charges } = await compare(
				{ ...asked, seqno, messages: list },
				coins,
				isDeployed,
			);
			taken += charges.length;
			for (const charged of charges) expect(charged).toBeLessThanOrEqual(bound);
		}),
		{ numRuns: RUNS },
	);
	expect(taken).toBeGreaterThan(RUNS);
});

test('the bound is at most twice what the chain charges for a usual transfer', async () => {
	const cases = fc.record({
		...place,
		sendMode: fc.constantFrom(1, 3),
		messages: fc.array(messages(usualBody, [0, 0, 0, -1]), { minLength: 1, maxLength: 4 }),
	});
	await fc.assert(
		fc.asyncProperty(cases, async ({ isDeployed, ...asked }) => {
			const list = asked.messages.map((one) => ({ ...one, amount: one.amount % 10n ** 9n }));
			const seqno = isDeployed ? 7 : 0;
			const given = { ...asked, seqno, messages: list };
			const { bound, charges } = await compare(given, toNano('100'), isDeployed);
			expect(charges).toHaveLength(2);
			expect(charges[1]! * 2n).toBeGreaterThanOrEqual(bound);
		}),
		{ numRuns: RUNS },
	);
});
