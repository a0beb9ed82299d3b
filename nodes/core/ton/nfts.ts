import { Answer } from '../chain/answer';
import type { RestReader } from '../chain/reader';
import { isRecord } from '../values/parse';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { parseUint256 } from '../values/numbers';
import { readContractPages } from './reader';
import { createTokenInfoFinder, getText, type FindTokenInfo } from './tokenInfo';
import { isSameAccount } from './transactions';

type JsonRecord = Readonly<Record<string, unknown>>;

export interface TonNft {
	readonly account: TonAccount;
	readonly collection: TonAccount | null;
	/** The index is a number of up to 256 bits, in decimal text. */
	readonly index: string | null;
	/** The owner of the NFT. While a sale contract holds the NFT, the owner is the seller. */
	readonly owner: TonAccount | null;
	/** The metadata of the NFT, or the address of its metadata, as the chain has it. */
	readonly content: JsonRecord;
	/** The name of the NFT as the service fetched it from outside the chain. */
	readonly fetchedName: string | null;
}

/** A missing part means any. */
interface WantedNfts {
	readonly account?: TonAccount;
	readonly owner?: TonAccount;
	readonly collection?: TonAccount;
}

interface NftPage {
	readonly nfts: readonly TonNft[];
	readonly addressBook: unknown;
}

export async function* readNfts(
	reader: RestReader,
	{ account, owner, collection }: WantedNfts,
	wanted = Infinity,
): AsyncGenerator<NftPage> {
	const list = {
		method: 'nft/items',
		promised: 'NFTs',
		key: 'nft_items',
		query: {
			address: account && formatTonAddresses(account).raw,
			owner_address: owner && formatTonAddresses(owner).raw,
			collection_address: collection && formatTonAddresses(collection).raw,
			// While an NFT is for sale, the sale contract is its owner. With this option, the service also finds it by its
			// seller.
			include_on_sale: owner && 'true',
		},
	};
	for await (const { rows, metadata, addressBook } of readContractPages(reader, list, wanted)) {
		const findInfo = createTokenInfoFinder(metadata, 'nft_items');
		const nfts = rows.map((row) => readNftRow(row, { account, owner, collection }, findInfo));
		yield { nfts, addressBook };
	}
}

function readNftRow(json: unknown, wanted: WantedNfts, findInfo: FindTokenInfo): TonNft {
	const answer = Answer.parse('an NFT', json);
	const read = (key: string, expected?: TonAccount) => {
		const found = answer.readOptional(key, parseTonAccount);
		return !expected || (found && isSameAccount(found, expected))
			? found
			: answer.throwInvalid(key, 'what was asked for', found && formatTonAddresses(found).raw);
	};
	const account = read('address', wanted.account) ?? answer.read('address', parseTonAccount);
	const content = answer.get('content');
	const onSaleOwner = answer.readOptional('real_owner', parseTonAccount);
	return {
		account,
		collection: read('collection_address', wanted.collection),
		index: answer.readOptional('index', parseUint256)?.toString() ?? null,
		owner: onSaleOwner ? read('real_owner', wanted.owner) : read('owner_address', wanted.owner),
		content: isRecord(content) ? content : {},
		fetchedName: getText(findInfo(formatTonAddresses(account).raw), 'name'),
	};
}

/** Finds an NFT by its address; undefined if there is no NFT. */
export async function findNft(reader: RestReader, account: TonAccount) {
	for await (const { nfts, addressBook } of readNfts(reader, { account }, 1)) {
		const [nft] = nfts;
		return nft && { nft, addressBook };
	}
	return undefined;
}
