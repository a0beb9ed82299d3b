import {
	catching,
	InvalidValue,
	isRecord,
	parseEvmAddress,
	parseUint256,
	tryParseJson,
} from '../../nodes/core';
import type { Address } from './addresses';
import {
	addressType,
	bytes32Type,
	declareStructs,
	listType,
	structType,
	uintType,
	writeStructs,
	type ReadableType,
} from './structs';
import type { PartyRole } from './effects';

/** The kinds of typed data that the rules can read, with the values of the credential's form. */
export type TypedDataKind = 'permit' | 'transferWithAuthorization' | 'permit2';

/** Typed data of a known form, and the tokens that its signature allows somebody to move. Addresses are in lower case. */
export interface ReadTypedData {
	readonly kind: TypedDataKind;
	/** `Permit` */
	readonly primaryType: string;
	readonly chainId: bigint;
	/** The owner of the tokens; undefined if the data do not contain the owner. */
	readonly owner: Address | undefined;
	/** Undefined if it moves nothing. */
	readonly party: { readonly role: PartyRole; readonly address: Address } | undefined;
	/** The amounts in the smallest unit. A token may occur several times. */
	readonly tokens: ReadonlyArray<{ readonly token: Address; readonly amount: bigint }>;
	/** The time until which the signature can be used, in seconds since 1970. Undefined if it moves nothing. */
	readonly deadline: bigint | undefined;
	/** The nonce that the token accepts once; undefined, except for authorizations of EIP-3009. */
	readonly authorization?: AuthorizationTerms;
	/** The typed data, rebuilt from the parsed values only. */
	readonly typedData: object;
}

/** The nonce and times of an authorization. The times are in seconds since 1970. */
interface AuthorizationTerms {
	/** 0x and 64 hex digits in lower case. */
	readonly nonce: string;
	readonly validAfter: bigint;
	readonly validBefore: bigint;
}

interface Domain {
	readonly chainId: bigint;
	readonly contract: Address;
	/** The members of the domain as they are hashed. */
	readonly members: object;
}

type Terms = Omit<ReadTypedData, 'kind' | 'primaryType' | 'chainId' | 'typedData'>;

interface Form {
	readonly kind: TypedDataKind;
	readonly primaryType: string;
	readonly structs: Readonly<Record<string, string>>;
	readonly fitsDomain: (domain: Domain) => boolean;
	/** Parses the message. Returns the parsed message, and the terms that its signer agrees to. */
	readonly parse: (
		message: unknown,
		domain: Domain,
		label: string,
	) => { readonly message: object; readonly terms: Terms };
}

/** Defines a kind of message. Only messages with exactly the type of the standard are accepted. */
function defineForm<Message extends object>(
	kind: TypedDataKind,
	type: ReadableType<Message>,
	toTerms: (message: Message, domain: Domain) => Terms,
): Form {
	return {
		kind,
		primaryType: type.name,
		structs: type.structs,
		fitsDomain: kind === 'permit2' ? isPermit2 : isToken,
		parse: (given, domain, label) => {
			const message = type.parse(given, label);
			return { message, terms: toTerms(message, domain) };
		},
	};
}

/** Whether the domain belongs to a token: it contains the token's name, and mostly also a version. */
function isToken({ members }: Domain): boolean {
	return 'name' in members;
}

/** The addresses of the contract Permit2. Some chains compute addresses in another way, so the contract has the second address there. */
const PERMIT2_CONTRACTS: readonly Address[] = [
	'0x000000000022d473030f116ddee9f6b43ac78ba3',
	'0x0000000000225e31d15943971f47ad3022f714fa',
];

function isPermit2({ contract, members }: Domain): boolean {
	const isNamed = 'name' in members && members.name === 'Permit2' && !('version' in members);
	return isNamed && PERMIT2_CONTRACTS.includes(contract);
}

const uint256 = uintType(256);

const permit = structType('Permit', {
	owner: addressType,
	spender: addressType,
	value: uint256,
	nonce: uint256,
	deadline: uint256,
});

const authorizationMembers = {
	from: addressType,
	to: addressType,
	value: uint256,
	validAfter: uint256,
	validBefore: uint256,
	nonce: bytes32Type,
};

const cancellation = structType('CancelAuthorization', {
	authorizer: addressType,
	nonce: bytes32Type,
});

const details = structType('PermitDetails', {
	token: addressType,
	amount: uintType(160),
	expiration: uintType(48),
	nonce: uintType(48),
});

const permissions = structType('TokenPermissions', { token: addressType, amount: uint256 });

const allowanceMembers = { spender: addressType, sigDeadline: uint256 };
const transferMembers = { spender: addressType, nonce: uint256, deadline: uint256 };

const defineAuthorization = (name: string) =>
	defineForm(
		'transferWithAuthorization',
		structType(name, authorizationMembers),
		({ from, to, value, nonce, validAfter, validBefore }, { contract }) => ({
			owner: from,
			party: { role: 'receiver', address: to },
			tokens: [{ token: contract, amount: value }],
			deadline: validBefore,
			authorization: { nonce, validAfter, validBefore },
		}),
	);

type Amounts = ReadTypedData['tokens'];

const toAllowance = (address: Address, tokens: Amounts, deadline: bigint): Terms => ({
	owner: undefined,
	party: { role: 'spender', address },
	tokens,
	deadline,
});

const TYPED_DATA_FORMS: readonly Form[] = [
	defineForm('permit', permit, ({ owner, spender, value, deadline }, { contract }) => ({
		...toAllowance(spender, [{ token: contract, amount: value }], deadline),
		owner,
	})),
	defineAuthorization('TransferWithAuthorization'),
	defineAuthorization('ReceiveWithAuthorization'),
	defineForm('transferWithAuthorization', cancellation, ({ authorizer }) => ({
		owner: authorizer,
		party: undefined,
		tokens: [],
		deadline: undefined,
	})),
	defineForm('permit2', structType('PermitSingle', { details, ...allowanceMembers }), (message) =>
		toAllowance(message.spender, [message.details], message.sigDeadline),
	),
	defineForm(
		'permit2',
		structType('PermitBatch', { details: listType(details), ...allowanceMembers }),
		(message) => toAllowance(message.spender, message.details, message.sigDeadline),
	),
	defineForm(
		'permit2',
		structType('PermitTransferFrom', { permitted: permissions, ...transferMembers }),
		({ spender, permitted, deadline }) => toAllowance(spender, [permitted], deadline),
	),
	defineForm(
		'permit2',
		structType('PermitBatchTransferFrom', { permitted: listType(permissions), ...transferMembers }),
		({ spender, permitted, deadline }) => toAllowance(spender, permitted, deadline),
	),
];

const DOMAIN_TYPE = 'EIP712Domain';

/** The members that a domain may have, in the order in which they are hashed. */
const DOMAIN_MEMBERS: Readonly<Record<string, string>> = {
	name: 'string',
	version: 'string',
	chainId: 'uint256',
	verifyingContract: 'address',
};

/**
 * Parses typed data, given as JSON or as an object. Returns undefined if it is not exactly of a known form.
 * Throws InvalidInput for a value that does not fit its type.
 */
export function parseTypedData(given: unknown, label: string): ReadTypedData | undefined {
	const value = typeof given === 'string' ? tryParseJson(given) : given;
	if (!isRecord(value) || !isRecord(value.types)) return undefined;
	const { [DOMAIN_TYPE]: domainType, ...structs } = writeStructs(value.types) ?? {};
	const domain = parseDomain(value.domain, domainType);
	const form = TYPED_DATA_FORMS.find((one) => one.primaryType === value.primaryType);
	if (!form || !domain || !isSame(form.structs, structs) || !form.fitsDomain(domain)) {
		return undefined;
	}
	const { kind, primaryType } = form;
	const { message, terms } = form.parse(value.message, domain, `${label} > message`);
	return {
		...terms,
		kind,
		primaryType,
		chainId: domain.chainId,
		typedData: {
			types: declareStructs(form.structs),
			primaryType,
			domain: domain.members,
			message,
		},
	};
}

function isSame(
	one: Readonly<Record<string, string>>,
	other: Readonly<Record<string, string>>,
): boolean {
	const names = Object.keys(one);
	return (
		names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
	);
}

/** Returns undefined for a domain that has no chain or no contract, or has unknown members. */
function parseDomain(given: unknown, declared: string | undefined): Domain | undefined {
	if (!isRecord(given)) return undefined;
	const present = new Map(
		Object.entries(given).filter(([, one]) => one !== undefined && one !== null),
	);
	const names = Object.keys(DOMAIN_MEMBERS).filter((name) => present.has(name));
	if (names.length !== present.size) return undefined;
	const written = names.map((name) => `${DOMAIN_MEMBERS[name]} ${name}`).join(',');
	if (declared !== undefined && declared !== written) return undefined;
	const texts = names.filter((name) => DOMAIN_MEMBERS[name] === 'string');
	if (texts.some((name) => typeof present.get(name) !== 'string')) return undefined;
	const parsed = catching(InvalidValue, () => ({
		chainId: parseUint256(present.get('chainId')),
		verifyingContract: parseEvmAddress(present.get('verifyingContract')).toLowerCase(),
	}));
	if (parsed instanceof InvalidValue) return undefined;
	return {
		chainId: parsed.chainId,
		contract: parsed.verifyingContract,
		members: { ...Object.fromEntries(texts.map((name) => [name, present.get(name)])), ...parsed },
	};
}
