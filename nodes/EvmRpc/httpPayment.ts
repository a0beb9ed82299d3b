import type { RpcReader } from '../core/chain/reader';
import { parseTokenAmount } from '../core/chain/tokens';
import { parseEvmAddress } from '../core/evm/address';
import { SIGNED_BY_CONTRACT_MAX_GAS } from '../core/evm/httpPayment/authorization';
import { formatPaymentRequired, formatReceipt } from '../core/evm/httpPayment/offer';
import { readTokenDomain } from '../core/evm/httpPayment/tokenDomain';
import { verifyPayment, type WantedPayment } from '../core/evm/httpPayment/verify';
import { readChainId } from '../core/evm/blocks';
import { readTokenFacts } from '../core/evm/tokens';
import { InvalidInput } from '../core/errors/invalidInput';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { optionsField } from '../core/operation/transportOptions';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { parseHash } from '../core/values/hex';
import { optionalParser } from '../core/values/numbers';
import { wholeNumberParser, InvalidValue } from '../core/values/parse';
import { parseAmountText } from '../core/values/units';
import { raise } from '../core/errors/raise';
import { TOKEN_NAME } from '../fields/tokenNames';

const paidToken = {
	displayName: 'Token',
	name: TOKEN_NAME,
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'The contract address of the token to pay in. It must support signed transfers (EIP-3009), as USDC does.',
	parse: parseEvmAddress,
} as const satisfies Field;

const to = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	description: 'The account that is paid',
	parse: parseEvmAddress,
} as const satisfies Field;

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0.01',
	description: 'How much a buyer pays for one response',
	hint: 'In tokens, such as 1.5',
	parse: (given: unknown) => {
		const text = parseAmountText(given);
		return /[1-9]/.test(text) ? text : raise(new InvalidValue('more than 0'));
	},
} as const satisfies Field;

const resourceUrl = {
	displayName: 'Resource URL',
	name: 'resourceUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/answer',
	description:
		'The URL of the resource for sale. Buyers see the URL, but it is not part of what they sign.',
} as const satisfies Field;

const description = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. An answer',
	description: 'What is for sale, in words for the buyer',
} as const satisfies Field;

const mimeType = {
	displayName: 'MIME Type',
	name: 'mimeType',
	type: 'string',
	default: '',
	placeholder: 'e.g. application/json',
	description: 'The MIME type of the response that is sold',
} as const satisfies Field;

const DEFAULT_TIMEOUT_SECONDS = 60;
/** The longest time for which a buyer's signature can be valid is a day. */
const MAX_TIMEOUT_SECONDS = 86_400;

const maxTimeout = {
	displayName: 'Max Timeout',
	name: 'maxTimeout',
	type: 'number',
	typeOptions: { minValue: 10, maxValue: MAX_TIMEOUT_SECONDS },
	default: DEFAULT_TIMEOUT_SECONDS,
	description: 'How many seconds the payment of the buyer stays valid',
	parse: wholeNumberParser(10, MAX_TIMEOUT_SECONDS),
} as const satisfies Field;

const requirePayment = rpcOperation({
	name: 'Require',
	action: 'Ask for payment over HTTP (x402)',
	description:
		'Create the response with status 402, which asks for a payment over HTTP (x402). The node Respond to Webhook sends it.',
	fields: [
		to,
		amount,
		paidToken,
		{ ...resourceUrl, required: true },
		description,
		mimeType,
		pathField('/'),
		optionsField([maxTimeout]),
	],
	async *run(p, chain) {
		const { domain, value } = await readWanted(chain, p);
		const { maxTimeout: seconds = DEFAULT_TIMEOUT_SECONDS } = p.options;
		yield formatPaymentRequired({ ...p, domain, value, maxTimeout: seconds });
	},
});

interface Price {
	readonly token: string;
	readonly to: string;
	/** The amount in whole tokens. */
	readonly amount: string;
}

async function readWanted(reader: RpcReader, p: Price): Promise<Omit<WantedPayment, 'maxGas'>> {
	const [domain, factsOf] = await Promise.all([
		readTokenDomain(reader, p.token),
		readTokenFacts(reader, [p.token]),
	]);
	const facts = factsOf(p.token);
	return { facts, domain, to: p.to, value: parseTokenAmount(p.amount, p.token, facts) };
}

const payment = {
	displayName: 'Payment',
	name: 'payment',
	type: 'string',
	default: '',
	placeholder: "e.g. {{ $json.headers['payment-signature'] ?? $json.headers['x-payment'] }}",
	description:
		"The header PAYMENT-SIGNATURE of the buyer's request (X-PAYMENT in version 1 of x402)",
	parse: (given: unknown) => given,
} as const satisfies Field;

const gas = {
	displayName: 'Gas',
	name: 'gas',
	type: 'number',
	default: Number(SIGNED_BY_CONTRACT_MAX_GAS),
	description:
		'The most gas that the payment may use if the payer is a contract, such as a contract wallet',
	parse: (given: unknown) => BigInt(parseGas(given)),
} as const satisfies Field;

const parseGas = wholeNumberParser(100_000, 10_000_000);

const verify = rpcOperation({
	name: 'Verify',
	action: 'Verify payment over HTTP (x402)',
	description:
		"Check whether a buyer's payment over HTTP (x402) could be carried out (settled) now",
	fields: [payment, to, amount, paidToken, resourceUrl, pathField('/'), optionsField([gas])],
	async *run(p, chain) {
		const { gas: maxGas = SIGNED_BY_CONTRACT_MAX_GAS } = p.options;
		const wanted = { ...(await readWanted(chain, p)), maxGas };
		yield await verifyPayment(chain, p.payment, wanted, Math.floor(Date.now() / 1000));
	},
});

const settledHash = {
	displayName: 'Transaction Hash',
	name: 'transactionHash',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
	description: 'The hash of the transaction that has settled (carried out) the payment',
	hint: 'Needed if the payment was carried out, that is, if the field Success is on',
	parse: optionalParser(parseHash),
} as const satisfies Field;

const payer = {
	displayName: 'Payer',
	name: 'payer',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	description: 'The account that has paid',
	parse: parseEvmAddress,
} as const satisfies Field;

const success = {
	displayName: 'Success',
	name: 'success',
	type: 'boolean',
	default: true,
	description: 'Whether the payment has been settled (carried out)',
} as const satisfies Field;

const respond = rpcOperation({
	name: 'Respond',
	action: 'Make receipt of payment (x402)',
	description:
		'Create the headers of an HTTP response that tell a buyer which transaction paid. The headers serve versions 1 and 2 of the payment protocol x402. The node Respond to Webhook sends the headers.',
	fields: [settledHash, payer, success, pathField('/')],
	async *run(p, chain) {
		if (p.success && p.transactionHash === undefined) throw noHashError();
		const transactionHash = p.transactionHash ?? '';
		yield formatReceipt({ ...p, transactionHash, chainId: await readChainId(chain) });
	},
});

function noHashError(): InvalidInput {
	return new InvalidInput(
		"'Transaction Hash' is required when 'Success' is on",
		'It is the hash of the transaction that has settled the payment.',
	);
}

export const httpPayment = {
	name: 'HTTP Payment',
	operations: { require: requirePayment, respond, verify },
};
