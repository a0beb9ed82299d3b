import { parseTonAccount, type TonAccount } from './address';
import { memberParser, parseKnownObject } from '../values/knownObject';
import { MAX_UINT32 } from '../values/numbers';
import { wholeNumberParser, type Parse, InvalidValue } from '../values/parse';
import { CellBuilder } from './builder';
import type { Cell } from './cell';
import { bagParser } from './bag/parse';
import { buildInternalMessage, type InternalMessage } from './messages';
import { isStateInit } from './stateInit';
import { MAX_MESSAGES, WALLET_TYPES, type Wallet, type WalletType } from './wallets';
import { raise } from '../errors/raise';

/** The request to a wallet, as the operation Prepare writes it in readable JSON. */
export interface TonTransfer {
	readonly from: TonAccount;
	/**
	 * The kind of the wallet. Null for a wallet without code: then the owner of the key finds the kind by the address.
	 */
	readonly walletType: WalletType | null;
	/** Null is the usual one. */
	readonly walletId: number | null;
	readonly seqno: number;
	/** Unix seconds. */
	readonly validUntil: number;
	readonly sendMode: number;
	readonly messages: readonly InternalMessage[];
}

const MAX_SEND_MODE = 255;
const MAX_COINS = 2n ** 120n;

const TRANSFER_KEYS = [
	'from',
	'walletType',
	'walletId',
	'seqno',
	'validUntil',
	'sendMode',
	'messages',
] as const;
const MESSAGE_KEYS = ['to', 'amount', 'bounce', 'body', 'stateInit', 'says'] as const;

const parseField = memberParser('transfer');

/** Parses a transfer that Prepare has made. An unknown key is refused, because it would not be signed. */
export const parseTransfer: Parse<TonTransfer> = (given) => {
	const json = parseKnownObject(given, 'transfer', TRANSFER_KEYS);
	const field = <T>(name: string, parse: Parse<T>) => parseField(name, json[name], parse);
	const walletType = field('walletType', orNull(parseWalletType));
	return {
		from: field('from', parseTonAccount),
		walletType,
		walletId: field('walletId', orNull(wholeNumberParser(0, MAX_UINT32))),
		seqno: field('seqno', wholeNumberParser(0, MAX_UINT32)),
		validUntil: field('validUntil', wholeNumberParser(1, MAX_UINT32)),
		sendMode: field('sendMode', wholeNumberParser(0, MAX_SEND_MODE)),
		messages: parseMessages(json.messages, MAX_MESSAGES[walletType ?? 'v5r1']),
	};
};

function orNull<T>(parse: Parse<T>): Parse<T | null> {
	return (given) => (given === null || given === undefined ? null : parse(given));
}

const parseWalletType: Parse<WalletType> = (given) =>
	WALLET_TYPES.find((type) => type === given) ??
	raise(new InvalidValue(`one of ${WALLET_TYPES.join(', ')}, or null`));

function parseMessages(given: unknown, most: number): readonly InternalMessage[] {
	const list = parseField('messages', given, (all) =>
		Array.isArray(all) && all.length > 0 && all.length <= most
			? (all as unknown[])
			: raise(new InvalidValue(`a list of 1 to ${most} messages`)),
	);
	// One parser serves all messages, so that it limits the size of all their bags together.
	const parseBag = bagParser();
	return list.map((one, index) => parseMessage(one, `messages[${index}]`, parseBag));
}

function parseMessage(given: unknown, name: string, parseBag: Parse<Cell>): InternalMessage {
	const json = parseField(name, given, (one) => parseKnownObject(one, 'message', MESSAGE_KEYS));
	const field = <T>(key: string, parse: Parse<T>) => parseField(`${name}.${key}`, json[key], parse);
	return {
		to: field('to', parseTonAccount),
		amount: field('amount', parseNanocoins),
		bounce: field('bounce', parseFlag),
		body: field('body', orNull(parseBag)),
		stateInit: field('stateInit', orNull(stateInitParser(parseBag))),
	};
}

/** Parses nanocoins. Only text is accepted, because a number may have lost digits. */
const parseNanocoins: Parse<bigint> = (given) => {
	const isWhole = typeof given === 'string' && /^\d{1,37}$/.test(given);
	const amount = isWhole ? BigInt(given) : MAX_COINS;
	return amount < MAX_COINS
		? amount
		: raise(new InvalidValue('whole nanocoins as text, such as "1000000000" for 1 TON'));
};

/** Parses true or false. A text such as "false" is refused, because many programs would take it for true. */
const parseFlag: Parse<boolean> = (given) =>
	typeof given === 'boolean' ? given : raise(new InvalidValue('true or false'));

function stateInitParser(parseBag: Parse<Cell>): Parse<Cell> {
	return (given) => {
		const cell = parseBag(given);
		return isStateInit(cell)
			? cell
			: raise(
					new InvalidValue('a state init (the code and data of a new contract) in base64, or null'),
				);
	};
}

const SIGNED_EXTERNAL_OPCODE = 0x7369676e;
const SEND_MESSAGE_ACTION = 0x0ec3c86d;
/**
 * With this flag, a wallet leaves out a message that it cannot send. Without it, that message undoes the transfer,
 * except for its fees. In wallets before version 5 it also undoes the seqno, so that the chain takes the same
 * transfer again and again.
 */
export const IGNORE_ERRORS = 2;

/** Builds the body whose hash the key of the wallet signs. */
export function buildUnsignedBody(
	{ type, walletId }: Pick<Wallet, 'type' | 'walletId'>,
	transfer: Omit<TonTransfer, 'from' | 'walletType' | 'walletId'>,
): Cell {
	const { seqno, validUntil } = transfer;
	const sendMode = transfer.sendMode | IGNORE_ERRORS;
	if (transfer.messages.length > MAX_MESSAGES[type])
		throw new InvalidValue(
			`at most ${MAX_MESSAGES[type]} messages in one transfer of a wallet ${type}`,
		);
	const messages = transfer.messages.map(buildInternalMessage);
	const builder = new CellBuilder();
	if (type === 'v5r1') builder.storeUint(SIGNED_EXTERNAL_OPCODE, 32);
	builder.storeUint(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32);
	if (type === 'v5r1') {
		const actions = buildActions(messages, sendMode);
		return builder.storeMaybeReference(actions).storeBit(false).build();
	}
	if (type === 'v4r2') builder.storeUint(0, 8);
	for (const one of messages) builder.storeUint(sendMode, 8).storeReference(one);
	return builder.build();
}

/** Builds the list of actions from its end: each action refers to the previous ones. */
function buildActions(messages: readonly Cell[], mode: number): Cell {
	return messages.reduce(
		(before, message) =>
			new CellBuilder()
				.storeReference(before)
				.storeUint(SEND_MESSAGE_ACTION, 32)
				.storeUint(mode, 8)
				.storeReference(message)
				.build(),
		new CellBuilder().build(),
	);
}

/** Builds a signed body. In version 5 the signature comes after the signed part, in older versions before it. */
export function buildSignedBody(type: WalletType, unsigned: Cell, signature: Uint8Array): Cell {
	const builder = new CellBuilder();
	return type === 'v5r1'
		? builder.storeContent(unsigned).storeBytes(signature).build()
		: builder.storeBytes(signature).storeContent(unsigned).build();
}
