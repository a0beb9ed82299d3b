import { buildResponse, buildEcho, buildFailure, type SentRequest } from './fakes.mts';

type Serve = (sent: SentRequest, index: number) => ReturnType<typeof buildEcho>;

interface FaultyBatchNode {
	readonly name: string;
	/** Creates the answers of a chain node anew for each run. */
	readonly serve: () => Serve;
	/** The number of requests that a client needs for all reads if it knows how the node behaves. */
	readonly ideal: number;
	/** The highest number of requests in a run, as a multiple of `ideal`. */
	readonly factor: number;
}

export const READ_COUNT = 10_000;
const BATCH_COUNT = READ_COUNT / 100;

const REFUSAL = buildResponse(200, buildFailure(null, { code: -32600, message: 'No such batch.' }));
const FAILURE = buildResponse(500, 'Failed.');

const failBatchesWith = (
	isBad: (index: number) => boolean,
	spoiled: ReturnType<typeof buildResponse>,
): Serve => {
	return (sent) => {
		const isSpoiled = sent.isBatch && sent.calls.some(({ params: [at] }) => isBad(Number(at)));
		return isSpoiled ? spoiled : buildEcho(sent);
	};
};

const limitBatch = (most: number, otherwise: ReturnType<typeof buildResponse>): Serve => {
	return (sent) => (sent.calls.length > most ? otherwise : buildEcho(sent));
};

/** Refuses batches until the given number of requests have come. */
const recoverAfter = (requests: number): Serve => {
	return (sent, index) => (sent.isBatch && index < requests ? REFUSAL : buildEcho(sent));
};

/** Selects about one index in n. The selected indices look random, but are the same in each run. */
const everyNth = (count: number) => (index: number) =>
	(Math.imul(index, 2_654_435_761) >>> 7) % count === 0;

/** Nodes that fail batches in different ways. They always answer single calls. */
export const FAULTY_BATCH_NODES: readonly FaultyBatchNode[] = [
	...[0, 37, 99].map((place) => ({
		name: `fails a batch for call ${place} of each hundred`,
		serve: () => failBatchesWith((index) => index % 100 === place, REFUSAL),
		ideal: 2 * BATCH_COUNT,
		factor: 8,
	})),
	{
		name: 'answers 500 to a batch for one call in a hundred',
		serve: () => failBatchesWith((index) => index % 100 === 37, FAILURE),
		ideal: 2 * BATCH_COUNT,
		factor: 8,
	},
	{
		name: 'fails a batch for one call in a hundred, anywhere',
		serve: () => failBatchesWith(everyNth(100), REFUSAL),
		ideal: 2 * BATCH_COUNT,
		factor: 9,
	},
	{
		name: 'fails a batch for half of the calls',
		serve: () => failBatchesWith(everyNth(2), REFUSAL),
		ideal: READ_COUNT / 2 + BATCH_COUNT / 2,
		factor: 2.1,
	},
	...[REFUSAL, buildResponse(413, '')].map((otherwise) => ({
		name: `takes at most 30 calls, and says so by ${otherwise.status}`,
		serve: () => limitBatch(30, otherwise),
		ideal: Math.ceil(READ_COUNT / 30),
		factor: 1.3,
	})),
	{
		name: 'takes no batches',
		serve: () => limitBatch(1, REFUSAL),
		ideal: READ_COUNT,
		factor: 1.01,
	},
	...[100, 1000].map((requests) => ({
		name: `takes no batches for ${requests} requests, then any`,
		serve: () => recoverAfter(requests),
		ideal: requests + BATCH_COUNT,
		factor: 1.5,
	})),
];
