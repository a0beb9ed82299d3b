import { isRecord, parseEvmAddress, parseUint256, tryParseJson } from '../../nodes/core';
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
import type { PartyRole } from './tokenMoves';

/** The kinds of typed data that the rules can read, as the form names them. */
export type TypedDataKind = 'permit' | 'transferWithAuthorization' | 'permit2';

/** What a signature of typed data lets somebody do with tokens. Addresses are in lower case. */
export interface TypedDataMove {
	readonly kind: TypedDataKind;
	/** `Permit` */
	readonly primaryType: string;
	readonly chainId: bigint;
	/** Who signs it; undefined where it does not say. */
	readonly owner: Address | undefined;
	/** Undefined where nobody gets anything. */
	readonly party: { readonly role: PartyRole; readonly address: Address } | undefined;
	/** The amounts in the smallest unit; a token may stand in it several times. */
	readonly tokens: ReadonlyArray<{ readonly token: Address; readonly amount: bigint }>;
	/** Until when it can be used, in seconds since 1970; undefined where it gives nothing. */
	readonly deadline: bigint | undefined;
	/** The same typed data, of the values that stand here and no others. */
	readonly typedData: object;
}

interface Domain {
	readonly chainId: bigint;
	readonly contract: Address;
	/** The members as they are hashed. */
	readonly members: object;
}

type Read = Omit<TypedDataMove, 'kind' | 'primaryType' | 'chainId' | 'typedData'>;

interface Form {
	readonly kind: TypedDataKind;
	readonly primaryType: string;
	readonly structs: Readonly<Record<string, string>>;
	readonly fitsDomain: (domain: Domain) => boolean;
	/** Parses the message, and says what it moves. */
	readonly read: (message: unknown, domain: Domain, label: string) => Read & { message: object };
}

/** A type of messages that is exactly one of a standard. */
function defineForm<Message extends object>(
	kind: TypedDataKind,
	type: ReadableType<Message>,
	read: (message: Message, domain: Domain) => Read,
): Form {
	return {
		kind,
		primaryType: type.name,
		structs: type.structs,
		fitsDomain: kind === 'permit2' ? isPermit2 : isToken,
		read: (given, domain, label) => {
			const message = type.parse(given, label);
			return { ...read(message, domain), message };
		},
	};
}

/** A token has its name in the domain; most have a version as well. */
function isToken({ members }: Domain): boolean {
	return 'name' in members;
}

/** The addresses of Permit2: the usual one, and the one on chains that compute addresses in another way. */
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
		({ from, to, value, validBefore }, { contract }) => ({
			owner: from,
			party: { role: 'receiver', address: to },
			tokens: [{ token: contract, amount: value }],
			deadline: validBefore,
		}),
	);

type Amounts = TypedDataMove['tokens'];

/** An allowance of nothing takes one back, whoever had it. */
function toSpender(address: Address, tokens: Amounts): TypedDataMove['party'] {
	const isTakenBack = tokens.every(({ amount }) => amount === 0n);
	return isTakenBack ? undefined : { role: 'spender', address };
}

const toAllowance = (spender: Address, tokens: Amounts, deadline: bigint): Read => ({
	owner: undefined,
	party: toSpender(spender, tokens),
	tokens,
	deadline,
});

const FORMS: readonly Form[] = [
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

/** The members of a domain that the rules can read, in the order in which they are hashed. */
const DOMAIN_MEMBERS: Readonly<Record<string, string>> = {
	name: 'string',
	version: 'string',
	chainId: 'uint256',
	verifyingContract: 'address',
};

/**
 * Reads typed data (JSON, or an object of plain data); undefined for what is not exactly of a known form, whatever its
 * names. InvalidInput names a value that does not fit its type.
 */
export function readTypedData(given: unknown, label: string): TypedDataMove | undefined {
	const value = typeof given === 'string' ? tryParseJson(given) : given;
	if (!isRecord(value) || !isRecord(value.types)) return undefined;
	const { [DOMAIN_TYPE]: domainType, ...structs } = writeStructs(value.types) ?? {};
	const domain = readDomain(value.domain, domainType);
	const form = FORMS.find((one) => one.primaryType === value.primaryType);
	if (!form || !domain || !isSame(form.structs, structs) || !form.fitsDomain(domain)) {
		return undefined;
	}
	const { kind, primaryType } = form;
	const { message, ...read } = form.read(value.message, domain, `${label} > message`);
	return {
		...read,
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

/** Undefined for a domain that names no chain or no contract, or says more than the rules know. */
function readDomain(given: unknown, declared: string | undefined): Domain | undefined {
	if (!isRecord(given)) return undefined;
	const present = Object.entries(given).filter(([, one]) => one !== undefined && one !== null);
	const names = Object.keys(DOMAIN_MEMBERS).filter((name) =>
		present.some(([known]) => known === name),
	);
	if (names.length !== present.length) return undefined;
	const written = names.map((name) => `${DOMAIN_MEMBERS[name]} ${name}`).join(',');
	if (declared !== undefined && declared !== written) return undefined;
	return parseDomain(given);
}

function parseDomain(given: Readonly<Record<string, unknown>>): Domain | undefined {
	const { name, version, chainId, verifyingContract } = given;
	const texts = [name, version].filter((one) => one !== undefined && one !== null);
	if (!texts.every((one) => typeof one === 'string')) return undefined;
	try {
		const chain = parseUint256(chainId);
		const contract = parseEvmAddress(verifyingContract).toLowerCase();
		const isVersioned = typeof version === 'string';
		const members = {
			...(typeof name === 'string' && { name }),
			...(isVersioned && { version }),
			chainId: chain,
			verifyingContract: contract,
		};
		return { chainId: chain, contract, members };
	} catch {
		return undefined;
	}
}
