import { catching, InvalidValue } from '../values/parse';
import { getOpcode } from './bodies';
import type { Cell } from './cell';
import { unreadableCellError } from './exotic';
import { parseInternalMessage, type InternalMessage } from './messages';
import { Slice } from './slice';
import type { WalletType } from './wallets';

/** A message that a signed body asks the wallet to send. */
export interface SignedMessageOfWallet extends InternalMessage {
	readonly sendMode: number;
}

const SIGNED_OPCODE = 0x7369676e;
const SEND_MESSAGE_ACTION = 0x0ec3c86d;
const SIGNATURE_BYTES = 64;
const HEAD_BITS = 32 + 32 + 32;

/**
 * Guesses the kind of a wallet by the opcode of a body; older wallets have a signature in its place. The two oldest
 * kinds have the same layout up to the seqno.
 */
export function guessWalletType(body: Cell): WalletType {
	return getOpcode(body) === SIGNED_OPCODE ? 'v5r1' : 'v4r2';
}

/**
 * Reads the messages that a wallet is asked to send. Returns undefined if it is asked for anything else, or the body
 * cannot be read.
 */
export function readSignedMessages(body: Cell): readonly SignedMessageOfWallet[] | undefined {
	const read = guessWalletType(body) === 'v5r1' ? readActions : readOlderMessages;
	const found = catching(InvalidValue, () => read(new Slice(body)));
	return found instanceof InvalidValue ? undefined : found;
}

function readOlderMessages(slice: Slice): readonly SignedMessageOfWallet[] {
	slice.loadBytes(SIGNATURE_BYTES);
	slice.loadUint(HEAD_BITS);
	const count = slice.remainingReferences;
	// In version 4, an operation number stands before the messages. The number 0 asks the wallet to send.
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

/**
 * Reads the list of actions of version 5. The list begins with its last action, and each action refers to the
 * previous ones.
 */
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
