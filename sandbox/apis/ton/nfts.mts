import type { Address, Cell } from '@ton/core';
import { CODES, type Content, parseContent } from './contracts.mts';
import { findData } from './interfaces.mts';
import { isAsked, type Query, takePage, throwUnreadable } from './parameters.mts';
import { formatAddress, formatCellHash, formatRaw } from './formats.mts';
import { findAccount, listAccounts, type SeenAccount, type View } from './view.mts';

interface NftItem {
	readonly index: bigint;
	readonly collection: Address;
	/** The owner. It is null until the collection has made the item. */
	readonly owner: Address | null;
	readonly content: Cell | null;
}

/** Reads an NFT. Returns undefined for every other account. */
export function readNftItem({ state }: SeenAccount): NftItem | undefined {
	const data = findData(state, 'nft_item')?.beginParse();
	if (!data) return undefined;
	const [index, collection] = [data.loadUintBig(64), data.loadAddress()];
	const isMade = data.remainingBits > 0;
	const owner = isMade ? data.loadAddress() : null;
	return { index, collection, owner, content: isMade ? data.loadRef() : null };
}

export function listNftItems(view: View, query: Query): object {
	const addresses = query.addresses('address');
	const owners = query.addresses('owner_address');
	const collections = query.addresses('collection_address');
	const indexes = query.list('index');
	query.flag('include_on_sale', false);
	const page = query.page();
	if (indexes.length > 0 && collections.length !== 1) {
		throwUnreadable('index needs one collection_address');
	}
	const found = listAccounts(view).flatMap((seen) => {
		const item = readNftItem(seen);
		const isWanted =
			item &&
			isAsked(seen.address, addresses) &&
			isAsked(item.owner?.toRawString(), owners) &&
			isAsked(item.collection.toRawString(), collections) &&
			isAsked(String(item.index), indexes);
		return isWanted ? [{ seen, item }] : [];
	});
	found.sort((one, other) => compare(getOrder(one.item), getOrder(other.item)));
	return { nft_items: takePage(found, page).map(({ seen, item }) => formatItem(view, seen, item)) };
}

/** Returns a sort key, which orders NFTs by owner, collection and index. */
const getOrder = ({ owner, collection, index }: NftItem) =>
	[owner?.toRawString(), collection.toRawString(), String(index).padStart(80, '0')].join();

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function formatItem(view: View, seen: SeenAccount, item: NftItem): object {
	const collection = findAccount(view, item.collection.toRawString());
	return {
		address: formatRaw(seen.address),
		init: item.owner !== null,
		index: String(item.index),
		collection_address: formatAddress(item.collection),
		owner_address: formatAddress(item.owner),
		content: readItemContent(view, seen, item),
		last_transaction_lt: String(seen.row.transaction.lt),
		code_hash: formatCellHash(CODES.nftItem),
		data_hash: formatCellHash(findData(seen.state, 'nft_item')),
		collection: collection ? formatCollection(collection) : null,
		on_sale: false,
	};
}

/**
 * Reads the content of an NFT: the common text of the collection, followed by the item's own text. If the NFT stands
 * for a registered name, its content is that name as a domain.
 */
export function readItemContent(view: View, seen: SeenAccount, item: NftItem): Content {
	const own = item.content?.beginParse().loadStringTail() ?? '';
	const name = [...view.ledger.registry.names.values()].find((one) => one.item === seen.address);
	if (name) return { domain: name.domain };
	const collection = findAccount(view, item.collection.toRawString());
	return { uri: `${collection ? readCollection(collection).common : ''}${own}` };
}

function readCollection({ state }: SeenAccount) {
	const data = findData(state, 'nft_collection')?.beginParse();
	if (!data) return { owner: null, next: 0n, content: {}, common: '' };
	const [owner, next] = [data.loadMaybeAddress(), data.loadUintBig(64)];
	const contents = data.loadRef().beginParse();
	const content = parseContent(contents.loadRef());
	return { owner, next, content, common: contents.loadRef().beginParse().loadStringTail() };
}

function formatCollection(seen: SeenAccount): object {
	const { owner, next, content } = readCollection(seen);
	return {
		address: formatRaw(seen.address),
		owner_address: formatAddress(owner),
		next_item_index: String(next),
		collection_content: content,
		last_transaction_lt: String(seen.row.transaction.lt),
		code_hash: formatCellHash(CODES.nftCollection),
		data_hash: formatCellHash(findData(seen.state, 'nft_collection')),
	};
}

/** Lists names. A name that is free has no record, so the list lacks it. */
export function listNames(view: View, query: Query): object {
	const domain = query.text('domain');
	const wallet = query.address('wallet');
	const page = query.page();
	if ((domain === undefined) === (wallet === undefined)) {
		throwUnreadable('one of domain and wallet is required');
	}
	const found = [...view.ledger.registry.names.values()].flatMap((name) => {
		const isWanted = domain === undefined ? name.wallet === wallet : name.domain === domain;
		const seen = isWanted ? findAccount(view, name.item) : undefined;
		const item = seen && readNftItem(seen);
		return item ? [{ name, item }] : [];
	});
	return {
		records: takePage(found, page).map(({ name, item }) => ({
			nft_item_address: formatRaw(name.item),
			nft_item_owner: formatAddress(item.owner),
			domain: name.domain,
			dns_next_resolver: null,
			dns_wallet: name.wallet && formatRaw(name.wallet),
			dns_site_adnl: null,
			dns_storage_bag_id: null,
		})),
	};
}
