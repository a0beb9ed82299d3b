import { catching, InvalidValue, throwInvalidValue, type Parse } from '../values/parse';
import type { TonAccount } from './address';
import type { Cell } from './cell';
import { parseBag } from './decodeBag';
import { computeNormalizedHash, encodeExternalMessage, parseExternalMessage } from './messages';
import { Slice } from './slice';
import type { WalletType } from './wallets';

/** A signed message from outside, ready to be sent. */
export interface SignedMessage {
	readonly to: TonAccount;
	/** In base64. */
	readonly bag: string;
	/** 64 hex digits: the same however it is wrapped. */
	readonly hash: string;
	/** The hash of the very bytes. */
	readonly plainHash: string;
	readonly body: Cell;
}

export const parseSignedMessage: Parse<SignedMessage> = (given) => {
	const cell = parseBag(given);
	const message = catching(InvalidValue, () => parseExternalMessage(cell));
	if (message instanceof InvalidValue)
		return throwInvalidValue('a signed message to a wallet, as a bag of cells in base64');
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
	/** Unix seconds. */
	readonly validUntil: number;
}

const SIGNATURE_BYTES = 64;

/** What a wallet checks before all else; undefined for a body that is none of this wallet's. */
export function readTransferPlace(type: WalletType, body: Cell): TransferPlace | undefined {
	const place = catching(InvalidValue, () => {
		const slice = new Slice(body);
		// The signature comes first in older wallets, an opcode in the fifth version.
		if (type === 'v5r1') slice.loadNumber(32);
		else slice.loadBytes(SIGNATURE_BYTES);
		slice.loadNumber(32);
		const validUntil = slice.loadNumber(32);
		return { validUntil, seqno: slice.loadNumber(32) };
	});
	return place instanceof InvalidValue ? undefined : place;
}
