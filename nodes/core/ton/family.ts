import type {
	AskedPayment,
	ChainFamily,
	PayingFamily,
	PaymentPlace,
	PreparedPayment,
	SignedTransaction,
} from '../chain/family';
import { parsePayee } from '../chain/payee';
import { COINS } from '../chain/payment';
import type { PatientRestReader } from '../chain/reader';
import { FAMILY_WORDS } from '../values/families';
import { parseField } from '../values/parse';
import { NANOCOIN_DECIMALS, unitsParser } from '../values/units';
import { formatByState, readAccount } from './accounts';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { buildCommentBody } from './bodies';
import { readMadePayments } from './madePayments';
import { isMarkedPayment, makesPayment } from './markedPayment';
import { MARK_BITS } from './messages';
import {
	formatCommentWords,
	planCoinPayment,
	planJettonPayment,
	DEFAULT_FORWARD_AMOUNT,
	DEFAULT_GAS,
} from './payments';
import { buildPlan, findTestNetworkHint, prepareTransfer } from './prepare/prepare';
import { reserveSeqno } from './prepare/purse';
import { parseSignedPayment, settlePayment } from './settle';
import { guessWalletType } from './signedBody';
import { readSignedPayment } from './signedPayment';
import { readTransferPlace } from './signedTransfer';
import { parseTransfer, type TonTransfer } from './transfer';

/** The seconds after the signature within which the chain may accept a transfer. */
const VALID_SECONDS = 300;

interface UnsignedTon {
	readonly kind: 'tonTransfer';
	readonly given: TonTransfer;
}

export const ton: ChainFamily<'rest', unknown, UnsignedTon> = {
	name: FAMILY_WORDS.ton.name,
	coin: COINS.ton,
	protocol: 'rest',
	spellAddress: (given) => formatTonAddresses(parseTonAccount(given)).raw,
	openPayments,
};

function openPayments(reader: PatientRestReader): PayingFamily<UnsignedTon> {
	return {
		plan: (asked) => {
			const payment = parsePayment(asked);
			return {
				token: payment.token ? formatTonAddresses(payment.token).raw : null,
				reserve: (payer) => reserve(reader, payment, parseTonAccount(payer)),
			};
		},
		choosePayer: async (accounts) => await choosePayer(reader, accounts),
		readMade: async (payer, token, since) =>
			await readMadePayments(reader, payer, { since, tokens: token === null ? [] : [token] }),
		findMarked: async (_payer, made, mark) => {
			const signed = made.getSigned && parseSignedPayment(made.getSigned());
			const isIt = signed && isMarkedPayment(signed.body, mark) && makesPayment(signed.body, made);
			return await Promise.resolve(isIt ? openSigned(reader, signed.bag) : undefined);
		},
		takeSigned: ({ signedMessage }) => openSigned(reader, signedMessage),
		parseSigned: (given) => openSigned(reader, given),
	};
}

function openSigned(reader: PatientRestReader, given: unknown): SignedTransaction {
	const signed = parseField('Signed Transaction', given, parseSignedPayment);
	return {
		text: signed.bag,
		fields: { ...readTransferPlace(guessWalletType(signed.body), signed.body) },
		settle: async (terms) => await settlePayment(reader, signed, terms),
		read: async () => await readSignedPayment(reader, signed),
	};
}

interface TonPayment {
	/** Undefined for coins. */
	readonly token: TonAccount | undefined;
	readonly to: TonAccount;
	readonly amount: string;
	readonly comment: string;
	/** The payment mark, a number that identifies a payment. It has as many bits as a message can carry. */
	readonly mark: bigint;
}

function parsePayment({ token, to, amount, comment, mark: { value } }: AskedPayment): TonPayment {
	const jetton = token === '' ? undefined : parsePayee('Token', token, 'ton', parseTonAccount);
	if (!jetton) parseCoins(amount);
	const receiver = parsePayee('To', to, 'ton', parseTonAccount);
	const mark = BigInt.asUintN(MARK_BITS, value);
	return { token: jetton, to: receiver, amount, comment, mark };
}

function parseCoins(amount: string): bigint {
	return parseField('Amount', amount, unitsParser(NANOCOIN_DECIMALS));
}

/**
 * Chooses the wallet that has coins. The key may have several wallets, because a wallet of version 5 has a different
 * address on the test network.
 */
async function choosePayer(
	reader: PatientRestReader,
	accounts: readonly string[],
): Promise<string> {
	const [usual = '', ...others] = accounts;
	if (others.length === 0) return usual;
	const states = await Promise.all(
		accounts.map(async (one) => await readAccount(reader, parseTonAccount(one))),
	);
	return accounts.find((_, at) => (states[at]?.balance ?? 0n) > 0n) ?? usual;
}

function reserve(
	reader: PatientRestReader,
	payment: TonPayment,
	from: TonAccount,
): PaymentPlace<UnsignedTon> {
	const place = reserveSeqno(reader, from, undefined);
	return {
		prepare: async () => {
			const { plan, facts } = await planPayment(reader, payment, from);
			const prepared = await prepareTransfer(reader, place, {
				from,
				plan,
				validFor: VALID_SECONDS,
			});
			const { maxCost, summary } = prepared;
			const given = withMark(parseTransfer(prepared.transfer), payment.mark);
			const hints = [findTestNetworkHint(await place.account, [from, payment.to])];
			return {
				...facts,
				limited: findJettonWallet(payment, given),
				maxCost,
				summary,
				unsigned: { kind: 'tonTransfer', given },
				hints,
			};
		},
		renewal: {
			renew: async (unsigned) => await Promise.resolve(withFullTime(unsigned)),
			isApart: () => false,
		},
		release: place.release,
	};
}

/**
 * Finds the address of the payer's own jetton wallet, which receives the message for a jetton payment. Limits in the
 * signer's credential name the jetton by this address.
 */
function findJettonWallet({ token }: TonPayment, { messages }: TonTransfer): string | null {
	const [message] = messages;
	return token && message ? formatTonAddresses(message.to).raw : null;
}

/** Adds the payment mark to the only message of a transfer. */
function withMark(transfer: TonTransfer, mark: bigint): TonTransfer {
	return { ...transfer, messages: transfer.messages.map((message) => ({ ...message, mark })) };
}

/**
 * Counts the time in which a transfer is valid from its signature on, however long it has waited for earlier
 * transfers.
 */
function withFullTime({ kind, given }: UnsignedTon): UnsignedTon {
	const validUntil = Math.floor(Date.now() / 1000) + VALID_SECONDS;
	return { kind, given: { ...given, validUntil } };
}

async function planPayment(reader: PatientRestReader, payment: TonPayment, from: TonAccount) {
	const { to, token } = payment;
	const [{ message, ...paid }, receiver] = await Promise.all([
		token ? planTokens(reader, payment, { from, jetton: token }) : planCoins(reader, payment),
		readAccount(reader, to),
	]);
	const address = formatByState(receiver, to.isTestOnly);
	return { plan: buildPlan(message), facts: describe(payment, from, { address, ...paid }) };
}

async function planCoins(reader: PatientRestReader, { to, amount, comment }: TonPayment) {
	const value = parseCoins(amount);
	const message = await planCoinPayment(reader, {
		to,
		amount: value,
		body: buildCommentBody(comment),
		stateInit: null,
		bounce: undefined,
		words: formatCommentWords(comment),
	});
	return { message, ...COINS.ton, value };
}

async function planTokens(
	reader: PatientRestReader,
	{ to, amount, comment, mark }: TonPayment,
	{ from, jetton }: Record<'from' | 'jetton', TonAccount>,
) {
	const message = await planJettonPayment(reader, {
		from,
		jetton,
		to,
		amount,
		comment,
		forwardAmount: DEFAULT_FORWARD_AMOUNT,
		gas: DEFAULT_GAS,
		bounce: undefined,
		queryId: mark,
	});
	const { amount: value = 0n, jetton: facts } = message.jettons ?? {};
	return { message, symbol: facts?.symbol ?? null, decimals: facts?.decimals ?? null, value };
}

interface Described {
	/** The receiver's address in the form that people know. */
	readonly address: string;
	readonly symbol: string | null;
	readonly decimals: number | null;
	readonly value: bigint;
}

function describe(
	{ token, to, comment }: TonPayment,
	from: TonAccount,
	{ address, ...paid }: Described,
): Pick<PreparedPayment<UnsignedTon>, 'facts' | 'compared'> {
	const said = comment === '' ? null : comment;
	return {
		facts: {
			from: formatTonAddresses(from).nonBounceable,
			to: address,
			token: token ? formatTonAddresses(token).bounceable : null,
			...paid,
			comment: said,
		},
		compared: {
			to: formatTonAddresses(to).raw,
			token: token ? formatTonAddresses(token).raw : null,
			value: paid.value,
			comment: said,
		},
	};
}
