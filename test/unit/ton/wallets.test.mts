import {
	beginCell,
	comment,
	external,
	internal,
	SendMode,
	storeMessage,
	storeStateInit,
	type Address,
	type MessageRelaxed,
	type Cell as OracleCell,
	type StateInit,
} from '@ton/core';
import { keyPairFromSeed, type KeyPair } from '@ton/crypto';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import fc from 'fast-check';
import { formatTonAddresses, parseTonAccount } from '../../../nodes/core/ton/address';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { CellBuilder } from '../../../nodes/core/ton/builder';
import { parseBagBytes, parseBag } from '../../../nodes/core/ton/bag/parse';
import { serializeBag } from '../../../nodes/core/ton/bag/serialize';
import {
	buildExternalMessage,
	computeNormalizedHash,
	encodeExternalMessage,
	parseExternalMessage,
} from '../../../nodes/core/ton/messages';
import {
	buildSignedBody,
	buildUnsignedBody,
	parseTransfer,
} from '../../../nodes/core/ton/transfer';
import {
	buildWalletState,
	findWallet,
	getUsualWalletId,
	getWalletAccount,
	listWallets,
	parseWalletData,
	recognizeWallet,
	WALLET_TYPES,
	type Wallet,
	type WalletType,
} from '../../../nodes/core/ton/wallets';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';
import { accounts, oracleAddress, oracleCells } from './support.mts';

fc.configureGlobal({ seed: getSeed(20261124), numRuns: getCaseCount(500) });

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

interface OracleWallet {
	readonly address: Address;
	readonly init: { readonly code: OracleCell; readonly data: OracleCell };
	createTransfer(args: {
		seqno: number;
		timeout: number;
		sendMode: number;
		messages: MessageRelaxed[];
		signer: (message: OracleCell) => Promise<Buffer>;
	}): Promise<OracleCell>;
}

/** Creates a wallet contract with the library `@ton/ton`, to compare the results. */
function createOracle({ type, workchain, walletId }: Wallet, { publicKey }: KeyPair): OracleWallet {
	const chain = workchain === 0xff ? -1 : workchain;
	if (type === 'v3r2') return WalletContractV3R2.create({ workchain: chain, publicKey, walletId });
	if (type === 'v4r2') return WalletContractV4.create({ workchain: chain, publicKey, walletId });
	const networkGlobalId = walletId === getUsualWalletId('v5r1', workchain, true) ? -3 : -239;
	const context = { walletVersion: 'v5r1', workchain: chain, subwalletNumber: 0 } as const;
	return WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId, context } });
}

/** There are only three keys, because computing a key is slow here. */
const KEYS = [1, 2, 3].map((byte) => keyPairFromSeed(Buffer.alloc(32, byte)));

const wallets = fc
	.tuple(
		fc.constantFrom(...KEYS),
		fc.constantFrom(...WALLET_TYPES),
		fc.constantFrom(0x00, 0xff),
		fc.boolean(),
	)
	.map(([key, type, workchain, isTest]) => {
		const walletId = getUsualWalletId(type, workchain, isTest);
		const wallet: Wallet = { type, workchain, walletId, publicKey: key.publicKey };
		return { key, wallet, oracle: createOracle(wallet, key) };
	});

const uint32s = fc.integer({ min: 0, max: 2 ** 32 - 1 });

/**
 * Random bodies of all sizes: small bodies are stored in the message itself, and large bodies in a cell of their
 * own.
 */
const bodies = fc.oneof(fc.constant(null), fc.string({ maxLength: 200 }).map(comment), oracleCells);
const stateInits: fc.Arbitrary<StateInit | null> = fc.option(
	fc.record({ code: oracleCells, data: oracleCells }),
	{ freq: 3 },
);

const messages = fc.record({
	to: accounts,
	amount: fc.bigInt({ min: 0n, max: 2n ** 120n - 1n }),
	bounce: fc.boolean(),
	body: bodies,
	stateInit: stateInits,
});

const base64 = (cell: OracleCell | null) => cell && cell.toBoc().toString('base64');
const stateCell = (init: StateInit) => beginCell().store(storeStateInit(init)).endCell();

describe('a wallet', () => {
	test('has the address, the state and the code that another implementation gives it', () => {
		fc.assert(
			fc.property(wallets, ({ wallet, oracle }) => {
				expect(formatTonAddresses(getWalletAccount(wallet)).raw).toBe(oracle.address.toRawString());
				expect(hex(serializeBag(buildWalletState(wallet)))).toBe(
					hex(stateCell(oracle.init).toBoc()),
				);
				expect(recognizeWallet(oracle.init.code.hash())).toBe(wallet.type);
			}),
		);
	});

	test.each([
		['v3r2', 'hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk='],
		['v4r2', '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA='],
		['v5r1', 'IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8='],
	])('%s is recognized by the published hash of its code', (type, hash) => {
		expect(recognizeWallet(Buffer.from(hash, 'base64'))).toBe(type);
	});

	test('of other code is not recognized', () => {
		expect(recognizeWallet(Buffer.alloc(32))).toBeUndefined();
	});

	test.each([
		['v3r2', false, 698_983_191],
		['v4r2', true, 698_983_191],
		['v5r1', false, 0x7fffff11],
		['v5r1', true, 0x7ffffffd],
	] as const)('%s has a published id', (type, isTest, id) => {
		expect(getUsualWalletId(type, 0, isTest)).toBe(id);
	});

	test('keeps its number, its id and its key in its data', () => {
		fc.assert(
			fc.property(wallets, ({ wallet, oracle }) => {
				const data = parseWalletData(wallet.type, parseBagBytes(oracle.init.data.toBoc()));
				expect(data).toEqual({ seqno: 0, walletId: wallet.walletId, publicKey: wallet.publicKey });
			}),
		);
	});

	test('is found by its key and its address', () => {
		fc.assert(
			fc.property(wallets, fc.boolean(), ({ wallet, key }, isKnown) => {
				const account = getWalletAccount(wallet);
				const type = isKnown ? wallet.type : null;
				expect(findWallet(key.publicKey, { account, type, walletId: null })).toEqual(wallet);
				const other = WALLET_TYPES.find((one) => one !== wallet.type) as WalletType;
				expect(findWallet(key.publicKey, { account, type: other, walletId: null })).toBeUndefined();
				expect(findWallet(Buffer.alloc(32, 1), { account, type, walletId: null })).toBeUndefined();
			}),
		);
	});

	test('of an unusual id is found by its id alone', () => {
		const { publicKey } = keyPairFromSeed(Buffer.alloc(32, 5));
		const wallet: Wallet = { type: 'v4r2', workchain: 0, walletId: 7, publicKey };
		const account = getWalletAccount(wallet);
		expect(findWallet(publicKey, { account, type: null, walletId: 7 })).toEqual(wallet);
		expect(findWallet(publicKey, { account, type: null, walletId: null })).toBeUndefined();
	});

	test('has four usual addresses', () => {
		const { publicKey } = keyPairFromSeed(Buffer.alloc(32, 5));
		const found = listWallets(publicKey, 0).map((one) => hex(getWalletAccount(one).hash));
		expect(new Set(found).size).toBe(4);
	});
});

describe('a transfer', () => {
	const signatures = fc
		.uint8Array({ minLength: 64, maxLength: 64 })
		.map((bytes) => Buffer.from(bytes));
	const transfers = fc.record({
		seqno: fc.oneof(fc.constant(0), uint32s),
		validUntil: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
		sendMode: fc.constantFrom(0, 1, 2, 3, 64, 130),
		messages: fc.array(messages, { minLength: 1, maxLength: 4 }),
	});

	test('is byte by byte what another implementation signs and sends', async () => {
		await fc.assert(
			fc.asyncProperty(
				wallets,
				transfers,
				signatures,
				async ({ wallet, oracle }, fields, signature) => {
					const account = getWalletAccount(wallet);
					const transfer = parseTransfer({
						...fields,
						from: formatTonAddresses(account).nonBounceable,
						walletType: wallet.type,
						messages: fields.messages.map(({ to, amount, bounce, body, stateInit }) => ({
							to: formatTonAddresses(to)[bounce ? 'bounceable' : 'raw'],
							amount: String(amount),
							bounce,
							body: base64(body),
							stateInit: stateInit && base64(stateCell(stateInit)),
							says: 'what it is for',
						})),
					});
					const unsigned = buildUnsignedBody(wallet, transfer);
					const body = buildSignedBody(wallet.type, unsigned, signature);

					const signer = async (cell: OracleCell) => {
						expect(hex(unsigned.hash)).toBe(hex(cell.hash()));
						return await Promise.resolve(signature);
					};
					const expected = await oracle.createTransfer({
						seqno: fields.seqno,
						timeout: fields.validUntil,
						sendMode: fields.sendMode | SendMode.IGNORE_ERRORS,
						signer,
						messages: fields.messages.map(({ to, amount, bounce, body: content, stateInit }) =>
							internal({
								to: oracleAddress(to),
								value: amount,
								bounce,
								body: content,
								init: stateInit,
							}),
						),
					});
					expect(hex(serializeBag(body))).toBe(hex(expected.toBoc()));

					const isFirst = fields.seqno === 0;
					const init = isFirst ? buildWalletState(wallet) : null;
					const sent = encodeExternalMessage(buildExternalMessage(account, body, init));
					const message = external({
						to: oracle.address,
						body: expected,
						init: isFirst ? oracle.init : undefined,
					});
					const oracleMessage = beginCell().store(storeMessage(message)).endCell();
					expect(hex(sent)).toBe(hex(oracleMessage.toBoc()));

					const read = parseExternalMessage(parseBagBytes(sent));
					expect(hex(read.body.hash)).toBe(hex(body.hash));
					expect(read.stateInit && hex(read.stateInit.hash)).toBe(init && hex(init.hash));
					expect(hex(computeNormalizedHash(read))).toBe(hex(normalize(oracle.address, expected)));
				},
			),
		);
	});

	/** Normalizes a message in the way that the standard TEP-467 describes. */
	const normalize = (to: Parameters<typeof external>[0]['to'], body: OracleCell) =>
		beginCell()
			.store(storeMessage(external({ to, body }), { forceRef: true }))
			.endCell()
			.hash();

	const good = {
		from: 'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
		walletType: 'v4r2',
		seqno: 1,
		validUntil: 1_800_000_000,
		sendMode: 3,
		messages: [
			{ to: `0:${'1'.repeat(64)}`, amount: '1', bounce: true, body: null, stateInit: null },
		],
	};
	const [message] = good.messages;
	const withMessage = (changes: object) => ({ ...good, messages: [{ ...message, ...changes }] });

	test('is read where it is whole', () => {
		expect(parseTransfer(good)).toMatchObject({ walletType: 'v4r2', walletId: null, seqno: 1 });
		expect(parseTransfer({ ...good, walletType: null, walletId: 5 })).toMatchObject({
			walletType: null,
			walletId: 5,
			from: parseTonAccount(good.from),
		});
	});

	test.each([
		['none', 'text', 'a transfer as a JSON object'],
		[
			'with another key',
			{ ...good, extra: 1 },
			'a transfer with known fields only: remove "extra"',
		],
		['from nowhere', { ...good, from: '' }, 'a transfer whose from is an address'],
		['of another wallet', { ...good, walletType: 'v3r1' }, 'walletType is one of v3r2, v4r2, v5r1'],
		['with half a number', { ...good, seqno: 1.5 }, 'seqno is a whole number'],
		['with a number below zero', { ...good, seqno: -1 }, 'seqno is a whole number'],
		['valid without an end', { ...good, validUntil: 2 ** 32 }, 'validUntil is a whole number'],
		['never valid', { ...good, validUntil: 0 }, 'validUntil is a whole number'],
		['of another mode', { ...good, sendMode: 256 }, 'sendMode is a whole number'],
		['of another id', { ...good, walletId: -1 }, 'walletId is a whole number'],
		['without messages', { ...good, messages: [] }, 'messages is a list of 1 to 4'],
		[
			'of too many messages',
			{ ...good, messages: new Array(5).fill(message) },
			'messages is a list of 1 to 4',
		],
		[
			'of a message that is none',
			{ ...good, messages: [7] },
			'messages[0] is a message as a JSON object',
		],
		[
			'of a message with another key',
			withMessage({ payload: '' }),
			'messages[0] is a message with known fields only: remove "payload"',
		],
		['to nobody', withMessage({ to: null }), 'messages[0].to is an address'],
		['of a number', withMessage({ amount: 1 }), 'messages[0].amount is whole nanocoins as text'],
		['of half a nanocoin', withMessage({ amount: '0.5' }), 'messages[0].amount is whole nanocoins'],
		[
			'of less than nothing',
			withMessage({ amount: '-1' }),
			'messages[0].amount is whole nanocoins',
		],
		[
			'of too much',
			withMessage({ amount: String(2n ** 120n) }),
			'messages[0].amount is whole nanocoins',
		],
		[
			'with a bounce in words',
			withMessage({ bounce: 'false' }),
			'messages[0].bounce is true or false',
		],
		[
			'with a body that is none',
			withMessage({ body: 'AAAA' }),
			'messages[0].body is a bag of cells',
		],
		[
			'with a state that is none',
			withMessage({ stateInit: beginCell().storeUint(0, 6).endCell().toBoc().toString('base64') }),
			'messages[0].stateInit is a state init',
		],
	])('is refused in words: %s', (_, given, words) => {
		expect(() => parseTransfer(given)).toThrow(InvalidValue);
		expect(() => parseTransfer(given)).toThrow(words);
	});

	test('of more messages than the wallet takes is refused once the wallet is known', () => {
		const many = { ...good, walletType: null, messages: new Array(5).fill(message) };
		const transfer = parseTransfer(many);
		expect(() => buildUnsignedBody({ type: 'v3r2', walletId: 0 }, transfer)).toThrow(
			'at most 4 messages in one transfer of a wallet v3r2',
		);
		expect(buildUnsignedBody({ type: 'v5r1', walletId: 0 }, transfer).depth).toBe(6);
	});
});

describe('a message from outside', () => {
	const account = parseTonAccount(`0:${'1'.repeat(64)}`);
	const body = new CellBuilder().storeUint(7, 32).build();
	const start = (tag: number) => new CellBuilder().storeUint(tag, 2);

	test('is hashed the same however it is wrapped', () => {
		const plain = buildExternalMessage(account, body, null);
		const wrapped = start(0b10)
			.storeUint(0b01, 2)
			.storeUint(3, 9)
			.storeUint(5, 3)
			.storeAddress(account)
			.storeCoins(77n)
			.storeUint(0b01, 2)
			.storeReference(body)
			.build();
		expect(hex(wrapped.hash)).not.toBe(hex(plain.hash));
		const [one, other] = [plain, wrapped].map((cell) =>
			computeNormalizedHash(parseExternalMessage(cell)),
		);
		expect(hex(other!)).toBe(hex(one!));
	});

	test.each([
		['from another contract', start(0b00).build(), 'no message from outside'],
		[
			'to nobody',
			start(0b10)
				.storeUint(0, 2 + 2 + 4 + 2)
				.build(),
			'no receiver',
		],
		['with a sender', start(0b10).storeAddress(account).build(), 'has a sender'],
		[
			'with something behind it',
			start(0b10)
				.storeAddress(null)
				.storeAddress(account)
				.storeUint(0b0000_0_1_1, 7)
				.storeReference(body)
				.build(),
			'more data follows',
		],
		[
			'that is cut off',
			start(0b10).storeAddress(null).storeAddress(account).build(),
			'ends too early',
		],
	])('is refused %s', (_, cell, words) => {
		expect(() => parseExternalMessage(cell)).toThrow(InvalidValue);
		expect(() => parseExternalMessage(cell)).toThrow(words);
	});

	test('of more than the chain takes is refused', () => {
		let deep = new CellBuilder().build();
		for (let depth = 0; depth < 512; depth++) deep = new CellBuilder().storeReference(deep).build();
		expect(() => encodeExternalMessage(buildExternalMessage(account, deep, null))).not.toThrow();
		deep = new CellBuilder().storeReference(deep).build();
		expect(() => encodeExternalMessage(buildExternalMessage(account, deep, null))).toThrow(
			'at most 65535 bytes, whose cells (the units of data on TON) are nested at most 512 levels deep',
		);
	});
});

test('a body in base64 is the one that another implementation writes', () => {
	expect(hex(parseBag(base64(comment('hi'))).hash)).toBe(hex(comment('hi').hash()));
});
