import type { WatchedAccounts } from '../accountKey/watchedAccounts';
import { COINS, createKeyMaker, formatPayment } from '../chain/payment';
import { mapWithPauses } from '../net/pacing/slices';
import type { JsonObject } from '../values/json';
import { formatWitnessAddresses } from './address';
import type { CoinTransfer } from './blockTransactions';
import { formatBlockTime, type Block } from './readBlocks';

/** The choice of payments in coins. Accounts are 40 hex digits. */
interface CoinChoice {
	readonly addresses: readonly string[];
	readonly direction: 'any' | 'in' | 'out';
	/** The least amount, in sun. */
	readonly minAmount: bigint;
}

/** The choice of payments to the addresses that are derived from an account key. */
interface ReceiptChoice {
	readonly accounts: WatchedAccounts;
	readonly minAmount: bigint;
}

/**
 * Creates a search for payments to the addresses of an account key. It returns the payments of a block in order,
 * without transfers of 0.
 */
export function createReceiptSearch({ accounts, minAmount }: ReceiptChoice) {
	return createSearch((transfer) => {
		const depositIndex = accounts.findIndex(transfer.to);
		const isWanted = depositIndex !== undefined && transfer.amount > 0n;
		return isWanted && transfer.amount >= minAmount
			? { direction: 'in' as const, depositIndex }
			: undefined;
	});
}

/** Creates a search for payments in coins. It returns the matching payments of a block in order. */
export function createCoinSearch({ addresses, direction, minAmount }: CoinChoice) {
	const findDirection = createDirectionFinder(new Set(addresses), direction);
	return createSearch((transfer) => {
		const way = transfer.amount < minAmount ? undefined : findDirection(transfer);
		return way && { direction: way };
	});
}

/** The facts that a search adds to the output item of a transfer. */
interface Found {
	readonly direction: 'in' | 'out';
	readonly depositIndex?: number;
}

function createSearch(find: (transfer: CoinTransfer) => Found | undefined) {
	return async (block: Block): Promise<readonly JsonObject[]> => {
		const makeKey = createKeyMaker();
		const moved = block.transactions.flatMap(({ id, memo, transfers }) =>
			transfers.map((transfer) => ({ id, memo, transfer })),
		);
		const items = await mapWithPauses(moved, ({ id, memo, transfer }) => {
			const { from, to, amount } = transfer;
			const says = ['coins', from, to, String(amount)];
			const key = makeKey({ block: block.number, transactionHash: id, says });
			const found = find(transfer);
			return found ? [formatCoins(transfer, { block, id, memo, key, found })] : [];
		});
		return items.flat();
	};
}

interface CoinPlace {
	readonly block: Block;
	readonly id: string;
	readonly memo: string;
	readonly key: string;
	readonly found: Found;
}

function formatCoins({ from, to, amount }: CoinTransfer, place: CoinPlace): JsonObject {
	const { block, id, key, found } = place;
	const memo = decodeMemo(place.memo);
	const payment = {
		chain: 'witness' as const,
		key,
		transactionHash: id,
		timestamp: formatBlockTime(block),
		from: formatWitnessAddresses(from).base58,
		to: formatWitnessAddresses(to).base58,
		token: null,
		facts: COINS.witness,
		value: amount,
		comment: memo,
	};
	const others = { ...found, memo, transactionId: id, blockNumber: block.number };
	return formatPayment(payment, others);
}

/**
 * Makes a function that finds the direction of a payment. Between two watched addresses, it is incoming unless only
 * outgoing payments are wanted.
 */
function createDirectionFinder(watched: ReadonlySet<string>, wanted: 'any' | 'in' | 'out') {
	return ({ from, to }: CoinTransfer): 'in' | 'out' | undefined => {
		if (wanted !== 'out' && watched.has(to)) return 'in';
		return wanted !== 'in' && watched.has(from) ? 'out' : undefined;
	};
}

/** Decodes a memo, which can be any bytes. Returns hex if it is not a text, and null if there is no memo. */
export function decodeMemo(hex: string): string | null {
	if (hex === '') return null;
	const text = Buffer.from(hex, 'hex').toString();
	return Buffer.from(text).toString('hex') === hex ? text : `0x${hex}`;
}
