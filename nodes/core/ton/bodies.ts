import type { TonAccount } from './address';
import { catching, exactTextParser, InvalidValue, parseUtf8, type Parse } from '../values/parse';
import { CellBuilder } from './builder';
import type { Cell } from './cell';
import { unreadableCellError } from './exotic';
import { Slice } from './slice';
import { loadSnake, MAX_SNAKE_BYTES, storeSnake } from './snake';
import { raise } from '../errors/raise';

const OPCODE_BITS = 32;
const QUERY_ID_BITS = 64;

/** The opcode is the first 32 bits of a message's body. It says what the message means. */
export const OPCODES = {
	comment: 0x00000000,
	encryptedComment: 0x2167da4b,
	jettonTransfer: 0x0f8a7ea5,
	jettonReceipt: 0x178d4519,
	nftTransfer: 0x5fcc3d14,
	nftNotification: 0x05138d91,
	bounced: 0xffffffff,
} as const;

/** Reads the opcode of a body. Returns null for an exotic cell, and for a body that is too short to have an opcode. */
export function getOpcode(body: Cell): number | null {
	return body.bits < OPCODE_BITS || body.isExotic ? null : new Slice(body).loadNumber(OPCODE_BITS);
}

/** Formats an opcode as 0x and 8 digits. */
export function formatOpcode(opcode: number | null): string | null {
	return opcode === null ? null : `0x${opcode.toString(16).padStart(8, '0')}`;
}

const parseCommentBytes = exactTextParser(MAX_SNAKE_BYTES);

/** Parses the comment that the receiver of a payment shall read. The text is not changed. */
export const parseComment: Parse<string> = (given) => parseCommentBytes(given).toString();

export function buildComment(text: string): Cell {
	const builder = new CellBuilder().storeUint(OPCODES.comment, OPCODE_BITS);
	return storeSnake(builder, parseUtf8(text)).build();
}

/** Builds the body of a payment with this comment. An empty comment gives no body. */
export function buildCommentBody(comment: string): Cell | null {
	return comment === '' ? null : buildComment(comment);
}

/** The comment that a message carries. Its sender can write any text. */
export interface Comment {
	/** The comment is null if there is none, or if it is encrypted. */
	readonly comment: string | null;
	/** Whether the body has an encrypted comment, which only its receiver can read. */
	readonly isEncrypted: boolean;
}

/** Reads the comment of a body; an empty body has none. Bytes that are not UTF-8 are replaced. */
export function readComment(body: Cell | null): Comment {
	const opcode = body && getOpcode(body);
	const text = body && opcode === OPCODES.comment ? tryRead(body, loadSnake) : undefined;
	return { comment: text?.toString() ?? null, isEncrypted: opcode === OPCODES.encryptedComment };
}

/** Reads the data after the opcode. Returns undefined unless `load` reads them exactly to their end. */
function tryRead<T>(body: Cell, load: (slice: Slice) => T): T | undefined {
	return tryReadBegin(body, (slice) => {
		const value = load(slice);
		return slice.isAtEnd ? value : raise(unreadableCellError('more data follows a body'));
	});
}

function tryReadBegin<T>(body: Cell, load: (slice: Slice) => T): T | undefined {
	const found = catching(InvalidValue, () => {
		const slice = new Slice(body);
		slice.loadNumber(OPCODE_BITS);
		return load(slice);
	});
	return found instanceof InvalidValue ? undefined : found;
}

/** What the receiver gets with jettons or an NFT: coins, and a payload such as a comment. */
interface Forwarded {
	readonly forwardAmount: bigint;
	readonly forwardPayload: Cell | null;
}

/** The message with which an owner asks the owner's jetton wallet to transfer jettons. */
export interface JettonTransfer extends Forwarded {
	readonly queryId: bigint;
	/** The amount is in the smallest unit of the jetton. */
	readonly amount: bigint;
	readonly to: TonAccount | null;
	/** The account that gets back the coins that the transfer does not use. */
	readonly responseTo: TonAccount | null;
	readonly customPayload: Cell | null;
}

/** The message with which an owner asks an NFT to change its owner. */
interface NftTransfer extends Forwarded {
	readonly queryId: bigint;
	readonly to: TonAccount | null;
	readonly responseTo: TonAccount | null;
	readonly customPayload: Cell | null;
}

/**
 * The message that brings jettons to a jetton wallet, or with which this wallet notifies its owner. Only the message
 * to the wallet proves a payment.
 */
interface JettonReceipt {
	readonly queryId: bigint;
	readonly amount: bigint;
	/** The owner who sent the jettons. Null if the message names no sender. */
	readonly from: TonAccount | null;
	readonly forwardPayload: Cell | null;
}

/** A transfer that a jetton wallet has carried out. */
interface JettonSending extends Pick<JettonTransfer, 'queryId' | 'amount' | 'to'> {
	readonly forwardPayload: Cell | null;
}

export function buildJettonTransfer(transfer: JettonTransfer): Cell {
	return startBody(OPCODES.jettonTransfer, transfer.queryId)
		.storeCoins(transfer.amount)
		.storeAddress(transfer.to)
		.storeAddress(transfer.responseTo)
		.storeMaybeReference(transfer.customPayload)
		.storeCoins(transfer.forwardAmount)
		.storeMaybeReference(transfer.forwardPayload)
		.build();
}

export function buildNftTransfer(transfer: NftTransfer): Cell {
	return startBody(OPCODES.nftTransfer, transfer.queryId)
		.storeAddress(transfer.to)
		.storeAddress(transfer.responseTo)
		.storeMaybeReference(transfer.customPayload)
		.storeCoins(transfer.forwardAmount)
		.storeMaybeReference(transfer.forwardPayload)
		.build();
}

function startBody(opcode: number, queryId: bigint): CellBuilder {
	return new CellBuilder().storeUint(opcode, OPCODE_BITS).storeUint(queryId, QUERY_ID_BITS);
}

/**
 * Parses a request to transfer jettons. Returns undefined for any other body, and for a body that cannot be read to
 * its end.
 */
export function parseJettonTransfer(body: Cell): JettonTransfer | undefined {
	if (getOpcode(body) !== OPCODES.jettonTransfer) return undefined;
	return tryRead(body, (slice) => ({
		queryId: slice.loadUint(QUERY_ID_BITS),
		amount: slice.loadCoins(),
		to: slice.loadAddress(),
		responseTo: slice.loadAddress(),
		customPayload: slice.loadMaybeReference(),
		forwardAmount: slice.loadCoins(),
		forwardPayload: loadPayload(slice),
	}));
}

export function parseNftTransfer(body: Cell): NftTransfer | undefined {
	if (getOpcode(body) !== OPCODES.nftTransfer) return undefined;
	return tryRead(body, (slice) => ({
		queryId: slice.loadUint(QUERY_ID_BITS),
		to: slice.loadAddress(),
		responseTo: slice.loadAddress(),
		customPayload: slice.loadMaybeReference(),
		forwardAmount: slice.loadCoins(),
		forwardPayload: loadPayload(slice),
	}));
}

/**
 * Parses the message that brings jettons to a jetton wallet. It comes from the sender's jetton wallet, or from the
 * master when it mints.
 */
export function parseJettonReceipt(body: Cell): JettonReceipt | undefined {
	if (getOpcode(body) !== OPCODES.jettonReceipt) return undefined;
	const moved = parseMovedJettons(body, (slice) => {
		slice.loadAddress();
		slice.loadCoins();
	});
	if (!moved) return undefined;
	const { otherOwner: from, ...receipt } = moved;
	return { from, ...receipt };
}

/**
 * Parses a jetton transfer that a jetton wallet has carried out. For a transfer that is only requested, use
 * `parseJettonTransfer`.
 */
export function parseJettonSending(body: Cell): JettonSending | undefined {
	if (getOpcode(body) !== OPCODES.jettonTransfer) return undefined;
	const moved = parseMovedJettons(body, (slice) => {
		slice.loadAddress();
		slice.loadMaybeReference();
		slice.loadCoins();
	});
	if (!moved) return undefined;
	const { otherOwner: to, ...sending } = moved;
	return { to, ...sending };
}

/**
 * Parses a body as far as a jetton wallet does: the wallet moves the amount without reading the rest. If the rest
 * cannot be read, the payload counts as missing.
 */
function parseMovedJettons(body: Cell, skipToPayload: (slice: Slice) => void) {
	const moved = tryReadBegin(body, loadMovedJettons);
	const forwardPayload = tryRead(body, (slice) => {
		loadMovedJettons(slice);
		skipToPayload(slice);
		return loadPayload(slice);
	});
	return moved && { ...moved, forwardPayload: forwardPayload ?? null };
}

function loadMovedJettons(slice: Slice) {
	return {
		queryId: slice.loadUint(QUERY_ID_BITS),
		amount: slice.loadCoins(),
		otherOwner: slice.loadAddress(),
	};
}

/** Loads the payload, which stands inline or in a cell of its own. Contracts also accept a missing payload. */
function loadPayload(slice: Slice): Cell | null {
	if (slice.remainingBits > 0 && slice.loadBit()) return slice.loadReference();
	return slice.isAtEnd ? null : new CellBuilder().storeRest(slice).build();
}

/** Parses the message that returns jettons. After its bounce prefix, it begins with the body that was sent. */
export function parseBouncedReceipt(
	body: Cell,
): Pick<JettonReceipt, 'queryId' | 'amount'> | undefined {
	if (getOpcode(body) !== OPCODES.bounced) return undefined;
	return tryReadBegin(body, (slice) => {
		if (slice.loadNumber(OPCODE_BITS) !== OPCODES.jettonReceipt)
			throw unreadableCellError('something else came back');
		return { queryId: slice.loadUint(QUERY_ID_BITS), amount: slice.loadCoins() };
	});
}
