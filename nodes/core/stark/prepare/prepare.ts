import type { Cost, Place } from '../../chain/purse';
import type { RpcReader } from '../../chain/reader';
import { getTokenCost } from '../../chain/tokenCost';
import type { TokenFacts } from '../../chain/tokens';
import { RequestFailure } from '../../errors/requestFailure';
import { formatUnits } from '../../values/units';
import type { BlockId } from '../blocks';
import { findFailureReason, isContractFailure } from '../contracts';
import { decodeShortString, encodeFelt, formatFelt } from '../felts';
import {
	buildEstimatedBounds,
	buildInvoke,
	computeHighestFee,
	readEstimate,
	type EncodedCall,
} from '../invoke';
import { addMark } from '../mark';
import { FEE_DECIMALS, findBalance } from '../tokens';
import { checkFunds, takeNonce, type Payer } from './purse';

/** The effects of a transaction. */
export interface Intent {
	readonly calls: readonly EncodedCall[];
	/** One text for each call. It is the beginning of a sentence such as `Send 5 of the token 0x… to 0x…`. */
	readonly sentences: readonly string[];
	/** The amount that is paid in the fee token, without the fee. */
	readonly paid: bigint;
	/** The amount that is paid in a token other than the fee token. */
	readonly spends?: SpentTokens;
}

interface SpentTokens {
	readonly token: bigint;
	readonly facts: TokenFacts;
	/** The amount in the smallest unit. */
	readonly amount: bigint;
}

interface Wanted {
	readonly from: bigint;
	readonly tip?: bigint;
	/** The percentage to add to the estimate. The default is used if it is undefined. */
	readonly feeBuffer?: number;
	/** The mark that the transaction carries to identify its payment, if any. */
	readonly mark?: bigint;
	/** Plans the transaction by the state of the chain at a block. */
	plan(block: BlockId): Promise<Intent>;
}

/** Makes a transaction ready to be signed, with its fees and its nonce. */
export async function prepareTransaction(
	reader: RpcReader,
	place: Place<Payer>,
	{ from, tip = 0n, feeBuffer, mark, plan }: Wanted,
) {
	const { block, sender, chainId, balance } = await place.account;
	const intent = await plan(block);
	const { calls, paid, spends } = intent;
	checkFunds(from, balance, paid);
	const draft = buildInvoke(sender, { calls, nonce: sender.nonce, tip });
	const [estimate, tokenCost] = await Promise.all([
		readEstimateOrThrow(reader, draft, block),
		spends ? readTokenCost(reader, from, spends, block) : undefined,
	]);
	const estimated = buildEstimatedBounds(sender.minorVersion, estimate, feeBuffer);
	const bounds = mark === undefined ? estimated : addMark(estimated, mark);
	const fee = computeHighestFee(bounds, tip);
	const nonce = await takeNonce(place, from, fee + paid, tokenCost ? [tokenCost] : []);
	const transaction = buildInvoke(sender, { calls, nonce, tip, bounds });
	return {
		summary: formatSummary(intent, { fee, chainId, nonce }),
		maxCost: formatUnits(fee, FEE_DECIMALS),
		calls: intent.sentences,
		transaction: { ...transaction, chainId: encodeFelt(chainId) },
	};
}

/**
 * Reads the cost of a transaction in a token. The cost is not checked if the token does not report the account's
 * balance.
 */
async function readTokenCost(
	reader: RpcReader,
	from: bigint,
	{ token, facts, amount }: SpentTokens,
	block: BlockId,
): Promise<Cost> {
	const balance = await findBalance(reader, token, from, block);
	return getTokenCost({
		token: formatFelt(token),
		facts,
		owner: formatFelt(from),
		amount,
		balance: balance ?? undefined,
	});
}

/** Reads the estimate of a transaction. If the transaction would revert, throws an error with the reason. */
async function readEstimateOrThrow(
	reader: RpcReader,
	draft: object,
	block: BlockId,
): Promise<unknown> {
	return await readEstimate(reader, { ...draft, signature: [] }, block).catch((failure) => {
		throw isContractFailure(failure) ? revertError(failure) : failure;
	});
}

function revertError(failure: RequestFailure): RequestFailure {
	const reason = findFailureReason(failure) ?? failure.message;
	return new RequestFailure(`The transaction would revert: ${reason}`, {
		...failure,
		description: 'Nothing was prepared. The transaction was tried on the pending block.',
	});
}

interface Terms {
	readonly fee: bigint;
	readonly chainId: bigint;
	readonly nonce: bigint;
}

/** Formats a sentence that describes the transaction to the person who approves it. */
function formatSummary({ sentences }: Intent, { fee, chainId, nonce }: Terms): string {
	const chain = decodeShortString(chainId) ?? encodeFelt(chainId);
	const cost = formatUnits(fee, FEE_DECIMALS);
	return `${sentences.join('; ')} for a fee of at most ${cost} STRK on chain ${chain}, nonce ${nonce}.`;
}

const TEST_CHAIN = 'SN_SEPOLIA';

export function findTestChainHint(chainId: bigint): string | undefined {
	return decodeShortString(chainId) === TEST_CHAIN
		? `The chain is a test network, ${TEST_CHAIN}: payments there are worth nothing.`
		: undefined;
}
