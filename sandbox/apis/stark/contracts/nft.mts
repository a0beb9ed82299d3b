import { encodeByteArray, joinU256, splitU256, toHex } from '../machine/felts.mts';
import { getSelector } from '../machine/hashes.mts';
import { createPanicError } from '../machine/execution.mts';
import * as abi from '../machine/contract.mts';

const { ADDRESS, U256, BYTE_ARRAY, describeFunction } = abi;
const COMPONENT = 'openzeppelin::token::erc721::erc721::ERC721Component';

const getOwnerKey = (id: bigint) => `owner/${toHex(id)}`;

/**
 * Moves an NFT and emits its transfer event. The id is a key, so the event has more keys than the event of other
 * tokens.
 */
function move(context: abi.Context, from: bigint, to: bigint, id: bigint): bigint[] {
	context.write(getOwnerKey(id), to);
	context.emit([getSelector('Transfer'), from, to, ...splitU256(id)], []);
	return [];
}

/** NFTs that anybody may mint. */
export const nftClass = abi.createSierraClass(
	'nft',
	[
		abi.describeByteArray(),
		abi.describeU256(),
		...abi.describeInterface('openzeppelin::token::erc721::interface::IERC721', [
			describeFunction('owner_of', { token_id: U256 }, ADDRESS),
			describeFunction(
				'transfer_from',
				{ from: ADDRESS, to: ADDRESS, token_id: U256 },
				undefined,
				'external',
			),
			describeFunction('mint', { to: ADDRESS, token_id: U256 }, undefined, 'external'),
		]),
		...abi.describeInterface('openzeppelin::token::erc721::interface::IERC721Metadata', [
			describeFunction('name', {}, BYTE_ARRAY),
			describeFunction('symbol', {}, BYTE_ARRAY),
		]),
		abi.describeEvent(`${COMPONENT}::Transfer`, { from: ADDRESS, to: ADDRESS, token_id: U256 }, [
			'from',
			'to',
			'token_id',
		]),
		abi.describeEvents(`${COMPONENT}::Event`, { Transfer: `${COMPONENT}::Transfer` }),
		abi.describeEvents('sandbox::nft::Nft::Event', { ERC721Event: `${COMPONENT}::Event` }, [
			'ERC721Event',
		]),
	],
	{
		name: () => encodeByteArray('Sandbox NFT'),
		symbol: () => encodeByteArray('NFT'),
		owner_of: (context, id = []) => {
			const owner = context.read(getOwnerKey(joinU256(id)));
			if (owner === 0n) throw createPanicError('ERC721: invalid token ID');
			return [owner];
		},
		mint: (context, [to = 0n] = [], id = []) => {
			if (context.read(getOwnerKey(joinU256(id))) !== 0n) {
				throw createPanicError('ERC721: token already minted');
			}
			return move(context, 0n, to, joinU256(id));
		},
		transfer_from: (context, [from = 0n] = [], [to = 0n] = [], id = []) => {
			const owner = context.read(getOwnerKey(joinU256(id)));
			if (owner !== from || from !== context.caller) {
				throw createPanicError('ERC721: unauthorized caller');
			}
			return move(context, from, to, joinU256(id));
		},
	},
);
