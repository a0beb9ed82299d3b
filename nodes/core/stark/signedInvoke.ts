import { parseJsonValue } from '../values/json';
import { isRecord, type Parse, InvalidValue } from '../values/parse';
import { encodeFelt, tryParseFelt } from './felts';

/** A signed transaction as JSON, and the values that are read from it. */
export interface SignedInvoke {
	readonly json: Readonly<Record<string, unknown>>;
	readonly sender: bigint;
	readonly nonce: bigint;
	readonly signature: readonly bigint[];
}

const EXPECTED =
	'a signed transaction: JSON with type INVOKE, version 0x3, sender_address, nonce, calldata, resource_bounds and signature';

/** The chain's ID is in the hash that was signed, and is not sent. */
export const parseSignedInvoke: Parse<SignedInvoke> = (given) => {
	const json = parseJsonValue(given);
	if (!isRecord(json) || json.type !== 'INVOKE' || tryParseFelt(json.version) !== 3n)
		throw new InvalidValue(EXPECTED);
	const sent = Object.fromEntries(Object.entries(json).filter(([name]) => name !== 'chainId'));
	const sender = tryParseFelt(sent.sender_address);
	const nonce = tryParseFelt(sent.nonce);
	const [signature, calldata] = [parseFelts(sent.signature), parseFelts(sent.calldata)];
	const isWhole = calldata !== undefined && isRecord(sent.resource_bounds);
	if (sender === undefined || nonce === undefined || !isWhole) throw new InvalidValue(EXPECTED);
	if (signature === undefined || signature.length === 0)
		throw new InvalidValue('a signed transaction: its signature is missing');
	return {
		json: {
			...sent,
			sender_address: encodeFelt(sender),
			nonce: encodeFelt(nonce),
			calldata: calldata.map(encodeFelt),
			signature: signature.map(encodeFelt),
		},
		sender,
		nonce,
		signature,
	};
};

function parseFelts(given: unknown): bigint[] | undefined {
	if (!Array.isArray(given)) return undefined;
	const felts = given.map(tryParseFelt);
	return felts.every((felt) => felt !== undefined) ? felts : undefined;
}
