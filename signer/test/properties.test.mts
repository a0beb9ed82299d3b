import fc from 'fast-check';
import { hashTypedData as hashByViem, parseEther, parseTransaction, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { evmTransactionParser } from '../nodes/core/evmTransaction';
import * as keys from '../library/keys.mts';
import {
	buildAllowedTransaction,
	signAllowedTransaction,
	signTypedData,
} from '../nodes/core/signer';
import { parseRules, type Rules } from '../rules/rules';
import { setClock } from './support/clock.mts';
import {
	abi,
	brokenBy,
	credentialOf,
	encodeCall,
	written,
	type Given,
	type Ruled,
} from './support/judge.mts';
import { ADDRESS, CONTRACT, FRIEND, KEY, STRANGER, TOKEN } from './support/accounts.mts';
import {
	authorizationOf,
	cancellationOf,
	forViem,
	IN_A_DAY,
	NOW,
	PERMIT2,
	permitBatchOf,
	permitBatchTransferOf,
	permitOf,
	permitSingleOf,
	permitTransferOf,
	type TypedData,
} from './support/typedData.mts';

/** The long ring of CI sets 20,000. */
const CASES = Number(process.env.SIGNER_ATTACKS ?? 400);
const TIMEOUT_MS = Math.max(120_000, 60 * CASES);
jest.setTimeout(TIMEOUT_MS);
fc.configureGlobal({ seed: 20261124, numRuns: CASES });

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const key = keys.createKey(Buffer.from(KEY.slice(2), 'hex'))!;

/** Signatures are deterministic: comparing them with those of viem takes a third of the time of recovering the signer. */
const account = privateKeyToAccount(KEY);
const parse = evmTransactionParser('Transaction');

/** Returns what is signed; undefined where it is refused. Anything but a refusal in words is a failure. */
function attempt<T>(sign: () => T): T | undefined {
	try {
		return sign();
	} catch (error) {
		if (!REFUSAL.test((error as Error).message)) throw error;
		return undefined;
	}
}

const REFUSAL =
	/^(The rule|The transaction|The \w+ (is about|can be used)|'(Transaction|Typed Data)|a transaction|must be|.*(such as|at most|as Prepare gives it|whose|without|with|number|JSON))/;

const signTransaction = (given: object, rules: Rules) =>
	attempt(() => {
		const parsed = parse(JSON.stringify(given));
		const allowed = buildAllowedTransaction(keys, rules, key.account, parsed);
		return signAllowedTransaction(keys, key, allowed).signedTransaction as Hex;
	});

/** How often each kind was signed: an attack that nothing survives proves little. */
const signedOnes = { spellings: 0, calls: 0, twins: 0 };
const refusedOnes = { ...signedOnes };
const count = (kind: keyof typeof signedOnes, isSigned: boolean) =>
	void (isSigned ? signedOnes[kind]++ : refusedOnes[kind]++);

const NUMBERS = {
	chainId: [31337n, 1n, 0n],
	nonce: [0n, 4n, 5n, 2n ** 64n],
	gas: [21_000n, 20_999n, 500_000n, 500_001n, 2n ** 64n - 1n],
	gasPrice: [0n, 1n, 20_000_000_000n, 20_000_000_001n],
	value: [0n, 1n, parseEther('1'), parseEther('1') + 1n, 2n ** 256n - 1n, 2n ** 256n],
};

const FULL_WIDTH = 0xff10 - 0x30;
const SPELLINGS: ReadonlyArray<(value: bigint) => unknown> = [
	(value) => String(value),
	(value) => `0x${value.toString(16)}`,
	(value) => `0X${value.toString(16).toUpperCase()}`,
	(value) => `0x000${value.toString(16)}`,
	(value) => `000${value}`,
	(value) => ` ${value}\n`,
	(value) => Number(value),
	(value) => (value < 2n ** 53n ? Number(value) : String(value)),
	(value) => value.toString(16),
	(value) => `${value}.0`,
	(value) => `+${value}`,
	(value) => `-${value}`,
	(value) => `${value}n`,
	(value) => `${value}e0`,
	(value) => `0b${value.toString(2)}`,
	(value) => `0o${value.toString(8)}`,
	(value) =>
		String(value).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + FULL_WIDTH)),
	(value) => String(value).replace(/(\d)(?=\d{3})/, '$1_'),
	(value) => String(value).replace(/(\d)(?=\d{3})/, '$1,'),
	(value) => `${value}\u200b`,
	(value) => [String(value)],
	(value) => ({ value: String(value) }),
	(value) => value > 0n,
	() => '',
	() => null,
];

/** Returns what a careful reader takes it for; undefined where it may be anything. */
function readNumber(given: unknown): bigint | undefined {
	if (typeof given === 'number')
		return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : undefined;
	const text = typeof given === 'string' ? given.trim() : '';
	return /^(\d+|0x[\da-f]+)$/i.test(text) ? BigInt(text.toLowerCase()) : undefined;
}

type NumberName = keyof typeof NUMBERS;
const NUMBER_NAMES = Object.keys(NUMBERS) as NumberName[];
const usual = fc.nat({ max: 3 }).map((one) => one > 0);

const spelledNumber = (name: NumberName) =>
	fc
		.tuple(usual, fc.constantFrom(...NUMBERS[name]), usual, fc.constantFrom(...SPELLINGS))
		.map(([isUsualValue, value, isUsualSpelling, spell]) => {
			const chosen = isUsualValue ? NUMBERS[name][0]! : value;
			return isUsualSpelling ? String(chosen) : spell(chosen);
		});

test('numbers in any spelling: what is signed is what a careful reader takes it for, within the rules', async () => {
	const rules = parseRules({
		chainIds: '31337',
		maxAmount: '1',
		maxFee: '0.01',
		dailyTransactions: '5',
		firstNonce: '0',
		firstDay: '2026-11-24',
	});
	const numbers = fc.record(
		Object.fromEntries(NUMBER_NAMES.map((name) => [name, spelledNumber(name)])),
	);
	await fc.assert(
		fc.asyncProperty(numbers, async (given) => {
			const signed = signTransaction({ to: FRIEND, ...given }, rules);
			const values = NUMBER_NAMES.map((name) => readNumber(given[name]));
			const [chainId, nonce, gas, gasPrice, value] = values as bigint[];
			const isAllowed =
				!values.includes(undefined) &&
				chainId === 31337n &&
				nonce! < 5n &&
				gas! >= 21_000n &&
				gas! < 2n ** 64n - 1n &&
				gas! * gasPrice! <= parseEther('0.01') &&
				value! <= parseEther('1');
			expect(signed !== undefined).toBe(isAllowed);
			count('spellings', isAllowed);
			if (signed === undefined) return;
			expect(signed).toBe(
				await account.signTransaction({
					type: 'legacy',
					to: FRIEND,
					chainId: Number(chainId),
					nonce: Number(nonce),
					gas,
					gasPrice,
					value,
				}),
			);
		}),
	);
});

const ADDRESSES = [ADDRESS, FRIEND, STRANGER, TOKEN, CONTRACT].map((one) => one.toLowerCase());
const AMOUNTS = [0n, 1n, 100n, 101n, 2n ** 256n - 1n];

const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
	address: fc.constantFrom(...ADDRESSES),
	uint256: fc.constantFrom(...AMOUNTS),
	'uint256[]': fc.array(fc.constantFrom(...AMOUNTS), { maxLength: 3 }),
	bool: fc.boolean(),
	bytes: fc.constantFrom('0x', '0x12', `0x${'12'.repeat(40)}`),
};

const call = fc.constantFrom(...abi).chain((item) => {
	const args = fc.tuple(...item.inputs.map(({ type }) => VALUES[type]!));
	return args.map((values): string => encodeCall(item, values));
});

const WORD_CHARS = 64;
const SELECTOR_CHARS = 10;
const place = fc.nat({ max: 2000 });
const mutation = fc.oneof(
	fc.tuple(place, fc.nat({ max: 15 })).map(([at, digit]) => (data: string) => {
		const index = 2 + (at % (data.length - 2));
		return data.slice(0, index) + digit.toString(16) + data.slice(index + 1);
	}),
	fc
		.constantFrom('00', '01', 'ff', '0'.repeat(WORD_CHARS))
		.map((more) => (data: string) => data + more),
	place.map((at) => (data: string) => data.slice(0, 2 + 2 * (at % (data.length / 2)))),
	fc.tuple(place, place).map(([one, other]) => (data: string) => {
		const words = data.slice(SELECTOR_CHARS).match(/.{1,64}/g) ?? [];
		const [from = '', to = 0] = [
			words[one % Math.max(words.length, 1)],
			other % Math.max(words.length, 1),
		];
		return (
			data.slice(0, SELECTOR_CHARS) + words.map((word, at) => (at === to ? from : word)).join('')
		);
	}),
	fc.tuple(place, fc.constantFrom(...ADDRESSES)).map(([at, address]) => (data: string) => {
		const words = data.slice(SELECTOR_CHARS).match(/.{1,64}/g) ?? [];
		const index = at % Math.max(words.length, 1);
		return (
			data.slice(0, SELECTOR_CHARS) +
			words
				.map((word, other) => (other === index ? address.slice(2).padStart(WORD_CHARS, '0') : word))
				.join('')
		);
	}),
	fc
		.constantFrom('0x12345678', '0xac9650d8', '0xa9059cbb', '0x095ea7b3')
		.map((selector) => (data: string) => selector + data.slice(SELECTOR_CHARS)),
);

const mutated = fc
	.tuple(call, fc.array(mutation, { maxLength: 2 }))
	.map(([data, changes]) => changes.reduce((one, change) => change(one), data))
	// What is no hex any more is refused before any rule looks at it.
	.filter((data) => /^0x[0-9a-f]+$/i.test(data));

const list = <T,>(...all: readonly T[]) => fc.subarray([...all]);
const ruled: fc.Arbitrary<Ruled> = fc
	.record({
		recipients: list(...ADDRESSES),
		spenders: list(...ADDRESSES),
		contracts: list(TOKEN.toLowerCase(), CONTRACT.toLowerCase(), '*'),
		functions: fc.constantFrom(
			new Map<string, string[]>(),
			new Map([[TOKEN.toLowerCase(), ['mint(address,uint256)', '0xa22cb465']]]),
			new Map([[CONTRACT.toLowerCase(), ['approve(address,uint256)', '0x12345678']]]),
		),
		limits: fc.constantFrom(new Map<string, bigint>(), new Map([[TOKEN.toLowerCase(), 100n]])),
	})
	.map((more) => ({
		chainIds: [31337],
		maxAmount: parseEther('1'),
		maxFee: parseEther('0.01'),
		endOfNonces: 5n,
		allowDeployments: false,
		...more,
	}));

test('calls with changed bytes: those are signed that break no rule as viem reads them, and no others', () => {
	const receivers = fc.constantFrom(
		TOKEN.toLowerCase(),
		CONTRACT.toLowerCase(),
		STRANGER.toLowerCase(),
	);
	fc.assert(
		fc.property(
			ruled,
			mutated,
			receivers,
			fc.constantFrom(0n, 0n, 1n),
			(rules, data, to, value) => {
				const given: Given = {
					chainId: 31337,
					nonce: 4n,
					to,
					value,
					data: data as Hex,
					gas: 1_000_000n,
					maxFeePerGas: 1n,
					accessList: [],
				};
				const signed = signTransaction(written(given), parseRules(credentialOf(rules)));
				const broken = [...brokenBy(given, rules)];
				expect([broken, signed !== undefined]).toEqual([broken, broken.length === 0]);
				count('calls', signed !== undefined);
				if (signed === undefined) return;
				const found = parseTransaction(signed);
				expect([found.to?.toLowerCase(), found.data, found.value ?? 0n]).toEqual([to, data, value]);
			},
		),
	);
});

/** The types as the standards write them. */
const STANDARD_TYPES: Readonly<Record<string, string>> = {
	Permit: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
	TransferWithAuthorization:
		'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
	ReceiveWithAuthorization:
		'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
	CancelAuthorization: 'CancelAuthorization(address authorizer,bytes32 nonce)',
	PermitSingle:
		'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)',
	PermitBatch:
		'PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)',
	PermitTransferFrom:
		'PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)',
	PermitBatchTransferFrom:
		'PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)',
};

const amount = fc.constantFrom(0n, 1n, 50n, 100n, 101n, 2n ** 160n - 1n);
const party = fc.constantFrom(FRIEND, FRIEND, CONTRACT, CONTRACT, STRANGER);
const token = fc.constantFrom(TOKEN, TOKEN, TOKEN, STRANGER);
const amounts = fc.array(amount, { maxLength: 3 });
const typedData: fc.Arbitrary<TypedData> = fc.oneof(
	fc.tuple(amount, party, token).map(([much, to, of]) => permitOf(much, to, {}, of)),
	fc
		.tuple(
			amount,
			party,
			token,
			fc.constantFrom('TransferWithAuthorization', 'ReceiveWithAuthorization'),
		)
		.map(([much, to, of, name]) => authorizationOf(much, to, {}, name, of)),
	fc.constant(cancellationOf()),
	fc.tuple(amount, party, token).map(([much, to, of]) => permitSingleOf(much, to, {}, of)),
	fc.tuple(amounts, party, token).map(([much, to, of]) => permitBatchOf(much, to, of)),
	fc.tuple(amount, party, token).map(([much, to, of]) => permitTransferOf(much, to, {}, of)),
	fc
		.tuple(fc.array(fc.tuple(token, amount), { maxLength: 3 }), party)
		.map(([much, to]) => permitBatchTransferOf(much, to)),
);

type Twist = (json: string) => string;
const replacing =
	(from: string | RegExp, to: string): Twist =>
	(json) =>
		json.replace(from, to);

/** Changes of the text that keep it looking alike. */
const TWISTS: readonly Twist[] = [
	replacing('"Permit"', '"permit"'),
	replacing(/"Permit/g, '"Реrmit'),
	replacing(/uint256/, 'uint'),
	replacing(/uint256/g, 'uint255'),
	replacing(/uint160/g, 'uint256'),
	replacing(/"spender"/g, '"operator"'),
	replacing(/"name":"owner","type":"address"/, '"name":"owner","type":"bytes20"'),
	replacing(
		/\{"name":"(owner|from)","type":"address"\},\{"name":"(spender|to)","type":"address"\}/,
		'{"name":"$2","type":"address"},{"name":"$1","type":"address"}',
	),
	replacing(/"domain":\{/, '"domain":{"salt":null,'),
	replacing(/"domain":\{/, `"domain":{"salt":"0x${'0'.repeat(64)}",`),
	replacing(/"chainId":31337/, '"chainId":1'),
	replacing(/"chainId":31337/, '"chainId":"0x7a69"'),
	replacing(/"chainId":31337,/, ''),
	replacing(/"name":"(USD Coin|Permit2)"/, '"name":"Permit2"'),
	replacing(/"version":"2"/, '"version":"1"'),
	replacing(PERMIT2, STRANGER),
	replacing(`"verifyingContract":"${TOKEN}"`, `"verifyingContract":"${PERMIT2}"`),
	replacing(`"verifyingContract":"${TOKEN}"`, `"verifyingContract":"${TOKEN.toLowerCase()}"`),
	replacing(new RegExp(String(IN_A_DAY)), String(IN_A_DAY + 1)),
	replacing(new RegExp(String(IN_A_DAY)), `"0x${IN_A_DAY.toString(16)}"`),
	replacing(new RegExp(String(IN_A_DAY)), `"${IN_A_DAY}.0"`),
	replacing(/"(value|amount)":"(\d+)"/, '"$1":"0x$2"'),
	replacing(/"(value|amount)":"(\d+)"/, '"$1":"-$2"'),
	replacing(/"(value|amount)":"(\d+)"/, '"$1":["$2"]'),
	replacing(/"(value|amount)":"(\d+)"/, '"$1":"1","$1":"$2"'),
	replacing(new RegExp(`"(owner|from|authorizer)":"${ADDRESS}"`), `"$1":"${STRANGER}"`),
	replacing('"message":{', '"message":{"note":"hello",'),
	replacing('"message":{', '"message":{"__proto__":{},'),
	replacing('"types":{', '"types":{"Order":[{"name":"a","type":"address"}],'),
	replacing('"types":{', '"types":{"__proto__":[],'),
	replacing(/,"EIP712Domain":\[[^\]]*\]/, ''),
	replacing(/,"EIP712Domain":\[[^\]]*\]/, ',"EIP712Domain":[]'),
	replacing(/"primaryType":"\w+"/, '"primaryType":"Permit"'),
	replacing(/"primaryType":"(Transfer|Receive)/, '"primaryType":"Cancel'),
];

const LIMIT = 100n;
type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether it may be signed, by its text alone: the standards' types, and the rules. */
function mayBeSigned(data: TypedData): boolean {
	const { EIP712Domain: _, ...types } = data.types as Readonly<
		Record<string, ReadonlyArray<{ name: string; type: string }>>
	>;
	const names = [
		data.primaryType,
		...Object.keys(types)
			.filter((one) => one !== data.primaryType)
			.sort(),
	];
	const text = names
		.map((name) => `${name}(${types[name]?.map((one) => `${one.type} ${one.name}`).join(',')})`)
		.join('');
	if (!Object.hasOwn(STANDARD_TYPES, data.primaryType) || STANDARD_TYPES[data.primaryType] !== text)
		return false;
	const { salt, chainId, name, verifyingContract, version } = data.domain;
	const isPermit2 = /^Permit(Single|Batch|Transfer)/.test(data.primaryType);
	const { message } = data;
	const isOfDomain = isPermit2
		? name === 'Permit2' && version === undefined && verifyingContract === PERMIT2
		: typeof name === 'string';
	if (!isOfDomain || (salt ?? null) !== null || readNumber(chainId) !== 31337n) return false;
	const owners = [message.owner, message.from, message.authorizer].filter(
		(one) => one !== undefined,
	);
	const deadline = message.deadline ?? message.validBefore ?? message.sigDeadline ?? 0;
	const moves = isPermit2
		? [message.details ?? message.permitted].flat().map((one) => one as JsonRecord)
		: 'value' in message
			? [{ token: verifyingContract, amount: message.value }]
			: [];
	const total = moves.reduce((sum, one) => sum + readNumber(one.amount)!, 0n);
	const isApproval = data.primaryType !== 'PermitTransferFrom' && 'spender' in message;
	const isTakenBack = (isApproval || isPermit2) && total === 0n;
	return (
		owners.every((one) => one === ADDRESS) &&
		readNumber(deadline)! <= BigInt(IN_A_DAY) &&
		moves.every((one) => String(one.token).toLowerCase() === TOKEN.toLowerCase()) &&
		total <= LIMIT &&
		(isTakenBack || message.spender === undefined || message.spender === CONTRACT) &&
		(message.to === undefined || message.to === FRIEND)
	);
}

test('typed data with twins: those are signed whose text is of a standard and within the rules, and no others', async () => {
	const rules = parseRules({
		chainIds: '31337',
		recipients: FRIEND,
		spenders: CONTRACT,
		tokenLimits: `${TOKEN} ${LIMIT}`,
		typedDataKinds: ['permit', 'transferWithAuthorization', 'permit2'],
	});
	const twists = fc.array(fc.constantFrom(...TWISTS), { maxLength: 2 });
	await fc.assert(
		fc.asyncProperty(typedData, twists, async (data, changes) => {
			const json = changes.reduce((one, change) => change(one), JSON.stringify(data));
			const signed = attempt(() => signTypedData(keys, rules, key, json));
			count('twins', signed !== undefined);
			if (signed === undefined) {
				// What nobody changed is refused by a rule alone.
				if (changes.length === 0) expect(mayBeSigned(data)).toBe(false);
				return;
			}
			const given = JSON.parse(json) as TypedData;
			expect([json, mayBeSigned(given)]).toEqual([json, true]);
			// viem leaves a chain in text out of a domain whose type is not declared.
			const domain = { ...given.domain, chainId: readNumber(given.domain.chainId) };
			const hash = hashByViem(forViem({ ...given, domain }));
			expect(signed.signature).toBe(await account.sign({ hash }));
		}),
	);
});

afterAll(() => {
	for (const kind of ['spellings', 'calls', 'twins'] as const) {
		expect([kind, signedOnes[kind] > CASES / 50, refusedOnes[kind] > CASES / 50]).toEqual([
			kind,
			true,
			true,
		]);
	}
});
