import { InvalidInput } from '../../../credentials/invalidInput';
import { functionIn } from '../abi/call';
import type { AbiFunction } from '../abi/entry';
import { RequestFailure } from '../errors/requestFailure';
import type { ChainReader } from '../rpc/chain';
import { answerOf, NAME, SYMBOL, textIn, valueIn } from './contractReads';

export type NftStandard = 'ERC-721' | 'ERC-1155';

const SUPPORTS = functionIn('supportsInterface(bytes4 id) returns (bool)');
const INTERFACES = { 'ERC-721': '0x80ac58cd', 'ERC-1155': '0xd9b67a26' } as const;

const ERC721 = {
	ownerOf: functionIn('ownerOf(uint256 tokenId) returns (address)'),
	balanceOf: functionIn('balanceOf(address owner) returns (uint256)'),
	tokenURI: functionIn('tokenURI(uint256 tokenId) returns (string)'),
} as const;

const ERC1155 = {
	balanceOf: functionIn('balanceOf(address owner, uint256 id) returns (uint256)'),
	uri: functionIn('uri(uint256 id) returns (string)'),
} as const;

/** A contract of ERC-20 tokens has it, one of NFTs does not. */
const ALLOWANCE = functionIn('allowance(address owner, address spender) returns (uint256)');

const NOBODY = `0x${'0'.repeat(40)}`;
const SOMEONE = '0x0000000000000000000000000000000000000001';
const LATEST = 'latest';

/** A contract at a block. */
interface Place {
	readonly contract: string;
	readonly block: string;
}

/** What a contract does not tell is null. */
interface Nft {
	readonly standard: NftStandard;
	readonly name: string | null;
	readonly symbol: string | null;
	/** Null for a token of ERC-1155, which may have many. */
	readonly owner: string | null;
	/** Where the metadata is. */
	readonly tokenUri: string | null;
}

/** All that a contract tells of one of its tokens. */
export async function readNft(chain: ChainReader, contract: string, tokenId: bigint): Promise<Nft> {
	const place = { contract, block: LATEST };
	const [standard, name, symbol] = await Promise.all([
		nftStandard(chain, contract, tokenId),
		answerOf(chain, contract, NAME),
		answerOf(chain, contract, SYMBOL),
	]);
	const isSingle = standard === 'ERC-721';
	const [owner, uri] = await Promise.all([
		isSingle ? told(chain, place, ERC721.ownerOf, tokenId) : null,
		told(chain, place, isSingle ? ERC721.tokenURI : ERC1155.uri, tokenId),
	]);
	return {
		...{ standard, name: textIn(name, NAME), symbol: textIn(symbol, SYMBOL) },
		// Contracts older than ERC-721 say so of a token that is not there.
		owner: owner === NOBODY ? null : owner,
		tokenUri: addressIn(uri, isSingle ? undefined : tokenId),
	};
}

/** It may hold all of the metadata. */
const LONGEST_URI = 4_000_000;
const PLACE_OF_ID = '{id}';

/** ERC-1155 tells one address for all tokens, and what stands in it for the id has 64 hex digits. */
function addressIn(uri: string | null, id: bigint | undefined): string | null {
	if (uri === null || uri.length > LONGEST_URI || uri.trim() === '') return null;
	const address = uri.trim();
	if (id === undefined) return address;
	const digits = id.toString(16).padStart(64, '0');
	const parts = address.split(PLACE_OF_ID);
	const longer = (parts.length - 1) * (digits.length - PLACE_OF_ID.length);
	return address.length + longer > LONGEST_URI ? null : parts.join(digits);
}

interface Holding extends Place {
	readonly owner: string;
	readonly tokenId: bigint | undefined;
}

/** How many of a token an account holds; without an id, how many tokens of an ERC-721 contract. */
export async function readNftBalance(
	chain: ChainReader,
	{ owner, tokenId, ...place }: Holding,
): Promise<{ readonly standard: NftStandard; readonly balance: string }> {
	const { contract, block } = place;
	if (tokenId === undefined) {
		const balance = await balanceOfAll(chain, place, owner);
		return { standard: 'ERC-721', balance };
	}
	const standard = await nftStandard(chain, contract, tokenId, block);
	if (standard === 'ERC-1155') {
		const balance = await told(chain, place, ERC1155.balanceOf, owner, tokenId);
		return { standard, balance: balance ?? noNft(place) };
	}
	const holder = await told(chain, place, ERC721.ownerOf, tokenId);
	return { standard, balance: holder?.toLowerCase() === owner.toLowerCase() ? '1' : '0' };
}

async function balanceOfAll(chain: ChainReader, place: Place, owner: string): Promise<string> {
	const [claimed, balance, allowance] = await Promise.all([
		claimedStandard(chain, place),
		told(chain, place, ERC721.balanceOf, owner),
		told(chain, place, ALLOWANCE, owner, owner),
	]);
	if (claimed === 'ERC-1155') return needsId(place);
	const isOfCoins = claimed === undefined && allowance !== null;
	return balance === null || isOfCoins ? noNft(place) : balance;
}

function needsId({ contract }: Place): never {
	throw new InvalidInput(
		"'Token ID' must be given for a contract of ERC-1155",
		`The contract ${contract} has balances of each of its tokens, and none of all of them.`,
	);
}

/** By what the contract says of itself as long as it answers accordingly, else by the questions that it answers. */
export async function nftStandard(
	chain: ChainReader,
	contract: string,
	tokenId: bigint,
	block = LATEST,
): Promise<NftStandard> {
	const place = { contract, block };
	const isSingle = async () => (await told(chain, place, ERC721.ownerOf, tokenId)) !== null;
	const isSeveral = async () =>
		(await told(chain, place, ERC1155.balanceOf, SOMEONE, tokenId)) !== null;
	const claimed = await claimedStandard(chain, place);
	if (claimed === 'ERC-1155' && (await isSeveral())) return claimed;
	if (await isSingle()) return 'ERC-721';
	if (claimed !== 'ERC-1155' && (await isSeveral())) return 'ERC-1155';
	// A token that was burned, or is not there yet, has no owner.
	return (
		claimed ??
		noNft(place, 'Without supportsInterface, only a token that exists tells its standard.')
	);
}

const YES = 'true';

/** What a contract says of itself; undefined where it says nothing, or both. */
async function claimedStandard(chain: ChainReader, place: Place): Promise<NftStandard | undefined> {
	const [isSingle, isSeveral] = await Promise.all([
		told(chain, place, SUPPORTS, INTERFACES['ERC-721']),
		told(chain, place, SUPPORTS, INTERFACES['ERC-1155']),
	]);
	if (isSingle === isSeveral) return undefined;
	if (isSingle === YES) return 'ERC-721';
	return isSeveral === YES ? 'ERC-1155' : undefined;
}

/** What a contract answers; null where it has no such function, fails, or answers what does not fit. */
async function told(
	chain: ChainReader,
	{ contract, block }: Place,
	called: AbiFunction,
	...args: readonly unknown[]
): Promise<string | null> {
	const value = valueIn(await answerOf(chain, contract, called, args, block), called);
	return value === null ? null : String(value);
}

function noNft({ contract }: Place, more?: string): never {
	throw new RequestFailure(`There is no NFT contract at ${contract}`, {
		description: [
			'The contract does not answer as ERC-721 or ERC-1155 does, or there is no contract at this address on this chain.',
			...(more ? [more] : []),
		].join(' '),
	});
}
