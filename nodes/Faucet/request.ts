import { invalidResponse } from '../core/answers/answer';
import { shortened } from '../core/answers/serviceMessage';
import type { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { isRecord } from '../core/values/parseJson';
import { onceOptions } from '../core/protocols/transportOptions';
import { readAs } from '../core/values/read';
import { rest } from '../core/protocols/rest';
import { addressOn, chainName, CHAINS } from './chains';

const chain = {
	displayName: 'Chain',
	name: 'chain',
	type: 'options',
	default: 'sepolia',
	description:
		'The test network to get funds on. For a chain that is not listed, use an expression.',
	options: CHAINS,
	read: chainName,
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

export const request = rest({
	name: 'Request',
	action: 'Request testnet funds',
	description: 'Have testnet funds sent to an address. Each request is carried out at most once.',
	fields: [chain, address, onceOptions()],
	once: true,
	request: (p) => ({
		path: `/v1/faucet/${p.chain}`,
		body: { address: readAs(address.displayName, p.address, addressOn(p.chain)) },
	}),
	answer: payment,
	items: (paid, p) => [{ ...paid, chain: p.chain, address: p.address, ...hashIn(paid.url) }],
	advice,
});

interface Payment {
	readonly url: string;
}

/** The document promises a `url`; some services answer with `transaction`, which is the same, and an amount. */
function payment(body: unknown): Payment {
	if (!isRecord(body)) return invalidResponse('a payment', body);
	const { url, transaction, amountSent } = body;
	if (typeof url === 'string' && url !== '') return { ...body, url };
	if (typeof transaction !== 'string' || transaction === '')
		return invalidResponse('a payment', body);
	return {
		...body,
		url: transaction,
		...(amountSent !== undefined && { amountSent: String(amountSent) }),
	};
}

/** Hex as most chains write it, or base64 as TON does. */
const HASHES = [/^(0x)?[0-9a-f]{64}$/i, /^[\w-]{43}=?$/];

/** The hash stands somewhere in the explorer's address: in its path, its query or behind its #. */
function hashIn(url: string): { transactionHash: string | null } {
	const parts = url.slice(0, 2000).split(/[/?#&=]|%2f/i);
	const found = HASHES.map((hash) => parts.find((part) => hash.test(part)));
	return { transactionHash: found.find((hash) => hash !== undefined) ?? null };
}

const RULE =
	'The faucet pays addresses that hold at least 0.08 ETH on the main network, have held ETH there before and were not empty recently.';

function advice({ message, answer }: RequestFailure): string | undefined {
	const next = isRecord(answer) ? answer.nextFaucetAvailable : undefined;
	if (typeof next === 'string' || typeof next === 'number')
		return `The next payment is possible at ${shortened(String(next))}.`;
	return /balance|0\.08|hold|history|empty|eligib|spam/i.test(message) ? RULE : undefined;
}
