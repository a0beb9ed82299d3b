import { InvalidInput } from '../../../core/errors/invalidInput';
import type { Field, Params } from '../../../core/operation/field';
import { parseTonAccount, type TonAccount } from '../../../core/ton/address';
import { buildCommentBody } from '../../../core/ton/bodies';
import {
	formatCommentWords,
	parseCoins,
	planCoinPayment,
	planJettonPayment,
	DEFAULT_FORWARD_AMOUNT,
	DEFAULT_GAS,
} from '../../../core/ton/payments';
import { MAX_MESSAGES } from '../../../core/ton/wallets';
import { parseAmountText } from '../../../core/values/units';
import { parseJsonList } from '../../../core/values/json';
import {
	catching,
	InvalidValue,
	isBlank,
	isRecord,
	parseField,
	type Parse,
} from '../../../core/values/parse';
import { optionalParser } from '../../../core/values/numbers';
import { comment, paidJetton, receiver } from '../../../fields/tonPaymentFields';
import { transferKind, type PlanContext } from './transferKind';
import { raise } from '../../../core/errors/raise';

const PAYMENT_KEYS = ['to', 'amount', 'comment', 'jetton'];

interface ListedPayment {
	readonly to: TonAccount;
	/** The amount is in whole coins or jettons, as decimal text. */
	readonly amount: string;
	readonly comment: string;
	readonly jetton: TonAccount | undefined;
}

/** Parses a part of a payment. The error names the payment and the faulty part. */
function parsePart<T>(label: string, given: unknown, parse: Parse<T>): T {
	const value = catching(InvalidValue, () => parse(given));
	return value instanceof InvalidValue
		? raise(new InvalidValue(`a list in which ${label} is ${value.message}`))
		: value;
}

function parsePayment(given: unknown, index: number): ListedPayment {
	const label = `payment ${index + 1}`;
	if (!isRecord(given)) throw new InvalidValue(`a list in which ${label} is a JSON object`);
	const other = Object.keys(given).find((key) => !PAYMENT_KEYS.includes(key));
	if (other !== undefined)
		throw new InvalidValue(
			`a list in which ${label} has no keys other than ${PAYMENT_KEYS.join(', ')}`,
		);
	const part = <T>(key: string, parse: Parse<T>) =>
		parsePart(`'${key}' of ${label}`, given[key], parse);
	const jetton = isBlank(given.jetton) ? undefined : part('jetton', parseTonAccount);
	return {
		to: part('to', parseTonAccount),
		amount: part('amount', (one) => (jetton ? parseAmountText(one) : checkCoins(one))),
		comment: part('comment', comment.parse),
		jetton,
	};
}

function checkCoins(given: unknown): string {
	parseCoins(given);
	return parseAmountText(given);
}

const MAX_PAYMENTS = MAX_MESSAGES.v5r1;
/** The summary lists at most this many payments, and gives the number of the others. */
const MAX_LISTED_PAYMENTS = 10;

const paymentsBy = {
	displayName: 'Payments By',
	name: 'paymentsBy',
	type: 'options',
	default: 'fields',
	noDataExpression: true,
	description: 'The form in which you enter the payments',
	options: [
		{ name: 'Fields', value: 'fields', description: 'A row for each payment' },
		{ name: 'JSON', value: 'json', description: 'A JSON list, for example from an expression' },
	],
} as const satisfies Field;

const paymentFields = {
	displayName: 'Payments',
	name: 'paymentFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add payment',
	default: {},
	description:
		'The payments: at most 4 from a wallet of version 3 or 4, at most 255 from version 5',
	show: { paymentsBy: ['fields'] },
	options: [
		{
			displayName: 'Payment',
			name: 'payment',
			values: [
				receiver,
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. 1.5',
					description: 'How much to pay, in coins or jettons, such as 1.5',
					parse: parseAmountText,
				},
				comment,
				{
					...paidJetton,
					required: false,
					hint: 'Empty to pay coins',
					parse: optionalParser(parseTonAccount),
				},
			],
		},
	],
} as const satisfies Field;

type GivenRow = Params<(typeof paymentFields)['options'][0]['values']>;

function checkRows(rows: readonly GivenRow[]): readonly ListedPayment[] {
	if (rows.length > MAX_PAYMENTS)
		throw new InvalidInput(
			`'Payments' must hold at most ${MAX_PAYMENTS} payments; got ${rows.length}`,
		);
	return rows.map((row, index) => ({
		...row,
		amount: row.jetton
			? row.amount
			: parseField(`Payments > Payment ${index + 1} > Amount`, row.amount, checkCoins),
	}));
}

const payments = {
	displayName: 'Payments',
	name: 'payments',
	type: 'json',
	required: true,
	default: '[]',
	show: { paymentsBy: ['json'] },
	description:
		'A JSON list of payments: <code>to</code>, <code>amount</code> in coins, and <code>comment</code> if you like. To pay in jettons, set <code>jetton</code> to the address of the master contract. At most 4 payments from wallets of version 3 or 4, 255 from version 5.',
	hint: 'e.g. [{"to": "UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV", "amount": "1.5", "comment": "June"}]',
	// The text is parsed later, and only if the payments are not given in rows.
	parse: (given: unknown) => given,
} as const satisfies Field;

/** A workflow may give its payments only by this JSON list, so n8n must keep the list although the field is hidden. */
const storedPayments = {
	...payments,
	type: 'hidden',
	required: false,
	show: { paymentsBy: ['fields'] },
} as const satisfies Field;

const parsePayments: Parse<readonly ListedPayment[]> = (given) => {
	const list = parseJsonList(given);
	return list.length > 0 && list.length <= MAX_PAYMENTS
		? list.map(parsePayment)
		: raise(new InvalidValue(`a list of 1 to ${MAX_PAYMENTS} payments`));
};

export const severalPayments = transferKind({
	name: 'Several Payments',
	description: 'Pay several receivers at once, in coins or jettons',
	fields: [paymentsBy, paymentFields, payments, storedPayments],
	plan: async (p, context) => {
		const { paymentFields: rows = [] } = p;
		const listedPayments =
			rows.length > 0 ? checkRows(rows) : parseField('Payments', p.payments, parsePayments);
		const messages = await Promise.all(
			listedPayments.map(async (one) => await planListed(one, context)),
		);
		const listed = messages.slice(0, MAX_LISTED_PAYMENTS).map(({ sentence }) => sentence);
		const left = messages.length - listed.length;
		const rest = left > 0 ? [`and ${left} more`] : [];
		return { messages, sentence: [...listed, ...rest].join('; ') };
	},
});

async function planListed(
	{ to, amount, comment, jetton }: ListedPayment,
	{ reader, from, bounce }: PlanContext,
) {
	if (!jetton) {
		const body = buildCommentBody(comment);
		const words = formatCommentWords(comment);
		const payment = { to, amount: parseCoins(amount), body, stateInit: null, bounce, words };
		return await planCoinPayment(reader, payment);
	}
	const usual = { gas: DEFAULT_GAS, forwardAmount: DEFAULT_FORWARD_AMOUNT };
	const payment = { from, to, jetton, amount, comment, bounce, ...usual };
	return await planJettonPayment(reader, payment);
}
