import fc from 'fast-check';
import { hashTypedData as hashByViem } from 'viem';
import { runAtOnce } from '../../../nodes/core/net/pacing/slices';
import { signTypedData } from '../../nodes/core/secp256k1Signer';
import { parseSecp256k1Rules } from '../../rules/rules';
import { ADDRESS, CONTRACT, FRIEND, STRANGER, TOKEN } from '../support/accounts.mts';
import { setClock } from '../support/clock.mts';
import {
	account,
	attempt,
	createTally,
	expectSame,
	key,
	keys,
	readNumber,
} from '../support/properties.mts';
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
} from '../support/typedData.mts';

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const count = createTally();

/** The types as their standards write them. */
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

/** Changes to the text of typed data that are hard to notice. */
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

/** Whether the typed data may be signed. The decision uses only its text, the types of the standards and the rules. */
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
	const rules = parseSecp256k1Rules({
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
			const signed = attempt(() => runAtOnce(signTypedData(keys, rules, key, json)));
			count(signed !== undefined);
			if (signed === undefined) {
				// Typed data without changes must be signed, unless a rule forbids it.
				if (changes.length === 0) expectSame(mayBeSigned(data), false, json);
				return;
			}
			const given = JSON.parse(json) as TypedData;
			expectSame(mayBeSigned(given), true, json);
			// The chain ID becomes a number, because viem would leave it out if it is text and the type of the domain is not declared.
			const domain = { ...given.domain, chainId: readNumber(given.domain.chainId) };
			const hash = hashByViem(forViem({ ...given, domain }));
			expectSame(signed.signature, await account.sign({ hash }), json);
		}),
	);
});
