import type { JsonObject } from '../../values/json';
import { parseHexBytes } from '../../values/hex';
import { catching, InvalidValue, isRecord, type Parse } from '../../values/parse';
import { parseForeignAuthorization, type Authorization } from './authorization';
import { decodeHeader, type X402Version } from './headers';

/** What a buyer's header says. None of it is verified. */
export interface ForeignPayment {
	readonly x402Version: X402Version;
	readonly scheme: unknown;
	readonly network: unknown;
	/** The offer to which the payment answers; undefined in version 1 of x402, which does not repeat the offer. */
	readonly accepted: JsonObject | undefined;
	readonly authorization: Authorization;
	readonly signature: string;
}

/** Why a payment is not valid: a code of the protocol, and a sentence for people. */
export interface Invalidity {
	readonly invalidReason: string;
	readonly invalidMessage: string;
}

export const INVALID_PAYLOAD = 'invalid_payload';

/** Parses the header of a stranger's payment, which may contain anything. */
export function parsePayment(given: unknown): ForeignPayment | Invalidity {
	if (typeof given !== 'string' || given.trim() === '') {
		return buildRejection(INVALID_PAYLOAD, 'There is no payment');
	}
	const content = decodeHeader(given);
	if (!content) return buildRejection(INVALID_PAYLOAD, 'The header is not a JSON object in base64');
	const { x402Version } = content;
	if (x402Version !== 1 && x402Version !== 2) {
		return buildRejection('invalid_x402_version', 'The version of the protocol is neither 1 nor 2');
	}
	const accepted = isRecord(content.accepted) ? content.accepted : {};
	const { scheme, network } = x402Version === 2 ? accepted : content;
	const payload = isRecord(content.payload) ? content.payload : {};
	const signed = catching(InvalidValue, () => ({
		authorization: parseForeignAuthorization(payload.authorization),
		signature: parseSignature(payload.signature),
	}));
	if (signed instanceof InvalidValue) {
		return buildRejection(INVALID_PAYLOAD, `The payment must have ${signed.message}`);
	}
	const isRepeated = x402Version === 2;
	return { x402Version, scheme, network, accepted: isRepeated ? accepted : undefined, ...signed };
}

const parseSignature: Parse<string> = (given) => parseHexBytes(given).toLowerCase();

export function buildRejection(invalidReason: string, invalidMessage: string): Invalidity {
	return { invalidReason, invalidMessage };
}
