import type { RpcReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { findRevertData } from '../net/responses/reverts';
import { catching } from '../values/parse';
import { formatUnits } from '../values/units';
import type { CallOptions } from '../protocols/rpc/request';
import { decodeFunctionResult, parseFunction } from './abi/call';
import { DecodingError } from './abi/data';
import { decodeOrNull, decodeTextOrNull } from './abi/results';
import { readHead, type Header } from './blocks';
import { callTolerant, callWithReason, type BlockName } from './contractReads';
import { quantityToIsoDate } from './chainObjects';
import { raise } from '../errors/raise';

/** The aggregator interface, version 3. */
const FEED_FUNCTIONS = {
	latestRoundData: parseFunction(
		'latestRoundData() returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
	),
	decimals: parseFunction('decimals() returns (uint8)'),
	description: parseFunction('description() returns (string)'),
} as const;

/** A round of a price feed, with a final price. */
interface Round {
	readonly roundId: bigint;
	/** The price in the smallest unit. */
	readonly answer: bigint;
	readonly updatedAt: bigint;
}

/** An exact price from a price feed, and its age. */
interface FeedPrice {
	readonly description: string | null;
	readonly price: string;
	readonly decimals: number;
	/** The price as an integer, in the smallest unit of the feed. */
	readonly value: string;
	readonly updatedAt: string;
	readonly ageSeconds: number;
	readonly roundId: string;
}

/** The block at which the price is read. */
interface PricedAt {
	readonly name: BlockName;
	/** In Unix seconds. */
	readonly time: number;
}

/** Reads the price of a feed at a block, by default at the latest. Throws if the feed has no price or no time. */
export async function readFeedPrice(
	reader: RpcReader,
	feed: string,
	at?: PricedAt,
): Promise<FeedPrice> {
	const [head, { returned, failure }, decimalsHex, descriptionHex] = await Promise.all([
		at ?? readTimedHead(reader),
		callWithReason(reader, feed, FEED_FUNCTIONS.latestRoundData, [], at?.name),
		callTolerant(reader, feed, FEED_FUNCTIONS.decimals),
		callTolerant(reader, feed, FEED_FUNCTIONS.description),
	]);
	const decimals = decodeOrNull(decimalsHex, FEED_FUNCTIONS.decimals);
	if (failure && findRevertData(failure.answer) !== undefined)
		throw feedRevertedError(feed, failure);
	const round = decodeRound(returned);
	if (!round || typeof decimals !== 'number') throw noFeedError(feed);
	const { roundId, answer, updatedAt } = checkRound(feed, round);
	return {
		description: decodeTextOrNull(descriptionHex, FEED_FUNCTIONS.description),
		price: formatUnits(answer, decimals),
		decimals,
		value: answer.toString(),
		...(await readAge(reader, feed, updatedAt, { time: head.time, isFixed: at !== undefined })),
		roundId: roundId.toString(),
	};
}

interface DecodedRound extends Round {
	readonly answeredInRound: bigint;
}

function decodeRound(returned: string): DecodedRound | null {
	const decoded = catching(DecodingError, () =>
		decodeFunctionResult(FEED_FUNCTIONS.latestRoundData, returned),
	);
	if (decoded instanceof DecodingError) return null;
	const read = (name: string) => BigInt(String(decoded[name]));
	return {
		roundId: read('roundId'),
		answer: read('answer'),
		updatedAt: read('updatedAt'),
		answeredInRound: read('answeredInRound'),
	};
}

function checkRound(feed: string, round: DecodedRound): Round {
	const { roundId, answer, updatedAt, answeredInRound } = round;
	if (updatedAt === 0n || answeredInRound < roundId) {
		throw new RequestFailure(`Round ${roundId} of the price feed ${feed} is not finished`, {
			description: 'The round has no answer yet. Run the workflow again later.',
		});
	}
	if (answer > 0n) return round;
	throw new RequestFailure(`The price feed ${feed} answers ${answer}, which is no price`, {
		description: 'A price must be above 0. The feed may be broken.',
	});
}

/** Computes the age of a price. If the price is newer than the latest block that was read, that block is read again. */
async function readAge(
	reader: RpcReader,
	feed: string,
	updatedAt: bigint,
	block: { readonly time: number; readonly isFixed: boolean },
): Promise<Pick<FeedPrice, 'updatedAt' | 'ageSeconds'>> {
	const isKnown = block.isFixed || updatedAt <= BigInt(block.time);
	const { time } = isKnown ? block : await readTimedHead(reader, { isFresh: true });
	const date = quantityToIsoDate(updatedAt.toString());
	return updatedAt <= BigInt(time) && date !== null
		? { updatedAt: date, ageSeconds: time - Number(updatedAt) }
		: raise(futureTimeError(feed, updatedAt, time));
}

/** Reads the latest block, and throws if it has no time. */
async function readTimedHead(reader: RpcReader, options?: CallOptions): Promise<Header> {
	const call: RpcReader['call'] = async (method, params) =>
		await reader.call(method, params, options);
	const head = await readHead({ call });
	return Number.isSafeInteger(head.time)
		? head
		: raise(invalidResponseError('a block with its time', head.json));
}

function futureTimeError(feed: string, updatedAt: bigint, time: number): RequestFailure {
	return new RequestFailure(`The price feed ${feed} gives a time in the future`, {
		description: `The answer has the time ${updatedAt}, and the latest block has the time ${time}, in Unix seconds. The feed or the chain node cannot be trusted.`,
	});
}

function feedRevertedError(feed: string, failure: RequestFailure): RequestFailure {
	return new RequestFailure(`The price feed ${feed} gives no price: ${failure.message}`, {
		description: 'The contract refused the call of latestRoundData.',
		answer: failure.answer,
	});
}

function noFeedError(feed: string): RequestFailure {
	return new RequestFailure(`There is no price feed at ${feed}`, {
		description:
			'The contract does not behave like a price feed (latestRoundData, decimals), or there is no contract at this address on this chain.',
	});
}
