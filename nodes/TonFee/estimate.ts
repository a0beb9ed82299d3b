import { RequestFailure } from '../core/errors/requestFailure';
import type { Field, Params } from '../core/operation/field';
import { showWhile } from '../core/operation/sharedFields';
import {
	formatTonAddresses,
	parseTonAccount,
	parseTonAddress,
	type TonAccount,
} from '../core/ton/address';
import { buildCommentBody } from '../core/ton/bodies';
import {
	parseCoins,
	planCoinPayment,
	planJettonPayment,
	DEFAULT_FORWARD_AMOUNT,
	DEFAULT_GAS,
} from '../core/ton/payments';
import { estimateTransfer, FEE_PARTS, readSender, DEFAULT_SEND_MODE } from '../core/ton/sender';
import type { RestReader } from '../core/chain/reader';
import { invalidResponseError, findMessage } from '../core/net/responses/response';
import { restOperation } from '../core/protocols/rest';
import { parseBase64 } from '../core/values/base64';
import { NANOCOIN_DECIMALS, parseAmountText, formatUnits } from '../core/values/units';
import { optionalParser } from '../core/values/numbers';
import { isRecord, parseField } from '../core/values/parse';
import { comment, paidJetton, payer, receiver } from '../fields/tonPaymentFields';
import { raise } from '../core/errors/raise';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
	description: 'The contract that receives the message, as a user-friendly or raw (0:…) address',
	parse: parseTonAddress,
} as const satisfies Field;

const body = {
	displayName: 'Body',
	name: 'body',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. te6cckEBAQEAAgAAAEysuc0=',
	description: "The data of the message in TON's form: a bag of cells (BOC), in base64",
	parse: parseBase64,
} as const satisfies Field;

const ignoreChksig = {
	displayName: 'Ignore Signature Check',
	name: 'ignoreChksig',
	type: 'boolean',
	default: false,
	description: 'Whether to estimate as if every signature were valid, for example before signing',
} as const satisfies Field;

const messageBy = {
	displayName: 'Message By',
	name: 'messageBy',
	type: 'options',
	default: 'body',
	noDataExpression: true,
	description: 'In which form you give the message whose fee is estimated',
	options: [
		{
			name: 'Body',
			value: 'body',
			description:
				"Enter the receiver and the data of a message. The data is in TON's form: a bag of cells (BOC), in base64.",
		},
		{
			name: 'Payment',
			value: 'payment',
			description:
				'Enter the sender, the receiver and the amount of a payment that is not signed yet',
		},
	],
} as const satisfies Field;

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1.5',
	description: 'How much is paid',
	hint: 'The amount in coins, such as 1.5, or in jettons if a jetton is set',
	parse: parseAmountText,
} as const satisfies Field;

const jetton = {
	...paidJetton,
	required: false,
	description: 'The jetton to pay: the address of its master contract',
	hint: 'If Jetton is empty, the payment is in the coin of the chain',
	parse: optionalParser(parseTonAccount),
} as const satisfies Field;

const bodyFields = [address, body, ignoreChksig] as const;
const paymentFields = [payer, receiver, jetton, amount, comment] as const;

export const estimate = restOperation({
	name: 'Estimate',
	action: 'Estimate fee of message',
	description:
		'Estimate the fees of a message or a payment, in coins and in nanotons (10^-9 coins). Nothing is sent to the chain.',
	fields: [
		messageBy,
		...showWhile({ messageBy: ['body'] }, bodyFields),
		...showWhile({ messageBy: ['payment'] }, paymentFields),
	],
	async *run(p, context) {
		yield p.messageBy === 'payment'
			? await estimatePayment(context, p as Params<typeof paymentFields>)
			: await estimateBody(context, p as Params<typeof bodyFields>);
	},
	advice: ({ message }) =>
		/not accepted|exit ?code/i.test(message)
			? "The contract refused the message. If its signature is not final, turn on 'Ignore Signature Check'."
			: undefined,
});

async function estimateBody({ call }: RestReader, p: Params<typeof bodyFields>): Promise<object> {
	const given = { address: p.address, body: p.body, ignore_chksig: p.ignoreChksig };
	return withTotals(await call({ path: '/api/v3/estimateFee', body: given }));
}

/** Estimates the total cost of a payment: the fee of the wallet, and the fees of the contracts that receive the wallet's message. */
async function estimatePayment(
	reader: RestReader,
	p: Params<typeof paymentFields>,
): Promise<object> {
	const [sender, message] = await Promise.all([readSender(reader, p.from), planPayment(reader, p)]);
	const answer = await estimateTransfer(reader, sender, [message], DEFAULT_SEND_MODE);
	if (answer === undefined) throw notDeployedError(p.from);
	const fees = withTotals(answer);
	const totals = [fees.source_fees, fees.destination_fees].flat().map(({ total }) => BigInt(total));
	const all = totals.reduce((sum, one) => sum + one, 0n);
	return { ...fees, totalCoins: formatUnits(all, NANOCOIN_DECIMALS) };
}

async function planPayment(reader: RestReader, p: Params<typeof paymentFields>) {
	if (p.jetton) {
		const usual = { forwardAmount: DEFAULT_FORWARD_AMOUNT, gas: DEFAULT_GAS, bounce: undefined };
		return await planJettonPayment(reader, { ...p, ...usual, jetton: p.jetton });
	}
	return await planCoinPayment(reader, {
		to: p.to,
		amount: parseField('Amount', p.amount, parseCoins),
		body: buildCommentBody(p.comment),
		stateInit: null,
		bounce: undefined,
		words: '',
	});
}

function notDeployedError(from: TonAccount): RequestFailure {
	return new RequestFailure(
		`The wallet ${formatTonAddresses(from).nonBounceable} is not deployed yet, so its fee cannot be estimated`,
		{
			description:
				'The first transfer of the wallet deploys it, which costs a little more than other transfers.',
		},
	);
}

/**
 * Adds totals to the fees. The documentation has a single object of destination fees, but live nodes return an
 * array.
 */
export function withTotals(answer: unknown) {
	if (!isRecord(answer)) throw invalidResponseError('fees', answer);
	if (answer.ok === false || answer.error) throw estimateRefusedError(answer);
	const { source_fees: source, destination_fees: destination } = answer;
	return {
		...answer,
		source_fees: withTotal(source),
		destination_fees: Array.isArray(destination)
			? destination.map(withTotal)
			: withTotal(destination),
	};
}

/** Adds up the parts of a fee as bigints, because parseJson turns integers above 2^53 into strings. */
function withTotal(fees: unknown) {
	if (!isRecord(fees)) throw invalidResponseError('fees', fees);
	const total = FEE_PARTS.map((part) => fees[part]).reduce<bigint>((sum, fee) => {
		const isWhole =
			Number.isSafeInteger(fee) || (typeof fee === 'string' && /^-?\d{1,80}$/.test(fee));
		return isWhole
			? sum + BigInt(fee as number | string)
			: raise(invalidResponseError('fees in whole nanotons', fees));
	}, 0n);
	return { ...fees, total: total.toString(), totalCoins: formatUnits(total, NANOCOIN_DECIMALS) };
}

/** Creates the error for a refused estimate, which the node reports with HTTP status 200. */
function estimateRefusedError(answer: object): RequestFailure {
	return new RequestFailure(findMessage(answer) ?? 'The chain node gave no reason', {
		description: 'The chain node could not estimate the fee.',
	});
}
