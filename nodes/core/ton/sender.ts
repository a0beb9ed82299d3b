import { Answer } from '../chain/answer';
import type { RestReader } from '../chain/reader';
import { isPermanent, RequestFailure } from '../errors/requestFailure';
import { readOnce, sharedKey } from '../net/pacing/shared';
import { rethrow } from '../values/parse';
import { readAccount, type AccountState } from './accounts';
import { formatTonAddresses, type TonAccount } from './address';
import { parseUnits } from './answer';
import { type Cell, measureCells } from './cell';
import { formatBag } from './bag/serialize';
import { buildInternalMessage, type InternalMessage } from './messages';
import { postApi } from './reader';
import { buildSignedBody, buildUnsignedBody } from './transfer';
import { getUsualWalletId, MAX_MESSAGES, WALLET_TYPES, type WalletType } from './wallets';

/** By default, fees are not taken from the amounts (1), and a message that cannot be paid for is left out (2). */
export const DEFAULT_SEND_MODE = 3;

/** A wallet that is to pay. Its kind is unknown if the wallet is not deployed yet. */
export interface Sender extends AccountState {
	readonly seqno: number;
}

/**
 * Reads a wallet that is to pay. Refuses an account that is not a wallet, which cannot send by the signature of a
 * key.
 */
export async function readSender(reader: RestReader, from: TonAccount): Promise<Sender> {
	const state = await readAccount(reader, from);
	const name = formatTonAddresses(from).nonBounceable;
	if (state.status === 'frozen')
		throw new RequestFailure(`The wallet ${name} is frozen`, {
			description:
				'The account has not paid its rent for too long. Its owner must deploy it again.',
		});
	if (state.status === 'active' && !state.walletType)
		throw new RequestFailure(`The contract ${name} is no wallet of a known kind`, {
			description: `Known kinds are ${WALLET_TYPES.join(', ')}.`,
		});
	return { ...state, seqno: state.seqno ?? 0 };
}

/**
 * Returns how many messages the wallet can send at once. If the kind of the wallet is unknown, the largest number
 * applies.
 */
export function getMaxMessages({ walletType }: AccountState): number {
	return MAX_MESSAGES[walletType ?? 'v5r1'];
}

/** Returns the ID of a wallet, or null if it is the usual ID for its kind. */
export function getUnusualWalletId({ walletType, walletId, account }: AccountState): number | null {
	if (!walletType || walletId === null) return null;
	const usual = [false, true].map((isTest) =>
		getUsualWalletId(walletType, account.workchain, isTest),
	);
	return usual.includes(walletId) ? null : walletId;
}

const SIGNATURE_BYTES = 64;
const LATEST_TIME = 2 ** 32 - 1;

/**
 * Builds a body for an estimate, with the wallet's present sequence number (seqno). Its signature is empty, because estimates ignore
 * signatures.
 */
function buildTestBody(
	sender: Sender & { readonly walletType: WalletType },
	messages: readonly InternalMessage[],
	sendMode: number,
): Cell {
	const { walletType: type, seqno, walletId, account } = sender;
	const wallet = { type, walletId: walletId ?? getUsualWalletId(type, account.workchain, false) };
	const transfer = { seqno, validUntil: LATEST_TIME, sendMode, messages };
	return buildSignedBody(type, buildUnsignedBody(wallet, transfer), Buffer.alloc(SIGNATURE_BYTES));
}

/** Asks the service what a transfer would cost. Returns undefined for a wallet that has no code yet. */
export async function estimateTransfer(
	reader: RestReader,
	sender: Sender,
	messages: readonly InternalMessage[],
	sendMode: number,
): Promise<unknown> {
	const { walletType } = sender;
	if (!walletType) return undefined;
	return await postApi(reader, 'estimateFee', {
		address: formatTonAddresses(sender.account).raw,
		body: formatBag(buildTestBody({ ...sender, walletType }, messages, sendMode)),
		ignore_chksig: true,
	});
}

const FEE_READS = sharedKey('ton.feeReads', () => new Map<string, Promise<bigint | null>>());

/**
 * Reads the fee of a transfer in nanocoins, without the amounts of its messages; null if the service cannot say it.
 * Transfers of one wallet with messages of the same sizes share one request in a run. After a failure, the service is
 * asked again.
 */
export async function readTransferFee(
	reader: RestReader,
	sender: Sender,
	messages: readonly InternalMessage[],
	sendMode: number,
): Promise<bigint | null> {
	const key = formatSizes(sender, messages, sendMode);
	const ask = async () => await askForFee(reader, sender, messages, sendMode);
	return await readOnce(reader.shared(FEE_READS), key, ask);
}

/** Formats the facts that determine the fee: bits, cells and workchains of the messages, but not their content. */
function formatSizes(
	{ account, seqno, balance }: Sender,
	messages: readonly InternalMessage[],
	sendMode: number,
): string {
	const sizes = messages.map((message) => {
		const { bits, cells } = measureCells(buildInternalMessage(message));
		const isPayable = message.amount <= balance;
		return [message.to.workchain, bits, cells, isPayable].join(' ');
	});
	return [formatTonAddresses(account).raw, seqno, sendMode, ...sizes].join();
}

async function askForFee(
	reader: RestReader,
	sender: Sender,
	messages: readonly InternalMessage[],
	sendMode: number,
): Promise<bigint | null> {
	try {
		const answer = await estimateTransfer(reader, sender, messages, sendMode);
		return answer === undefined ? null : readSourceFee(answer);
	} catch (failure) {
		const isOfCaller = [401, 403].includes((failure as Partial<RequestFailure>).httpCode ?? 0);
		return isPermanent(failure) && !isOfCaller ? null : rethrow(failure);
	}
}

export const FEE_PARTS = ['in_fwd_fee', 'storage_fee', 'gas_fee', 'fwd_fee'];

function readSourceFee(json: unknown): bigint {
	const answer = Answer.parse('fees', json);
	const fees =
		answer.readObject('source_fees') ?? answer.throwInvalid('source_fees', 'an object', json);
	return FEE_PARTS.reduce((sum, part) => sum + fees.read(part, parseUnits), 0n);
}

/**
 * Nanocoins to reserve for the wallet, each message, each bit and each cell. They are several times the present
 * costs.
 */
const WALLET_RESERVE = 20_000_000n;
const MESSAGE_RESERVE = 1_000_000n;
const BIT_RESERVE = 2_000n;
const CELL_RESERVE = 200_000n;

/** Computes how many nanocoins to reserve for the fee if the service cannot estimate it. */
export function computeFeeReserve(messages: readonly InternalMessage[]): bigint {
	return messages.reduce((sum, message) => {
		const { bits, cells } = measureCells(buildInternalMessage(message));
		return sum + MESSAGE_RESERVE + bits * BIT_RESERVE + cells * CELL_RESERVE;
	}, WALLET_RESERVE);
}
