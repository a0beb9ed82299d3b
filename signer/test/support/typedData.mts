import type { TypedDataDefinition } from 'viem';
import { ADDRESS, FRIEND, TOKEN } from './accounts.mts';

/** Constants and builders for typed data as the standards declare it. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
export const NOW = '2026-11-24T12:00:00Z';
export const IN_A_DAY = Date.parse(NOW) / 1000 + 86_400;

export type TypedData = Readonly<
	Record<'types' | 'domain' | 'message', Record<string, unknown>>
> & {
	readonly primaryType: string;
};

const members = (text: string) =>
	text.split(', ').map((one) => {
		const [type = '', name = ''] = one.split(' ');
		return { name, type };
	});

const DOMAIN = 'string name, string version, uint256 chainId, address verifyingContract';
const PERMIT2_DOMAIN = 'string name, uint256 chainId, address verifyingContract';
const AUTHORIZATION =
	'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce';
const DETAILS = 'address token, uint160 amount, uint48 expiration, uint48 nonce';
const NONCE = `0x${'5a'.repeat(32)}`;

const tokenDomain = (token: string) => ({
	name: 'USD Coin',
	version: '2',
	chainId: 31337,
	verifyingContract: token,
});

function define(
	domain: Record<string, unknown>,
	structs: Readonly<Record<string, string>>,
	message: Record<string, unknown>,
): TypedData {
	const [primaryType = ''] = Object.keys(structs);
	const domainType = 'version' in domain ? DOMAIN : PERMIT2_DOMAIN;
	const all = Object.entries({ ...structs, EIP712Domain: domainType });
	const types = Object.fromEntries(all.map(([name, text]) => [name, members(text)]));
	return { types, domain, primaryType, message };
}

export const permitOf = (value: bigint, spender = FRIEND, more: object = {}, token = TOKEN) =>
	define(
		tokenDomain(token),
		{ Permit: 'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline' },
		{ owner: ADDRESS, spender, value: String(value), nonce: 0, deadline: IN_A_DAY, ...more },
	);

export const authorizationOf = (
	value: bigint,
	to = FRIEND,
	more: object = {},
	name = 'TransferWithAuthorization',
	token = TOKEN,
) =>
	define(
		tokenDomain(token),
		{ [name]: AUTHORIZATION },
		{
			from: ADDRESS,
			to,
			value: String(value),
			validAfter: 0,
			validBefore: IN_A_DAY,
			nonce: NONCE,
			...more,
		},
	);

export const cancellationOf = (authorizer = ADDRESS, token = TOKEN) =>
	define(
		tokenDomain(token),
		{ CancelAuthorization: 'address authorizer, bytes32 nonce' },
		{ authorizer, nonce: NONCE },
	);

const permit2Domain = { name: 'Permit2', chainId: 31337, verifyingContract: PERMIT2 };
const detailsOf = (amount: bigint, token = TOKEN) => ({
	token,
	amount: String(amount),
	expiration: IN_A_DAY,
	nonce: 0,
});

export const permitSingleOf = (
	amount: bigint,
	spender = FRIEND,
	more: object = {},
	token = TOKEN,
) =>
	define(
		permit2Domain,
		{
			PermitSingle: 'PermitDetails details, address spender, uint256 sigDeadline',
			PermitDetails: DETAILS,
		},
		{ details: detailsOf(amount, token), spender, sigDeadline: IN_A_DAY, ...more },
	);

export const permitBatchOf = (amounts: readonly bigint[], spender = FRIEND, token = TOKEN) =>
	define(
		permit2Domain,
		{
			PermitBatch: 'PermitDetails[] details, address spender, uint256 sigDeadline',
			PermitDetails: DETAILS,
		},
		{ details: amounts.map((one) => detailsOf(one, token)), spender, sigDeadline: IN_A_DAY },
	);

const PERMISSIONS = 'address token, uint256 amount';
const transferMembers = (spender: string) => ({ spender, nonce: 0, deadline: IN_A_DAY });
const permittedOf = (amount: bigint, token: string) => ({ token, amount: String(amount) });

export const permitTransferOf = (
	amount: bigint,
	spender = FRIEND,
	more: object = {},
	token = TOKEN,
) =>
	define(
		permit2Domain,
		{
			PermitTransferFrom:
				'TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline',
			TokenPermissions: PERMISSIONS,
		},
		{ permitted: permittedOf(amount, token), ...transferMembers(spender), ...more },
	);

export const permitBatchTransferOf = (
	amounts: ReadonlyArray<readonly [string, bigint]>,
	spender = FRIEND,
) =>
	define(
		permit2Domain,
		{
			PermitBatchTransferFrom:
				'TokenPermissions[] permitted, address spender, uint256 nonce, uint256 deadline',
			TokenPermissions: PERMISSIONS,
		},
		{
			permitted: amounts.map(([token, amount]) => permittedOf(amount, token)),
			...transferMembers(spender),
		},
	);

export const forViem = (data: TypedData) => data as unknown as TypedDataDefinition;

export const signTypedData = (data: unknown) => ({
	resource: 'typedData',
	operation: 'sign',
	typedData: JSON.stringify(data),
});
