import type { TonAccount } from './address';
import { readTransactions, type TimeRange } from './accountTransactions';
import { listJettonWallets, type JettonWallet } from './tokens';
import { findJettonEvent, type JettonMovement } from './jettonTransfers';
import type { RestReader } from '../chain/reader';

interface OwnedMovement {
	readonly master: TonAccount;
	readonly movement: JettonMovement;
	readonly addressBook: unknown;
}

interface WantedMovements extends TimeRange {
	readonly owner: TonAccount;
	/** The wanted jettons. An empty list means all jettons. */
	readonly masters: readonly TonAccount[];
	readonly direction: 'any' | 'in' | 'out';
}

/** Jettons that could not be delivered come back within minutes, so perhaps after the end of the time range. */
const MAX_RETURN_SECONDS = 3600;

/**
 * Reads the jettons that an owner's jetton wallets received and sent, the newest first. Each wallet is read by
 * itself, because only the transactions of one account have a certain order.
 */
export async function* readJettonMovements(
	reader: RestReader,
	wanted: WantedMovements,
): AsyncGenerator<OwnedMovement> {
	const { owner, masters } = wanted;
	const wallets = await listJettonWallets(reader, owner, masters);
	yield* mergeNewestFirst(wallets.map((wallet) => readWalletMovements(reader, wallet, wanted)));
}

async function* readWalletMovements(
	reader: RestReader,
	wallet: JettonWallet,
	{ fromTime, toTime = Infinity, direction }: WantedMovements,
): AsyncGenerator<OwnedMovement> {
	const until = toTime === Infinity ? undefined : toTime + MAX_RETURN_SECONDS;
	const returned = new ReturnedTransfers();
	const listed = readTransactions(reader, wallet.account, { fromTime, toTime: until });
	for await (const { transaction, addressBook } of listed) {
		const event = findJettonEvent(transaction, wallet);
		if (event?.kind === 'return') returned.add(event);
		if (event?.kind !== 'movement') continue;
		const { movement, queryId } = event;
		const hasReturned = movement.direction === 'out' && returned.take({ queryId, ...movement });
		const isWanted = direction === 'any' || direction === movement.direction;
		if (!hasReturned && isWanted && movement.time <= toTime)
			yield { master: wallet.master, movement, addressBook };
	}
}

interface SentJettons {
	readonly queryId: bigint;
	readonly value: bigint;
}

/**
 * Counts jettons that came back. The transactions are read from the newest on, so a return is read before its
 * transfer.
 */
export class ReturnedTransfers {
	private readonly counts = new Map<string, number>();

	add(sent: SentJettons): void {
		this.counts.set(getKey(sent), this.count(sent) + 1);
	}

	/** Whether a transfer came back. Each return is used for one transfer only. */
	take(sent: SentJettons): boolean {
		const count = this.count(sent);
		if (count > 0) this.counts.set(getKey(sent), count - 1);
		return count > 0;
	}

	private count(sent: SentJettons): number {
		return this.counts.get(getKey(sent)) ?? 0;
	}
}

function getKey({ queryId, value }: SentJettons): string {
	return `${queryId} ${value}`;
}

type Movements = AsyncGenerator<OwnedMovement>;

interface Head {
	readonly source: Movements;
	readonly next: OwnedMovement;
}

async function* mergeNewestFirst(sources: readonly Movements[]): Movements {
	let heads = (await Promise.all(sources.map(readHead))).flat();
	while (heads.length > 0) {
		const newest = heads.reduce((one, other) => (isNewer(other, one) ? other : one));
		yield newest.next;
		const following = await readHead(newest.source);
		heads = heads.flatMap((one) => (one === newest ? following : [one]));
	}
}

async function readHead(source: Movements): Promise<Head[]> {
	const { done, value } = await source.next();
	return done ? [] : [{ source, next: value }];
}

function isNewer({ next: { movement: one } }: Head, { next: { movement: other } }: Head): boolean {
	return one.time === other.time ? one.lt > other.lt : one.time > other.time;
}
