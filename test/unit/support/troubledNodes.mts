import { answer, echo, failed, type SentRequest } from './fakes.mts';

type Serve = (sent: SentRequest, index: number) => ReturnType<typeof echo>;

export interface TroubledNode {
	readonly name: string;
	/** Made anew for each run. */
	readonly serve: () => Serve;
	/** The requests for `READS` of one who knows the node. */
	readonly ideal: number;
	/** The most that a run may take, in times of that. */
	readonly factor: number;
}

export const READS = 10_000;
const BATCHES = READS / 100;

const refusal = answer(200, failed(null, { code: -32600, message: 'No such batch.' }));
const failure = answer(500, 'Failed.');

const spoiledBy = (
	isBad: (index: number) => boolean,
	spoiled: ReturnType<typeof answer>,
): Serve => {
	return (sent) => {
		const isSpoiled = sent.isBatch && sent.calls.some(({ params: [at] }) => isBad(Number(at)));
		return isSpoiled ? spoiled : echo(sent);
	};
};

const atMost = (most: number, otherwise: ReturnType<typeof answer>): Serve => {
	return (sent) => (sent.calls.length > most ? otherwise : echo(sent));
};

/** Takes no batches until it has been asked so often. */
const recoveringAfter = (requests: number): Serve => {
	return (sent, index) => (sent.isBatch && index < requests ? refusal : echo(sent));
};

/** One in so many, anywhere: the same ones in each run. */
const oneIn = (count: number) => (index: number) =>
	(Math.imul(index, 2_654_435_761) >>> 7) % count === 0;

/** What batches may meet; single calls are always answered. */
export const TROUBLED_NODES: readonly TroubledNode[] = [
	...[0, 37, 99].map((place) => ({
		name: `fails a batch for call ${place} of each hundred`,
		serve: () => spoiledBy((index) => index % 100 === place, refusal),
		ideal: 2 * BATCHES,
		factor: 8,
	})),
	{
		name: 'answers 500 to a batch for one call in a hundred',
		serve: () => spoiledBy((index) => index % 100 === 37, failure),
		ideal: 2 * BATCHES,
		factor: 8,
	},
	{
		name: 'fails a batch for one call in a hundred, anywhere',
		serve: () => spoiledBy(oneIn(100), refusal),
		ideal: 2 * BATCHES,
		factor: 9,
	},
	{
		name: 'fails a batch for half of the calls',
		serve: () => spoiledBy(oneIn(2), refusal),
		ideal: READS / 2 + BATCHES / 2,
		factor: 2.1,
	},
	...[refusal, answer(413, '')].map((otherwise) => ({
		name: `takes at most 30 calls, and says so by ${otherwise.status}`,
		serve: () => atMost(30, otherwise),
		ideal: Math.ceil(READS / 30),
		factor: 1.3,
	})),
	{
		name: 'takes no batches',
		serve: () => atMost(1, refusal),
		ideal: READS,
		factor: 1.01,
	},
	...[100, 1000].map((requests) => ({
		name: `takes no batches for ${requests} requests, then any`,
		serve: () => recoveringAfter(requests),
		ideal: requests + BATCHES,
		factor: 1.5,
	})),
];
