import {
	beginCell,
	Cell,
	Dictionary,
	external,
	loadMessage,
	loadShardAccount,
	storeMessage,
	storeShardAccount,
	type Address,
	type StateInit,
} from '@ton/core';
import { defaultConfig, Executor } from '@ton/sandbox';

/** This file judges money by the machine that the chain runs: it knows accounts and messages, and nothing of the signer. */

/** All machines of a process share the executor: it has no state of its own. */
const loading = { executor: undefined as Promise<Executor> | undefined };

/** A block of the chain takes this long: a message can be taken once in each. */
const BLOCK_SECONDS = 5;
/** A message that is taken so often is taken for as long as it is valid. */
const MOST_POSTS = 20;
const LOGICAL_TIME_STEP = 1_000_000n;
const NO_RANDOMNESS = Buffer.alloc(32);

/** A wallet as its usual library builds it. */
interface Wallet {
	readonly address: Address;
	readonly init: StateInit;
}

interface WalletState {
	readonly balance: bigint;
	/** Undefined for a wallet without code, which has coins and waits for its state init. */
	readonly data: Cell | undefined;
}

interface Posted {
	/** How often the wallet took the message; more than once is a replay. */
	readonly taken: number;
	/** What left the wallets until nobody could post it any more, in nanocoins. */
	readonly loss: bigint;
}

/** The wallets of a key in the machine. Messages to any other address leave with all that they carry. */
export class TonLedger {
	/** The accounts as the machine writes them, by their raw addresses. */
	readonly #accounts: Map<string, string>;
	/** The coins of each wallet. */
	readonly #coins: Map<string, bigint>;
	#logicalTime: bigint;

	constructor(
		readonly now: number,
		from?: TonLedger,
	) {
		this.#accounts = new Map(from ? from.#accounts : []);
		this.#coins = new Map(from ? from.#coins : []);
		this.#logicalTime = from ? from.#logicalTime : LOGICAL_TIME_STEP;
	}

	copy(): TonLedger {
		return new TonLedger(this.now, this);
	}

	addWallet({ address, init }: Wallet, { balance, data }: WalletState): void {
		this.#addAccount(address, balance, data && { ...init, data });
		this.#coins.set(address.toRawString(), balance);
	}

	/** Somebody else's address without code: it sends back what may bounce. */
	addOther(address: Address): void {
		this.#addAccount(address, 0n, undefined);
	}

	#addAccount(address: Address, coins: bigint, init: StateInit | undefined): void {
		const state = init ? ({ type: 'active', state: init } as const) : ({ type: 'uninit' } as const);
		const storage = { lastTransLt: 0n, balance: { coins }, state };
		const used = { cells: 1n, bits: 103n };
		const storageStats = { used, lastPaid: this.now, storageExtra: null };
		const account = { addr: address, storage, storageStats };
		const shard = { account, lastTransactionHash: 0n, lastTransactionLt: 0n };
		const written = beginCell().store(storeShardAccount(shard)).endCell();
		this.#accounts.set(address.toRawString(), written.toBoc().toString('base64'));
	}

	/** The coins of all wallets together. */
	countCoins(): bigint {
		return [...this.#coins.values()].reduce((sum, coins) => sum + coins, 0n);
	}

	/** Posts a signed body to a wallet in each block, until it is no longer taken or its validity is over. */
	async postAgain(body: Cell, to: Wallet, validUntil: number): Promise<Posted> {
		const before = this.countCoins();
		let [taken, last, present] = [0, 0n, before];
		while (taken < MOST_POSTS && (await this.#post(body, to))) {
			taken++;
			last = present - this.countCoins();
			present -= last;
		}
		if (taken < MOST_POSTS) return { taken, loss: before - present };
		const blocks = Math.floor((validUntil - this.now) / BLOCK_SECONDS);
		const lasting = BigInt(Math.max(blocks - taken, 0)) * last;
		const most = before - present + lasting;
		return { taken, loss: most < before ? most : before };
	}

	/** Returns whether it was taken. Whoever posts a body chooses its envelope: the largest one costs the wallet most. */
	async #post(body: Cell, { address, init }: Wallet): Promise<boolean> {
		const message = external({ to: address, init, body });
		const writing = storeMessage(message, { forceRef: true });
		const outgoing = await this.#execute(address, beginCell().store(writing).endCell());
		if (!outgoing) return false;
		await this.#deliver(outgoing);
		return true;
	}

	async #deliver(messages: readonly Cell[]): Promise<void> {
		const queue = [...messages];
		for (let next = queue.shift(); next; next = queue.shift()) {
			const { info } = loadMessage(next.beginParse());
			if (info.type !== 'internal' || !this.#accounts.has(info.dest.toRawString())) continue;
			queue.push(...((await this.#execute(info.dest, next)) ?? []));
		}
	}

	/** Returns the messages that an account sends on a message; undefined where it does not take it. */
	async #execute(address: Address, message: Cell): Promise<readonly Cell[] | undefined> {
		const executor = await (loading.executor ??= Executor.create());
		const name = address.toRawString();
		this.#logicalTime += LOGICAL_TIME_STEP;
		const { result } = await executor.runTransaction({
			config: defaultConfig,
			libs: null,
			verbosity: 'short',
			shardAccount: this.#accounts.get(name)!,
			now: this.now,
			lt: this.#logicalTime,
			randomSeed: NO_RANDOMNESS,
			ignoreChksig: false,
			debugEnabled: false,
			message,
		});
		if (!result.success) {
			if (/not accepted|rejected by account/i.test(result.error)) return undefined;
			throw new Error(result.error);
		}
		this.#accounts.set(name, result.shardAccount);
		if (this.#coins.has(name)) this.#coins.set(name, readCoins(result.shardAccount));
		return listOutgoing(result.transaction);
	}
}

function readCoins(shardAccount: string): bigint {
	const { account } = loadShardAccount(Cell.fromBase64(shardAccount).beginParse());
	return account?.storage.balance.coins ?? 0n;
}

/** Returns the cells themselves: to write the messages anew might change them. */
function listOutgoing(transaction: string): readonly Cell[] {
	const messages = Cell.fromBase64(transaction).refs[0]!.beginParse();
	messages.loadMaybeRef();
	return messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()).values();
}
