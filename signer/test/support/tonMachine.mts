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

/** This file computes losses of coins with the chain's virtual machine from the sandbox. It uses no code of the signer. */

/** A wallet as its usual library builds it. */
export interface Wallet {
	readonly address: Address;
	readonly init: StateInit;
}

export interface Held {
	readonly coins: bigint;
	/** The data of the wallet's contract. Undefined if the wallet has coins but no code yet. */
	readonly data: Cell | undefined;
	/** In Unix seconds: since when the account owes rent. */
	readonly paidUntil: number;
}

/** The storage space for which wallets pay rent, by the type of their code. */
const SPACE = {
	none: { cells: 1n, bits: 103n },
	v3: { cells: 3n, bits: 1315n },
	later: { cells: 22n, bits: 5697n },
};

/** Writes an account in the form that the virtual machine reads. */
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

/** Gives a message to an account. Returns undefined if the account does not accept it. */
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
	/** The account after the message, in the form that the virtual machine reads. */
	readonly account: string;
	/** The nanocoins that left the wallet. */
	readonly lost: bigint;
	/** The fees in nanocoins: what left the wallet, without the amounts that other accounts got. */
	readonly charged: bigint;
}

/** Gives a message to a wallet, and computes its loss. Returns undefined if the wallet does not accept it. */
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

/** Gives the same message several times, and adds up the losses. */
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

/** Returns the signed body of a message, which anybody can put into another message. */
export function readBody(signedMessage: string): Cell {
	return loadMessage(Cell.fromBase64(signedMessage).beginParse()).body;
}

/** Puts a signed body into the new message that costs most: it adds the wallet's state, and a cell for each part. */
export function wrap(body: Cell, { address, init }: Wallet): Cell {
	const message = external({ to: address, init, body });
	return beginCell()
		.store(storeMessage(message, { forceRef: true }))
		.endCell();
}

/** The time between blocks. A wallet can accept a message once in each block. */
const BLOCK_SECONDS = 5;
/** A message that is taken so often is taken for as long as it is valid. */
const MOST_POSTS = 20;

interface Posted {
	/** How often the wallet accepted the message. More than once would be a replay. */
	readonly taken: number;
	/** The nanocoins that left the wallets until nobody could post the message any more. */
	readonly loss: bigint;
}

/** All wallets of a key in the virtual machine. Coins that are sent to other addresses are lost. */
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

	/** Adds an address of somebody else, without code. It returns messages that may bounce. */
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

	/** Sends a signed body to a wallet in each block, until the wallet does not accept it or it expires. */
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

	/** Sends a signed body in the message that costs the wallet most. Returns whether the wallet accepted it. */
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

	/** Returns the messages that an account sends when it gets a message. Returns undefined if the account does not accept it. */
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
