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

/** How long to search for a message. A block takes some seconds, and the service needs some more to read the block. */
const SEARCH = { pauseMs: 30_000, limitMs: 60_000 };

/**
 * The messages that a node has accepted in this run. A node accepts the same message again until a block contains it.
 */
const TAKEN_MESSAGES = sharedKey('ton.takenMessages', () => new Set<string>());

interface SendTerms {
	/**
	 * How many seconds to wait while the wallet makes no transfer. The time for which the message is valid also limits
	 * the waiting.
	 */
	readonly turnSeconds?: number;
	/** Whether the message is sent again: a node has accepted it in this run, but the chain does not have it. */
	readonly isAgain?: boolean;
}

/** Sends a signed message at most once, as soon as its sequence number (seqno) is the next of the wallet. */
export async function sendMessage(
	reader: PatientRestReader,
	message: SignedMessage,
	{ turnSeconds = MAX_TURN_SECONDS, isAgain = false }: SendTerms = {},
): Promise<Sent> {
	const taken = reader.shared(TAKEN_MESSAGES);
	let walletType: WalletType | null = null;
	return await sendOnce(reader, {
		// A message that is sent again gets a queue of its own. In the queue of its wallet, it could stand behind
		// messages that wait until it is carried out.
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
 * A wallet refuses a message with these exit codes if the seqno is not its next. The message itself may have used this seqno, in a block
 * that the service does not have yet.
 */
const SEQNO_CODE_PATTERN = /exit code 1?33\b/;

async function isMessageOnChain(reader: RestReader, { hash }: SignedMessage): Promise<boolean> {
	return (await findByMessage(reader, hash)) !== undefined;
}

const POLL_INTERVAL_MS = 1000;
/**
 * A message is given up if its wallet makes no other transfer for this many seconds, even if the message is valid
 * longer.
 */
const MAX_TURN_SECONDS = 600;

/** The seqno of each wallet in a run, and since when the wallet has had it. */
const WALLET_POSITIONS = sharedKey('ton.walletPositions', () => new Map<string, WalletPosition>());

interface WalletPosition {
	readonly seqno: number;
	/** In milliseconds since 1970. */
	readonly since: number;
}

/**
 * Waits until the wallet has made all transfers before this message. Returns `done` if the wallet has already carried
 * out this message. All messages of a run share one limit of time for an earlier transfer that is never made.
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

/** Records the sequence number (seqno) of the wallet. Returns since when the wallet has had this number. */
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

/** Whether the message expired so long ago that the service must have every block that could contain it. */
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
	return new RequestFailure(
		`The wallet has not reached the number (seqno) ${seqno}: its next number is ${current}`,
		{
			description:
				"Nothing was sent, because the wallet's earlier transfers are missing, expired or slow. Prepare the transfer again later.",
		},
	);
}

/**
 * Posts the message and returns its normalized hash. If the node names the hash of another message, that hash is
 * returned.
 */
async function post(
	reader: RestReader,
	{ bag, hash, plainHash }: SignedMessage,
	walletType: WalletType | null,
): Promise<string> {
	const json = await postMessage(reader, bag).catch((failure) => {
		throw explainRefusal(failure, walletType);
	});
	const taken = catching(RequestFailure, () => readTakenMessage(json));
	// The node accepted the message, but its answer cannot be read. So the message may be carried out.
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

/**
 * Explains why the chain refused a message. The service then answers with status 500, and the text contains the exit
 * code of the wallet.
 */
function explainRefusal(failure: unknown, walletType: WalletType | null): RequestFailure {
	if (!(failure instanceof RequestFailure)) return rethrow(failure);
	if (!REFUSAL_PATTERN.test(failure.message)) return failure;
	const [, code] = EXIT_CODE_PATTERN.exec(failure.message) ?? [];
	const why =
		code === undefined ? '' : `: ${formatExitCode(Number(code), walletType ?? undefined)}`;
	return new RequestFailure(`The wallet did not accept the message${why}`, {
		description: `The chain node said: ${failure.message}`,
		httpCode: failure.httpCode,
	});
}
