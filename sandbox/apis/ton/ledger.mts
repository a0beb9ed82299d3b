import { type Address, Cell, loadMessage, type ShardAccount, type Transaction } from '@ton/core';
import { createTurns } from '../../turns.mts';
import type { FetchedContent } from './contracts.mts';
import {
	type Accounts,
	execute,
	type Execution,
	formatAccount,
	NotAccepted,
	parseAccount,
} from './machine.mts';

/** A transaction and the state of its account afterwards. */
export interface Row {
	readonly transaction: Transaction;
	/** The hash of the transaction in base64. */
	readonly hash: string;
	/** The address is raw. */
	readonly account: string;
	readonly after: ShardAccount;
	/** The hash of the first transaction in the tree. `externalHash` is the hash of the message that started the tree. */
	readonly traceId: string;
	readonly externalHash: string;
	readonly block: number;
}

interface Waiting {
	readonly message: Cell;
	readonly receiver: Address;
	/**
	 * The hash of the first transaction in the tree that the message belongs to. It is undefined if the message starts a
	 * tree.
	 */
	readonly traceId: string | undefined;
	readonly externalHash: string;
}

/** The facts that are not on the chain: registered names, and the files of off-chain contents. */
export interface Registry {
	readonly names: Map<string, RegisteredName>;
	readonly offChain: Map<string, FetchedContent>;
}

interface RegisteredName {
	readonly domain: string;
	/** The raw address of the NFT of the name. */
	readonly item: string;
	/** The raw address that the name leads to. It is null if none is set. */
	readonly wallet: string | null;
}

export interface Snapshot {
	readonly accounts: Accounts;
	readonly rows: readonly Row[];
	readonly lt: bigint;
	readonly registry: Registry;
}

const LT_STEP = 1_000_000n;

/** The chain of TON: its accounts, all transactions in their order, and the messages that wait for their arrival. */
export class TonLedger {
	readonly rows: Row[];
	readonly registry: Registry;
	/** Accounts that the control server changed. An account leaves this map with its next transaction. */
	readonly changed = new Map<string, ShardAccount>();
	readonly waiting: Waiting[] = [];
	/** Carries out messages one after another, in the order in which requests have sent them. */
	readonly inTurn = createTurns();
	/** Makes the payments of the giver one after another, because each payment needs the next seqno of its wallet. */
	readonly inGiversTurn = createTurns();
	private readonly accounts: Accounts;
	private lt: bigint;
	private readonly getNow: () => number;
	private block: number;

	constructor(snapshot: Snapshot, block: number, getNow: () => number) {
		this.accounts = new Map(snapshot.accounts);
		this.rows = [...snapshot.rows];
		this.lt = snapshot.lt;
		const { names, offChain } = snapshot.registry;
		this.registry = { names: new Map(names), offChain: new Map(offChain) };
		this.block = block;
		this.getNow = getNow;
	}

	get now(): number {
		return Math.max(this.getNow(), this.rows.at(-1)?.transaction.now ?? 0);
	}

	get head(): number {
		return this.block;
	}

	/**
	 * Carries out a message from outside and all messages that follow from it. With `hold`, the message waits for a step
	 * instead. Throws NotAccepted if the virtual machine refuses the message.
	 */
	async send(message: Cell, { hold = false } = {}): Promise<void> {
		await this.inTurn(async () => {
			const receiver = getReceiver(message);
			const externalHash = hashOf(message);
			if (this.waiting.some((one) => one.message.hash().equals(message.hash()))) return;
			if (hold) await this.tryOut(receiver, message);
			this.waiting.push({ message, receiver, traceId: undefined, externalHash });
			if (!hold) await this.carryOut(Infinity);
		});
	}

	/** Lets the next `count` waiting messages arrive. */
	async step(count: number): Promise<void> {
		await this.inTurn(async () => await this.carryOut(count));
	}

	getAccount(address: string): ShardAccount | undefined {
		const account = this.accounts.get(address);
		return account === undefined ? undefined : parseAccount(account);
	}

	setAccount(address: string, account: ShardAccount): void {
		this.accounts.set(address, formatAccount(account));
		this.changed.set(address, account);
	}

	takeSnapshot(): Snapshot {
		return { accounts: this.accounts, rows: this.rows, lt: this.lt, registry: this.registry };
	}

	/** Runs a message and discards its effects. */
	async tryOut(receiver: Address, message: Cell, ignoreChksig = false): Promise<Execution> {
		const lt = this.lt + LT_STEP;
		const account = this.accounts.get(receiver.toRawString());
		return await execute(account, message, { now: this.now, lt, ignoreChksig });
	}

	private async carryOut(count: number): Promise<void> {
		this.block += 1;
		for (let done = 0; done < count; done += 1) {
			const next = this.waiting.shift();
			if (!next) return;
			const isLast = this.waiting.length === 0;
			await this.arrive(next).catch((error: unknown) => {
				// The virtual machine may refuse a held message now, because time has passed. The message is then dropped. Only a
				// message that was just sent makes its request fail.
				const isJustSent = isLast && count === Infinity;
				if (!(error instanceof NotAccepted) || isJustSent) throw error;
			});
		}
	}

	private async arrive({ message, receiver, ...origin }: Waiting): Promise<void> {
		const lt = this.lt + LT_STEP;
		const account = receiver.toRawString();
		const done = await execute(this.accounts.get(account), message, { now: this.now, lt });
		this.lt = lt;
		this.accounts.set(account, done.account);
		this.changed.delete(account);
		const { transaction, after, outgoing } = done;
		const hash = transaction.hash().toString('base64');
		const { traceId = hash, externalHash } = origin;
		const { block } = this;
		this.rows.push({ transaction, hash, account, after, traceId, externalHash, block });
		for (const one of outgoing) this.passOn(one, traceId, externalHash);
	}

	/** A log has no receiver. */
	private passOn(message: Cell, traceId: string, externalHash: string): void {
		const { info } = loadMessage(message.beginParse());
		if (info.type !== 'internal') return;
		this.waiting.push({ message, receiver: info.dest, traceId, externalHash });
	}
}

export const hashOf = (cell: Cell): string => cell.hash().toString('base64');

/** A failure that means that a cell is no message from outside to an account of this chain. */
export class UnreadableMessage extends Error {}

function getReceiver(message: Cell): Address {
	try {
		const { info } = loadMessage(message.beginParse());
		if (info.type === 'external-in') return info.dest;
	} catch {
		// A cell that cannot be parsed is refused by the next statement.
	}
	throw new UnreadableMessage('failed to parse external message');
}
