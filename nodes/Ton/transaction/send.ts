import { adviceToSendTheSame, RequestFailure, withAdvice } from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import type { RunContext } from '../../core/operation/operation';
import { atMostOnceOptions } from '../../core/operation/transportOptions';
import { readAccount } from '../../core/ton/accountReader';
import { formatTonAddresses } from '../../core/ton/address';
import { Answer, parseTonHash } from '../../core/ton/answer';
import { formatExitCode } from '../../core/ton/exitCodes';
import { findByMessage } from '../../core/ton/messageTree';
import { postMessage } from '../../core/ton/service';
import {
	parseSignedMessage,
	readTransferPlace,
	type SignedMessage,
} from '../../core/ton/signedTransfer';
import type { WalletType } from '../../core/ton/wallets';
import { SerialQueue } from '../../core/net/pacing/concurrency';
import { rest, type RestRequest } from '../../core/protocols/rest';
import { catching, rethrow } from '../../core/values/parse';

const signedMessage = {
	displayName: 'Signed Message',
	name: 'signedMessage',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. te6cckEBAgEAqgAB4YgA…',
	description: 'The signed message in base64, as the signer gives it. It is sent as it is.',
	parse: parseSignedMessage,
} as const satisfies Field;

export const send = rest({
	name: 'Send',
	action: 'Send a signed transfer',
	description:
		'Send a signed transfer to the chain, which spends its fee and what it pays. It is carried out at most once; those of one wallet are sent in order, each as soon as the wallet stands at it.',
	fields: [signedMessage, atMostOnceOptions()],
	waits: true,
	advice: adviceToSendTheSame,
	async *run(p, context) {
		const { hash } = p.signedMessage;
		const queue = getQueue(context, p.signedMessage);
		const wasKnown = await queue.run(async () => await sendOnce(context, p.signedMessage));
		yield { result: hash, messageHash: hash, wasKnown };
	},
});

type SendContext = RunContext<RestRequest>;

const createQueues = () => new Map<string, SerialQueue>();

/** A message of a wallet is not sent before it is known what became of the one before. */
function getQueue(context: SendContext, { to }: SignedMessage): SerialQueue {
	const queues = context.shared(createQueues);
	const { raw } = formatTonAddresses(to);
	const queue = queues.get(raw) ?? new SerialQueue();
	queues.set(raw, queue);
	return queue;
}

const createTaken = () => new Set<string>();

/** Says whether the chain had the message before. What this run has sent is not sent again: until a block has it, a node takes it each time. */
async function sendOnce(context: SendContext, message: SignedMessage): Promise<boolean> {
	const taken = context.shared(createTaken);
	if (taken.has(message.hash)) return true;
	const wasKnown = await sendInTurn(context, message);
	taken.add(message.hash);
	return wasKnown;
}

/**
 * Says whether the chain had the message before: what was carried out before it was sent, or was refused here, came from elsewhere.
 * One whose answer was lost may have come from here.
 */
async function sendInTurn(context: SendContext, message: SignedMessage): Promise<boolean> {
	const walletType = await waitForTurn(context, message);
	if (walletType === 'done') return true;
	try {
		requireOwnHash(await postMessage(context, message.bag), message);
		return false;
	} catch (given) {
		if (!(given instanceof RequestFailure)) return rethrow(given);
		const failure = explainRefusal(given, walletType);
		await requireThere(context, message, failure);
		return !failure.maybeExecuted;
	}
}

const POLL_INTERVAL_MS = 1000;
/** A transfer that has waited so long for others is given up, even if it is valid longer. */
const MAX_TURN_SECONDS = 600;

/** Waits until the wallet has made all transfers before this one. Returns `done` where it has made this one, too. */
async function waitForTurn(
	context: SendContext,
	message: SignedMessage,
): Promise<WalletType | null | 'done'> {
	const end = Date.now() + MAX_TURN_SECONDS * 1000;
	for (;;) {
		const state = await readAccount(context, message.to);
		const { walletType, seqno } = state;
		const place = walletType && readTransferPlace(walletType, message.body);
		if (!place || seqno === null || place.seqno === seqno) return walletType;
		if (place.seqno < seqno) {
			const pauses = isLongExpired(place.validUntil) ? [] : SEARCH_PAUSES_MS;
			const isDone = await searchChain(context, message, pauses);
			return isDone ? 'done' : throwSeqnoUsed(place.seqno, seqno);
		}
		const isLate = Date.now() >= Math.min(end, place.validUntil * 1000);
		if (isLate) return throwNotInTurn(place.seqno, seqno);
		await context.wait(POLL_INTERVAL_MS);
	}
}

const MAX_LAG_MS = 60_000;

/** Whether the index must have caught up with all blocks that could have the message. */
function isLongExpired(validUntil: number): boolean {
	return validUntil * 1000 + MAX_LAG_MS < Date.now();
}

function throwSeqnoUsed(seqno: number, current: number): never {
	throw new RequestFailure(
		`The wallet has made another transfer with the seqno ${seqno}: the next one is ${current}`,
		{ description: 'Nothing was sent. Prepare it again, and sign that.' },
	);
}

function throwNotInTurn(seqno: number, current: number): never {
	throw new RequestFailure(
		`The wallet did not get to the seqno ${seqno}: it stands at ${current}`,
		{
			description:
				'Nothing was sent. What has the seqnos before was not sent, has expired, or takes longer than this one is valid.',
		},
	);
}

/** Throws where the node names another message than the one that was sent. */
function requireOwnHash(json: unknown, { hash, plainHash }: SignedMessage): void {
	const taken = catching(RequestFailure, () => readTakenMessage(json));
	// The node did not refuse the message, so it may be carried out although the answer cannot be read.
	if (taken instanceof RequestFailure)
		throw new RequestFailure(taken.message, { ...taken, maybeExecuted: true });
	const { given, normalized = hash } = taken;
	if ([hash, plainHash].includes(given) && normalized === hash) return;
	throw new RequestFailure(
		`The node says that it took another message: ${given} instead of ${plainHash}`,
		{
			description: `It accepted a message, so what was sent may be under way all the same. Look both hashes up, at another node too; the normalised one is ${hash}.`,
			maybeExecuted: true,
		},
	);
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

/** A refused message comes with status 500, in words that name the code of the wallet. */
function explainRefusal(failure: RequestFailure, walletType: WalletType | null): RequestFailure {
	if (!REFUSAL_PATTERN.test(failure.message)) return failure;
	const [, code] = EXIT_CODE_PATTERN.exec(failure.message) ?? [];
	const why =
		code === undefined ? '' : `: ${formatExitCode(Number(code), walletType ?? undefined)}`;
	return new RequestFailure(`The wallet did not accept the message${why}`, {
		description: `The node said: ${failure.message}`,
		httpCode: failure.httpCode,
	});
}

/** A message that may be on its way is looked up after these pauses: a block takes some seconds, and the index some more. */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** The codes of wallets for a seqno that is not the next one: this message may have had it in a block that the index does not have yet. */
const SEQNO_CODE_PATTERN = /exit code 1?33\b/;

function isSeqnoRefused({ message }: RequestFailure): boolean {
	return SEQNO_CODE_PATTERN.test(message);
}

/** Throws the failure, with the hash, unless the message has arrived whatever the answer was. */
async function requireThere(
	context: SendContext,
	message: SignedMessage,
	failure: RequestFailure,
): Promise<void> {
	const pauses = failure.maybeExecuted || isSeqnoRefused(failure) ? SEARCH_PAUSES_MS : [];
	// The first failure is the one to be seen, so a look-up that fails counts as not found.
	const found = await catchFailure(searchChain(context, message, pauses));
	if (found !== true) rethrow(withAdvice(failure, `Its hash is ${message.hash}.`));
}

/** Looks a message up at once, and after each of the pauses, until it is found. Throws where the last look-up failed. */
async function searchChain(
	context: SendContext,
	{ hash }: SignedMessage,
	pauses: readonly number[],
): Promise<boolean> {
	let found = await catchFailure(findByMessage(context, hash));
	for (const pause of pauses) {
		if (found && !(found instanceof RequestFailure)) return true;
		await context.wait(pause);
		found = await catchFailure(findByMessage(context, hash));
	}
	return found instanceof RequestFailure ? rethrow(found) : found !== undefined;
}

async function catchFailure<T>(work: Promise<T>): Promise<T | RequestFailure> {
	return await work.catch((failure: unknown) =>
		failure instanceof RequestFailure ? failure : rethrow(failure),
	);
}
