import { InvalidInput } from '../core/errors/invalidInput';
import { RequestFailure } from '../core/errors/requestFailure';
import { fetchTokenMetadata, NO_METADATA, type Metadata } from '../core/chain/metadata';
import type { RunContext } from '../core/operation/operation';
import type { Field } from '../core/operation/field';
import { limit, returnAll } from '../core/operation/sharedFields';
import { optionsField } from '../core/operation/transportOptions';
import { formatTonAddresses, parseTonAccount } from '../core/ton/address';
import { addressFormatter, type FormatAddress } from '../core/ton/addressBook';
import { findNft, readNfts, type TonNft } from '../core/ton/nfts';
import { getText } from '../core/ton/tokenInfo';
import { restOperation, type RestRequest } from '../core/protocols/rest';
import { optionalParser } from '../core/values/numbers';
import { fetchMetadata, ipfsGateway } from '../fields/metadataFields';
import { address, owner } from './fields';
import { raise } from '../core/errors/raise';

const nftAddress = {
	...address,
	placeholder: 'e.g. EQAAwP1hj5VM0wiUgmTH9m6y61Nbfinzn-_JYrozVourI0Hq',
	description: 'The NFT, not its collection, as a user-friendly (EQ…) or raw (0:…) address',
} as const satisfies Field;

const wantedOwner = {
	...owner,
	required: false,
	description: 'The account that owns the NFTs, as a user-friendly (UQ…) or raw (0:…) address',
	hint: 'Owner or Collection is required. If Owner is empty, you get NFTs of any owner.',
	parse: optionalParser(parseTonAccount),
} as const satisfies Field;

const collection = {
	...nftAddress,
	displayName: 'Collection',
	name: 'collection',
	required: false,
	description:
		'The collection to which the NFTs belong, as a user-friendly (EQ…) or raw (0:…) address',
	hint: 'Owner or Collection is required. If Collection is empty, you get NFTs of any collection.',
	parse: optionalParser(parseTonAccount),
} as const satisfies Field;

const options = optionsField([fetchMetadata, ipfsGateway]);

interface MetadataOptions {
	readonly fetchMetadata?: boolean;
	readonly ipfsGateway?: string;
}

const get = restOperation({
	name: 'Get',
	action: 'Get NFT, its owner and metadata',
	description: 'Get the owner, the collection and the metadata of an NFT',
	fields: [nftAddress, options],
	async *run(p, context) {
		const found = await findNft(context, p.address);
		if (!found) {
			throw new RequestFailure(`There is no NFT at ${formatTonAddresses(p.address).bounceable}`, {
				description: 'It must be the address of one NFT, not that of its collection.',
			});
		}
		const format = addressFormatter(found.addressBook, p.address.isTestOnly);
		yield await formatNft(found.nft, format, p.options, context);
	},
});

const getAll = restOperation({
	name: 'Get Many',
	action: 'Get many NFTs, of owner or collection',
	description: 'Get the NFTs of an account, of a collection, or of an account in a collection',
	fields: [wantedOwner, collection, returnAll, limit, options],
	async *run(p, context) {
		const given = p.owner ?? p.collection ?? raise(nothingWantedError());
		const wanted = { owner: p.owner, collection: p.collection };
		for await (const { nfts, addressBook } of readNfts(context, wanted, p.limit)) {
			const format = addressFormatter(addressBook, given.isTestOnly);
			yield* await Promise.all(
				nfts.map(async (one) => await formatNft(one, format, p.options, context)),
			);
		}
	},
});

function nothingWantedError(): InvalidInput {
	return new InvalidInput(
		"'Owner' or 'Collection' is required",
		'Without one of them, the list would hold all NFTs of the chain.',
	);
}

type NftContext = RunContext<RestRequest>;

async function formatNft(
	nft: TonNft,
	format: FormatAddress,
	chosen: MetadataOptions,
	context: NftContext,
) {
	const { metadata, metadataError } = await readMetadata(nft, chosen, context);
	return {
		address: format(nft.account),
		collection: nft.collection && format(nft.collection),
		index: nft.index,
		owner: nft.owner && format(nft.owner),
		name: getText(metadata, 'name') ?? nft.fetchedName,
		metadata,
		metadataError,
	};
}

/** Reads the metadata of an NFT. If the content on the chain has no URI, the content itself is the metadata. */
async function readMetadata(
	{ content }: TonNft,
	{ fetchMetadata: isWanted = fetchMetadata.default, ipfsGateway: gateway }: MetadataOptions,
	context: NftContext,
): Promise<Metadata> {
	const uri = getText(content, 'uri');
	if (uri === null && Object.keys(content).length > 0) return { ...NO_METADATA, metadata: content };
	return isWanted ? await fetchTokenMetadata(context, uri, gateway) : NO_METADATA;
}

export const nft = { name: 'NFT', operations: { get, getAll } };
