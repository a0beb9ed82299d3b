import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { addSetting, closedObject } from '../../http/schemas.mts';
import { changePace, type Clock, createClock, getHeadNumber, mineBlocks } from './blocks.mts';

interface WalletSettings {
	/** The coins that addresses have frozen for bandwidth. The keys are base58 or hex addresses. */
	frozen: Record<string, number>;
	/** The frozen coins of all other addresses. */
	defaultFrozen: number;
	/** The coins of addresses. The keys are base58 or hex addresses. */
	balances: Record<string, number>;
	/** The coins of all other addresses. */
	defaultBalance: number;
	/** Milliseconds from block to block. */
	blockTime: number;
	/** Whether the node serves the view of irreversible blocks. */
	solidified: boolean;
	/** The number of milliseconds until unfrozen coins can be withdrawn. */
	unfreezingTime: number;
	/** Whether the node serves `estimateenergy`. Most nodes do not. */
	estimatesEnergy: boolean;
	/** Whether the results of transactions list internal transactions. Most nodes do not keep them. */
	keepsInternal: boolean;
	/** Whether the node serves lists of blocks. Many gateways do not. */
	listsBlocks: boolean;
}

export interface Broadcast {
	txid: string;
	type: string;
	owner_address: string;
	transaction: object;
	/** The number of the block that contains the transaction. It is infinite while the transaction is pending. */
	block: number;
	outcome: Outcome;
}

/** The outcome of a transaction. Its names follow the chain. */
export interface Outcome {
	fee: number;
	net_usage: number;
	net_fee: number;
	energy: number;
	energy_fee: number;
	/** The result of a contract call: SUCCESS, REVERT or OUT_OF_ENERGY. */
	result?: string;
	/** The data that the call returned, in hex. */
	returned?: string;
	/** The reason of a failure as text. */
	message?: string;
	contract_address?: string;
	logs?: Log[];
	internal?: InternalTransfer[];
}

/** A log of a contract. All values are in hex, and the address begins with 41. */
export interface Log {
	address: string;
	topics: string[];
	data: string;
}

/** Coins in sun that a contract sent. Both addresses are in hex. */
export interface InternalTransfer {
	from: string;
	to: string;
	callValue: number;
	note: string;
	rejected: boolean;
}

/** The change of the balance since the start, in sun. The settings have the balance at the start. */
export interface Changes {
	balance: number;
	frozen: { BANDWIDTH: number; ENERGY: number };
	unfrozen: { unfreeze_amount: number; unfreeze_expire_time: number; type?: 'ENERGY' }[];
	/** The used part of the bandwidth that comes from frozen coins. */
	netUsed: number;
	freeNetUsed: number;
	energyUsed: number;
	/** The time of the newest block when the account last sent a transaction. */
	operatedAt?: number;
	/** The time of the last withdrawal of rewards. */
	withdrawnAt?: number;
}

interface Witness {
	/** 21 bytes in hex. */
	address: string;
	voteCount: number;
	url: string;
	totalProduced: number;
	totalMissed: number;
	latestBlockNum: number;
	latestSlotNum: number;
	isJobs: boolean;
}

/** The votes of all owners. The outer key is the owner and the inner key is the witness, both in hex. */
type Votes = Map<string, Map<string, number>>;

export interface Wallet {
	settings: WalletSettings;
	clock: Clock;
	broadcast: Broadcast[];
	/** The witnesses that exist from the start, and the accounts that became witnesses later. */
	witnesses: Witness[];
	votes: Votes;
	/** The changes of accounts. The key is the address in hex. */
	changes: Map<string, Changes>;
	/** The delegated amounts, in sun. */
	loans: Loan[];
}

export type Resource = 'BANDWIDTH' | 'ENERGY';

/** Frozen coins whose resource is delegated to another account. Both addresses are in hex. */
export interface Loan {
	owner: string;
	receiver: string;
	resource: Resource;
	balance: number;
	lockedUntil: number;
}

const BLOCK_TIME_MS = 200;
const UNFREEZING_MS = 14 * 24 * 3_600_000;

export interface WalletState {
	wallet: Wallet;
}

export const createWallet = (): Wallet => ({
	settings: {
		frozen: {},
		defaultFrozen: 1000,
		balances: {},
		defaultBalance: 20_000,
		blockTime: BLOCK_TIME_MS,
		solidified: true,
		unfreezingTime: UNFREEZING_MS,
		estimatesEnergy: true,
		keepsInternal: true,
		listsBlocks: true,
	},
	clock: createClock(BLOCK_TIME_MS),
	broadcast: [],
	witnesses: createWitnesses(),
	votes: new Map(),
	changes: new Map(),
	loans: [],
});

const BLOCK_PRODUCERS = 27;

/** The hex form of THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC, a well-known address for tests of checksums. */
const LEADER_ADDRESS = '41517591d35d313bf6a5e33098284502b045e2bc08';

/** Creates 32 witnesses, which are always the same. The last has no votes, and every eighth has missed no block. */
const createWitnesses = (): Witness[] =>
	Array.from({ length: 32 }, (_, index) => {
		const produces = index < BLOCK_PRODUCERS;
		return {
			address: index === 0 ? LEADER_ADDRESS : `41${hashText(`witness ${index}`).slice(0, 40)}`,
			voteCount: (31 - index) * 25_000_003,
			url: `https://witness-${index + 1}.example.com`,
			totalProduced: produces ? 2_400_000 - index * 1001 : 0,
			totalMissed: index % 8 === 0 ? 0 : index * 7,
			latestBlockNum: produces ? 70_000_000 + index : 0,
			latestSlotNum: produces ? 580_000_000 + index : 0,
			isJobs: produces,
		};
	});

export const createWitness = (address: string, url: string): Witness => ({
	address,
	voteCount: 0,
	url,
	totalProduced: 0,
	totalMissed: 0,
	latestBlockNum: 0,
	latestSlotNum: 0,
	isJobs: false,
});

const hashText = (text: string) => createHash('sha256').update(text).digest('hex');

const wholeNumber = { type: 'integer', minimum: 0 };
const coinsByAddress = { type: 'object', additionalProperties: wholeNumber, default: {} };

const { settings: defaults } = createWallet();

const settingsSchema = closedObject({
	frozen: coinsByAddress,
	defaultFrozen: { ...wholeNumber, default: defaults.defaultFrozen },
	balances: coinsByAddress,
	defaultBalance: { ...wholeNumber, default: defaults.defaultBalance },
	blockTime: { type: 'integer', minimum: 1, default: defaults.blockTime },
	solidified: { type: 'boolean', default: defaults.solidified },
	unfreezingTime: { ...wholeNumber, default: defaults.unfreezingTime },
	estimatesEnergy: { type: 'boolean', default: defaults.estimatesEnergy },
	keepsInternal: { type: 'boolean', default: defaults.keepsInternal },
	listsBlocks: { type: 'boolean', default: defaults.listsBlocks },
});

export function addWalletControl(app: FastifyInstance, state: WalletState): void {
	app.get('/wallet', async () => state.wallet.broadcast);
	addSetting<WalletSettings>(app, '/wallet', settingsSchema, (settings) => {
		state.wallet.settings = settings;
		state.wallet.clock = changePace(state.wallet.clock, settings.blockTime);
	});
	app.post<{ Body: { blocks: number } }>(
		'/wallet/mine',
		{ schema: { body: mineSchema } },
		async ({ body }) => {
			state.wallet.clock = mineBlocks(state.wallet.clock, body.blocks);
			return { head: getHeadNumber(state.wallet.clock) };
		},
	);
}

const mineSchema = closedObject({ blocks: { type: 'integer', minimum: 1, maximum: 1_000_000 } }, [
	'blocks',
]);
