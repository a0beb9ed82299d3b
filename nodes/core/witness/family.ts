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
import type { PatientRestReader } from '../chain/reader';
import { InvalidInput } from '../errors/invalidInput';
import { markHandled } from '../net/pacing/concurrency';
import { FAMILY_WORDS } from '../values/families';
import { parseField } from '../values/parse';
import { unitsParser } from '../values/units';
import { formatWitnessAddresses, parseWitnessAccount } from './address';
import { readMadePayments } from './madePayments';
import { isOfEarlierPeriod } from './mark';
import { readMarkedPayment } from './markedPayment';
import {
	preparePayment,
	buildPayment,
	type CoinPayment,
	type TokenPayment,
} from './prepare/prepare';
import { reservePayment } from './prepare/purse';
import { parseSignedPayment, settlePayment } from './settle';
import { readSignedPayment } from './signedPayment';
import { readTokenFacts } from './tokens';
import { takeBuilt, type ParsedTransaction, type UnsignedWitness } from './unsigned';

export const witness: ChainFamily<'rest', unknown, UnsignedWitness> = {
	name: FAMILY_WORDS.witness.name,
	coin: COINS.witness,
	protocol: 'rest',
	spellAddress: parseWitnessAccount,
	openPayments,
};

function openPayments(reader: PatientRestReader): PayingFamily<UnsignedWitness> {
	return {
		plan: (asked) => {
			const payment = parsePayment(asked);
			return {
				token: payment.token === undefined ? null : formatWitnessAddresses(payment.token).hex,
				reserve: (payer) => reserve(reader, payment, parseWitnessPayer(payer)),
			};
		},
		choosePayer: { missing: 'A key has one account' },
		readMade: async (payer, token, since) =>
			await readMadePayments(reader, `41${parseWitnessPayer(payer)}`, {
				since,
				tokens: token === null ? [] : [token],
			}),
		findMarked: async (payer, { hash }, mark) => {
			const from = `41${parseWitnessPayer(payer)}`;
			const signed = await readMarkedPayment(reader, hash, { from, mark });
			return signed && openSigned(reader, signed);
		},
		takeSigned: (answer) => openSigned(reader, answer),
		parseSigned: (given) => openSigned(reader, given),
	};
}

function openSigned(reader: PatientRestReader, given: unknown): SignedTransaction {
	const signed = parseField('Signed Transaction', given, parseSignedPayment);
	return {
		text: signed.body,
		fields: {},
		settle: async (terms) => await settlePayment(reader, signed, terms),
		read: async () => await readSignedPayment(reader, signed),
	};
}

/** Converts an address of an EVM chain to 40 hex digits without 0x. The account of the same key on TRON has the same 20 bytes. */
function parseWitnessPayer(account: string): string {
	return account.slice(2).toLowerCase();
}

/** Accounts are 40 hex digits. */
interface AskedTransfer {
	/** Undefined for coins. */
	readonly token: string | undefined;
	readonly to: string;
	readonly amount: string;
	readonly comment: string;
	readonly mark: PaymentMark;
}

function parsePayment(asked: AskedPayment): AskedTransfer {
	const { token, amount, comment, mark } = asked;
	if (token !== '') refuseComment(comment);
	const parties = parseTokenAndReceiver(asked, 'witness', parseWitnessAccount);
	return { ...parties, amount, comment, mark };
}

function reserve(
	reader: PatientRestReader,
	asked: AskedTransfer,
	from: string,
): PaymentPlace<UnsignedWitness> {
	const place = reservePayment(reader, from);
	const planning = planPayment(reader, asked, from);
	markHandled(planning);
	return {
		prepare: async () => {
			const { payment, facts } = await planning;
			const prepared = await preparePayment(reader, place, payment);
			const { maxCost, summary, transaction, isNewAccount } = prepared;
			const hints = isNewAccount ? [NEW_ACCOUNT_HINT] : [];
			const limited = facts.compared.token;
			return { ...facts, limited, maxCost, summary, unsigned: takeBuilt(transaction), hints };
		},
		renewal: {
			renew: async (unsigned) => {
				const { transaction } = unsigned.given;
				if (!isLate(transaction, asked.mark)) return unsigned;
				const { payment } = await planning;
				return takeBuilt(await buildPayment(reader, payment, transaction.feeLimit));
			},
			isApart: (renewed, before) => asked.mark.isShared && renewed !== before,
		},
		release: place.release,
	};
}

const NEW_ACCOUNT_HINT =
	'The chain takes a fee for each receiver that is new to it: it is part of what such a payment costs.';

/**
 * A transaction from a node is valid for a minute. If less time than this is left, it is built again before it is
 * signed.
 */
const LEAST_TIME_MS = 40_000n;

/**
 * Whether a transaction must be built again before it is signed. With an ID, that is when its period has ended.
 * Otherwise, it is when little time is left.
 */
function isLate(transaction: ParsedTransaction['transaction'], mark: PaymentMark): boolean {
	return mark.isShared
		? isOfEarlierPeriod(transaction)
		: transaction.expiration - BigInt(Date.now()) < LEAST_TIME_MS;
}

interface Planned {
	readonly payment: CoinPayment | TokenPayment;
	readonly facts: Pick<PreparedPayment<UnsignedWitness>, 'facts' | 'compared'>;
}

async function planPayment(
	reader: PatientRestReader,
	{ token, to, amount, comment, mark }: AskedTransfer,
	from: string,
): Promise<Planned> {
	const facts =
		token === undefined ? COINS.witness : (await readTokenFacts(reader, [token]))(token);
	if (facts.decimals === null) throw noDecimalsError(token ?? '');
	const value = parseField('Amount', amount, unitsParser(facts.decimals));
	const said = comment === '' ? null : comment;
	const [receiver, contract] = [to, token].map((one) =>
		one === undefined ? null : formatWitnessAddresses(one),
	);
	return {
		payment:
			token === undefined
				? { from, to, amount: value, memo: comment, mark }
				: { from, to, token, value, mark },
		facts: {
			facts: {
				from: formatWitnessAddresses(from).base58,
				to: receiver?.base58 ?? null,
				token: contract?.base58 ?? null,
				...facts,
				value,
				comment: said,
			},
			compared: { to: receiver?.hex ?? '', token: contract?.hex ?? null, value, comment: said },
		},
	};
}

function noDecimalsError(token: string): InvalidInput {
	return new InvalidInput(
		`The token at ${formatWitnessAddresses(token).base58} does not report its number of decimals`,
		'An amount of whole tokens means nothing without them. Nothing was signed.',
	);
}
