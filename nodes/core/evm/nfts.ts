import { InvalidInput } from '../errors/invalidInput';
import { anyAbiParser } from './abi/abi';
import { decodeErrorResult, parseFunction } from './abi/call';
import type { AbiFunction } from './abi/entry';
import { ZERO_ADDRESS } from './address';
import { RequestFailure } from '../errors/requestFailure';
import type { RpcReader } from '../chain/reader';
import { NAME_FUNCTION, SYMBOL_FUNCTION, decodeTextOrNull, decodeOrNull } from './abi/results';
import { findRevertData } from '../net/responses/reverts';
import { callContract, callWithReason } from './contractReads';
import { raise } from '../errors/raise';

export type NftStandard = 'ERC-721' | 'ERC-1155';

const SUPPORTS_INTERFACE_FUNCTION = parseFunction('supportsInterface(bytes4 id) returns (bool)');
const INTERFACE_IDS = { 'ERC-721': '0x80ac58cd', 'ERC-1155': '0xd9b67a26' } as const;

const ERC721_FUNCTIONS = {
	ownerOf: parseFunction('ownerOf(uint256 tokenId) returns (address)'),
	balanceOf: parseFunction('balanceOf(address owner) returns (uint256)'),
	tokenURI: parseFunction('tokenURI(uint256 tokenId) returns (string)'),
} as const;

const ERC1155_FUNCTIONS = {
	balanceOf: parseFunction('balanceOf(address owner, uint256 id) returns (uint256)'),
	uri: parseFunction('uri(uint256 id) returns (string)'),
} as const;

/** The function that ERC-20 tokens have, and NFTs do not have. */
const ALLOWANCE_FUNCTION = parseFunction(
	'allowance(address owner, address spender) returns (uint256)',
);

const PROBE_ADDRESS = '0x0000000000000000000000000000000000000001';
const LATEST_BLOCK = 'latest';

/** A contract at a block. */
interface ContractAtBlock {
	readonly contract: string;
	readonly block: string;
}

/** The facts about an NFT. A value that the contract does not return is null. */
interface Nft {
	readonly standard: NftStandard;
	readonly name: string | null;
	readonly symbol: string | null;
	/** The owner of the token. It is null for an ERC-1155 token, which may have many owners. */
	readonly owner: string | null;
	/** The address of the metadata. */
	readonly tokenUri: string | null;
}

interface NftWithReason {
	readonly nft: Nft;
	/** The contract's reason for not returning the address of the metadata; undefined if there is none. */
	readonly uriReason: string | undefined;
}

/** Reads all that a contract returns about one of its NFTs. */
export async function readNft(
	reader: RpcReader,
	contract: string,
	tokenId: bigint,
): Promise<NftWithReason> {
	const place = { contract, block: LATEST_BLOCK };
	const [standard, name, symbol] = await Promise.all([
		readNftStandard(reader, contract, tokenId),
		callContract(reader, contract, NAME_FUNCTION),
		callContract(reader, contract, SYMBOL_FUNCTION),
	]);
	const isSingle = standard === 'ERC-721';
	const uriFunction = isSingle ? ERC721_FUNCTIONS.tokenURI : ERC1155_FUNCTIONS.uri;
	const [owner, { returned, failure }] = await Promise.all([
		isSingle ? callOrNull(reader, place, ERC721_FUNCTIONS.ownerOf, tokenId) : null,
		callWithReason(reader, contract, uriFunction, [tokenId]),
	]);
	const uri = decodeOrNull(returned, uriFunction);
	const nft = {
		standard,
		name: decodeTextOrNull(name, NAME_FUNCTION),
		symbol: decodeTextOrNull(symbol, SYMBOL_FUNCTION),
		// Contracts older than ERC-721 return the zero address as the owner of a token that does not exist.
		owner: owner === ZERO_ADDRESS ? null : owner,
		tokenUri: buildTokenUri(uri, isSingle ? undefined : tokenId),
	};
	return { nft, uriReason: failure && formatReason(failure) };
}

/** The errors of the libraries that most NFT contracts use. */
const { errors: STANDARD_ERRORS } = anyAbiParser('error')([
	'ERC721NonexistentToken(uint256 tokenId)',
	'ERC721InvalidOwner(address owner)',
	'URIQueryForNonexistentToken()',
]);

function formatReason({ answer, message }: RequestFailure): string {
	return decodeErrorResult(STANDARD_ERRORS, findRevertData(answer))?.text ?? message;
}

/** Limits the address of metadata, in characters. It is high because an address may contain the metadata itself. */
const MAX_URI_CHARS = 4_000_000;
const ID_PLACEHOLDER = '{id}';

/**
 * Fills the ID into the address of metadata. ERC-1155 returns a single address for all tokens, with a placeholder for 64
 * hex digits of the ID.
 */
function buildTokenUri(uri: unknown, id: bigint | undefined): string | null {
	if (typeof uri !== 'string' || uri.length > MAX_URI_CHARS || uri.trim() === '') return null;
	const address = uri.trim();
	if (id === undefined) return address;
	const digits = id.toString(16).padStart(64, '0');
	const parts = address.split(ID_PLACEHOLDER);
	const longer = (parts.length - 1) * (digits.length - ID_PLACEHOLDER.length);
	return address.length + longer > MAX_URI_CHARS ? null : parts.join(digits);
}

interface NftHolding extends ContractAtBlock {
	readonly owner: string;
	readonly tokenId: bigint | undefined;
}

/**
 * Reads how many units of a token an account holds. Without an ID, it reads how many tokens of an ERC-721 contract the
 * account holds.
 */
export async function readNftBalance(
	reader: RpcReader,
	{ owner, tokenId, ...place }: NftHolding,
): Promise<{ readonly standard: NftStandard; readonly balance: string }> {
	const { contract, block } = place;
	if (tokenId === undefined) {
		const balance = await readTotalBalance(reader, place, owner);
		return { standard: 'ERC-721', balance };
	}
	const standard = await readNftStandard(reader, contract, tokenId, block);
	if (standard === 'ERC-1155') {
		const balance = await callOrNull(reader, place, ERC1155_FUNCTIONS.balanceOf, owner, tokenId);
		return { standard, balance: balance ?? raise(noNftError(place)) };
	}
	const holder = await callOrNull(reader, place, ERC721_FUNCTIONS.ownerOf, tokenId);
	return { standard, balance: holder?.toLowerCase() === owner.toLowerCase() ? '1' : '0' };
}

async function readTotalBalance(
	reader: RpcReader,
	place: ContractAtBlock,
	owner: string,
): Promise<string> {
	const [claimed, balance, allowance] = await Promise.all([
		readClaimedStandard(reader, place),
		callOrNull(reader, place, ERC721_FUNCTIONS.balanceOf, owner),
		callOrNull(reader, place, ALLOWANCE_FUNCTION, owner, owner),
	]);
	if (claimed === 'ERC-1155') throw tokenIdRequiredError(place);
	const isOfCoins = claimed === undefined && allowance !== null;
	return balance === null || isOfCoins ? raise(noNftError(place)) : balance;
}

function tokenIdRequiredError({ contract }: ContractAtBlock): InvalidInput {
	return new InvalidInput(
		"'Token ID' must be given for a contract of ERC-1155",
		`The contract ${contract} has balances of each of its tokens, and none of all of them.`,
	);
}

/**
 * Reads the standard of an NFT. It is the standard that the contract claims, if its answers fit; otherwise the standard
 * whose functions it answers.
 */
export async function readNftStandard(
	reader: RpcReader,
	contract: string,
	tokenId: bigint,
	block = LATEST_BLOCK,
): Promise<NftStandard> {
	const place = { contract, block };
	const isSingle = async () =>
		(await callOrNull(reader, place, ERC721_FUNCTIONS.ownerOf, tokenId)) !== null;
	const isSeveral = async () =>
		(await callOrNull(reader, place, ERC1155_FUNCTIONS.balanceOf, PROBE_ADDRESS, tokenId)) !== null;
	const claimed = await readClaimedStandard(reader, place);
	if (claimed === 'ERC-1155' && (await isSeveral())) return claimed;
	if (await isSingle()) return 'ERC-721';
	if (claimed !== 'ERC-1155' && (await isSeveral())) return 'ERC-1155';
	// A token that was burned or not minted yet has no owner, so the standard that the contract claims must suffice.
	return (
		claimed ??
		raise(
			noNftError(place, 'Without supportsInterface, only an existing token shows its standard.'),
		)
	);
}

const TRUE_TEXT = 'true';

/** Reads which standard a contract claims, ERC-721 or ERC-1155; undefined if the contract claims neither or both. */
async function readClaimedStandard(
	reader: RpcReader,
	place: ContractAtBlock,
): Promise<NftStandard | undefined> {
	const [isSingle, isSeveral] = await Promise.all([
		callOrNull(reader, place, SUPPORTS_INTERFACE_FUNCTION, INTERFACE_IDS['ERC-721']),
		callOrNull(reader, place, SUPPORTS_INTERFACE_FUNCTION, INTERFACE_IDS['ERC-1155']),
	]);
	if (isSingle === isSeveral) return undefined;
	if (isSingle === TRUE_TEXT) return 'ERC-721';
	return isSeveral === TRUE_TEXT ? 'ERC-1155' : undefined;
}

/** Calls a contract; null if the contract lacks the function, fails, or returns a value of another type. */
async function callOrNull(
	reader: RpcReader,
	{ contract, block }: ContractAtBlock,
	called: AbiFunction,
	...args: readonly unknown[]
): Promise<string | null> {
	const value = decodeOrNull(await callContract(reader, contract, called, args, block), called);
	return value === null ? null : String(value);
}

function noNftError({ contract }: ContractAtBlock, more?: string): RequestFailure {
	return new RequestFailure(`There is no NFT contract at ${contract}`, {
		description: [
			'The contract does not answer as ERC-721 or ERC-1155 does, or there is no contract at this address on this chain.',
			...(more ? [more] : []),
		].join(' '),
	});
}
