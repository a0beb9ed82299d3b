import { encodeHex, parseHash } from '../../values/hex';
import { parseKnownObject, memberParser } from '../../values/knownObject';
import { parseUint256 } from '../../values/numbers';
import { isRecord, type Parse, InvalidValue } from '../../values/parse';
import { parseFunction } from '../abi/call';
import { hashTypedData } from '../abi/typedData';
import { checksumAddress, parseEvmAddress } from '../address';
import { raise } from '../../errors/raise';

/** An authorization to transfer tokens (EIP-3009). Its times are in seconds since 1970. */
export interface Authorization {
	readonly from: string;
	readonly to: string;
	/** The amount of tokens, in the smallest unit of the token. */
	readonly value: bigint;
	readonly validAfter: bigint;
	readonly validBefore: bigint;
	/** Any 32 bytes. A token accepts each nonce of an account only once. */
	readonly nonce: string;
}

/**
 * Limits the gas of a payment that a contract signs (EIP-1271), because the contract decides how much gas is used.
 * Wallets need far less, even with the transfer.
 */
export const SIGNED_BY_CONTRACT_MAX_GAS = 300_000n;

/** The name and version of a token in signed data (EIP-712). */
export interface TokenDomain {
	readonly name: string;
	readonly version: string;
	readonly chainId: bigint;
	readonly verifyingContract: string;
}

const AUTHORIZATION_TYPE = 'TransferWithAuthorization';
const MEMBERS = [
	{ name: 'from', type: 'address' },
	{ name: 'to', type: 'address' },
	{ name: 'value', type: 'uint256' },
	{ name: 'validAfter', type: 'uint256' },
	{ name: 'validBefore', type: 'uint256' },
	{ name: 'nonce', type: 'bytes32' },
] as const;

const parameters = MEMBERS.map(({ name, type }) => `${type} ${name}`).join(', ');

/**
 * The functions of a token with EIP-3009. The function that takes the signature as bytes also accepts signatures of
 * contracts.
 */
export const EIP3009_FUNCTIONS = {
	state: parseFunction('authorizationState(address authorizer, bytes32 nonce) returns (bool)'),
	transferByParts: parseFunction(
		`transferWithAuthorization(${parameters}, uint8 v, bytes32 r, bytes32 s)`,
	),
	transferByBytes: parseFunction(`transferWithAuthorization(${parameters}, bytes signature)`),
} as const;

/** Builds what is signed. */
export function buildAuthorizationData(domain: TokenDomain, authorization: Authorization) {
	return {
		types: { [AUTHORIZATION_TYPE]: MEMBERS },
		primaryType: AUTHORIZATION_TYPE,
		domain,
		message: authorization,
	};
}

export function hashAuthorization(domain: TokenDomain, authorization: Authorization): string {
	return encodeHex(hashTypedData(buildAuthorizationData(domain, authorization), 'Authorization'));
}

/** Formats an authorization as the protocol x402 requires, with all values as texts. */
export function formatAuthorization(authorization: Authorization) {
	const { from, to, value, validAfter, validBefore, nonce } = authorization;
	return {
		from: checksumAddress(from),
		to: checksumAddress(to),
		value: String(value),
		validAfter: String(validAfter),
		validBefore: String(validBefore),
		nonce,
	};
}

const member = memberParser('signed authorization');

/** Parses the six members of an authorization, and refuses any others. */
export const parseAuthorization: Parse<Authorization> = (given) => {
	const names = MEMBERS.map(({ name }) => name);
	const found = parseKnownObject(given, 'signed authorization', names);
	return {
		from: member('from', found.from, parseEvmAddress),
		to: member('to', found.to, parseEvmAddress),
		value: member('value', found.value, parseUint256),
		validAfter: member('validAfter', found.validAfter, parseUint256),
		validBefore: member('validBefore', found.validBefore, parseUint256),
		nonce: member('nonce', found.nonce, parseNonce),
	};
};

const parseNonce: Parse<string> = (given) => {
	const nonce =
		typeof given === 'string'
			? given
			: raise(new InvalidValue('32 bytes as 0x-hex: 0x and 64 hex digits'));
	return parseHash(nonce).toLowerCase();
};

/**
 * Parses the six members of an authorization in a stranger's JSON. Numbers must be decimal texts, and other members are
 * ignored.
 */
export const parseForeignAuthorization: Parse<Authorization> = (given) => {
	const all = isRecord(given)
		? given
		: raise(
				new InvalidValue(
					'a signed authorization: an object with from, to, value, validAfter, validBefore and nonce',
				),
			);
	const own = MEMBERS.map(({ name }) => [name, all[name]] as const);
	for (const [name, value] of own) member(name, value, foreignTextParser(name));
	return parseAuthorization(Object.fromEntries(own));
};

const DECIMAL_PATTERN = /^(0|[1-9]\d*)$/;

function foreignTextParser(name: string): Parse<string> {
	const isNumber = MEMBERS.some((one) => one.name === name && one.type === 'uint256');
	return (given) =>
		typeof given === 'string' && (!isNumber || DECIMAL_PATTERN.test(given))
			? given
			: raise(new InvalidValue(isNumber ? 'a decimal number as text' : 'text'));
}
