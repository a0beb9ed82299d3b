import {
	getAddressInformation,
	getWalletInformation,
	listAccountStates,
	listWalletStates,
} from './accounts.mts';
import { buildAddressBook, buildMetadata, listAddresses } from './addressBook.mts';
import { listJettonMasters, listJettonTransfers, listJettonWallets } from './jettons.mts';
import type { TonLedger } from './ledger.mts';
import { listNames, listNftItems } from './nfts.mts';
import { Query } from './parameters.mts';
import { createSeededLedger } from './seed.mts';
import { getChainSeconds, type TonChain } from './chainState.mts';
import { listTraces } from './traces.mts';
import { listTransactions, listTransactionsByMessage } from './transactions.mts';
import { takeView, type View } from './view.mts';

/** Loads the TON chain of this sandbox. The first use creates it. */
export async function loadLedger(state: TonChain): Promise<TonLedger> {
	return await (state.ledger ??= createSeededLedger(() => getChainSeconds(state)));
}

export async function loadView(state: TonChain): Promise<View> {
	return takeView(state, await loadLedger(state), 'accounts');
}

type Answering = (view: View, query: Query) => object;

/**
 * The methods that read the chain. `beside` says what an answer carries along: nothing, an address book, or the book
 * and metadata.
 */
const READS: Readonly<Record<string, { answer: Answering; beside: 'nothing' | 'book' | 'all' }>> = {
	walletInformation: { answer: getWalletInformation, beside: 'nothing' },
	addressInformation: { answer: getAddressInformation, beside: 'nothing' },
	walletStates: { answer: listWalletStates, beside: 'all' },
	accountStates: { answer: listAccountStates, beside: 'all' },
	transactions: { answer: listTransactions, beside: 'book' },
	transactionsByMessage: { answer: listTransactionsByMessage, beside: 'book' },
	traces: { answer: listTraces, beside: 'all' },
	'jetton/masters': { answer: listJettonMasters, beside: 'all' },
	'jetton/wallets': { answer: listJettonWallets, beside: 'all' },
	'jetton/transfers': { answer: listJettonTransfers, beside: 'all' },
	'nft/items': { answer: listNftItems, beside: 'all' },
	'dns/records': { answer: listNames, beside: 'book' },
};

export interface Question {
	readonly name: string;
	readonly query: unknown;
	readonly withoutBook: boolean;
	readonly withoutMetadata: boolean;
}

export async function answerRead(state: TonChain, question: Question): Promise<object> {
	const { answer, beside } = READS[question.name]!;
	const ledger = await loadLedger(state);
	const isOfAccounts = /States$|Information$/.test(question.name);
	const view = takeView(state, ledger, isOfAccounts ? 'accounts' : 'index');
	// A message may add rows to the chain while an answer is computed. The copy keeps them out of the answer.
	const seen = { ...view, rows: [...view.rows] };
	const found = answer(seen, new Query(question.query));
	const addresses = beside === 'nothing' ? [] : listAddresses(found);
	const hasBook = beside !== 'nothing' && !question.withoutBook;
	const hasMetadata = beside === 'all' && !question.withoutMetadata;
	const whole = {
		...found,
		...(hasBook && { address_book: buildAddressBook(seen, addresses) }),
		...(hasMetadata && { metadata: buildMetadata(seen, addresses) }),
	};
	if (!isOfAccounts) await letArrive(state);
	return whole;
}

/** Makes the next payment that a test has asked for between two pages of a list. */
async function letArrive({ arrivals }: TonChain): Promise<void> {
	if (!arrivals || arrivals.times === 0) return;
	arrivals.times -= 1;
	await arrivals.arrive();
}

export { runGetMethod, type MethodBody } from './getMethods.mts';
export { answerVersion2, type RpcBody } from './version2.mts';
export { sendMessage } from './messages.mts';
