import { catching, InvalidValue } from '../values/parse';
import { getOpcode } from './bodies';
import type { Cell } from './cell';
import { unreadableCellError } from './exotic';
import { parseInternalMessage, type InternalMessage } from './messages';
import { Slice } from './slice';
import type { WalletType } from './wallets';

/** The request in a signed body to a wallet. */
export interface SignedMessageOfWallet extends InternalMessage {
	readonly sendMode: number;
}

const SIGNED_OPCODE = 0x7369676e;
const SEND_MESSAGE_ACTION = 0x0ec3c86d;
const SIGNATURE_BYTES = 64;
const HEAD_BITS = 32 + 32 + 32;

/** Finds the layout by its opcode: older wallets have a signature there. The two oldest differ only after the seqno. */
export function guessWalletType(body: Cell): WalletType {
	return getOpcode(body) === SIGNED_OPCODE ? 'v5r1' : 'v4r2';
}

/** Reads what a wallet is asked to send; undefined if it is asked for anything else, or the body cannot be read. */
export function readSignedMessages(body: Cell): readonly SignedMessageOfWallet[] | undefined {
	const read = guessWalletType(body) === 'v5r1' ? readActions : readOlderMessages;
	const found = catching(InvalidValue, () => read(new Slice(body)));
	return found instanceof InvalidValue ? undefined : found;
}

function readOlderMessages(slice: Slice): readonly SignedMessageOfWallet[] {
	slice.loadBytes(SIGNATURE_BYTES);
	slice.loadUint(HEAD_BITS);
	const count = slice.remainingReferences;
	// The fourth version has a number of what is wanted before the messages: 0 is to send.
	if (slice.remainingBits === 8 * count + 8 && slice.loadNumber(8) !== 0)
		throw unreadableCellError('the wallet is asked for something else');
	if (slice.remainingBits !== 8 * count) throw unreadableCellError('it is no transfer');
	return Array.from({ length: count }, () => readMessage(slice));
}

function readMessage(slice: Slice): SignedMessageOfWallet {
	const sendMode = slice.loadNumber(8);
	return { ...parseInternalMessage(slice.loadReference()), sendMode };
}

const MAX_ACTIONS = 255;

/** The list begins with its last entry; each entry has a reference to the earlier ones. */
function readActions(slice: Slice): readonly SignedMessageOfWallet[] {
	slice.loadUint(32 + HEAD_BITS);
	let rest = slice.loadMaybeReference();
	if (slice.loadBit()) throw unreadableCellError('the wallet is asked for something else');
	const messages: SignedMessageOfWallet[] = [];
	while (rest && rest.bits > 0) {
		const action = new Slice(rest);
		rest = action.loadReference();
		if (action.loadNumber(32) !== SEND_MESSAGE_ACTION || messages.length === MAX_ACTIONS)
			throw unreadableCellError('the wallet is asked for something else');
		messages.unshift(readMessage(action));
	}
	return messages;
}
