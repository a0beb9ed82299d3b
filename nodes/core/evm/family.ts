import type {
	AskedPayment,
	ChainFamily,
	PayingFamily,
	PaymentPlace,
	PreparedPayment,
	SignedTransaction,
} from '../chain/family';
import type { PaymentMark } from '../chain/mark';
import { parseTokenAndReceiver, refuseComment } from '../chain/payee';
import { COINS } from '../chain/payment';
import type { PatientRpcReader } from '../chain/reader';
import { FAMILY_WORDS } from '../values/families';
import { parseField } from '../values/parse';
import { ETHER_DECIMALS, unitsParser } from '../values/units';
import { checksumAddress, parseEvmAddress } from './address';
import { readMadePayments } from './madePayments';
import { readMarkedPayment } from './markedPayment';
import { planCoinTransfer } from './prepare/coins';
import type { Speed } from './prepare/fees';
import type { PlannedIntent } from './prepare/intent';
import { findQueueHint, findTestChainHint, prepareTransaction } from './prepare/prepare';
import { reserveNonce } from './prepare/purse';
import { planTokenTransfer } from './prepare/tokens';
import { parseSignedPayment, settlePayment } from './settle';
import { readSignedPayment, type RecoverSigner } from './signedPayment';
import { readTokenFacts } from './tokens';
import { transactionParser, type ParsedTransaction } from './transactions/parse';
import { decodeSignedTransaction } from './transactions/signed';

interface EvmTerms {
	readonly speed: Speed;
	readonly confirmations: number;
	/**
	 * Loads the code that finds the signer of a transaction, because the folder nodes/core does not contain that code.
	 */
	loadRecovery(): Promise<RecoverSigner>;
}

interface UnsignedEvm {
	readonly kind: 'transaction';
	readonly given: ParsedTransaction;
}

export const evm: ChainFamily<'rpc', EvmTerms, UnsignedEvm> = {
	name: FAMILY_WORDS.evm.name,
	coin: COINS.evm,
	protocol: 'rpc',
	spellAddress: (given) => parseEvmAddress(given).toLowerCase(),
	openPayments,
};

function openPayments(reader: PatientRpcReader, terms: EvmTerms): PayingFamily<UnsignedEvm> {
	return {
		plan: (asked) => {
			refuseComment(asked.comment);
			const payment = parsePayment(asked);
			return {
				token: payment.token?.toLowerCase() ?? null,
				reserve: (payer) => reserve(reader, terms, { ...payment, payer }),
			};
		},
		choosePayer: { missing: 'A key has one account' },
		readMade: async (payer, token, since) =>
			await readMadePayments(reader, payer, { since, tokens: token === null ? [] : [token] }),
		findMarked: async (from, made, mark) => {
			const signed = await readMarkedPayment(reader, made, { from, mark });
			return signed === undefined ? undefined : openSigned(reader, terms, signed, from);
		},
		takeSigned: ({ signedTransaction, from }) =>
			openSigned(reader, terms, String(signedTransaction), String(from)),
		parseSigned: (given) =>
			openSigned(reader, terms, parseField('Signed Transaction', given, parseSignedPayment)),
	};
}

/** Opens a signed transaction. The signer is given for a new transaction, and is otherwise recovered from the signature. */
function openSigned(
	reader: PatientRpcReader,
	{ confirmations, loadRecovery }: EvmTerms,
	signed: string,
	signer?: string,
): SignedTransaction {
	return {
		text: signed,
		fields: readFields(signed),
		settle: async (settling) => {
			const from = signer ?? (await findSender(signed, loadRecovery));
			return await settlePayment(reader, signed, { ...settling, confirmations, from });
		},
		read: async () => await readSignedPayment(reader, signed, await loadRecovery()),
	};
}

function readFields(signed: string): SignedTransaction['fields'] {
	const { chainId, nonce, gas, data } = decodeSignedTransaction(signed) ?? {};
	return { chainId, nonce, gas, data, input: data };
}

/** Finds the account that has signed a transaction; null if the signature belongs to no account. */
async function findSender(
	signed: string,
	loadRecovery: EvmTerms['loadRecovery'],
): Promise<string | null> {
	const recoverSigner = await loadRecovery();
	const transaction = decodeSignedTransaction(signed);
	const account = transaction && recoverSigner(transaction.signedHash, transaction.signature);
	return account === undefined ? null : `0x${account}`;
}

interface EvmPayment {
	/** Undefined for coins. */
	readonly token: string | undefined;
	readonly to: string;
	readonly amount: string;
	readonly mark: PaymentMark;
}

function parsePayment(asked: AskedPayment): EvmPayment {
	const { amount, mark } = asked;
	return { ...parseTokenAndReceiver(asked, 'evm', parseEvmAddress), amount, mark };
}

type PaidPayment = EvmPayment & { readonly payer: string };

function reserve(
	reader: PatientRpcReader,
	terms: EvmTerms,
	payment: PaidPayment,
): PaymentPlace<UnsignedEvm> {
	const intent = plan(payment);
	const place = reserveNonce(reader, payment.payer, undefined);
	const wanted = { speed: terms.speed, options: {}, mark: payment.mark.value };
	return {
		prepare: async () => {
			const { payer: from } = payment;
			const [prepared, facts] = await Promise.all([
				prepareTransaction(reader, { from, ...wanted }, intent, place),
				describePayment(reader, payment),
			]);
			const { maxCost, summary, transaction } = prepared;
			const given = transactionParser('Transaction')(prepared);
			const hints = [
				findTestChainHint(BigInt(transaction.chainId)),
				await findQueueHint(checksumAddress(from), place),
			];
			const limited = facts.compared.token;
			return {
				...facts,
				limited,
				maxCost,
				summary,
				unsigned: { kind: 'transaction', given },
				hints,
			};
		},
		renewal: { missing: 'A nonce does not expire' },
		release: place.release,
	};
}

function plan({ token, to, amount, payer }: PaidPayment): PlannedIntent {
	const context = { from: payer, allowZeroAddress: false };
	return token === undefined
		? planCoinTransfer({ to, amount: parseUnits(amount, ETHER_DECIMALS) }, context)
		: planTokenTransfer({ token, to, amount }, context);
}

function parseUnits(amount: string, decimals: number): bigint {
	return parseField('Amount', amount, unitsParser(decimals));
}

async function describePayment(
	reader: PatientRpcReader,
	{ payer, token, to, amount }: PaidPayment,
): Promise<Pick<PreparedPayment<UnsignedEvm>, 'facts' | 'compared'>> {
	const facts = token === undefined ? COINS.evm : (await readTokenFacts(reader, [token]))(token);
	// For a token without decimals, the value does not matter here, because preparing the payment fails with an
	// explanation.
	const value = facts.decimals === null ? 0n : parseUnits(amount, facts.decimals);
	return {
		facts: {
			from: checksumAddress(payer),
			to: checksumAddress(to),
			token: token === undefined ? null : checksumAddress(token),
			...facts,
			value,
			comment: null,
		},
		compared: {
			to: to.toLowerCase(),
			token: token?.toLowerCase() ?? null,
			value,
			comment: null,
		},
	};
}
