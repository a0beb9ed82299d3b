import { parseJsonValue, tryParseJson, type JsonObject } from '../../values/json';
import { memberParser } from '../../values/knownObject';
import { parseUint256 } from '../../values/numbers';
import {
	catching,
	InvalidValue,
	isRecord,
	wholeNumberParser,
	type Parse,
} from '../../values/parse';
import { parseEvmAddress } from '../address';
import { decodeHeader, REQUIRED_HEADER, type X402Version } from './headers';
import { parseNetwork } from './networks';
import { raise } from '../../errors/raise';

/** The payment that a seller requires. All values come from a stranger. */
export interface PaymentRequired {
	readonly x402Version: X402Version;
	/** What is sold, with further data of the protocol. In version 2, the payment repeats these. */
	readonly repeated: JsonObject;
	readonly offers: ReadonlyArray<Offer | UnusableOffer>;
}

/** An offer that an authorization (EIP-3009) can pay. */
export interface Offer {
	/** The offer in its original form, which a payment of version 2 repeats exactly. */
	readonly given: JsonObject;
	readonly network: string;
	readonly chainId: bigint;
	readonly token: string;
	readonly to: string;
	/** The price, in the smallest unit of the token. */
	readonly value: bigint;
	/** For how many seconds from now the payment is to be valid. */
	readonly seconds: number;
	/** The name and version of the token, as signed data (EIP-712) contains them. */
	readonly name: string;
	readonly version: string;
}

export interface UnusableOffer {
	readonly problem: string;
}

/** Limits the offers of a seller, because each is decoded and judged. Sellers have only a few. */
const MAX_OFFERS = 50;

const EXPECTED = `a seller's response with status 402: its header ${REQUIRED_HEADER}, or its JSON body`;

/** Parses a seller's demand: its header, its body, or the whole response in the form of the node HTTP Request. */
export const parsePaymentRequired: Parse<PaymentRequired> = (given) => {
	const content = findContent(given) ?? raise(new InvalidValue(EXPECTED));
	const { x402Version, accepts, resource, extensions } = content;
	if (x402Version !== 1 && x402Version !== 2) {
		throw new InvalidValue(`${EXPECTED}, in which 'x402Version' is 1 or 2`);
	}
	const all: readonly unknown[] = Array.isArray(accepts) ? accepts : [];
	if (all.length === 0)
		throw new InvalidValue(`${EXPECTED}, with at least one payment offer in the list 'accepts'`);
	if (all.length > MAX_OFFERS)
		throw new InvalidValue(
			`${EXPECTED}, with at most ${MAX_OFFERS} payment offers in the list 'accepts'`,
		);
	return {
		x402Version,
		repeated: {
			...(resource !== undefined && { resource }),
			...(extensions !== undefined && { extensions }),
		},
		offers: all.map((one) => parseOffer(one, x402Version)),
	};
};

/**
 * Finds the demand in the header, the body or the whole response of a seller. The header, which belongs to version 2 of
 * x402, comes before the body.
 */
function findContent(given: unknown): JsonObject | undefined {
	if (typeof given === 'string') {
		const json = given.trim().startsWith('{') ? parseJsonValue(given) : decodeHeader(given);
		return isRecord(json) ? findContent(json) : undefined;
	}
	if (!isRecord(given) || given.x402Version !== undefined)
		return isRecord(given) ? given : undefined;
	const { body, headers } = given;
	const header = isRecord(headers) ? findHeader(headers) : undefined;
	const content = typeof header === 'string' ? decodeHeader(header) : undefined;
	const told = content ?? (typeof body === 'string' ? tryParseJson(body) : body);
	return isRecord(told) ? told : undefined;
}

function findHeader(headers: JsonObject): unknown {
	const wanted = REQUIRED_HEADER.toLowerCase();
	return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function parseOffer(given: unknown, x402Version: X402Version): Offer | UnusableOffer {
	const parsed = catching(InvalidValue, () => parseUsableOffer(given, x402Version));
	return parsed instanceof InvalidValue ? { problem: `it must be ${parsed.message}` } : parsed;
}

const member = memberParser('payment offer');

function parseUsableOffer(given: unknown, x402Version: X402Version): Offer {
	if (!isRecord(given)) throw new InvalidValue('a payment offer as a JSON object');
	const { network, extra } = given;
	const { name, version, assetTransferMethod = 'eip3009' } = isRecord(extra) ? extra : {};
	member('scheme', given.scheme, onlyParser('exact'));
	member('assetTransferMethod', assetTransferMethod, onlyParser('eip3009'));
	const amountName = x402Version === 2 ? 'amount' : 'maxAmountRequired';
	return {
		given,
		network: member('network', network, parseText),
		chainId: member('network', network, parseChain),
		token: member('asset', given.asset, parseEvmAddress),
		to: member('payTo', given.payTo, parseEvmAddress),
		value: member(amountName, given[amountName], parseUint256),
		seconds: member('maxTimeoutSeconds', given.maxTimeoutSeconds, wholeNumberParser(1)),
		name: member('extra.name', name, parseText),
		version: member('extra.version', version, parseText),
	};
}

function onlyParser(wanted: string): Parse<string> {
	return (given) => (given === wanted ? wanted : raise(new InvalidValue(wanted)));
}

const MAX_TEXT_CHARS = 1000;

const parseText: Parse<string> = (given) =>
	typeof given === 'string' && given !== '' && given.length <= MAX_TEXT_CHARS
		? given
		: raise(new InvalidValue(`text of at most ${MAX_TEXT_CHARS} characters`));

const parseChain: Parse<bigint> = (given) =>
	parseNetwork(given) ?? raise(new InvalidValue('an EVM chain, such as eip155:8453 or base'));
