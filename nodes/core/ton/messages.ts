import type { TonAccount } from './address';
import { InvalidValue } from '../values/parse';
import { CellBuilder } from './builder';
import type { Cell } from './cell';
import { serializeBag } from './bag/serialize';
import { unreadableCellError } from './exotic';
import { Slice } from './slice';
import { loadStateInit } from './stateInit';
import { raise } from '../errors/raise';

/** A message from one contract to another. */
export interface InternalMessage {
	readonly to: TonAccount;
	/** In nanocoins. */
	readonly amount: bigint;
	/** Whether the coins come back if the receiver fails. */
	readonly bounce: boolean;
	/** Null is an empty one. */
	readonly body: Cell | null;
	readonly stateInit: Cell | null;
	/**
	 * Any 64 bits, stored where the chain later writes the time of the message. A payment carries its mark here, which
	 * identifies it.
	 */
	readonly mark?: bigint;
}

export const MARK_BITS = 64;
const NO_CURRENCIES_AND_FEES_BITS = 1 + 4 + 4;
const CREATED_AT_BITS = 32;

/** Builds a message as the data that a wallet is asked to send. The chain fills in the sender, the time and the fee. */
export function buildInternalMessage(message: InternalMessage): Cell {
	const { to, amount, bounce, stateInit } = message;
	const builder = new CellBuilder()
		.storeUint(bounce ? 0b0110 : 0b0100, 4)
		.storeAddress(null)
		.storeAddress(to)
		.storeCoins(amount)
		.storeUint(0, NO_CURRENCIES_AND_FEES_BITS)
		.storeUint(message.mark ?? 0n, MARK_BITS)
		.storeUint(0, CREATED_AT_BITS);
	storeInit(builder, stateInit, 0);
	return storeBody(builder, message.body ?? new CellBuilder().build()).build();
}

/** Parses a message from the data that a wallet is asked to send. Throws InvalidValue for anything else. */
export function parseInternalMessage(message: Cell): InternalMessage {
	const slice = new Slice(message);
	const flags = slice.loadNumber(4);
	if ((flags & 0b1000) !== 0) throw unreadableCellError('they are no message to another contract');
	slice.loadAddress();
	const to = slice.loadAddress() ?? raise(unreadableCellError('the message has no receiver'));
	const amount = slice.loadCoins();
	if (slice.loadBit()) throw unreadableCellError('the message carries other currencies');
	slice.loadCoins();
	slice.loadCoins();
	const mark = slice.loadUint(MARK_BITS);
	slice.loadUint(CREATED_AT_BITS);
	const stateInit = slice.loadBit() ? loadInit(slice) : null;
	const body = loadBody(slice);
	if (!slice.isAtEnd) throw unreadableCellError('more data follows the message');
	const isEmpty = body.bits === 0 && body.references.length === 0;
	const bounce = (flags & 0b0010) !== 0;
	return { to, amount, bounce, body: isEmpty ? null : body, stateInit, mark };
}

function loadBody(slice: Slice): Cell {
	return slice.loadBit() ? slice.loadReference() : new CellBuilder().storeRest(slice).build();
}

const EXTERNAL_TAG = 0b10;
const NO_FEE_BITS = 4;

/** Builds a message from outside to a contract. */
export function buildExternalMessage(to: TonAccount, body: Cell, stateInit: Cell | null): Cell {
	const builder = startExternalMessage(to);
	storeInit(builder, stateInit, body.bits);
	return storeBody(builder, body).build();
}

function startExternalMessage(to: TonAccount): CellBuilder {
	return new CellBuilder()
		.storeUint(EXTERNAL_TAG, 2)
		.storeAddress(null)
		.storeAddress(to)
		.storeUint(0, NO_FEE_BITS);
}

/**
 * Stores the state init inline if it fits, and otherwise by reference. The common libraries do the same, so equal
 * messages have equal hashes.
 */
function storeInit(builder: CellBuilder, stateInit: Cell | null, bitsBehind: number): void {
	builder.storeBit(stateInit !== null);
	if (!stateInit) return;
	const isInline = builder.freeBits - 2 >= stateInit.bits + bitsBehind;
	builder.storeBit(!isInline);
	if (isInline) builder.storeContent(stateInit);
	else builder.storeReference(stateInit);
}

function storeBody(builder: CellBuilder, body: Cell): CellBuilder {
	const fits =
		builder.freeBits - 1 >= body.bits && builder.freeReferences >= body.references.length;
	const isInline = fits && !body.isExotic;
	builder.storeBit(!isInline);
	return isInline ? builder.storeContent(body) : builder.storeReference(body);
}

/** The chain refuses a message from outside that has more bytes, or whose cells are nested deeper. */
const MAX_EXTERNAL_BYTES = 65_535;
const MAX_EXTERNAL_DEPTH = 512;

/** Serializes a message from outside to the bytes that are sent. Throws if the chain would refuse its size. */
export function encodeExternalMessage(message: Cell): Buffer {
	const bytes = serializeBag(message);
	return bytes.length <= MAX_EXTERNAL_BYTES && message.depth <= MAX_EXTERNAL_DEPTH
		? bytes
		: raise(
				new InvalidValue(
					`a message of at most ${MAX_EXTERNAL_BYTES} bytes, whose cells (the units of data on TON) are nested at most ${MAX_EXTERNAL_DEPTH} levels deep`,
				),
			);
}

export interface ExternalMessage {
	readonly to: TonAccount;
	readonly body: Cell;
	readonly stateInit: Cell | null;
}

const EXTERNAL_ADDRESS_TAG = 0b01;
const EXTERNAL_ADDRESS_LENGTH_BITS = 9;

/** Parses a message from outside to an account. Throws InvalidValue for anything else. */
export function parseExternalMessage(message: Cell): ExternalMessage {
	const slice = new Slice(message);
	if (slice.loadNumber(2) !== EXTERNAL_TAG)
		throw unreadableCellError('they are no message from outside');
	skipSender(slice);
	const to = slice.loadAddress() ?? raise(unreadableCellError('the message has no receiver'));
	slice.loadCoins();
	const stateInit = slice.loadBit() ? loadInit(slice) : null;
	const body = loadBody(slice);
	if (!slice.isAtEnd) throw unreadableCellError('more data follows the message');
	return { to, body, stateInit };
}

function skipSender(slice: Slice): void {
	const tag = slice.loadNumber(2);
	if (tag === EXTERNAL_ADDRESS_TAG) slice.loadUint(slice.loadNumber(EXTERNAL_ADDRESS_LENGTH_BITS));
	else if (tag !== 0)
		throw unreadableCellError('the message has a sender, and so is not from outside');
}

function loadInit(slice: Slice): Cell {
	if (!slice.loadBit()) return loadStateInit(slice);
	const reference = slice.loadReference();
	loadStateInit(new Slice(reference));
	return reference;
}

/**
 * Computes the normalized hash of a message from outside (TEP-467). Only the receiver and the body of the message
 * change it.
 */
export function computeNormalizedHash({ to, body }: Pick<ExternalMessage, 'to' | 'body'>): Buffer {
	return startExternalMessage(to).storeUint(0b01, 2).storeReference(body).build().hash;
}
