import {
	beginCell,
	Cell,
	external,
	loadMessage,
	storeMessage,
	type Address,
	type StateInit,
} from '@ton/core';
import {
	execute,
	formatAccount,
	NotAccepted,
	parseAccount,
	type Execution,
} from '../../../sandbox/apis/ton/machine.mts';

/** This file judges money by the machine that the chain runs, as the sandbox has it: it knows accounts and messages, and nothing of the signer. */

/** A wallet as its usual library builds it. */
export interface Wallet {
	readonly address: Address;
	readonly init: StateInit;
}

export interface Held {
	readonly coins: bigint;
	/** The data of the code; undefined if there is no code yet, and coins wait for the state init. */
	readonly data: Cell | undefined;
	/** In Unix seconds: since when the account owes rent. */
	readonly paidUntil: number;
}

/** The space that rent is paid for, by the code. */
const SPACE = {
	none: { cells: 1n, bits: 103n },
	v3: { cells: 3n, bits: 1315n },
	later: { cells: 22n, bits: 5697n },
};

/** Writes an account as the machine keeps it. */
export function writeAccount({ address, init }: Wallet, { coins, data, paidUntil }: Held): string {
	const state = data
		? ({ type: 'active', state: { ...init, data } } as const)
		: ({ type: 'uninit' } as const);
	const used = init.code?.refs.length === 0 ? SPACE.v3 : SPACE.later;
	const account = {
		addr: address,
		storage: { lastTransLt: 0n, balance: { coins }, state },
		storageStats: { used: data ? used : SPACE.none, lastPaid: paidUntil, storageExtra: null },
	};
	return formatAccount({ account, lastTransactionLt: 0n, lastTransactionHash: 0n });
}

const LOGICAL_TIME_STEP = 1_000_000n;
const REFUSAL_PATTERN = /not accepted|rejected by account/i;

/** Gives a message to an account; undefined where it is not taken. */
async function give(
	account: string,
	message: Cell,
	now: number,
	lt = LOGICAL_TIME_STEP,
): Promise<Execution | undefined> {
	try {
		return await execute(account, message, { now, lt });
	} catch (error) {
		if (error instanceof NotAccepted && REFUSAL_PATTERN.test(error.message)) return undefined;
		throw error;
	}
}

const readCoins = (account: string) => parseAccount(account).account?.storage.balance.coins ?? 0n;

function readValue(message: Cell): bigint {
	const { info } = loadMessage(message.beginParse());
	return info.type === 'internal' ? info.value.coins : 0n;
}

interface Taken {
	/** The wallet in the form in which the machine takes it again. */
	readonly account: string;
	/** The nanocoins that left the wallet. */
	readonly lost: bigint;
	/** The nanocoins that left the wallet, without the amounts for other accounts. */
	readonly charged: bigint;
}

/** Gives a message to a wallet, and counts what it loses; undefined where it is not taken. */
export async function take(
	account: string,
	message: Cell,
	now: number,
): Promise<Taken | undefined> {
	const done = await give(account, message, now);
	if (!done) return undefined;
	const lost = readCoins(account) - readCoins(done.account);
	const sent = done.outgoing.reduce((sum, one) => sum + readValue(one), 0n);
	return { account: done.account, lost, charged: lost - sent };
}

/** Gives the same message again and again, and sums up what is lost. */
export async function takeOften(
	account: string,
	message: Cell,
	{ now, most }: { now: number; most: number },
): Promise<{ readonly times: number; readonly lost: bigint; readonly charged: bigint }> {
	let [held, times, lost, charged] = [account, 0, 0n, 0n];
	for (; times < most; times++) {
		const taken = await take(held, message, now);
		if (!taken) break;
		held = taken.account;
		lost += taken.lost;
		charged += taken.charged;
	}
	return { times, lost, charged };
}

/** Returns the signed part of a message, which anybody can wrap anew. */
export function readBody(signedMessage: string): Cell {
	return loadMessage(Cell.fromBase64(signedMessage).beginParse()).body;
}

/** Wraps a signed body, for another wallet too, at the highest cost: with the wallet's state, and all in cells of their own. */
export function wrap(body: Cell, { address, init }: Wallet): Cell {
	const message = external({ to: address, init, body });
	return beginCell()
		.store(storeMessage(message, { forceRef: true }))
		.endCell();
}

/** A block of the chain takes this long: a message can be taken once in each. */
const BLOCK_SECONDS = 5;
/** A message that is taken so often is taken for as long as it is valid. */
const MOST_POSTS = 20;

interface Posted {
	/** How often the wallet accepted the message. More than once is a replay. */
	readonly taken: number;
	/** The nanocoins that left the wallets until nobody could post the message any more. */
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

	addWallet(wallet: Wallet, held: Omit<Held, 'paidUntil'>): void {
		this.#add(wallet, held);
		this.#coins.set(wallet.address.toRawString(), held.coins);
	}

	/** Somebody else's address without code: it sends back what may bounce. */
	addOther(address: Address): void {
		this.#add({ address, init: {} }, { coins: 0n, data: undefined });
	}

	#add(wallet: Wallet, held: Omit<Held, 'paidUntil'>): void {
		const account = writeAccount(wallet, { ...held, paidUntil: this.now });
		this.#accounts.set(wallet.address.toRawString(), account);
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
	async #post(body: Cell, to: Wallet): Promise<boolean> {
		const outgoing = await this.#execute(to.address, wrap(body, to));
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
		const name = address.toRawString();
		this.#logicalTime += LOGICAL_TIME_STEP;
		const done = await give(this.#accounts.get(name)!, message, this.now, this.#logicalTime);
		if (!done) return undefined;
		this.#accounts.set(name, done.account);
		if (this.#coins.has(name)) this.#coins.set(name, readCoins(done.account));
		return done.outgoing;
	}
}
