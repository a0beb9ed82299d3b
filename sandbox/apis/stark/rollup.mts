import { createAccountClass, createOldAccountClass, PUBLIC_KEY } from './contracts/account.mts';
import {
	IMPLEMENTATION,
	oldestProxyClass,
	oldLedgerClass,
	oldTokenClass,
	proxyClass,
} from './contracts/cairo0.mts';
import { everythingClass } from './contracts/everything.mts';
import { nftClass } from './contracts/nft.mts';
import { createTokenClass, getBalanceKey } from './contracts/token.mts';
import { ETH, executeInvoke, type Executed, type Prices, STRK } from './invoke.mts';
import type { ContractClass } from './machine/contract.mts';
import { getClassKey, type World } from './machine/execution.mts';
import { toHex } from './machine/felts.mts';
import {
	getAccountAddress,
	getPublicKey,
	inventFelt,
	inventPrivateKey,
} from './machine/hashes.mts';
import type { Invoke } from './machine/transaction.mts';

export interface Block {
	number: number;
	hash: bigint;
	parentHash: bigint;
	timestamp: number;
	root: bigint;
	prices: Prices;
	transactions: Executed[];
	world: World;
}

export interface Account {
	address: bigint;
	privateKey: bigint;
	publicKey: bigint;
	classHash: bigint;
}

export interface Received {
	hash: bigint;
	transaction: Invoke;
}

/** The chain: its blocks, the pending block, and transactions that are received but not carried out. */
export interface Rollup {
	classes: Map<bigint, ContractClass>;
	accounts: Account[];
	contracts: Record<string, bigint>;
	blocks: Block[];
	making: { transactions: Executed[]; world: World };
	received: Received[];
	/** The number of the last block that was accepted on L1. */
	l1Head: number;
	/** The number of reorganizations. The hashes of blocks and the page tokens depend on it. */
	branch: number;
}

const strkClass = createTokenClass({
	key: 'strk',
	name: 'Starknet Token',
	symbol: 'STRK',
	decimals: 18,
	isNew: false,
});
const ethClass = createTokenClass({
	key: 'eth',
	name: 'Ether',
	symbol: 'ETH',
	decimals: 18,
	isNew: false,
});
const newTokenClass = createTokenClass({
	key: 'new token',
	name: 'A token whose name is longer than one felt',
	symbol: 'LONG',
	decimals: 6,
	isNew: true,
});

const accountClasses = [
	createAccountClass('account', { namesCalls: false }),
	createAccountClass('account that names calls', { namesCalls: true }),
	createOldAccountClass('old account'),
] as const;

function createAccount(index: number, { hash: classHash }: ContractClass): Account {
	const privateKey = inventPrivateKey(`stark account ${index}`);
	const publicKey = getPublicKey(privateKey);
	const address = getAccountAddress(publicKey, classHash, [publicKey]);
	return { address, privateKey, publicKey, classHash };
}

/** Two accounts of the common kind, an account that names the call that failed, and an account of Cairo 0. */
const accounts: readonly Account[] = [0, 0, 1, 2].map((kind, index) =>
	createAccount(index, accountClasses[kind]!),
);

const classes = [
	strkClass,
	ethClass,
	newTokenClass,
	oldTokenClass,
	proxyClass,
	oldestProxyClass,
	oldLedgerClass,
	nftClass,
	everythingClass,
	...accountClasses,
];

const newAddress = (name: string) => getAccountAddress(inventFelt(name), 1n, []);

const contracts = {
	/**
	 * A fee token at its real address. Its name is a short string, and its functions are in snake case and in camel case.
	 */
	strk: STRK,
	/** A fee token like `strk`. */
	eth: ETH,
	/** A token with 6 decimals. Its name is a ByteArray, and its functions are in snake case. */
	newToken: newAddress('new token'),
	/** A proxy of Cairo 0. It names the class of its token. */
	oldToken: newAddress('old token'),
	/** A proxy of Cairo 0. It names the contract `tokenLogic`, whose code it runs. */
	oldestToken: newAddress('oldest token'),
	/** The contract with the code of `oldestToken`. It is of Cairo 0, with functions in camel case. */
	tokenLogic: newAddress('token logic'),
	/** An ERC-721 token that anybody may mint. */
	nft: newAddress('nft'),
	/** A contract of Cairo 0 with lists, structs and tuples. */
	oldLedger: newAddress('old ledger'),
	/** A contract with a function `echo_…` for every type, events of every form, calls in calls, and failures. */
	everything: newAddress('everything'),
};

const CLASS_OF: Readonly<Record<keyof typeof contracts, ContractClass>> = {
	strk: strkClass,
	eth: ethClass,
	newToken: newTokenClass,
	oldToken: proxyClass,
	oldestToken: oldestProxyClass,
	tokenLogic: oldTokenClass,
	nft: nftClass,
	oldLedger: oldLedgerClass,
	everything: everythingClass,
};

const COINS = 1000n;

/** The amount of each token that each account has at the start. */
const START_BALANCES: ReadonlyArray<[token: keyof typeof contracts, amount: bigint]> = [
	['strk', COINS * 10n ** 18n],
	['eth', COINS * 10n ** 18n],
	['newToken', COINS * 10n ** 6n],
	['oldToken', COINS * 10n ** 18n],
	['oldestToken', COINS * 10n ** 18n],
];

function createWorld(): World {
	const world = new Map<string, bigint>();
	for (const [name, { hash }] of Object.entries(CLASS_OF)) {
		world.set(getClassKey(contracts[name as keyof typeof contracts]), hash);
	}
	for (const account of accounts) fill(world, account);
	world.set(`${toHex(contracts.oldToken)}/${IMPLEMENTATION}`, oldTokenClass.hash);
	return world.set(`${toHex(contracts.oldestToken)}/${IMPLEMENTATION}`, contracts.tokenLogic);
}

/** Gives an account its code, its key and its first balances. */
function fill(world: Map<string, bigint>, { address, publicKey, classHash }: Account): void {
	world.set(getClassKey(address), classHash);
	world.set(`${toHex(address)}/${PUBLIC_KEY}`, publicKey);
	for (const [token, amount] of START_BALANCES) {
		const prefix = toHex(contracts[token]);
		world.set(`${prefix}/supply`, (world.get(`${prefix}/supply`) ?? 0n) + amount);
		world.set(`${prefix}/${getBalanceKey(address)}`, amount);
	}
}

const START_TIMESTAMP = 1_767_225_600;
const BLOCK_SECONDS = 4;

export function createRollup(prices: Prices): Rollup {
	const world = createWorld();
	const rollup: Rollup = {
		classes: new Map(classes.map((one) => [one.hash, one])),
		accounts: [...accounts],
		contracts: { ...contracts },
		blocks: [],
		making: { transactions: [], world },
		received: [],
		l1Head: 0,
		branch: 0,
	};
	addBlock(rollup, prices);
	return rollup;
}

export const getHead = ({ blocks }: Rollup): Block => blocks.at(-1)!;

/** Closes the pending block, after the received transactions are included in it. */
export function addBlock(rollup: Rollup, prices: Prices, seconds = BLOCK_SECONDS): Block {
	includeReceived(rollup, prices);
	const { transactions, world } = rollup.making;
	const parent = rollup.blocks.at(-1);
	const number = rollup.blocks.length;
	const parentHash = parent?.hash ?? 0n;
	const hashes = transactions.map(({ hash }) => toHex(hash));
	const hash = inventFelt(['block', rollup.branch, number, toHex(parentHash), hashes]);
	const timestamp = parent ? parent.timestamp + seconds : START_TIMESTAMP;
	const root = inventFelt(['root', toHex(hash)]);
	const block = { number, hash, parentHash, timestamp, root, prices, transactions, world };
	rollup.blocks.push(block);
	rollup.making = { transactions: [], world };
	return block;
}

function includeReceived(rollup: Rollup, prices: Prices): void {
	for (const one of rollup.received.splice(0)) include(rollup, one, prices);
}

/** Carries out a transaction in the pending block. */
export function include(rollup: Rollup, { hash, transaction }: Received, prices: Prices): Executed {
	const { making, classes } = rollup;
	const options = { hash, classes, prices, validates: true, charges: true };
	const { executed, changes } = executeInvoke(transaction, making.world, options);
	making.transactions.push(executed);
	making.world = new Map([...making.world, ...changes]);
	return executed;
}

/** Replaces the latest blocks by others, with the same transactions or without them. */
export function reorganize(rollup: Rollup, depth: number, keeps: boolean, prices: Prices): Block[] {
	const removed = rollup.blocks.splice(rollup.blocks.length - depth);
	const dropped = [...removed.map(({ transactions }) => transactions), rollup.making.transactions];
	rollup.branch += 1;
	rollup.making = { transactions: [], world: getHead(rollup).world };
	for (const [index] of removed.entries()) {
		if (keeps) for (const one of dropped[index]!) include(rollup, one, prices);
		addBlock(rollup, prices);
	}
	if (keeps) for (const one of dropped.at(-1)!) include(rollup, one, prices);
	else rollup.received = [];
	return removed;
}

/** Adds an account of the common kind. It exists from the next block on. */
export function addAccount(rollup: Rollup, prices: Prices): Account {
	const account = createAccount(rollup.accounts.length, accountClasses[0]);
	rollup.accounts.push(account);
	const world = new Map(rollup.making.world);
	fill(world, account);
	rollup.making.world = world;
	addBlock(rollup, prices);
	return account;
}

/** Adds a contract. It exists from the next block on. */
export function deploy(
	rollup: Rollup,
	address: bigint,
	found: ContractClass,
	storage: Readonly<Record<string, bigint>>,
	prices: Prices,
): void {
	rollup.classes.set(found.hash, found);
	const entries = Object.entries(storage).map(([key, value]) => [
		`${toHex(address)}/${key}`,
		value,
	]);
	rollup.making.world = new Map([
		...rollup.making.world,
		[getClassKey(address), found.hash],
		...(entries as [string, bigint][]),
	]);
	addBlock(rollup, prices);
}

/** Finds a transaction and its block. The block is undefined for a transaction in the pending block. */
export function findTransaction(rollup: Rollup, hash: bigint) {
	for (const block of [...rollup.blocks, undefined]) {
		const transactions = block?.transactions ?? rollup.making.transactions;
		const index = transactions.findIndex((one) => one.hash === hash);
		if (index >= 0) return { executed: transactions[index]!, index, block };
	}
	return undefined;
}
