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

/** The chain of this sandbox, which begins with its first use. */
export async function loadLedger(state: TonChain): Promise<TonLedger> {
	return await (state.ledger ??= createSeededLedger(() => getChainSeconds(state)));
}

export async function loadView(state: TonChain): Promise<View> {
	return takeView(state, await loadLedger(state), 'accounts');
}

type Answering = (view: View, query: Query) => object;

/** An answer has nothing beside it, or an address book, or metadata as well. */
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
	// Rows may be added during an answer. They belong to the next answer.
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

/** Makes the payment that comes between two pages. */
async function letArrive({ arrivals }: TonChain): Promise<void> {
	if (!arrivals || arrivals.times === 0) return;
	arrivals.times -= 1;
	await arrivals.arrive();
}

export { runGetMethod, type MethodBody } from './getMethods.mts';
export { answerVersion2, type RpcBody } from './version2.mts';
export { sendMessage } from './messages.mts';
