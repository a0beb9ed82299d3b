import {
	beginCell,
	Cell,
	loadMessage,
	loadMessageRelaxed,
	loadOutList,
	type Address,
	type MessageRelaxed,
	type Slice,
} from '@ton/core';
import { WALLETS } from './tonWallets.mts';

/**
 * This file decides independently whether rules allow a TON transfer. It reads the cells with @ton/core. Fees and send modes are tested in
 * `properties/tonDays`, with the chain's virtual machine.
 */

/** The rules of a credential. Addresses are raw. */
export interface TonRuled {
	/** The time of n8n's clock, in milliseconds. */
	readonly now: number;
	/** The type of the wallet for which transfers are signed. */
	readonly walletType: string;
	/** The amount is in nanocoins; undefined where nothing bounds it. */
	readonly maxAmount: bigint | undefined;
	/** The recipients. An empty list allows every address. */
	readonly recipients: readonly string[];
	readonly contracts: readonly string[];
	readonly limits: ReadonlyMap<string, bigint>;
	/** The first seqno that Daily Transactions does not allow yet. Undefined without this rule. */
	readonly endOfSeqnos: number | undefined;
}

/** A transfer as the wallet carries it out. */
export interface ReadTransfer {
	/** The raw address of the wallet. */
	readonly wallet: string;
	readonly seqno: number;
	readonly validUntil: number;
	readonly sends: ReadonlyArray<{ readonly mode: number; readonly message: MessageRelaxed }>;
}

type WalletName = keyof typeof WALLETS;

const SIGNATURE_BITS = 512;
const SIGNED_EXTERNAL = 0x7369676e;

/** Reads a signed message as the wallet's contract does. The hash is the hash of the part that the key signs. */
export function readSignedMessage(
	base64: string,
	name: WalletName,
): ReadTransfer & { readonly hash: string } {
	const message = loadMessage(Cell.fromBase64(base64).beginParse());
	if (message.info.type !== 'external-in') throw new Error('It is no message from outside');
	const wallet = message.info.dest.toRawString();
	const body = message.body.beginParse();
	const isNew = name.startsWith('v5r1');
	if (!isNew) body.skip(SIGNATURE_BITS);
	const signedBits = body.remainingBits - (isNew ? SIGNATURE_BITS : 0);
	const builder = beginCell().storeBits(body.loadBits(signedBits));
	while (body.remainingRefs > 0) builder.storeRef(body.loadRef());
	const signed = builder.endCell();
	const read = isNew ? readNewBody(signed.beginParse()) : readOldBody(signed.beginParse(), name);
	return { wallet, hash: signed.hash().toString('hex'), ...read };
}

function readNewBody(slice: Slice): Omit<ReadTransfer, 'wallet'> {
	if (slice.loadUint(32) !== SIGNED_EXTERNAL) throw new Error('It is no signed request');
	slice.skip(32);
	const place = { validUntil: slice.loadUint(32), seqno: slice.loadUint(32) };
	const actions = slice.loadMaybeRef();
	if (slice.loadBit()) throw new Error('It changes the wallet itself');
	slice.endParse();
	const sends = loadOutList((actions ?? Cell.EMPTY).beginParse()).map((action) => {
		if (action.type !== 'sendMsg') throw new Error(`It does ${action.type}`);
		return { mode: action.mode, message: action.outMsg };
	});
	return { ...place, sends };
}

function readOldBody(slice: Slice, name: WalletName): Omit<ReadTransfer, 'wallet'> {
	slice.skip(32);
	const place = { validUntil: slice.loadUint(32), seqno: slice.loadUint(32) };
	if (name === 'v4r2' && slice.loadUint(8) !== 0) throw new Error('It changes the wallet itself');
	const sends: Array<ReadTransfer['sends'][number]> = [];
	while (slice.remainingRefs > 0) {
		const mode = slice.loadUint(8);
		sends.push({ mode, message: loadMessageRelaxed(slice.loadRef().beginParse()) });
	}
	slice.endParse();
	return { ...place, sends };
}

const DAY_MS = 86_400_000;
const DESTROYS = 32;
const SENDS_ALL = 128;

/** Yields the name of each rule that the transfer breaks. */
export function* brokenByTon(
	{ wallet, seqno, validUntil, sends }: ReadTransfer,
	ruled: TonRuled,
): Generator<string> {
	if (!listWallets(ruled.walletType).includes(wallet)) yield 'wallet';
	const left = validUntil * 1000 - ruled.now;
	if (left <= 0 || left > DAY_MS) yield 'validity';
	if (ruled.endOfSeqnos !== undefined && seqno >= ruled.endOfSeqnos) yield 'budget';
	if (sends.some(({ mode }) => mode & DESTROYS)) yield 'destruction';
	if (ruled.maxAmount !== undefined) {
		const sum = sends.reduce((coins, { message }) => coins + getCoins(message), 0n);
		if (sum > ruled.maxAmount || sends.some(({ mode }) => mode & SENDS_ALL)) yield 'amount';
	}
	const sent = new Map<string, bigint>();
	for (const { message } of sends) {
		const to = getReceiver(message).toRawString();
		const move = readMove(message.body);
		yield* brokenByMessage(message, { wallet, to, move }, ruled);
		if (typeof move === 'object') sent.set(to, (sent.get(to) ?? 0n) + (move.jettons ?? 0n));
	}
	for (const [jettonWallet, most] of ruled.limits)
		if ((sent.get(jettonWallet) ?? 0n) > most) yield 'jettons';
}

/** Returns the raw addresses of the wallets of a type. */
function listWallets(walletType: string): readonly string[] {
	const entries = Object.entries(WALLETS).filter(([name]) => name.startsWith(walletType));
	return entries.map(([, { address }]) => address.toRawString());
}

function getReceiver({ info }: MessageRelaxed): Address {
	if (info.type !== 'internal') throw new Error('It sends a log');
	return info.dest;
}

function getCoins({ info }: MessageRelaxed): bigint {
	if (info.type !== 'internal') throw new Error('It sends a log');
	return info.value.coins;
}

interface Move {
	readonly jettons: bigint | undefined;
	readonly to: Address;
	readonly responseTo: Address | null;
	readonly custom: Cell | null;
	readonly forward: Cell;
}

const JETTON_TRANSFER = 0x0f8a7ea5;
const NFT_TRANSFER = 0x5fcc3d14;

/** Reads a transfer of jettons or of an NFT. Returns `unclear` for a body that begins like one but does not follow the standard. */
function readMove(body: Cell): Move | 'unclear' | undefined {
	const slice = body.beginParse(true);
	const opcode = !body.isExotic && slice.remainingBits >= 32 ? slice.loadUint(32) : undefined;
	if (opcode !== JETTON_TRANSFER && opcode !== NFT_TRANSFER) return undefined;
	try {
		slice.skip(64);
		const jettons = opcode === JETTON_TRANSFER ? slice.loadCoins() : undefined;
		const to = slice.loadAddress();
		const responseTo = slice.loadMaybeAddress();
		const custom = slice.loadMaybeRef();
		slice.loadCoins();
		const isInCell = slice.remainingBits > 0 && slice.loadBit();
		const forward = isInCell ? slice.loadRef() : slice.asCell();
		if (isInCell) slice.endParse();
		return { jettons, to, responseTo, custom, forward };
	} catch {
		return 'unclear';
	}
}

/** Whether the body is empty or only text for people: whole bytes, with at most one cell below each cell. */
function isText(body: Cell): boolean {
	if (body.isExotic) return false;
	if (body.bits.length === 0 && body.refs.length === 0) return true;
	if (body.bits.length < 32 || body.beginParse().loadUint(32) !== 0) return false;
	for (let cell: Cell | undefined = body; cell; [cell] = cell.refs)
		if (cell.isExotic || cell.bits.length % 8 !== 0 || cell.refs.length > 1) return false;
	return true;
}

interface Sent {
	readonly wallet: string;
	readonly to: string;
	readonly move: Move | 'unclear' | undefined;
}

function* brokenByMessage(
	{ info, init, body }: MessageRelaxed,
	{ wallet, to, move }: Sent,
	{ recipients, contracts, limits }: TonRuled,
): Generator<string> {
	const isNamed = contracts.includes(to);
	const isContract = (address: string) => contracts.includes('*') || contracts.includes(address);
	const isRecipient = (address: string) =>
		recipients.length === 0 || address === wallet || recipients.includes(address);
	if (info.type !== 'internal' || info.value.other) yield 'another currency';
	if (init && !isContract(to)) yield 'deployment';
	if (move === 'unclear') return yield 'an unclear move';
	const isLimited = move?.jettons !== undefined && limits.has(to);
	if (!isLimited && !isText(body) && !isContract(to)) yield 'body';
	if (!isLimited && !isNamed && !isRecipient(to)) yield 'recipient';
	if (!move) return;
	if (!isRecipient(move.to.toRawString())) yield 'receiver of a move';
	if (move.responseTo && !isRecipient(move.responseTo.toRawString())) yield 'rest of a move';
	if (move.custom && !isContract(to)) yield 'custom payload';
	if (!isText(move.forward) && !isContract(move.to.toRawString())) yield 'forward payload';
}
