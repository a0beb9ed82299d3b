import {
	Address,
	beginCell,
	comment,
	external,
	internal,
	SendMode,
	storeMessage,
	storeStateInit,
	type Cell,
	type MessageRelaxed,
} from '@ton/core';
import { keyPairFromSeed, mnemonicNew, mnemonicToPrivateKey } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import fc from 'fast-check';
import { CredentialTestContext } from 'n8n-core';
import { credentialTest } from '../nodes/core/editor';
import { getCaseCount, getSeed, takeRows } from '../../test/harness/caseCount.mts';
import { KEY, signed } from './support/signerNode.mts';
import { runTonSigner, signTransfers } from './support/ton.mts';
import { formatWallet, KEYS, SECRET, WALLETS } from './support/tonWallets.mts';

fc.configureGlobal({ seed: getSeed(20261124) });

const WALLET_NAMES = ['v3r2', 'v4r2', 'v5r1', 'v5r1Test'] as const;
const SEND_MODES: readonly number[] = [0, 1, 2, 3, 128, 129, 130, 131];
type WalletName = (typeof WALLET_NAMES)[number];
const ANYTHING = { maxAmount: 'unlimited', maxFee: '10', contracts: '*' };
const RUNS = getCaseCount(20);
const TRANSFERS_A_RUN = 5;

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

const bodies = fc.oneof(
	fc.constant(null),
	fc.string({ maxLength: 300 }).map(comment),
	fc.uint8Array({ maxLength: 127 }).map((bytes) => {
		const cell = beginCell().storeBuffer(Buffer.from(bytes));
		return cell.storeRef(comment('below')).endCell();
	}),
);

const messages = fc.record({
	hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
	workchain: fc.constantFrom(0, -1),
	amount: fc.bigInt({ min: 0n, max: 10n ** 18n }),
	bounce: fc.boolean(),
	body: bodies,
	init: fc.option(
		fc.record({
			code: bodies.map((one) => one ?? comment('')),
			data: bodies.map((one) => one ?? comment('')),
		}),
		{ freq: 4 },
	),
});

const transfers = fc.record({
	name: fc.constantFrom(...WALLET_NAMES),
	seqno: fc.oneof(fc.constant(0), fc.nat({ max: 2 ** 32 - 1 })),
	sendMode: fc.constantFrom(...SEND_MODES),
	messages: fc.array(messages, { minLength: 1, maxLength: 4 }),
	isKindGiven: fc.boolean(),
});

type Given = typeof transfers extends fc.Arbitrary<infer Value> ? Value : never;

const toBase64 = (cell: Cell) => cell.toBoc().toString('base64');
const toAddress = ({ hash, workchain }: Given['messages'][number]) =>
	new Address(workchain, Buffer.from(hash));

function formatTransfer(
	{ name, seqno, sendMode, messages: list, isKindGiven }: Given,
	validUntil: number,
) {
	return {
		from: formatWallet(name),
		walletType: isKindGiven ? name.slice(0, 4) : null,
		seqno,
		validUntil,
		sendMode,
		messages: list.map((one) => ({
			to: toAddress(one).toString({ bounceable: one.bounce }),
			amount: String(one.amount),
			bounce: one.bounce,
			body: one.body && toBase64(one.body),
			stateInit: one.init && toBase64(beginCell().store(storeStateInit(one.init)).endCell()),
			says: 'Whatever.',
		})),
	};
}

/** Signs a transfer of the same fields with another library. */
function signByLibrary({ name, seqno, sendMode, messages: list }: Given, timeout: number): Cell {
	const wallet = WALLETS[name];
	const relaxed: MessageRelaxed[] = list.map((one) => {
		const { amount: value, bounce, body } = one;
		return internal({ to: toAddress(one), value, bounce, body: body ?? undefined, init: one.init });
	});
	const args = {
		seqno,
		// The signer always sets the flag that leaves out messages that cannot be sent.
		sendMode: sendMode | SendMode.IGNORE_ERRORS,
		timeout,
		messages: relaxed,
		secretKey: KEYS.secretKey,
	};
	// The cast is safe because all three contracts take the same arguments, although their types differ.
	const body = (wallet as WalletContractV4).createTransfer(args);
	const init = seqno === 0 ? wallet.init : undefined;
	const message = external({ to: wallet.address, body, init });
	return beginCell().store(storeMessage(message)).endCell();
}

test('what is signed is what the usual library signs for the same fields, to the byte', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(transfers, { minLength: 1, maxLength: TRANSFERS_A_RUN }),
			async (given) => {
				const validUntil = inAnHour();
				const [{ name } = { name: 'v5r1' }] = given;
				const same = given.map((one) => ({ ...one, name: name as WalletName }));
				const results = await signTransfers(
					same.map((one) => formatTransfer(one, validUntil)),
					{ rules: { ...ANYTHING, walletType: name.slice(0, 4) } },
				);
				expect(results.map(({ signedMessage }) => signedMessage)).toEqual(
					same.map((one) => toBase64(signByLibrary(one, validUntil))),
				);
				expect(results.map(({ from, seqno }) => [from, seqno])).toEqual(
					same.map(({ seqno }) => [formatWallet(name as WalletName), seqno]),
				);
			},
		),
		{ numRuns: RUNS },
	);
});

describe('the wallets of a key', () => {
	const get = { resource: 'account', operation: 'get', kind: 'ton' };

	test('are the four that another implementation has for it', async () => {
		const { items } = await runTonSigner(get, { secret: `0x${SECRET}` });
		const expected = Object.fromEntries(WALLET_NAMES.map((name) => [name, formatWallet(name)]));
		expect(items.map(({ json }) => json)).toEqual([expected]);
		expect(expected.v5r1Test).toMatch(/^0Q/);
	});

	test('follow from 24 words as from their seed, however they are written', async () => {
		const words = await mnemonicNew(24);
		const { secretKey } = await mnemonicToPrivateKey(words);
		const seed = secretKey.subarray(0, 32).toString('hex');
		const spellings = takeRows(
			[`\n${words.join('  ').toUpperCase()} \n`, words.join(' '), words.join('\n')],
			3,
		);
		const [expected, ...others] = await Promise.all(
			[seed, ...spellings].map(async (secret) => (await runTonSigner(get, { secret })).items),
		);
		expect(expected).toHaveLength(1);
		expect(others).toEqual(spellings.map(() => expected));
	});

	test('a key credential gives the account of EVM chains, as before', async () => {
		const [item] = await signed({ resource: 'account', operation: 'get' }, { key: KEY });
		expect(Object.keys(item ?? {})).toEqual(['evm', 'witnessBase58', 'witnessHex']);
	});
});

const WORDS = Array.from({ length: 24 }, () => 'abandon').join(' ');

test.each([
	['words of no wallet', WORDS],
	['a word too few', WORDS.slice('abandon '.length)],
	['a word too many', `${WORDS} abandon`],
	['a digit too few', SECRET.slice(1)],
	['a key of 64 bytes', SECRET + SECRET],
	['a letter that no hex digit is', `${SECRET.slice(1)}g`],
	['letters of another alphabet', WORDS.replace('a', 'а')],
	['endless words', 'abandon'.repeat(100_000)],
	['nothing', ' '],
])('a secret of %s is refused, and nothing of it is shown', async (_, secret) => {
	const test = credentialTest.signerTon.bind(new CredentialTestContext());
	const { status, message } = await test({
		id: '1',
		name: 'test',
		type: 'chainSignerTonApi',
		data: { secret },
	});
	expect(status).toBe('Error');
	expect(message).toMatch(/^The Secret of the credential must be the 24 words of a TON wallet/);
	for (const part of secret.match(/\S{4,}/g) ?? []) expect(message).not.toContain(part);
});

test('24 words with one of them wrong are refused, but for one in 256', async () => {
	const words = await mnemonicNew(24);
	const broken = Array.from({ length: 12 }, (_, at) => {
		return words.map((word, index) => (index === at ? `${word}s` : word)).join(' ');
	});
	const get = { resource: 'account', operation: 'get', kind: 'ton' };
	const results = await Promise.all(
		broken.map(async (secret) => await runTonSigner(get, { secret })),
	);
	const refused = results.filter(({ error }) => error?.description?.includes('one is wrong'));
	expect(refused.length).toBeGreaterThan(9);
});

test('account: get rules says the worst', async () => {
	const getRules = { resource: 'account', operation: 'getRules', kind: 'ton' };
	const { items } = await runTonSigner(getRules, { rules: { maxAmount: '0.5' } });
	expect(items[0]?.json.worst).toMatch(
		/^At worst, someone who controls the workflow can spend .* at most 0\.5 and costs a fee of at most 0\.05\./,
	);
});

test('the test of the credential names the wallets, and says the worst', async () => {
	const test = credentialTest.signerTon.bind(new CredentialTestContext());
	const budget = { dailyTransactions: '20', firstNonce: '7', firstDay: '2026-11-24' };
	const wallet = WALLETS.v3r2.address.toString();
	const rules = { maxAmount: '0.5', recipients: wallet, jettonLimits: `${wallet} 25 6`, ...budget };
	const data = { secret: SECRET, ...rules };
	const { status, message } = await test({
		id: '1',
		name: 'test',
		type: 'chainSignerTonApi',
		data,
	});
	expect(status).toBe('OK');
	for (const name of WALLET_NAMES) expect(message).toContain(formatWallet(name));
	expect(message).toContain(
		`At worst, someone who controls the workflow can spend 11 coins a day of the v5r1 wallet: each of 20 transactions sends at most 0.5 and costs a fee of at most 0.05. What was not used on earlier days since 2026-11-24 can be used, too. Only these addresses can receive the sent coins: ${wallet}; the jetton wallets in Jetton Limits, along with jettons. This person can spend the same amount again from the v5r1 wallet of this key on the test network. This person can spend all coins of wallets of this key whose addresses begin with -1: (the masterchain), if they have the same wallet ID. This person can burn the whole balance of any of these wallets on fees, whenever it is below 0.05. This person can send 500 jettons of the jetton wallet ${wallet} a day: each of 20 transactions moves at most 25. What was not used on earlier days since 2026-11-24 can be used, too. Only these addresses can receive the tokens: ${wallet}.`,
	);
});

const { publicKey } = KEYS;
const OTHER_ID = WalletContractV4.create({ workchain: 0, publicKey, walletId: 5 });
const IN_MASTERCHAIN = WalletContractV5R1.create({
	publicKey,
	walletId: {
		networkGlobalId: -239,
		context: { walletVersion: 'v5r1', workchain: -1, subwalletNumber: 0 },
	},
});

const LISTS: Readonly<Record<string, (payment: object) => readonly object[]>> = {
	large: (payment) =>
		['x', 'y', 'z'].map((letter) => ({
			...payment,
			body: toBase64(comment(letter.repeat(30_000))),
		})),
	countless: (payment) =>
		Array.from({ length: 70 }, () => ({ ...payment, body: toBase64(comment('x'.repeat(30_000))) })),
};

/** Values that take seconds to write and to read. */
const LARGE: ReadonlyArray<[string, object, RegExp]> = [
	[
		'that is too large',
		{ messages: 'large' },
		/^The transfer must be a message of at most 65535 bytes, whose cells \(the units of data on TON\) are nested at most 512 levels deep$/,
	],
	[
		'of countless cells',
		{ messages: 'countless' },
		/^'Transfer' must be a transfer whose messages\[\d+\]\.body is .* all such bags together have at most 1500000 characters/,
	],
];

test.each<[string, object, RegExp]>([
	...takeRows(LARGE, 2),
	[
		'of another key',
		{
			from: WalletContractV4.create({
				workchain: 0,
				publicKey: keyPairFromSeed(Buffer.alloc(32, 9)).publicKey,
			}).address.toString(),
		},
		/is no wallet of this credential's key/,
	],
	[
		'of another kind',
		{ walletType: 'v3r2' },
		/is a wallet v5r1, and the transfer is for a wallet v3r2/,
	],
	[
		'of another wallet ID',
		{ walletId: 1 },
		/is no wallet with the wallet ID 1 of this credential's key/,
	],
	[
		'of a kind that the rules do not name',
		{ from: formatWallet('v4r2') },
		/^The rule Wallet forbids it: .*the v4r2 wallet of this key in workchain 0 with the wallet ID 698983191. Allowed: v5r1 in workchain 0 with the wallet ID 2147483409 or 2147483645$/,
	],
	[
		'of another wallet ID of the key',
		{ from: OTHER_ID.address.toString(), walletId: 5 },
		/Wallet forbids it: .*the v4r2 wallet of this key in workchain 0 with the wallet ID 5. Allowed: v5r1/,
	],
	[
		'of the masterchain',
		{ from: IN_MASTERCHAIN.address.toString() },
		/Wallet forbids it: .*the v5r1 wallet of this key in workchain -1 .*. Allowed: v5r1 in workchain 0/,
	],
	['with a mode that fails', { sendMode: 64 }, /^The send mode 64 is not signed/],
	['without messages', { messages: [] }, /1 to 255 messages/],
	['with a field that would not be signed', { memo: 'x' }, /with known fields only: remove "memo"/],
	['that ended', { validUntil: 1 }, /valid until 1970-01-01/],
	[
		'that ends in two days',
		{ validUntil: Math.floor(Date.now() / 1000) + 172_800 },
		/for a day at most/,
	],
	['that destroys the wallet', { sendMode: 160 }, /destroys the wallet/],
])('a transfer %s is refused', async (_, change, message) => {
	const payment = {
		to: formatWallet('v3r2'),
		amount: '1',
		bounce: false,
		body: null,
		stateInit: null,
	};
	const given = {
		from: formatWallet('v5r1'),
		walletType: null,
		seqno: 1,
		validUntil: inAnHour(),
		sendMode: 3,
		messages: [payment],
		...change,
	};
	const messageList = LISTS[String(given.messages)]?.(payment) ?? given.messages;
	const [result] = await signTransfers([{ ...given, messages: messageList }], {
		rules: { maxAmount: 'unlimited', maxFee: '100' },
	});
	expect(result?.error).toMatch(message);
	expect(JSON.stringify(result)).not.toMatch(/Buffer|"type":/);
	expect(result).not.toHaveProperty('signedMessage');
});

test('a wallet of an older kind signs four messages at most', async () => {
	const messages = Array.from({ length: 5 }, () => ({
		to: formatWallet('v3r2'),
		amount: '1',
		bounce: false,
		body: null,
		stateInit: null,
	}));
	const given = { walletType: null, seqno: 1, validUntil: inAnHour(), sendMode: 3, messages };
	const [result] = await signTransfers([{ ...given, from: formatWallet('v4r2') }], {
		rules: { maxAmount: 'unlimited', walletType: 'v4r2' },
	});
	expect(result?.error).toMatch(/sends 4 messages at most, and the transfer has 5/);
});
