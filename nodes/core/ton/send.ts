import { Answer } from '../chain/answer';
import type { PatientRestReader, RestReader } from '../chain/reader';
import { searchFor, sendOnce, type Sent } from '../chain/sending';
import { RequestFailure } from '../errors/requestFailure';
import { catching, rethrow } from '../values/parse';
import { readAccount } from './accounts';
import { formatTonAddresses } from './address';
import { parseTonHash } from './answer';
import { formatExitCode } from './exitCodes';
import { findByMessage } from './messageTree';
import { postMessage } from './reader';
import { readTransferPlace, type SignedMessage } from './signedTransfer';
import type { WalletType } from './wallets';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

/** A block takes some seconds, and the index some more. */
const SEARCH = { pauseMs: 30_000, limitMs: 60_000 };

/** The messages that a node has accepted in this run. Until a block contains a message, a node accepts it each time. */
const TAKEN_MESSAGES = sharedKey('ton.takenMessages', () => new Set<string>());

interface SendTerms {
	/** How long to wait for a wallet that makes no transfer. The validity of the transfer also limits this time. */
	readonly turnSeconds?: number;
	/** A node of this run has accepted it, but the chain does not have it. */
	readonly isAgain?: boolean;
}

/** Sends a signed message at most once, as soon as its wallet has reached the message's seqno. */
export async function sendMessage(
	reader: PatientRestReader,
	message: SignedMessage,
	{ turnSeconds = MAX_TURN_SECONDS, isAgain = false }: SendTerms = {},
): Promise<Sent> {
	const taken = reader.shared(TAKEN_MESSAGES);
	let walletType: WalletType | null = null;
	return await sendOnce(reader, {
		// Those in the queue wait for this one, which is therefore sent again without waiting for them.
		queue: isAgain ? message.hash : formatTonAddresses(message.to).raw,
		noun: 'message',
		hashOf: () => message.hash,
		prepare: async (hash) => {
			if (taken.has(hash) && !isAgain) return true;
			const turn = await waitForTurn(reader, message, turnSeconds);
			if (turn === 'done') return true;
			walletType = turn;
			return false;
		},
		post: async (hash) => {
			const named = await post(reader, message, walletType);
			taken.add(hash);
			return { named, wasKnown: false };
		},
		searchRefused: (refusal) => {
			const isUsual = SEQNO_CODE_PATTERN.test(refusal.message);
			return { pauseMs: isUsual ? SEARCH.pauseMs : 0, isUsual };
		},
		find: async () => await isMessageOnChain(reader, message),
		limitSearch: () => SEARCH,
		formatAdvice: (_failure, hash) => `Its hash is ${hash}.`,
	});
}

/**
 * Codes of wallets for a seqno that is not the next one. The message may have used the seqno in a block that the index does
 * not have yet.
 */
const SEQNO_CODE_PATTERN = /exit code 1?33\b/;

async function isMessageOnChain(reader: RestReader, { hash }: SignedMessage): Promise<boolean> {
	return (await findByMessage(reader, hash)) !== undefined;
}

const POLL_INTERVAL_MS = 1000;
/** A transfer is given up if its wallet has made no other transfer for this long, even if it is valid longer. */
const MAX_TURN_SECONDS = 600;

/** The seqno of each wallet of a run, and since when it is known. */
const WALLET_POSITIONS = sharedKey('ton.walletPositions', () => new Map<string, WalletPosition>());

interface WalletPosition {
	readonly seqno: number;
	/** In milliseconds since 1970. */
	readonly since: number;
}

/**
 * Waits until the wallet has made all transfers before this one. Returns `done` where it has made this one, too. All transfers
 * of a run wait together: those behind one that is never made do not wait one after another.
 */
async function waitForTurn(
	reader: PatientRestReader,
	message: SignedMessage,
	turnSeconds: number,
): Promise<WalletType | null | 'done'> {
	for (;;) {
		const state = await readAccount(reader, message.to);
		const { walletType, seqno } = state;
		const place = walletType && readTransferPlace(walletType, message.body);
		if (!place || seqno === null || place.seqno === seqno) return walletType;
		if (place.seqno < seqno) {
			const find = async () => (await isMessageOnChain(reader, message)) || undefined;
			const pauseMs = isLongExpired(place.validUntil) ? 0 : SEARCH.pauseMs;
			const isDone = await searchFor(reader, find, pauseMs);
			return isDone ? 'done' : raise(seqnoUsedError(place.seqno, seqno));
		}
		const end = trackPosition(reader, message, seqno) + turnSeconds * 1000;
		const isLate = Date.now() >= Math.min(end, place.validUntil * 1000);
		if (isLate) throw notInTurnError(place.seqno, seqno);
		await reader.wait(POLL_INTERVAL_MS);
	}
}

/** Records the seqno of the wallet, and returns since when it is known. */
function trackPosition(reader: PatientRestReader, { to }: SignedMessage, seqno: number): number {
	const positions = reader.shared(WALLET_POSITIONS);
	const wallet = formatTonAddresses(to).raw;
	const known = positions.get(wallet);
	if (known?.seqno === seqno) return known.since;
	const since = Date.now();
	positions.set(wallet, { seqno, since });
	return since;
}

const MAX_LAG_MS = 60_000;

/** Whether the index must have read all blocks that could contain the message. */
function isLongExpired(validUntil: number): boolean {
	return validUntil * 1000 + MAX_LAG_MS < Date.now();
}

function seqnoUsedError(seqno: number, current: number): RequestFailure {
	return new RequestFailure(
		`The wallet has made another transfer with the number (seqno) ${seqno}: the next number is ${current}`,
		{ description: 'Nothing was sent. Prepare the transfer again, and sign the new transfer.' },
	);
}

function notInTurnError(seqno: number, current: number): RequestFailure {
	return new RequestFailure(`The wallet did not get to the seqno ${seqno}: it is at ${current}`, {
		description:
			'Nothing was sent. The transfer with an earlier seqno was not sent, has expired, or takes longer than this one is valid.',
	});
}

/** Returns the hash that the node gives, or the normalized hash if the given hash belongs to this message. */
async function post(
	reader: RestReader,
	{ bag, hash, plainHash }: SignedMessage,
	walletType: WalletType | null,
): Promise<string> {
	const json = await postMessage(reader, bag).catch((failure) => {
		throw explainRefusal(failure, walletType);
	});
	const taken = catching(RequestFailure, () => readTakenMessage(json));
	// The node did not refuse the message, so it may be carried out although the answer cannot be read.
	if (taken instanceof RequestFailure)
		throw new RequestFailure(taken.message, { ...taken, maybeExecuted: true });
	const { given, normalized = hash } = taken;
	return [hash, plainHash].includes(given) ? normalized : given;
}

function readTakenMessage(json: unknown) {
	const answer = Answer.parse('the hash of the message', json);
	return {
		given: answer.read('message_hash', parseTonHash),
		normalized: answer.readOptional('message_hash_norm', parseTonHash) ?? undefined,
	};
}

const REFUSAL_PATTERN = /exit ?code|not accepted|cannot apply external message/i;
const EXIT_CODE_PATTERN = /exit ?code ?[=:]? ?(-?\d{1,10})/i;

/** A refused message comes with status 500 and a text that contains the code of the wallet. */
function explainRefusal(failure: unknown, walletType: WalletType | null): RequestFailure {
	if (!(failure instanceof RequestFailure)) return rethrow(failure);
	if (!REFUSAL_PATTERN.test(failure.message)) return failure;
	const [, code] = EXIT_CODE_PATTERN.exec(failure.message) ?? [];
	const why =
		code === undefined ? '' : `: ${formatExitCode(Number(code), walletType ?? undefined)}`;
	return new RequestFailure(`The wallet did not accept the message${why}`, {
		description: `The node said: ${failure.message}`,
		httpCode: failure.httpCode,
	});
}
