import {
	buildCommentBody,
	buildPlan,
	findTonTestHint,
	COINS,
	formatByState,
	formatCommentWords,
	formatTonAddresses,
	isMarkedTonPayment,
	NANOCOIN_DECIMALS,
	parseField,
	parseSignedTonPayment,
	parseTonAccount,
	parseTransfer,
	planCoinPayment,
	planJettonPayment,
	prepareTransfer,
	readMadeTonPayments,
	readSignedTonPayment,
	readTransferPlace,
	guessWalletType,
	readTonAccount,
	reserveSeqno,
	settleTonPayment,
	TON_MARK_BITS,
	unitsParser,
	USUAL_FORWARD_AMOUNT,
	USUAL_GAS,
	type PatientRestReader,
	type TonAccount,
	type TonTransfer,
} from '../../../../nodes/core';
import type { PreparedRequest } from '../../core/prepared';
import { parsePayee } from './addresses';
import type {
	AskedPayment,
	PayingFamily,
	PaymentPlace,
	PreparedPayment,
	SignedTransaction,
} from './family';

/** How long the chain may take a transfer, in seconds from its signature on. */
const VALID_SECONDS = 300;

/** Pays on the TON chain. */
export function openTon(service: PatientRestReader): PayingFamily {
	return {
		plan: (asked) => {
			const payment = parsePayment(asked);
			return {
				token: payment.token ? formatTonAddresses(payment.token).raw : null,
				reserve: (payer) => reserve(service, payment, parseTonAccount(payer)),
			};
		},
		choosePayer: async (accounts) => await choosePayer(service, accounts),
		readMade: async (payer, token, since) =>
			await readMadeTonPayments(service, payer, { since, tokens: token === null ? [] : [token] }),
		findMarked: async (_payer, { getSigned }, mark) => {
			const signed = getSigned && parseSignedTonPayment(getSigned());
			const isIt = signed !== undefined && isMarkedTonPayment(signed.body, mark);
			return await Promise.resolve(isIt ? openSigned(service, signed.bag) : undefined);
		},
		takeSigned: ({ signedMessage }) => openSigned(service, signedMessage),
		parseSigned: (given) => openSigned(service, given),
	};
}

function openSigned(service: PatientRestReader, given: unknown): SignedTransaction {
	const signed = parseField('Signed Transaction', given, parseSignedTonPayment);
	return {
		text: signed.bag,
		fields: { ...readTransferPlace(guessWalletType(signed.body), signed.body) },
		follow: async (terms) => await settleTonPayment(service, signed, terms),
		read: async () => await readSignedTonPayment(service, signed),
	};
}

interface TonPayment {
	/** Undefined for coins. */
	readonly token: TonAccount | undefined;
	readonly to: TonAccount;
	readonly amount: string;
	readonly comment: string;
	/** As many bits of it as a message holds. */
	readonly mark: bigint;
}

function parsePayment({ token, to, amount, comment, mark: { value } }: AskedPayment): TonPayment {
	const jetton = token === '' ? undefined : parsePayee('Token', token, 'ton', parseTonAccount);
	if (!jetton) parseCoins(amount);
	const receiver = parsePayee('To', to, 'ton', parseTonAccount);
	const mark = BigInt.asUintN(TON_MARK_BITS, value);
	return { token: jetton, to: receiver, amount, comment, mark };
}

function parseCoins(amount: string): bigint {
	return parseField('Amount', amount, unitsParser(NANOCOIN_DECIMALS));
}

/** A wallet of the fifth version has another address on the test network: the one that has coins pays. */
async function choosePayer(
	service: PatientRestReader,
	accounts: readonly string[],
): Promise<string> {
	const [usual = '', ...others] = accounts;
	if (others.length === 0) return usual;
	const states = await Promise.all(
		accounts.map(async (one) => await readTonAccount(service, parseTonAccount(one))),
	);
	return accounts.find((_, at) => (states[at]?.balance ?? 0n) > 0n) ?? usual;
}

function reserve(service: PatientRestReader, payment: TonPayment, from: TonAccount): PaymentPlace {
	const place = reserveSeqno(service, from, undefined);
	return {
		prepare: async () => {
			const { plan, facts } = await planPayment(service, payment, from);
			const prepared = await prepareTransfer(service, place, {
				from,
				plan,
				validFor: VALID_SECONDS,
			});
			const { maxCost, summary } = prepared;
			const given = withMark(parseTransfer(prepared.transfer), payment.mark);
			const hints = [findTonTestHint(await place.account, [from, payment.to])];
			return {
				...facts,
				limited: findJettonWallet(payment, given),
				maxCost,
				summary,
				request: { kind: 'tonTransfer', given },
				hints,
			};
		},
		renew: async (request) => await Promise.resolve(withFullTime(request)),
		release: place.release,
	};
}

/** A limit is about the payer's own jetton wallet, which gets the message. */
function findJettonWallet({ token }: TonPayment, { messages }: TonTransfer): string | null {
	const [message] = messages;
	return token && message ? formatTonAddresses(message.to).raw : null;
}

/** Each of its messages carries the mark; there is one. */
function withMark(transfer: TonTransfer, mark: bigint): TonTransfer {
	return { ...transfer, messages: transfer.messages.map((message) => ({ ...message, mark })) };
}

/** The time that a transfer is valid for begins with its signature, however long it waited for those before it. */
function withFullTime(request: PreparedRequest): PreparedRequest {
	if (request.kind !== 'tonTransfer') return request;
	const validUntil = Math.floor(Date.now() / 1000) + VALID_SECONDS;
	return { ...request, given: { ...request.given, validUntil } };
}

async function planPayment(service: PatientRestReader, payment: TonPayment, from: TonAccount) {
	const { to, token } = payment;
	const [{ message, ...paid }, receiver] = await Promise.all([
		token ? planTokens(service, payment, { from, jetton: token }) : planCoins(service, payment),
		readTonAccount(service, to),
	]);
	const address = formatByState(receiver, to.isTestOnly);
	return { plan: buildPlan(message), facts: describe(payment, from, { address, ...paid }) };
}

async function planCoins(service: PatientRestReader, { to, amount, comment }: TonPayment) {
	const value = parseCoins(amount);
	const message = await planCoinPayment(service, {
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
	service: PatientRestReader,
	{ to, amount, comment, mark }: TonPayment,
	{ from, jetton }: Record<'from' | 'jetton', TonAccount>,
) {
	const message = await planJettonPayment(service, {
		from,
		jetton,
		to,
		amount,
		comment,
		forwardAmount: USUAL_FORWARD_AMOUNT,
		gas: USUAL_GAS,
		bounce: undefined,
		queryId: mark,
	});
	const { amount: value = 0n, jetton: facts } = message.jettons ?? {};
	return { message, symbol: facts?.symbol ?? null, decimals: facts?.decimals ?? null, value };
}

interface Described {
	/** The receiver as people know it. */
	readonly address: string;
	readonly symbol: string | null;
	readonly decimals: number | null;
	readonly value: bigint;
}

function describe(
	{ token, to, comment }: TonPayment,
	from: TonAccount,
	{ address, ...paid }: Described,
): Pick<PreparedPayment, 'facts' | 'compared'> {
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
