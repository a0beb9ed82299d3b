import {
	insufficientFundsError,
	reserveFixedPlace,
	reservePlace,
	type Cost,
	type EarlierSpending,
	type Place,
	type Purse,
} from '../../chain/purse';
import type { RpcReader } from '../../chain/reader';
import { raise } from '../../errors/raise';
import { RequestFailure } from '../../errors/requestFailure';
import { formatUnits } from '../../values/units';
import { resolveBlockId, type BlockId } from '../blocks';
import { formatFelt } from '../felts';
import { FIRST_MINOR_VERSION_WITH_DATA_GAS, readSender, type Sender } from '../invoke';
import { readChainId } from '../reader';
import { FEE_DECIMALS, FEE_TOKEN, findBalance } from '../tokens';
import { sharedKey } from '../../net/pacing/shared';

/** The facts about a paying account, read before anything is planned. */
export interface Payer {
	readonly next: bigint;
	readonly block: BlockId;
	readonly sender: Sender;
	readonly chainId: bigint;
	/** The balance in the fee token. Null if the chain has another fee token. */
	readonly balance: bigint | null;
}

const PURSES = sharedKey('stark.purses', () => new Map<string, Purse<Payer>>());

/** Reserves the next nonce of an account for an item, in the order of the items. */
export function reserveNonce(
	reader: RpcReader,
	from: bigint,
	fixed: bigint | undefined,
): Place<Payer> {
	const read = async () => await readPayer(reader, from, fixed);
	return fixed === undefined
		? reservePlace(reader.shared(PURSES), formatFelt(from), read)
		: reserveFixedPlace(read());
}

/**
 * Reads the facts about a payer. They are read at the block being made, which includes transactions that were just
 * sent.
 */
async function readPayer(
	reader: RpcReader,
	from: bigint,
	fixed: bigint | undefined,
): Promise<Payer> {
	const block = await resolveBlockId(reader, 'pending');
	const [sender, chainId, balance] = await Promise.all([
		readSender(reader, from, block),
		readChainId(reader),
		findBalance(reader, FEE_TOKEN, from, block),
	]);
	if (sender.minorVersion < FIRST_MINOR_VERSION_WITH_DATA_GAS) throw oldVersionError(sender);
	return { next: fixed ?? sender.nonce, block, sender, chainId, balance };
}

function oldVersionError({ minorVersion }: Sender): RequestFailure {
	return new RequestFailure(`The API of the chain node has the version 0.${minorVersion}`, {
		description:
			'Preparing needs version 0.8 or later, which names the three resources that a transaction pays for. Use a chain node with a newer version.',
	});
}

/**
 * Takes the nonce, and sets aside the cost in the fee token: the highest fee and the amount in that token. The chain
 * refuses a transaction whose highest fee the account could not pay.
 */
export async function takeNonce(
	place: Place<Payer>,
	from: bigint,
	cost: bigint,
	tokens: readonly Cost[],
): Promise<bigint> {
	const balance = (await place.account).balance ?? undefined;
	const { number } = await place.take([
		{
			amount: cost,
			balance,
			throwShort: (earlier) =>
				raise(shortError(from, { needed: cost, balance: balance ?? 0n }, earlier)),
		},
		...tokens,
	]);
	return number;
}

/**
 * Refuses a payment that is larger than the balance. The error says so, while a node would only say that the
 * transaction reverts.
 */
export function checkFunds(from: bigint, balance: bigint | null, paid: bigint): void {
	if (balance !== null && paid > balance)
		throw shortError(from, { needed: paid, balance }, { spent: 0n, count: 0 });
}

function shortError(
	from: bigint,
	{ needed, balance }: Record<'balance' | 'needed', bigint>,
	earlier: EarlierSpending,
): RequestFailure {
	return insufficientFundsError(
		{
			needed,
			balance,
			format: formatFee,
			description: `The balance of ${formatFelt(from)} in the fee token must cover the transaction's highest fee, and its payments in the fee token.`,
		},
		earlier,
	);
}

function formatFee(amount: bigint): string {
	return `${formatUnits(amount, FEE_DECIMALS)} STRK`;
}
