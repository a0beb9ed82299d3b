import { decodeResult, encodeCall, functionIn } from '../abi/call';
import { DecodingError } from '../abi/data';
import type { AbiFunction } from '../abi/entry';
import { RequestFailure } from '../errors/requestFailure';
import { isOfContract } from '../responses/reverts';
import type { ChainReader } from '../rpc/chain';
import { attempt } from '../values/read';

export type NftStandard = 'ERC-721' | 'ERC-1155';

const SUPPORTS = functionIn('supportsInterface(bytes4 id) returns (bool)');
const OWNER = functionIn('ownerOf(uint256 tokenId) returns (address)');
const BALANCE = functionIn('balanceOf(address owner, uint256 id) returns (uint256)');

const INTERFACES = { 'ERC-721': '0x80ac58cd', 'ERC-1155': '0xd9b67a26' } as const;
const SOMEONE = '0x0000000000000000000000000000000000000001';

/** By what the contract says of itself, else by the questions that it answers. */
export async function nftStandard(
	chain: ChainReader,
	contract: string,
	tokenId: bigint,
): Promise<NftStandard> {
	const answers = async (asked: AbiFunction, ...args: unknown[]) =>
		await answerOf(chain, contract, asked, args);
	const [isSingle, isSeveral, owner, balance] = await Promise.all([
		answers(SUPPORTS, INTERFACES['ERC-721']),
		answers(SUPPORTS, INTERFACES['ERC-1155']),
		answers(OWNER, tokenId),
		answers(BALANCE, SOMEONE, tokenId),
	]);
	if (isSingle !== isSeveral && isSingle === true) return 'ERC-721';
	if (isSingle !== isSeveral && isSeveral === true) return 'ERC-1155';
	if (owner !== undefined) return 'ERC-721';
	return balance === undefined ? noNft(contract) : 'ERC-1155';
}

/** Undefined where the contract has no such function, or fails. */
async function answerOf(
	chain: ChainReader,
	to: string,
	asked: AbiFunction,
	args: readonly unknown[],
): Promise<unknown> {
	const data = encodeCall(asked, args);
	const answer = await chain
		.call('eth_call', [{ to, data }, 'latest'])
		.catch(async (failure) =>
			failure instanceof RequestFailure && isOfContract(failure)
				? '0x'
				: await Promise.reject(failure),
		);
	const decoded = attempt(DecodingError, () => decodeResult(asked, String(answer)).result);
	return decoded instanceof DecodingError ? undefined : decoded;
}

function noNft(contract: string): never {
	throw new RequestFailure(`There is no NFT contract at ${contract}`, {
		description:
			'The contract does not answer as ERC-721 or ERC-1155 does, or there is no contract at this address on this chain.',
	});
}
