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

/** The fees are paid separately from the amounts, and a message that cannot be paid for is left out. */
export const DEFAULT_SEND_MODE = 3;

/** A wallet that is to pay. The kind of a wallet that is not deployed yet is unknown. */
export interface Sender extends AccountState {
	readonly seqno: number;
}

/** Reads a wallet, and refuses an account that cannot send by the signature of a key. */
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

/** Returns how many messages the wallet can send at once. If only its owner knows the kind, the largest number applies. */
export function getMaxMessages({ walletType }: AccountState): number {
	return MAX_MESSAGES[walletType ?? 'v5r1'];
}

/** Returns null for a wallet with the usual ID. */
export function getUnusualWalletId({ walletType, walletId, account }: AccountState): number | null {
	if (!walletType || walletId === null) return null;
	const usual = [false, true].map((isTest) =>
		getUsualWalletId(walletType, account.workchain, isTest),
	);
	return usual.includes(walletId) ? null : walletId;
}

const SIGNATURE_BYTES = 64;
const LATEST_TIME = 2 ** 32 - 1;

/** Builds a body for an estimate: with an empty signature, which estimates ignore, and the seqno that the wallet has now. */
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

/** Asks the service for the cost of a transfer; undefined for a wallet that has no code yet. */
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
 * Reads the fee in nanocoins, beside what the messages carry; null where the service cannot say it. Transfers of one wallet
 * whose messages have the same sizes cost the same, and are asked for once in a run, or again after a failure.
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

/** Fees depend on the number of bits and cells and on the workchains, but not on the content. */
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

/** Reserves that are several times today's cost of the wallet, each message, each bit and each cell, in nanocoins. */
const WALLET_RESERVE = 20_000_000n;
const MESSAGE_RESERVE = 1_000_000n;
const BIT_RESERVE = 2_000n;
const CELL_RESERVE = 200_000n;

/** Computes how many nanocoins are reserved for the fee if the service cannot estimate it. */
export function computeFeeReserve(messages: readonly InternalMessage[]): bigint {
	return messages.reduce((sum, message) => {
		const { bits, cells } = measureCells(buildInternalMessage(message));
		return sum + MESSAGE_RESERVE + bits * BIT_RESERVE + cells * CELL_RESERVE;
	}, WALLET_RESERVE);
}
