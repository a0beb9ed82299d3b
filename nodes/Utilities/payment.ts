import { parseEvmAddress, ZERO_ADDRESS } from '../core/evm/address';
import { formatPaymentLink as formatEvmLink } from '../core/evm/paymentLink';
import type { Field } from '../core/operation/field';
import { pureOperation } from '../core/protocols/pure';
import { parseTonAddress } from '../core/ton/address';
import { parseComment } from '../core/ton/bodies';
import { formatPaymentLink as formatTonLink } from '../core/ton/paymentLink';
import { parseUint256 } from '../core/values/numbers';
import {
	InvalidValue,
	isBlank,
	parseField,
	parseText,
	wholeNumberParser,
	type Parse,
} from '../core/values/parse';
import { checkNotOwnContract, checkNotZeroAddress } from '../core/values/receiver';
import {
	ETHER_DECIMALS,
	NANOCOIN_DECIMALS,
	parseAmountText,
	parseWholeAmount,
	unitsParser,
} from '../core/values/units';
import { raise } from '../core/errors/raise';
import { TOKEN_NAME } from '../fields/tokenNames';

const chain = {
	displayName: 'Chain',
	name: 'chain',
	type: 'options',
	default: 'evm',
	description: 'The kind of chain on which the payment is made',
	options: [
		{ name: 'EVM', value: 'evm' },
		{ name: 'TON', value: 'ton' },
	],
} as const satisfies Field;

const to = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account that is paid',
	show: { chain: ['evm'] },
	parse: parseText,
} as const satisfies Field;

const tonReceiver = {
	...to,
	placeholder: 'e.g. UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
	show: { chain: ['ton'] },
} as const satisfies Field;

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 12.5',
	description: 'The amount in coins or tokens, such as 1.5',
	hint: 'If empty, the payer enters the amount',
	parse: (given: unknown) => (isBlank(given) ? undefined : parsePositiveAmount(given)),
} as const satisfies Field;

const parsePositiveAmount: Parse<string> = (given) => {
	const { digits } = parseWholeAmount(given);
	return digits > 0n
		? parseAmountText(given)
		: raise(new InvalidValue('an amount above 0, or empty'));
};

const payableToken = {
	displayName: 'Token',
	name: TOKEN_NAME,
	type: 'string',
	default: '',
	placeholder: 'e.g. 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
	description: "The address of the token's contract, or of a jetton's master contract",
	hint: 'If empty, the payment is in the coin of the chain',
	parse: parseText,
} as const satisfies Field;

const decimals = {
	displayName: 'Decimals',
	name: 'decimals',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 255 },
	default: ETHER_DECIMALS,
	description: 'The number of decimals of the token, such as 6 for USDC',
	show: { chain: ['evm'] },
	parse: wholeNumberParser(0, 255),
} as const satisfies Field;

const jettonDecimals = {
	...decimals,
	default: NANOCOIN_DECIMALS,
	description: 'The number of decimals of the jetton, such as 6 for USDT',
	show: { chain: ['ton'] },
} as const satisfies Field;

const chainId = {
	displayName: 'Chain ID',
	name: 'chainId',
	type: 'string',
	default: '1',
	placeholder: 'e.g. 137',
	description: 'The ID of the chain on which the payment is made',
	show: { chain: ['evm'] },
	parse: (given: unknown) => {
		const id = parseUint256(given);
		return id > 0n ? id : raise(new InvalidValue('1 or more'));
	},
} as const satisfies Field;

const comment = {
	displayName: 'Comment',
	name: 'comment',
	type: 'string',
	default: '',
	placeholder: 'e.g. Order 42',
	description: 'The comment of the payment, by which you recognize it',
	show: { chain: ['ton'] },
	parse: parseComment,
} as const satisfies Field;

const link = pureOperation({
	name: 'Link',
	action: 'Create payment link',
	description:
		'Create a link, or the content of a QR code, that opens a wallet with the payment filled in',
	fields: [
		chain,
		to,
		tonReceiver,
		amount,
		payableToken,
		decimals,
		jettonDecimals,
		chainId,
		comment,
	],
	result: (p) => ({ link: p.chain === 'evm' ? linkEvmPayment(p) : linkTonPayment(p) }),
});

interface Asked {
	readonly to: string | undefined;
	readonly amount: string | undefined;
	readonly token: string;
	readonly decimals: number | undefined;
	readonly chainId: bigint | undefined;
	readonly comment: string | undefined;
}

function linkEvmPayment(p: Asked): string {
	const receiver = parseField(to.displayName, p.to ?? '', parseEvmAddress);
	const token = parseToken(p, parseEvmAddress);
	checkNotZeroAddress(to.displayName, receiver, { zeroAddress: ZERO_ADDRESS });
	if (token) checkNotOwnContract(to.displayName, receiver.toLowerCase(), token.toLowerCase());
	const value = parseUnits(p, ETHER_DECIMALS);
	return formatEvmLink({ to: receiver, token, value, chainId: p.chainId ?? 1n });
}

function linkTonPayment(p: Asked): string {
	return formatTonLink({
		to: parseField(to.displayName, p.to ?? '', parseTonAddress),
		jetton: parseToken(p, parseTonAddress),
		value: parseUnits(p, NANOCOIN_DECIMALS),
		comment: p.comment ?? '',
	});
}

function parseToken({ token }: Asked, parse: Parse<string>): string | undefined {
	return token === '' ? undefined : parseField(payableToken.displayName, token, parse);
}

/** Parses the amount to the smallest unit of the token, or of the coins if no token is given. */
function parseUnits(p: Asked, coinDecimals: number): bigint | undefined {
	if (p.amount === undefined) return undefined;
	const places = p.token === '' ? coinDecimals : (p.decimals ?? coinDecimals);
	return parseField(amount.displayName, p.amount, unitsParser(places));
}

export const payment = { name: 'Payment', operations: { link } };
