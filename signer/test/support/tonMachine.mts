import {
	type Address,
	beginCell,
	Cell,
	loadMessage,
	loadShardAccount,
	loadTransaction,
	storeShardAccount,
	type ShardAccount,
	type StateInit,
	type Transaction,
} from '@ton/core';
import { sign } from '@ton/crypto';
import { defaultConfig, Executor } from '@ton/sandbox';
import { WalletContractV3R1 } from '@ton/ton';
import { parseTransfer, type TonTransfer } from '../../../nodes/core';
import { formatWallet, KEYS, WALLETS } from './tonWallets.mts';

/** The wallets of a key in a machine of the chain, and what it charges them. */

export type WalletName = keyof typeof WALLETS;
export const WALLET_NAMES = Object.keys(WALLETS) as WalletName[];

export interface OwnWallet {
	readonly address: Address;
	readonly init: StateInit;
}

/** A wallet that the credential does not name, and that takes the same signatures as v3r2. */
export const OLDEST: OwnWallet = WalletContractV3R1.create({
	workchain: 0,
	publicKey: KEYS.publicKey,
}) as OwnWallet;

/** The key signs by another library than the signer's. */
export const KEY = {
	publicKey: KEYS.publicKey,
	sign: (hash: Uint8Array): Uint8Array => sign(Buffer.from(hash), KEYS.secretKey),
};

export interface Message {
	readonly to: Address;
	readonly amount: bigint;
	readonly bounce?: boolean;
	readonly body?: Cell | undefined;
	readonly stateInit?: Cell | undefined;
}

export interface Asked {
	readonly name: WalletName;
	readonly seqno: number;
	readonly sendMode: number;
	readonly validUntil: number;
	readonly messages: readonly Message[];
}

/** A transfer as workflows write it. */
export function buildTransfer({ name, messages, ...rest }: Asked): TonTransfer {
	return parseTransfer({
		from: formatWallet(name),
		walletType: null,
		...rest,
		messages: messages.map(({ to, amount, bounce = false, body, stateInit }) => ({
			to: to.toString({ bounceable: bounce }),
			amount: String(amount),
			bounce,
			body: body ? toBase64(body) : null,
			stateInit: stateInit ? toBase64(stateInit) : null,
		})),
	});
}

const toBase64 = (cell: Cell) => cell.toBoc().toString('base64');

interface Held {
	readonly coins: bigint;
	readonly seqno: number;
	/** In Unix seconds: since when the wallet owes rent. */
	readonly paidUntil: number;
	readonly isDeployed: boolean;
}

const SPACE = { v3: { cells: 3n, bits: 1315n }, v4: { cells: 22n, bits: 5697n } };

/** Writes the account of a wallet as the machine keeps it. */
export function holdWallet({ address, init }: OwnWallet, held: Held): string {
	const { coins, seqno, paidUntil, isDeployed } = held;
	const state = isDeployed
		? ({ type: 'active', state: { ...init, data: withSeqno(init.data!, seqno) } } as const)
		: ({ type: 'uninit' } as const);
	const used = init.code!.refs.length === 0 ? SPACE.v3 : SPACE.v4;
	return formatAccount({
		account: {
			addr: address,
			storage: { lastTransLt: 0n, balance: { coins }, state },
			storageStats: {
				used: isDeployed ? used : { cells: 1n, bits: 103n },
				lastPaid: paidUntil,
				storageExtra: null,
			},
		},
		lastTransactionLt: 0n,
		lastTransactionHash: 0n,
	});
}

/** The data of the fifth version begins with a bit of its own, and is one bit longer than that of v4r2. */
function withSeqno(data: Cell, seqno: number): Cell {
	const slice = data.beginParse();
	const builder = beginCell();
	if (data.bits.length === V5_DATA_BITS) builder.storeBit(slice.loadBit());
	slice.skip(32);
	return builder.storeUint(seqno, 32).storeSlice(slice).endCell();
}

const V5_DATA_BITS = 1 + 32 + 32 + 256 + 1;

export interface Taken {
	readonly transaction: Transaction;
	/** The wallet in the form in which the machine takes it again. */
	readonly account: string;
	/** All that left the wallet. */
	readonly lost: bigint;
	/** All that left the wallet, but for what others get. */
	readonly charged: bigint;
}

let executor: Promise<Executor> | undefined;

/** Gives a message to a wallet; undefined where it is not taken. */
export async function take(
	account: string,
	message: Cell,
	now: number,
): Promise<Taken | undefined> {
	executor ??= Executor.create();
	const { result } = await (
		await executor
	).runTransaction({
		config: defaultConfig,
		libs: null,
		verbosity: 'short',
		shardAccount: account,
		now,
		lt: 1_000_000n,
		randomSeed: Buffer.alloc(32),
		ignoreChksig: false,
		debugEnabled: false,
		message,
	});
	if (!result.success) return undefined;
	const transaction = loadTransaction(Cell.fromBase64(result.transaction).beginParse());
	const lost = getCoins(account) - getCoins(result.shardAccount);
	const sent = transaction.outMessages.values().reduce((sum, { info }) => {
		return sum + (info.type === 'internal' ? info.value.coins : 0n);
	}, 0n);
	return { transaction, account: result.shardAccount, lost, charged: lost - sent };
}

const formatAccount = (account: ShardAccount): string =>
	beginCell().store(storeShardAccount(account)).endCell().toBoc().toString('base64');

const getCoins = (account: string): bigint =>
	loadShardAccount(Cell.fromBase64(account).beginParse()).account?.storage.balance.coins ?? 0n;

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

/** Wraps a signed body anew, for another wallet too, at the highest cost: with the wallet's state, and all in cells of their own. */
export function wrapAnew(signedMessage: string, { address, init }: OwnWallet): Cell {
	const { body } = loadMessage(Cell.fromBase64(signedMessage).beginParse());
	const state = beginCell()
		.storeUint(0, 2)
		.storeMaybeRef(init.code)
		.storeMaybeRef(init.data)
		.storeBit(false)
		.endCell();
	return beginCell()
		.storeUint(0b1000, 4)
		.storeAddress(address)
		.storeCoins(0)
		.storeUint(0b11, 2)
		.storeRef(state)
		.storeBit(true)
		.storeRef(body)
		.endCell();
}
