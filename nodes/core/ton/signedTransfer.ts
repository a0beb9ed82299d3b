import { catching, InvalidValue, type Parse } from '../values/parse';
import type { TonAccount } from './address';
import type { Cell } from './cell';
import { parseGivenBag } from './bag/parse';
import { computeNormalizedHash, encodeExternalMessage, parseExternalMessage } from './messages';
import { Slice } from './slice';
import type { WalletType } from './wallets';

/** A signed message from outside, ready to be sent. */
export interface SignedMessage {
	readonly to: TonAccount;
	/** The bag of cells, in base64. */
	readonly bag: string;
	/** The normalized hash of the message, as 64 hex digits. It is the same however the message is wrapped. */
	readonly hash: string;
	/** The hash of the message in its present form. */
	readonly plainHash: string;
	readonly body: Cell;
}

export const parseSignedMessage: Parse<SignedMessage> = (given) => {
	const cell = parseGivenBag(given);
	const message = catching(InvalidValue, () => parseExternalMessage(cell));
	if (message instanceof InvalidValue)
		throw new InvalidValue(
			'a signed message to a wallet, as a bag of cells (the data format of TON) in base64',
		);
	return {
		to: message.to,
		body: message.body,
		bag: encodeExternalMessage(cell).toString('base64'),
		hash: computeNormalizedHash(message).toString('hex'),
		plainHash: cell.hash.toString('hex'),
	};
};

interface TransferPlace {
	readonly seqno: number;
	/** The time is in Unix seconds. */
	readonly validUntil: number;
}

const SIGNATURE_BYTES = 64;

/**
 * Reads the seqno and the time limit, which a wallet checks first. Returns undefined for a body that this kind of
 * wallet does not accept.
 */
export function readTransferPlace(type: WalletType, body: Cell): TransferPlace | undefined {
	const place = catching(InvalidValue, () => {
		const slice = new Slice(body);
		// A body of version 5 begins with an opcode, and an older body begins with its signature.
		if (type === 'v5r1') slice.loadNumber(32);
		else slice.loadBytes(SIGNATURE_BYTES);
		slice.loadNumber(32);
		const validUntil = slice.loadNumber(32);
		return { validUntil, seqno: slice.loadNumber(32) };
	});
	return place instanceof InvalidValue ? undefined : place;
}
