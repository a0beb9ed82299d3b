import {
	type Address,
	beginCell,
	Cell,
	contractAddress,
	Dictionary,
	type StateInit,
} from '@ton/core';
import { createHash } from 'node:crypto';
import { CODES_BASE64 } from './codes.mts';

export const CODES = {
	jettonMaster: Cell.fromBase64(CODES_BASE64.jettonMaster),
	jettonWallet: Cell.fromBase64(CODES_BASE64.jettonWallet),
	nftCollection: Cell.fromBase64(CODES_BASE64.nftCollection),
	nftItem: Cell.fromBase64(CODES_BASE64.nftItem),
};

export type Content = Readonly<Record<string, string>>;
/** The content of a file outside the chain. It may contain numbers, which the service passes on unchanged. */
export type FetchedContent = Readonly<Record<string, string | number>>;

const ON_CHAIN = 0;
const OFF_CHAIN = 1;

/**
 * Builds a content by TEP-64. If it has only a URI, it is off-chain; otherwise its fields are in a dictionary of hashed
 * names.
 */
function buildContent(content: Content): Cell {
	const { uri, ...others } = content;
	if (uri !== undefined && Object.keys(others).length === 0) {
		return beginCell().storeUint(OFF_CHAIN, 8).storeStringTail(uri).endCell();
	}
	const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
	for (const [key, value] of Object.entries(content)) {
		values.set(hashKey(key), beginCell().storeUint(0, 8).storeStringTail(value).endCell());
	}
	return beginCell().storeUint(ON_CHAIN, 8).storeDict(values).endCell();
}

const hashKey = (key: string) => createHash('sha256').update(key).digest();

const CONTENT_KEYS = ['uri', 'name', 'description', 'image', 'symbol', 'decimals'];

/** Parses a content. The result is empty for a content of another standard. */
export function parseContent(cell: Cell): Content {
	const slice = cell.beginParse();
	if (slice.remainingBits < 8) return {};
	const kind = slice.loadUint(8);
	if (kind === OFF_CHAIN) return { uri: slice.loadStringTail() };
	if (kind !== ON_CHAIN) return {};
	const values = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
	const found = CONTENT_KEYS.flatMap((key) => {
		const value = values.get(hashKey(key));
		return value ? [[key, value.beginParse().skip(8).loadStringTail()] as const] : [];
	});
	return Object.fromEntries(found);
}

export function buildJettonMaster(admin: Address, content: Content): StateInit {
	const data = beginCell()
		.storeCoins(0)
		.storeAddress(admin)
		.storeRef(buildContent(content))
		.storeRef(CODES.jettonWallet);
	return { code: CODES.jettonMaster, data: data.endCell() };
}

export function getJettonWalletAddress(master: Address, owner: Address): Address {
	const data = beginCell()
		.storeCoins(0)
		.storeAddress(owner)
		.storeAddress(master)
		.storeRef(CODES.jettonWallet);
	return contractAddress(0, { code: CODES.jettonWallet, data: data.endCell() });
}

export const OPCODES = {
	jettonMint: 21,
	jettonInternalTransfer: 0x178d4519,
	jettonTransfer: 0x0f8a7ea5,
	nftMint: 1,
};

export interface JettonPayment {
	readonly amount: bigint;
	readonly to: Address;
	readonly response: Address;
	readonly forward: bigint;
	readonly payload: Cell | null;
}

/**
 * Builds the message that mints jettons. Minted jettons have no sender, and the coins that are left over go to
 * `response`.
 */
export function buildJettonMint(
	{ amount, to, response, forward, payload }: JettonPayment,
	coins: bigint,
): Cell {
	const transfer = beginCell()
		.storeUint(OPCODES.jettonInternalTransfer, 32)
		.storeUint(0, 64)
		.storeCoins(amount)
		.storeAddress(null)
		.storeAddress(response)
		.storeCoins(forward)
		.storeMaybeRef(payload);
	return beginCell()
		.storeUint(OPCODES.jettonMint, 32)
		.storeUint(0, 64)
		.storeAddress(to)
		.storeCoins(coins)
		.storeRef(transfer.endCell())
		.endCell();
}

export function buildJettonTransfer({
	amount,
	to,
	response,
	forward,
	payload,
}: JettonPayment): Cell {
	return beginCell()
		.storeUint(OPCODES.jettonTransfer, 32)
		.storeUint(0, 64)
		.storeCoins(amount)
		.storeAddress(to)
		.storeAddress(response)
		.storeMaybeRef(null)
		.storeCoins(forward)
		.storeMaybeRef(payload)
		.endCell();
}

const NO_ROYALTY = beginCell().storeUint(0, 16).storeUint(1, 16);

/**
 * Builds a collection of NFTs. The content of an item is the common text of the collection, followed by the item's own
 * text.
 */
export function buildNftCollection(owner: Address, content: Content, common: string): StateInit {
	const contents = beginCell()
		.storeRef(buildContent(content))
		.storeRef(beginCell().storeStringTail(common).endCell());
	const data = beginCell()
		.storeAddress(owner)
		.storeUint(0, 64)
		.storeRef(contents.endCell())
		.storeRef(CODES.nftItem)
		.storeRef(beginCell().storeBuilder(NO_ROYALTY).storeAddress(owner).endCell());
	return { code: CODES.nftCollection, data: data.endCell() };
}

export function getNftItemAddress(collection: Address, index: bigint): Address {
	const data = beginCell().storeUint(index, 64).storeAddress(collection).endCell();
	return contractAddress(0, { code: CODES.nftItem, data });
}

export function buildNftMint(index: bigint, owner: Address, content: string, coins: bigint): Cell {
	const item = beginCell()
		.storeAddress(owner)
		.storeRef(beginCell().storeStringTail(content).endCell());
	return beginCell()
		.storeUint(OPCODES.nftMint, 32)
		.storeUint(0, 64)
		.storeUint(index, 64)
		.storeCoins(coins)
		.storeRef(item.endCell())
		.endCell();
}

/** Builds a contract that fails with the exit code at every message. */
export function buildFailingCode(exitCode: number): Cell {
	const THROW = 0b1111001011000;
	return beginCell().storeUint(THROW, 13).storeUint(exitCode, 11).endCell();
}
