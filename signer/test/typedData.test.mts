import { privateKeyToAccount } from 'viem/accounts';
import { testAttacks, type Attacked } from './support/attacks.mts';
import { setClock } from './support/clock.mts';
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
import type * as TakenOut from './support/takenOut.mts';
import {
	authorizationOf,
	cancellationOf,
	forViem,
	IN_A_DAY,
	NOW,
	permitBatchOf,
	permitBatchTransferOf,
	permitOf,
	permitSingleOf,
	permitTransferOf,
	signTypedData,
	type TypedData,
} from './support/typedData.mts';

jest.mock('../rules/refusal', () =>
	jest
		.requireActual<typeof TakenOut>('./support/takenOut.mts')
		.withoutThoseTakenOut(jest.requireActual('../rules/refusal')),
);

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const account = privateKeyToAccount(KEY);
const BASE = { chainIds: '31337', tokenLimits: `${TOKEN} 100` };
const ALL_KINDS = ['permit', 'transferWithAuthorization', 'permit2'];
const receiveOf = (value: bigint, to?: string) =>
	authorizationOf(value, to, {}, 'ReceiveWithAuthorization');

const LIMITS =
	/^The rule Token Limits forbids it: \w+ of 0x\w{40} is about \d+. Allowed: at most 100 of its smallest unit$/;
const NO_LIMIT =
	/^The rule Token Limits forbids it: the \w+ is about 0x\w{40}, which has no limit\. /;
const RECIPIENTS = /^The rule Recipients forbids it: 0x\w{40} would receive\. /;
const SPENDERS = /^The rule Spenders forbids it: 0x\w{40} would be allowed to take tokens\. /;
const CHAINS = /^The rule Chain IDs forbids it: the \w+ is for chain 1. Allowed: 31337$/;
const DEADLINE =
	/^The \w+ can be used until 2026-11-25T12:00:01.000Z, which is more than a day from now$/;
const LATE = IN_A_DAY + 1;
const OWNER = /^The \w+ is about tokens of 0x\w{40}, but this credential signs for 0x\w{40}$/;
const UNREAD =
	/^The rule Typed Data Kinds forbids it: the typed data is not exactly of a kind that the rules can read. Allowed: /;

const onChain = (data: TypedData, chainId: unknown) => ({
	...data,
	domain: { ...data.domain, chainId },
});
const withDomain = (data: TypedData, change: object) => ({
	...data,
	domain: { ...data.domain, ...change },
});
const withTypes = (data: TypedData, change: object) => ({
	...data,
	types: { ...data.types, ...change },
});

const table: Readonly<Record<string, Attacked<object>>> = {
	'Typed Data Kinds': {
		rules: { ...BASE, typedDataKinds: ALL_KINDS },
		allowed: [
			permitOf(100n),
			authorizationOf(100n),
			receiveOf(100n),
			cancellationOf(),
			permitSingleOf(100n),
			permitBatchOf([40n, 60n]),
			permitBatchOf([]),
			permitTransferOf(100n),
			permitBatchTransferOf([
				[TOKEN, 1n],
				[TOKEN, 99n],
			]),
			withDomain(withTypes(permitOf(1n), { EIP712Domain: undefined }), { version: undefined }),
		],
		refused: [
			['a permit of more', permitOf(101n), LIMITS],
			['a permit of all', permitOf(2n ** 256n - 1n), LIMITS],
			['a transfer of more', authorizationOf(101n), LIMITS],
			['a receipt of more', receiveOf(101n), LIMITS],
			['an allowance of more', permitSingleOf(101n), LIMITS],
			['allowances of more in their sum', permitBatchOf([40n, 61n]), LIMITS],
			['a transfer by Permit2 of more', permitTransferOf(101n), LIMITS],
			[
				'transfers of more in their sum',
				permitBatchTransferOf([
					[TOKEN, 50n],
					[TOKEN.toLowerCase(), 51n],
				]),
				LIMITS,
			],
			['a token without a limit', permitOf(1n, FRIEND, {}, CONTRACT), NO_LIMIT],
			['an allowance of such a token', permitSingleOf(1n, FRIEND, {}, CONTRACT), NO_LIMIT],
			[
				'a transfer of such a token beside others',
				permitBatchTransferOf([
					[TOKEN, 1n],
					[CONTRACT, 1n],
				]),
				NO_LIMIT,
			],
			['another chain', onChain(permitOf(1n), 1), CHAINS],
			['another chain in hex', onChain(authorizationOf(1n), '0x1'), CHAINS],
			['another chain of Permit2', onChain(permitTransferOf(1n), '1'), CHAINS],
			['another chain of what takes back', onChain(cancellationOf(), 1), CHAINS],
			['a late permit', permitOf(1n, FRIEND, { deadline: LATE }), DEADLINE],
			['a late transfer', authorizationOf(1n, FRIEND, { validBefore: LATE }), DEADLINE],
			['a late allowance', permitSingleOf(1n, FRIEND, { sigDeadline: LATE }), DEADLINE],
			['a late transfer by Permit2', permitTransferOf(1n, FRIEND, { deadline: LATE }), DEADLINE],
			[
				'a permit without an end',
				permitOf(1n, FRIEND, { deadline: `0x${'f'.repeat(64)}` }),
				/a time later than the year 275760/,
			],
			['a permit of another owner', permitOf(1n, FRIEND, { owner: STRANGER }), OWNER],
			['a transfer of another owner', authorizationOf(1n, FRIEND, { from: STRANGER }), OWNER],
			['a cancellation of another owner', cancellationOf(STRANGER), OWNER],
		],
	},
	'Recipients and Spenders of typed data': {
		rules: { ...BASE, typedDataKinds: ALL_KINDS, recipients: FRIEND, spenders: CONTRACT },
		allowed: [
			permitOf(1n, CONTRACT),
			authorizationOf(1n, FRIEND),
			authorizationOf(1n, ADDRESS),
			receiveOf(1n, ADDRESS),
			permitTransferOf(1n, CONTRACT),
			permitOf(0n, STRANGER),
			permitSingleOf(0n, STRANGER),
			permitBatchOf([0n, 0n], STRANGER),
			cancellationOf(),
		],
		refused: [
			['a permit for who may receive', permitOf(1n, FRIEND), SPENDERS],
			['an allowance for a stranger', permitSingleOf(1n, STRANGER), SPENDERS],
			['an allowance of one of two', permitBatchOf([0n, 1n], STRANGER), SPENDERS],
			['a transfer by a stranger', permitTransferOf(1n, STRANGER), SPENDERS],
			['transfers by a stranger', permitBatchTransferOf([[TOKEN, 1n]], STRANGER), SPENDERS],
			['a permit for the account itself', permitOf(1n, ADDRESS), SPENDERS],
			['a transfer by the account itself', permitTransferOf(1n, ADDRESS), SPENDERS],
			['a transfer to who may take', authorizationOf(1n, CONTRACT), RECIPIENTS],
			['a transfer of nothing to a stranger', authorizationOf(0n, STRANGER), RECIPIENTS],
			['a receipt by a stranger', receiveOf(1n, STRANGER), RECIPIENTS],
		],
	},
	'Recipients of typed data, without Spenders': {
		rules: { ...BASE, typedDataKinds: ALL_KINDS, recipients: FRIEND },
		allowed: [permitOf(1n, FRIEND)],
		refused: [
			['a permit for a stranger', permitOf(1n, STRANGER), RECIPIENTS],
			['a permit for the account itself', permitOf(1n, ADDRESS), RECIPIENTS],
		],
	},
	'Typed Data Kinds, one of them': {
		rules: { ...BASE, typedDataKinds: ['permit'] },
		allowed: [permitOf(1n)],
		refused: [
			[
				'another kind',
				authorizationOf(1n),
				/^The rule Typed Data Kinds forbids it: the typed data is a TransferWithAuthorization, of the kind transferWithAuthorization. Allowed: permit$/,
			],
			['another one', permitSingleOf(1n), /of the kind permit2. Allowed: permit$/],
		],
	},
	'Typed Data Kinds, none': {
		rules: BASE,
		allowed: [],
		refused: [['a permit', permitOf(1n), /of the kind permit. Allowed: none$/]],
	},
	'Typed data that only looks alike': {
		rules: { ...BASE, typedDataKinds: ALL_KINDS },
		allowed: [],
		refused: (
			[
				['no chain', withDomain(permitOf(1n), { chainId: undefined })],
				['no contract', withDomain(permitOf(1n), { verifyingContract: undefined })],
				[
					'no name',
					withDomain(withTypes(permitOf(1n), { EIP712Domain: undefined }), { name: undefined }),
				],
				[
					'a salt',
					withDomain(withTypes(permitOf(1n), { EIP712Domain: undefined }), {
						salt: `0x${'0'.repeat(64)}`,
					}),
				],
				[
					'another contract for Permit2',
					withDomain(permitSingleOf(1n), { verifyingContract: TOKEN }),
				],
				['another name for Permit2', withDomain(permitSingleOf(1n), { name: 'Permit3' })],
				[
					'a version of Permit2',
					withDomain(withTypes(permitSingleOf(1n), { EIP712Domain: undefined }), { version: '1' }),
				],
				['a struct more', withTypes(permitOf(1n), { Order: [{ name: 'a', type: 'address' }] })],
				[
					'another width',
					withTypes(permitSingleOf(1n), {
						PermitDetails: [
							{ name: 'token', type: 'address' },
							{ name: 'amount', type: 'uint256' },
							{ name: 'expiration', type: 'uint48' },
							{ name: 'nonce', type: 'uint48' },
						],
					}),
				],
				[
					'another order',
					withTypes(permitOf(1n), {
						Permit: [...(permitOf(1n).types.Permit as object[])].reverse(),
					}),
				],
				[
					'a short name of a type',
					withTypes(cancellationOf(), {
						CancelAuthorization: [
							{ name: 'authorizer', type: 'address' },
							{ name: 'nonce', type: 'bytes32 ' },
						],
					}),
				],
				['another primary type', { ...permitOf(1n), primaryType: 'EIP712Domain', message: {} }],
			] as ReadonlyArray<readonly [string, object]>
		).map(([way, given]) => [way, given, UNREAD] as const),
	},
};

/** JSON leaves undefined members out. */
const plain = (given: object) => JSON.parse(JSON.stringify(given)) as TypedData;

testAttacks(table, async (given, rules) => {
	const { error } = await signWith(signTypedData(plain(given)), { rules });
	// Data that only the parser refuses counts as signed here, because no rule has refused it.
	return error?.message.startsWith("'Typed Data") ? undefined : error?.message;
});

test.each(table['Typed Data Kinds']!.allowed.map((given) => [plain(given).primaryType, given]))(
	'%s is signed as viem does',
	async (_, given) => {
		const rules = table['Typed Data Kinds']!.rules;
		expect(await signed(signTypedData(given), { rules })).toEqual([
			{ signature: await account.signTypedData(forViem(plain(given))), signer: ADDRESS },
		]);
		const everything = { ...rules, typedDataKinds: [], allowTypedData: true };
		expect(await signed(signTypedData(given), { rules: everything })).toEqual(
			await signed(signTypedData(given), { rules }),
		);
	},
);

test.each([
	['a value that is no number', permitOf(1n, FRIEND, { value: 'all' }), 'message.value'],
	['an amount beyond its width', permitSingleOf(2n ** 160n), 'message.details.amount'],
	['a member more', permitOf(1n, FRIEND, { note: 'hello' }), 'message'],
	['an address that is none', permitOf(1n, 'friend.eth'), 'message.spender'],
	['a list that is none', { ...permitBatchOf([]), message: { details: {} } }, 'message.details'],
	['a nonce of 31 bytes', authorizationOf(1n, FRIEND, { nonce: '0x12' }), 'message.nonce'],
])('%s is refused in words', async (_, given, name) => {
	const rules = { ...BASE, typedDataKinds: ALL_KINDS };
	const { error } = await signWith(signTypedData(given), { rules });
	expect(error?.message).toMatch(
		new RegExp(`^'Typed Data > ${name.replace('.', '\\.')}' must be `),
	);
});
