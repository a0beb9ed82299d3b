import type { RpcReader } from '../../chain/reader';
import { raise } from '../../errors/raise';
import { RequestFailure } from '../../errors/requestFailure';
import { keccak256 } from '../../values/keccak';
import { catching } from '../../values/parse';
import { decodeFunctionResult, parseFunction } from '../abi/call';
import { DecodingError } from '../abi/data';
import { decodeOrNull, decodeTextOrNull, NAME_FUNCTION } from '../abi/results';
import { readChainId } from '../blocks';
import { callContract } from '../contractReads';
import { EIP3009_FUNCTIONS, type TokenDomain } from './authorization';

const SEPARATOR_FUNCTION = parseFunction('DOMAIN_SEPARATOR() returns (bytes32)');
const VERSION_FUNCTION = parseFunction('version() returns (string)');
const DOMAIN_FUNCTION = parseFunction(
	'eip712Domain() returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
);

/** Reads the name and version of a token for signed data, and checks them against the hash of both that the token returns. */
export async function readTokenDomain(reader: RpcReader, token: string): Promise<TokenDomain> {
	const [takesAuthorizations, domain] = await readAuthorizedDomain(reader, token);
	if (!takesAuthorizations) throw noAuthorizationsError(token);
	return domain ?? raise(noDomainError(token));
}

/**
 * Finds the name and version of a token for signed data; undefined if the token lacks EIP-3009, or if its hash fits
 * neither.
 */
export async function findTokenDomain(
	reader: RpcReader,
	token: string,
): Promise<TokenDomain | undefined> {
	const [takesAuthorizations, domain] = await readAuthorizedDomain(reader, token);
	return takesAuthorizations ? domain : undefined;
}

async function readAuthorizedDomain(reader: RpcReader, token: string) {
	return await Promise.all([readTakesAuthorizations(reader, token), findDomain(reader, token)]);
}

async function findDomain(reader: RpcReader, token: string): Promise<TokenDomain | undefined> {
	const [chainId, separator, described, name, version] = await Promise.all([
		readChainId(reader),
		callContract(reader, token, SEPARATOR_FUNCTION),
		callContract(reader, token, DOMAIN_FUNCTION),
		callContract(reader, token, NAME_FUNCTION),
		callContract(reader, token, VERSION_FUNCTION),
	]);
	const wanted = decodeOrNull(separator, SEPARATOR_FUNCTION);
	const ownName = decodeTextOrNull(name, NAME_FUNCTION);
	const candidates = [
		decodeDomain(described),
		{ name: ownName, version: decodeTextOrNull(version, VERSION_FUNCTION) },
		{ name: ownName, version: '1' },
	];
	for (const { name: called, version: versioned } of candidates) {
		if (typeof called !== 'string' || typeof versioned !== 'string') continue;
		const domain = { name: called, version: versioned, chainId, verifyingContract: token };
		if (hashDomain(domain) === wanted) return domain;
	}
	return undefined;
}

/**
 * Whether a token takes authorizations (EIP-3009). It does if it has the function that tells the state of an
 * authorization.
 */
async function readTakesAuthorizations(reader: RpcReader, token: string): Promise<boolean> {
	const nobody = ['0x'.padEnd(42, '0'), '0x'.padEnd(66, '0')];
	const answer = await callContract(reader, token, EIP3009_FUNCTIONS.state, nobody);
	return typeof decodeOrNull(answer, EIP3009_FUNCTIONS.state) === 'boolean';
}

function noAuthorizationsError(token: string): RequestFailure {
	return new RequestFailure(
		`The token at ${token} does not support payments by signed authorization (EIP-3009)`,
		{
			description:
				'Payments over HTTP need a token with the functions transferWithAuthorization and authorizationState. There may be no token at this address on this chain.',
		},
	);
}

function decodeDomain(answer: string): { name: unknown; version: unknown } {
	const found = catching(DecodingError, () => decodeFunctionResult(DOMAIN_FUNCTION, answer));
	return found instanceof DecodingError
		? { name: null, version: null }
		: { name: found.name, version: found.version };
}

const DOMAIN_TYPE =
	'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';

/** Hashes the domain of a token, as EIP-712 defines it. */
function hashDomain({ name, version, chainId, verifyingContract }: TokenDomain): string {
	const hashed = [DOMAIN_TYPE, name, version].map((text) => keccak256(Buffer.from(text)));
	const numbers = [chainId, BigInt(verifyingContract)].map((number) =>
		Buffer.from(number.toString(16).padStart(64, '0'), 'hex'),
	);
	return `0x${keccak256(Buffer.concat([...hashed, ...numbers])).toString('hex')}`;
}

function noDomainError(token: string): RequestFailure {
	return new RequestFailure(
		`The token at ${token} does not report the name and version that signatures need`,
		{
			description:
				'Use another token. For its developers: the hash from DOMAIN_SEPARATOR() fits neither eip712Domain(), nor name() with version(), nor name() with version 1.',
		},
	);
}
