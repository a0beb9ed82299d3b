import { NO_METADATA, fetchTokenMetadata } from '../core/chain/metadata';
import { readNft, readNftBalance } from '../core/evm/nfts';
import { fetchMetadata, ipfsGateway } from '../fields/metadataFields';
import { contracts, accounts, direction } from '../fields/transferFields';
import { readNftTransfers } from '../core/evm/nftTransfers';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { limit, returnAll } from '../core/operation/sharedFields';
import { outputFields } from '../core/operation/outputFields';
import { optionsField } from '../core/operation/transportOptions';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { checksumAddress, parseEvmAddress } from '../core/evm/address';
import { optionalParser, parseUint256 } from '../core/values/numbers';
import { fromBlock, stateBlock, toBlock } from './fields';
import { TOKEN_ID_NAME } from '../fields/tokenNames';

const contract = {
	displayName: 'NFT Contract',
	name: 'contract',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The address of the ERC-721 or ERC-1155 contract',
	parse: parseEvmAddress,
} as const satisfies Field;

const tokenId = {
	displayName: 'Token ID',
	name: TOKEN_ID_NAME,
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1234',
	description: 'The ID of the token in the contract, decimal or 0x-hex',
	parse: parseUint256,
} as const satisfies Field;

const tokenIdOrAll = {
	...tokenId,
	required: false,
	description: 'The ID of the token in the contract, decimal or 0x-hex. Needed for ERC-1155.',
	hint: 'If Token ID is empty, all tokens of an ERC-721 contract are counted',
	parse: optionalParser(parseUint256),
} as const satisfies Field;

const owner = {
	displayName: 'Owner',
	name: 'owner',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	description: 'The account that holds NFTs of the contract',
	parse: parseEvmAddress,
} as const satisfies Field;

const get = rpcOperation({
	name: 'Get',
	action: 'Get NFT owner and metadata',
	description:
		'Get the owner, the collection and the metadata of an NFT (a token of ERC-721 or ERC-1155)',
	fields: [contract, tokenId, pathField('/'), optionsField([fetchMetadata, ipfsGateway])],
	async *run(p, chain) {
		const { fetchMetadata: isWanted = fetchMetadata.default, ipfsGateway: gateway } = p.options;
		const { nft, uriReason } = await readNft(chain, p.contract, p.tokenId);
		yield {
			contract: checksumAddress(p.contract),
			tokenId: p.tokenId.toString(),
			...nft,
			...(isWanted
				? await fetchTokenMetadata(chain, nft.tokenUri, gateway, uriReason)
				: NO_METADATA),
		};
	},
});

const getBalance = rpcOperation({
	name: 'Get Balance',
	action: 'Get NFT balance of account',
	description:
		'Get how many NFTs of a contract an account holds: all NFTs of an ERC-721 contract, or those of one token ID',
	fields: [contract, owner, tokenIdOrAll, stateBlock, pathField('/')],
	async *run(p, chain) {
		const { standard, balance } = await readNftBalance(chain, p);
		yield {
			contract: checksumAddress(p.contract),
			owner: checksumAddress(p.owner),
			tokenId: p.tokenId?.toString() ?? null,
			standard,
			balance,
		};
	},
});

const getTransfers = rpcOperation({
	name: 'Get Transfers',
	action: 'Find NFT transfers and mints',
	description:
		'Get the transfers of NFTs over any range of blocks, one item for each token that moved',
	fields: [
		contracts,
		accounts,
		direction,
		fromBlock,
		toBlock,
		returnAll,
		limit,
		pathField('/'),
		optionsField([outputFields]),
	],
	async *run(p, chain) {
		for await (const transfers of readNftTransfers(chain, p)) yield* transfers;
	},
});

export const nft = { name: 'NFT', operations: { get, getBalance, getTransfers } };
