import { Address } from '@ton/core';
import { findInterfaces } from './interfaces.mts';
import { readJettonMaster } from './jettons.mts';
import { readItemContent, readNftItem } from './nfts.mts';
import { findAccount, type View } from './view.mts';

const RAW_ADDRESS_PATTERN = /"(-?\d+:[0-9A-F]{64})"/g;

/** Lists every address in an answer. The address book beside the answer describes each of them. */
export function listAddresses(answer: object): readonly string[] {
	const found = JSON.stringify(answer).matchAll(RAW_ADDRESS_PATTERN);
	return [...new Set([...found].map(([, raw]) => raw!))];
}

export function buildAddressBook(view: View, addresses: readonly string[]): object {
	return Object.fromEntries(addresses.map((raw) => [raw, buildEntry(view, raw)]));
}

/**
 * Builds the entry of an address. An account without code may still become a wallet, so its address is written in the
 * non-bounceable form.
 */
function buildEntry(view: View, raw: string): object {
	const seen = findAccount(view, raw.toLowerCase());
	const interfaces = seen ? findInterfaces(seen.state) : [];
	const isContract = seen?.state.account?.storage.state.type === 'active';
	const bounceable = isContract && !interfaces.some((name) => name.startsWith('wallet'));
	return {
		user_friendly: Address.parse(raw).toString({ bounceable }),
		domain: findDomain(view, raw.toLowerCase()),
		interfaces,
	};
}

function findDomain(view: View, raw: string): string | null {
	const names = [...view.ledger.registry.names.values()];
	return (
		names.find(({ wallet, item }) => wallet === raw && findAccount(view, item))?.domain ?? null
	);
}

export function buildMetadata(view: View, addresses: readonly string[]): object {
	const entries = addresses.flatMap((raw) => {
		const token = findToken(view, raw.toLowerCase());
		return token ? [[raw, token] as const] : [];
	});
	return Object.fromEntries(entries);
}

const NOT_FETCHED = { is_indexed: false, token_info: [] };

function findToken(view: View, raw: string): object | undefined {
	const seen = findAccount(view, raw);
	const master = seen && readJettonMaster(seen);
	const item = seen && readNftItem(seen);
	const content = master?.content ?? (item && readItemContent(view, seen, item));
	if (!content) return undefined;
	const fetched = content.uri === undefined ? {} : view.ledger.registry.offChain.get(content.uri);
	if (!fetched) return NOT_FETCHED;
	const { name, symbol, description, image, ...extra } = { ...fetched, ...content };
	const type = master ? 'jetton_masters' : 'nft_items';
	const words = { name, symbol, description, image };
	return { is_indexed: true, token_info: [{ valid: true, type, ...words, extra }] };
}
