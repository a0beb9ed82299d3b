import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listChoices, type Choice } from '../core/chain/editorList';
import { openEditorService } from '../core/chain/editorReader';
import type { RestReader } from '../core/chain/reader';
import { formatTokenAmount } from '../core/chain/tokens';
import { formatTonAddresses, type TonAccount } from '../core/ton/address';
import { readNfts, type TonNft } from '../core/ton/nfts';
import { getText } from '../core/ton/tokenInfo';
import { findJettonFacts, readJettonWallets, type JettonWallet } from '../core/ton/tokens';
import { parseField } from '../core/values/parse';
import { quoteSymbol, quoteText } from '../core/values/quoted';
import { payer } from './tonPaymentFields';

/**
 * The editor's list reads this many entries in one request. There may be more, because anybody can send worthless
 * tokens.
 */
const MAX_READ = 200;
const MAX_NAME_CHARS = 40;

/** These methods give n8n's editor the lists of the sender's jettons and NFTs. */
export const tonLists = { jettonsOfSender: searchJettons, nftsOfSender: searchNfts };

async function searchJettons(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listOfSender(this, filter, async (reader, owner) => {
		const wanted = { owner, masters: [], isZeroWanted: false };
		const wallets = await readFirst(readJettonWallets(reader, wanted, MAX_READ));
		const few = wallets.slice(0, MAX_READ);
		return await Promise.all(few.map(async (one) => await nameJetton(reader, one)));
	});
}

async function searchNfts(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listOfSender(this, filter, async (reader, owner) => {
		const page = await readFirst(readNfts(reader, { owner }, MAX_READ));
		return page.nfts.map((one) => nameNft(one, owner));
	});
}

async function listOfSender(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	find: (reader: RestReader, owner: TonAccount) => Promise<readonly Choice[]>,
): Promise<INodeListSearchResult> {
	return await listChoices(context, filter, async () => {
		const given = context.getCurrentNodeParameter(payer.name);
		const owner = parseField(payer.displayName, given, payer.parse);
		return await find(await openEditorService(context), owner);
	});
}

/** Reads only the first page of a list. */
async function readFirst<Page>(pages: AsyncIterable<Page>): Promise<Page> {
	for await (const page of pages) return page;
	throw new Error('A list has one page at least');
}

/**
 * Makes a menu entry of a jetton. It shows the address beside the symbol, because a false token can have the same
 * symbol.
 */
async function nameJetton(
	reader: RestReader,
	{ master, balance, owner }: JettonWallet,
): Promise<Choice> {
	const facts = await findJettonFacts(reader, master);
	const value = formatContract(master, owner);
	const amount = formatTokenAmount(balance, facts) ?? `${balance} of its smallest unit`;
	const symbol = quoteSymbol(facts.symbol) ?? 'No symbol';
	return { name: `${symbol} (${amount}), ${shortenAddress(value)}`, value };
}

function nameNft({ account, content, fetchedName }: TonNft, owner: TonAccount): Choice {
	const value = formatContract(account, owner);
	const given = (getText(content, 'name') ?? fetchedName)?.trim();
	const name = given ? quoteText(given, MAX_NAME_CHARS) : 'No name';
	return { name: `${name}, ${shortenAddress(value)}`, value };
}

/** Formats the address of a contract. It gets the flag for test networks if the owner's address has this flag. */
function formatContract(account: TonAccount, { isTestOnly }: TonAccount): string {
	return formatTonAddresses({ ...account, isTestOnly }).bounceable;
}

/**
 * Shows the beginning and the end of an address. Two addresses have the same beginning and end only if somebody made one for that purpose.
 */
function shortenAddress(address: string): string {
	return `${address.slice(0, 8)}…${address.slice(-8)}`;
}
