import { Answer } from '../chain/answer';
import { SOMETHING_ELSE, type SignedPayment } from '../chain/ownPayment';
import type { RestReader } from '../chain/reader';
import { undefinedIfFailed } from '../chain/sending';
import type { TokenFacts } from '../chain/tokens';
import { NANOCOIN_DECIMALS } from '../values/units';
import { formatByState, readAccount } from './accounts';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import {
	getOpcode,
	OPCODES,
	parseJettonTransfer,
	readComment,
	type JettonTransfer,
} from './bodies';
import type { Cell } from './cell';
import { parsePage, readApi } from './reader';
import { readSignedMessages, type SignedMessageOfWallet } from './signedBody';
import type { SignedMessage } from './signedTransfer';
import { findJettonFacts } from './tokens';
import { isSameAccount } from './transactions';

/** Reads what a signed message pays. A fact about the jetton is null if the service does not give it. */
export async function readSignedPayment(
	reader: RestReader,
	{ to: wallet, body }: SignedMessage,
): Promise<SignedPayment> {
	const from = formatTonAddresses(wallet).nonBounceable;
	const [message, ...others] = readSignedMessages(body) ?? [];
	if (!message || others.length > 0 || message.stateInit || message.sendMode > MAX_PLAIN_MODE)
		return { ...SOMETHING_ELSE, from };
	const order = message.body && parseJettonTransfer(message.body);
	if (order) return { ...(await readJettonPayment(reader, { wallet, message, order })), from };
	return { ...(isPlain(message.body) ? await readCoins(reader, message) : SOMETHING_ELSE), from };
}

/** Send modes above 3 send the whole balance, or do more than send. */
const MAX_PLAIN_MODE = 3;

function isPlain(body: Cell | null): boolean {
	const opcode = body && getOpcode(body);
	return body === null || opcode === OPCODES.comment || opcode === OPCODES.encryptedComment;
}

async function readCoins(
	reader: RestReader,
	{ to, amount, body }: SignedMessageOfWallet,
): Promise<SignedPayment> {
	return {
		...SOMETHING_ELSE,
		to: await formatReceiver(reader, to),
		value: amount,
		comment: readWords(body),
		symbol: 'TON',
		decimals: NANOCOIN_DECIMALS,
	};
}

/** An empty comment is none. */
function readWords(body: Cell | null): string | null {
	return readComment(body).comment || null;
}

async function formatReceiver(reader: RestReader, to: TonAccount): Promise<string> {
	const state = await readAccount(reader, to).catch(undefinedIfFailed);
	return state ? formatByState(state, false) : formatTonAddresses(to).nonBounceable;
}

interface Order {
	/** The wallet that pays. */
	readonly wallet: TonAccount;
	readonly message: SignedMessageOfWallet;
	readonly order: JettonTransfer;
}

/**
 * Reads a payment in jettons. If the jetton cannot be read, the payment counts as unknown, because its amount would
 * look like coins.
 */
async function readJettonPayment(
	reader: RestReader,
	{ wallet, message, order }: Order,
): Promise<SignedPayment> {
	const master = await readMaster(reader, message.to, wallet).catch(undefinedIfFailed);
	if (!master || !order.to) return SOMETHING_ELSE;
	const [to, facts] = await Promise.all([
		formatReceiver(reader, order.to),
		findJettonFacts(reader, master).catch(undefinedIfFailed),
	]);
	return {
		...SOMETHING_ELSE,
		to,
		token: formatTonAddresses(master).bounceable,
		value: order.amount,
		comment: readWords(order.forwardPayload),
		symbol: facts?.symbol ?? null,
		decimals: facts?.decimals ?? null,
	};
}

/** Finds the facts about the jetton of an owner's jetton wallet; undefined if the service does not give them. */
export async function findJettonInfo(
	reader: RestReader,
	jettonWallet: TonAccount,
	owner: TonAccount,
): Promise<TokenFacts | undefined> {
	const master = await readMaster(reader, jettonWallet, owner).catch(undefinedIfFailed);
	return master && (await findJettonFacts(reader, master).catch(undefinedIfFailed));
}

/** Reads the master of a jetton wallet. Returns undefined if the jetton wallet does not belong to this owner. */
async function readMaster(
	reader: RestReader,
	jettonWallet: TonAccount,
	owner: TonAccount,
): Promise<TonAccount | undefined> {
	const query = { address: formatTonAddresses(jettonWallet).raw, limit: 1 };
	const { rows } = parsePage(
		'a jetton wallet',
		'jetton_wallets',
		await readApi(reader, 'jetton/wallets', query),
	);
	const [row] = rows;
	if (row === undefined) return undefined;
	const answer = Answer.parse('a jetton wallet', row);
	const isIt =
		isSameAccount(answer.read('address', parseTonAccount), jettonWallet) &&
		isSameAccount(answer.read('owner', parseTonAccount), owner);
	return isIt ? answer.read('jetton', parseTonAccount) : undefined;
}
