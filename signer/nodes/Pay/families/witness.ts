import {
	COINS,
	formatWitnessAddresses,
	InvalidInput,
	isOfEarlierWitnessPeriod,
	markHandled,
	parseField,
	parseSignedWitnessPayment,
	parseWitnessAccount,
	prepareWitnessPayment,
	readMadeWitnessPayments,
	readMarkedWitnessPayment,
	readSignedWitnessPayment,
	readWitnessTokenInfos,
	rebuildWitnessPayment,
	reserveWitnessPayment,
	settleWitnessPayment,
	unitsParser,
	type PatientRestReader,
	type PaymentMark,
	type WitnessCoinPayment,
	type WitnessTokenPayment,
} from '../../../../nodes/core';
import type { PreparedRequest } from '../../core/prepared';
import { parseUnsignedWitness } from '../../core/witnessTransaction';
import { parsePayee, refuseComment } from './addresses';
import type {
	AskedPayment,
	PayingFamily,
	PaymentPlace,
	PreparedPayment,
	SignedTransaction,
} from './family';

/** Pays on the witness chain. */
export function openWitness(reader: PatientRestReader): PayingFamily {
	return {
		plan: (asked) => {
			const payment = parsePayment(asked);
			return {
				token: payment.token === undefined ? null : formatWitnessAddresses(payment.token).hex,
				reserve: (payer) => reserve(reader, payment, parseWitnessPayer(payer)),
			};
		},
		choosePayer: async ([account = '']) => await Promise.resolve(account),
		readMade: async (payer, token, since) =>
			await readMadeWitnessPayments(reader, `41${parseWitnessPayer(payer)}`, {
				since,
				tokens: token === null ? [] : [token],
			}),
		findMarked: async (payer, { hash }, mark) => {
			const from = `41${parseWitnessPayer(payer)}`;
			const signed = await readMarkedWitnessPayment(reader, hash, { from, mark });
			return signed && openSigned(reader, signed);
		},
		takeSigned: (answer) => openSigned(reader, answer),
		parseSigned: (given) => openSigned(reader, given),
	};
}

function openSigned(reader: PatientRestReader, given: unknown): SignedTransaction {
	const signed = parseField('Signed Transaction', given, parseSignedWitnessPayment);
	return {
		text: signed.body,
		fields: {},
		follow: async (terms) => await settleWitnessPayment(reader, signed, terms),
		read: async () => await readSignedWitnessPayment(reader, signed),
	};
}

/** The key's account on EVM chains has the same 20 bytes. */
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

function parsePayment({ token, to, amount, comment, mark }: AskedPayment): AskedTransfer {
	if (token !== '') refuseComment(comment);
	return {
		token: token === '' ? undefined : parsePayee('Token', token, 'witness', parseWitnessAccount),
		to: parsePayee('To', to, 'witness', parseWitnessAccount),
		amount,
		comment,
		mark,
	};
}

function reserve(reader: PatientRestReader, asked: AskedTransfer, from: string): PaymentPlace {
	const place = reserveWitnessPayment(reader, from);
	const planning = planPayment(reader, asked, from);
	markHandled(planning);
	return {
		prepare: async () => {
			const { payment, facts } = await planning;
			const prepared = await prepareWitnessPayment(reader, place, payment);
			const { maxCost, summary, transaction, isNewAccount } = prepared;
			const hints = isNewAccount ? [NEW_ACCOUNT_HINT] : [];
			const limited = facts.compared.token;
			return { ...facts, limited, maxCost, summary, request: toRequest(transaction), hints };
		},
		renew: async (request) => {
			if (!isLate(request, asked.mark)) return request;
			const { payment } = await planning;
			return toRequest(await rebuildWitnessPayment(reader, payment, getFeeLimit(request)));
		},
		isApart: (renewed, before) => asked.mark.isShared && renewed !== before,
		release: place.release,
	};
}

const NEW_ACCOUNT_HINT =
	'The chain takes a fee for each receiver that is new to it: it is part of what such a payment costs.';

function toRequest(transaction: object): PreparedRequest {
	return { kind: 'witnessTransaction', given: parseUnsignedWitness(transaction) };
}

/** A node gives a transaction a minute. One that has waited for those before it is built anew, while nothing is signed. */
const LEAST_TIME_MS = 40_000n;

function getFeeLimit(request: PreparedRequest): bigint {
	return request.kind === 'witnessTransaction' ? request.given.transaction.feeLimit : 0n;
}

/** One with a payment ID is made for a period: what others make of it later has other bytes. */
function isLate(request: PreparedRequest, mark: PaymentMark): boolean {
	if (request.kind !== 'witnessTransaction') return false;
	const { transaction } = request.given;
	return mark.isShared
		? isOfEarlierWitnessPeriod(transaction)
		: transaction.expiration - BigInt(Date.now()) < LEAST_TIME_MS;
}

interface Planned {
	readonly payment: WitnessCoinPayment | WitnessTokenPayment;
	readonly facts: Pick<PreparedPayment, 'facts' | 'compared'>;
}

async function planPayment(
	reader: PatientRestReader,
	{ token, to, amount, comment, mark }: AskedTransfer,
	from: string,
): Promise<Planned> {
	const info =
		token === undefined ? COINS.witness : (await readWitnessTokenInfos(reader, [token]))(token);
	if (info.decimals === null) throw noDecimalsError(token ?? '');
	const value = parseField('Amount', amount, unitsParser(info.decimals));
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
				...info,
				value,
				comment: said,
			},
			compared: { to: receiver?.hex ?? '', token: contract?.hex ?? null, value, comment: said },
		},
	};
}

function noDecimalsError(token: string): InvalidInput {
	return new InvalidInput(
		`The token at ${formatWitnessAddresses(token).base58} gives no decimals`,
		'An amount of whole tokens means nothing without them. Nothing was signed.',
	);
}
