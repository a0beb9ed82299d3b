import type { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { atMostOnceOptions } from '../core/operation/transportOptions';
import { invalidResponseError, shortenMessage } from '../core/net/responses/response';
import { restOperation } from '../core/protocols/rest';
import { parseTonAddress } from '../core/ton/address';
import { parseEvmAddress } from '../core/evm/address';
import { isRecord, parseText, type Parse, parseField, InvalidValue } from '../core/values/parse';
import { raise } from '../core/errors/raise';

/** The chains in the documentation of the faucet. */
const CHAINS = [
	{ name: 'Amoy', value: 'amoy', description: 'Testnet POL' },
	{ name: 'BNB Testnet', value: 'bnb-testnet', description: 'Testnet BNB' },
	{ name: 'Hoodi', value: 'hoodi', description: 'Testnet ETH' },
	{ name: 'Scroll Sepolia Testnet', value: 'scroll-sepolia-testnet', description: 'Testnet ETH' },
	{ name: 'Sepolia', value: 'sepolia', description: 'Testnet ETH' },
	{ name: 'TON Testnet', value: 'ton-testnet', description: 'TON on the test network' },
	{ name: 'zkSync Testnet', value: 'zksync-testnet', description: 'Testnet ETH' },
] as const;

/**
 * Parses the name of a chain, which becomes a segment of the path. An expression may give a chain that is not in the
 * list.
 */
const parseChainName: Parse<string> = (given) => {
	const name = parseText(given);
	return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
		? name
		: raise(new InvalidValue('the name of a chain, such as sepolia'));
};

const chain = {
	displayName: 'Chain',
	name: 'chain',
	type: 'options',
	default: 'sepolia',
	description:
		'The test network to get funds on. An expression can give the name of a chain that is not listed.',
	options: CHAINS,
	parse: parseChainName,
} as const satisfies Field;

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account that receives the funds',
} as const satisfies Field;

export const request = restOperation({
	name: 'Request',
	action: 'Request testnet funds',
	description:
		'Request testnet funds for an address. Each request counts towards the limits of the faucet, and is sent at most once.',
	fields: [chain, address, atMostOnceOptions()],
	atMostOnce: true,
	request: (p) => ({
		path: `/v1/faucet/${p.chain}`,
		body: { address: parseField(address.displayName, p.address, addressParser(p.chain)) },
	}),
	answer: parsePayment,
	items: (paid, p) => [
		{ ...paid, chain: p.chain, address: p.address, ...findTransactionHash(paid.url) },
	],
	advice: getAdvice,
});

function addressParser(chain: string): Parse<string> {
	if (/^ton(-|$)/.test(chain)) return parseTonAddress;
	return CHAINS.some(({ value }) => value === chain) ? parseEvmAddress : parsePlainAddress;
}

const parsePlainAddress: Parse<string> = (given) => {
	const address = parseText(given);
	if (address.toLowerCase().startsWith('0x')) return parseEvmAddress(address);
	return /^[\w:.-]{8,128}$/.test(address)
		? address
		: raise(new InvalidValue('an address of the chosen chain'));
};

interface Payment {
	readonly url: string;
}

/**
 * Parses the answer of the faucet. Its documented key is `url`, but some services return `transaction` and an amount
 * instead.
 */
function parsePayment(body: unknown): Payment {
	if (!isRecord(body)) throw invalidResponseError('a payment', body);
	const { url, transaction, amountSent } = body;
	if (typeof url === 'string' && url !== '') return { ...body, url };
	if (typeof transaction !== 'string' || transaction === '') {
		throw invalidResponseError('a payment', body);
	}
	return {
		...body,
		url: transaction,
		...(amountSent !== undefined && { amountSent: String(amountSent) }),
	};
}

/** A transaction hash is written in hex, or in base64 on TON. */
const HASH_PATTERNS = [/^(0x)?[0-9a-f]{64}$/i, /^[\w-]{43}=?$/];

/** Finds the hash in the path, query or fragment of the explorer's URL. */
function findTransactionHash(url: string): { transactionHash: string | null } {
	const parts = url.slice(0, 2000).split(/[/?#&=]|%2f/i);
	const found = HASH_PATTERNS.map((hash) => parts.find((part) => hash.test(part)));
	return { transactionHash: found.find((hash) => hash !== undefined) ?? null };
}

const ELIGIBILITY_ADVICE =
	'The faucet pays addresses that hold at least 0.08 ETH on the main network, have held ETH there before and were not empty recently.';

function getAdvice({ message, answer }: RequestFailure): string | undefined {
	const next = isRecord(answer) ? answer.nextFaucetAvailable : undefined;
	if (typeof next === 'string' || typeof next === 'number') {
		return `The next payment is possible at ${shortenMessage(String(next))}.`;
	}
	return /balance|0\.08|hold|history|empty|eligib|spam/i.test(message)
		? ELIGIBILITY_ADVICE
		: undefined;
}
