import { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { restOptions } from '../core/operation/transportOptions';
import { throwInvalidResponse, findMessage } from '../core/transport/responses/response';
import { rest } from '../core/transport/rest/rest';
import { parseBase64 } from '../core/values/base64';
import { parseTonAddress } from '../core/ton/address';
import { NANOCOIN_DECIMALS, formatUnits } from '../core/values/units';
import { isRecord } from '../core/values/parse';

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
	description: 'The body of the message: a bag of cells (BOC) in base64',
	parse: parseBase64,
} as const satisfies Field;

const ignoreChksig = {
	displayName: 'Ignore Signature Check',
	name: 'ignoreChksig',
	type: 'boolean',
	default: false,
	description: 'Whether to estimate as if every signature were valid, for example before signing',
} as const satisfies Field;

export const estimate = rest({
	name: 'Estimate',
	action: 'Estimate the fee of a message',
	description:
		'Estimate what a message costs, in nanotons and in whole coins. Nothing is sent to the chain.',
	fields: [address, body, ignoreChksig, restOptions()],
	request: (p) => ({
		path: '/api/v3/estimateFee',
		body: { address: p.address, body: p.body, ignore_chksig: p.ignoreChksig },
	}),
	answer: withTotals,
	advice: ({ message }) =>
		/not accepted|exit ?code/i.test(message)
			? "The contract refused the message. If its signature is not final, turn on 'Ignore Signature Check'."
			: undefined,
});

/** The documentation has one object of destination fees; live nodes return an array. */
function withTotals(answer: unknown): object {
	if (!isRecord(answer)) return throwInvalidResponse('fees', answer);
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

const FEE_PARTS = ['in_fwd_fee', 'storage_fee', 'gas_fee', 'fwd_fee'];

/** The sum is a bigint: parseJson makes integers above 2^53 strings. */
function withTotal(fees: unknown): object {
	if (!isRecord(fees)) return throwInvalidResponse('fees', fees);
	const total = FEE_PARTS.map((part) => fees[part]).reduce<bigint>((sum, fee) => {
		const isWhole =
			Number.isSafeInteger(fee) || (typeof fee === 'string' && /^-?\d{1,80}$/.test(fee));
		return isWhole
			? sum + BigInt(fee as number | string)
			: throwInvalidResponse('fees in whole nanotons', fees);
	}, 0n);
	return { ...fees, total: total.toString(), totalCoins: formatUnits(total, NANOCOIN_DECIMALS) };
}

/** The node reports the refusal with status 200. */
function estimateRefusedError(answer: object): RequestFailure {
	return new RequestFailure(findMessage(answer) ?? 'The node gave no reason', {
		description: 'The node could not estimate the fee.',
	});
}
