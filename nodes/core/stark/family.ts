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
import type { Patience, PatientRpcReader, RpcReader } from '../chain/reader';
import { FAMILY_WORDS } from '../values/families';
import { parseField } from '../values/parse';
import { formatUnits, unitsParser } from '../values/units';
import { parseStarkAddress } from './address';
import { formatFelt } from './felts';
import { readMadePayments } from './madePayments';
import { readMarkedPayment } from './markedPayment';
import { planTokenTransfer } from './prepare/payments';
import { findTestChainHint, prepareTransaction } from './prepare/prepare';
import { reserveNonce } from './prepare/purse';
import { createStarkNode } from './reader';
import { parseSignedPayment, settlePayment } from './settle';
import { readSignedPayment } from './signedPayment';
import { FEE_DECIMALS, FEE_TOKEN, readTokenFacts } from './tokens';
import { parseStarkInvoke, type StarkInvoke } from './unsigned';

interface StarkTerms {
	readonly methodPrefix: string;
	readonly until: 'acceptedOnL1' | 'acceptedOnL2';
}

interface UnsignedStark {
	readonly kind: 'starkTransaction';
	readonly given: StarkInvoke;
}

/** STARK rollups such as Starknet. Their coin is the token in which fees are paid. */
export const stark: ChainFamily<'rpc', StarkTerms, UnsignedStark> = {
	name: FAMILY_WORDS.stark.name,
	coin: COINS.stark,
	protocol: 'rpc',
	spellAddress: (given) => formatFelt(parseStarkAddress(given)),
	openPayments,
};

function openPayments(service: PatientRpcReader, terms: StarkTerms): PayingFamily<UnsignedStark> {
	const reader = createStarkNode(service, terms.methodPrefix);
	return {
		plan: (asked) => {
			refuseComment(asked.comment);
			const payment = parsePayment(asked);
			return {
				token: formatFelt(payment.token ?? FEE_TOKEN),
				reserve: (payer) => reserve(reader, payment, parseStarkAddress(payer)),
			};
		},
		choosePayer: { missing: 'A credential has one account' },
		readMade: async (payer, token, since) =>
			await readMadePayments(reader, payer, { since, tokens: token === null ? [] : [token] }),
		findMarked: async (from, made, mark) => {
			const signed = await readMarkedPayment(reader, made, { from, mark });
			return signed && openSigned(service, reader, terms, signed);
		},
		takeSigned: ({ transaction }) => openSigned(service, reader, terms, transaction),
		parseSigned: (given) => openSigned(service, reader, terms, given),
	};
}

function openSigned(
	context: Patience,
	reader: RpcReader,
	{ until }: StarkTerms,
	given: unknown,
): SignedTransaction {
	const signed = parseField('Signed Transaction', given, parseSignedPayment);
	return {
		text: signed.text,
		fields: {},
		settle: async (settling) =>
			await settlePayment(context, reader, signed, { ...settling, until }),
		read: async () => await readSignedPayment(reader, signed.invoke),
	};
}

interface StarkPayment {
	/** Undefined for coins. */
	readonly token: bigint | undefined;
	readonly to: bigint;
	readonly amount: string;
	readonly mark: PaymentMark;
}

function parsePayment(asked: AskedPayment): StarkPayment {
	const { amount, mark } = asked;
	return { ...parseTokenAndReceiver(asked, 'stark', parseStarkAddress), amount, mark };
}

function reserve(
	reader: RpcReader,
	payment: StarkPayment,
	from: bigint,
): PaymentPlace<UnsignedStark> {
	const place = reserveNonce(reader, from, undefined);
	const transfer = { ...payment, token: payment.token ?? FEE_TOKEN };
	return {
		prepare: async () => {
			const [prepared, facts] = await Promise.all([
				prepareTransaction(reader, place, {
					from,
					mark: payment.mark.value,
					plan: async () => await planTokenTransfer(reader, transfer),
				}),
				describePayment(reader, payment, from),
			]);
			const { transaction, maxCost: fee, summary } = prepared;
			return {
				...facts,
				limited: facts.compared.token,
				maxCost: transfer.token === FEE_TOKEN ? addCoins(fee, facts.compared.value) : fee,
				summary,
				unsigned: { kind: 'starkTransaction', given: parseStarkInvoke(transaction) },
				hints: [findTestChainHint(BigInt(transaction.chainId))],
			};
		},
		renewal: { missing: 'A nonce does not expire' },
		release: place.release,
	};
}

function addCoins(fee: string, value: bigint): string {
	return formatUnits(unitsParser(FEE_DECIMALS)(fee) + value, FEE_DECIMALS);
}

async function describePayment(
	reader: RpcReader,
	{ token, to, amount }: StarkPayment,
	from: bigint,
): Promise<Pick<PreparedPayment<UnsignedStark>, 'facts' | 'compared'>> {
	const facts = token === undefined ? COINS.stark : (await readTokenFacts(reader, [token]))(token);
	// A token without decimals is refused later, when the payment is prepared.
	const value =
		facts.decimals === null ? 0n : parseField('Amount', amount, unitsParser(facts.decimals));
	const contract = token === undefined ? null : formatFelt(token);
	return {
		facts: {
			from: formatFelt(from),
			to: formatFelt(to),
			token: contract,
			...facts,
			value,
			comment: null,
		},
		compared: {
			to: formatFelt(to),
			token: formatFelt(token ?? FEE_TOKEN),
			value,
			comment: null,
		},
	};
}
