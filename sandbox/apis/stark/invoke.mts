import { EXECUTE, VALIDATE } from './contracts/account.mts';
import { getBalanceKey } from './contracts/token.mts';
import {
	type Classes,
	type Event,
	getNonceKey,
	type Invocation,
	listEvents,
	Panic,
	type Run,
	runCall,
	type Usage,
	type World,
} from './machine/execution.mts';
import { splitU256, toHex } from './machine/felts.mts';
import { getSelector } from './machine/hashes.mts';
import type { Invoke } from './machine/transaction.mts';

/** The addresses of the fee tokens, which are the same as on the real Starknet. */
export const STRK = 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
export const ETH = 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n;

/** The account of the sequencer, which receives the fees. */
export const SEQUENCER = 0x1176a1bd84444c89232ec27754698e5d2e7e1a7f1539f12027f28b23ec9f3d8n;

/** The price of a unit of each resource, in the smallest unit of STRK. */
export interface Prices {
	l1: bigint;
	l2: bigint;
	l1Data: bigint;
}

export interface Resources {
	l1: bigint;
	l2: bigint;
	l1Data: bigint;
}

/** A transaction that was carried out, whether it succeeded or not. */
export interface Executed {
	hash: bigint;
	transaction: Invoke;
	panic: Panic | undefined;
	validation: Invocation | undefined;
	execution: Invocation | undefined;
	feeTransfer: Invocation | undefined;
	events: (Event & { from: bigint })[];
	resources: Resources;
	prices: Prices;
	fee: bigint;
}

interface InvokeOptions {
	hash: bigint;
	classes: Classes;
	prices: Prices;
	validates: boolean;
	charges: boolean;
}

/** The resources that a transaction uses before any of its calls. */
export const LEAST_RESOURCES: Resources = { l1: 0n, l2: 640_000n, l1Data: 128n };

/**
 * The amount of L2 gas that costs as much as one unit of L1 gas. A transaction without three bounds pays everything in
 * L1 gas.
 */
const L2_GAS_IN_L1_GAS = 40_000n;

/** The price of gas in FRI is this many times its price in WEI. */
export const FRI_IN_WEI = 20_000n;

/** Carries out a transaction on a copy of the state. */
export function executeInvoke(transaction: Invoke, world: World, options: InvokeOptions) {
	const { classes, validates, charges, prices, hash } = options;
	const { sender, calldata } = transaction;
	const validate = { to: sender, selector: VALIDATE, calldata };
	const validation = validates ? runCall(validate, world, classes).invocation : undefined;
	const tried = tryRun(() => runCall({ to: sender, selector: EXECUTE, calldata }, world, classes));
	const resources = countResources(transaction, tried.run?.usage);
	const used = computeFee(transaction, resources, prices);
	const refusal = charges ? findExcess(transaction, resources) : undefined;
	const outcome = refusal ? { panic: refusal } : tried;
	const paid = charges ? payFee(transaction, used, world, outcome, classes) : outcome;
	const changes = new Map(paid.run?.changes);
	changes.set(getNonceKey(sender), transaction.nonce + 1n);
	for (const [key, value] of paid.transfer?.changes ?? []) changes.set(key, value);
	const execution = paid.run?.invocation;
	const feeTransfer = paid.transfer?.invocation;
	const executed: Executed = {
		hash,
		transaction,
		panic: paid.panic,
		validation,
		execution,
		feeTransfer,
		events: [execution, feeTransfer].flatMap((one) => (one ? listEvents(one) : [])),
		resources,
		prices,
		fee: paid.fee ?? 0n,
	};
	return { executed, changes, fee: used };
}

/**
 * The outcome of a transaction. `run` is undefined if the transaction did not run, and `panic` is the reason of a
 * failure.
 */
interface Outcome {
	run?: Run;
	panic?: Panic;
	transfer?: Run;
	fee?: bigint;
}

function tryRun(run: () => Run): Outcome {
	try {
		return { run: run() };
	} catch (error) {
		if (error instanceof Panic) return { panic: error };
		throw error;
	}
}

const FAILED_USAGE: Usage = { calls: 2, felts: 0, writes: 0, events: 0 };

function countResources({ bounds, calldata }: Invoke, usage = FAILED_USAGE): Resources {
	const { calls, felts, writes, events } = usage;
	const units = calls * 40_000 + felts * 5_000 + writes * 60_000 + events * 20_000;
	const l2 = 600_000n + BigInt(units + calldata.length * 1_000);
	const l1Data = 128n + BigInt(writes * 64);
	return bounds?.l1Data
		? { l1: 0n, l2, l1Data }
		: { l1: l2 / L2_GAS_IN_L1_GAS + 1n, l2: 0n, l1Data };
}

export const isPaidInWei = ({ bounds }: Pick<Invoke, 'bounds'>) => bounds === undefined;

/** Computes the fee in FRI, or in WEI for transactions older than version 3. */
function computeFee(transaction: Invoke, resources: Resources, prices: Prices): bigint {
	const { l1, l2, l1Data } = resources;
	const fee = l1 * prices.l1 + l2 * (prices.l2 + transaction.tip) + l1Data * prices.l1Data;
	return isPaidInWei(transaction) ? fee / FRI_IN_WEI : fee;
}

/** Computes the highest fee that a transaction allows. */
export function computeHighestFee({ bounds, maxFee, tip }: Invoke): bigint {
	if (!bounds) return maxFee;
	const { l1, l2, l1Data = { amount: 0n, price: 0n } } = bounds;
	return l1.amount * l1.price + l1Data.amount * l1Data.price + l2.amount * (l2.price + tip);
}

/** Returns a panic if a transaction used more gas than its bounds allow. The panic reverts the transaction. */
function findExcess({ bounds }: Invoke, used: Resources): Panic | undefined {
	if (!bounds) return undefined;
	const pairs = [
		['L1Gas', bounds.l1.amount, used.l1],
		['L2Gas', bounds.l2.amount, used.l2],
		['L1DataGas', bounds.l1Data?.amount ?? used.l1Data, used.l1Data],
	] as const;
	const excess = pairs.find(([, allowed, actual]) => allowed < actual);
	if (!excess) return undefined;
	const [name, allowed, actual] = excess;
	const words = `Insufficient max ${name}: max amount: ${allowed}, actual used: ${actual}.`;
	return new Panic([], { words });
}

/**
 * Pays the fee by a transfer of the fee token, which emits an event.
 * If the calls of a transaction leave less than its fee, they are undone, and the account pays as much of the fee as it can.
 */
function payFee(
	transaction: Invoke,
	used: bigint,
	world: World,
	outcome: Outcome,
	classes: Classes,
): Outcome {
	const after = new Map([...world, ...(outcome.run?.changes ?? [])]);
	const fee = [used, computeHighestFee(transaction)].reduce((a, b) => (a < b ? a : b));
	const balance = getFeeBalance(after, transaction);
	if (balance < fee && outcome.run) {
		const words = `Insufficient fee token balance. Fee: ${fee}, balance: ${balance}.`;
		return payFee(transaction, used, world, { panic: new Panic([], { words }) }, classes);
	}
	const paid = balance < fee ? balance : fee;
	const to = isPaidInWei(transaction) ? ETH : STRK;
	const call = { to, selector: getSelector('transfer'), calldata: [SEQUENCER, ...splitU256(paid)] };
	return { ...outcome, transfer: runCall(call, after, classes, transaction.sender), fee: paid };
}

export const getFeeBalance = (world: World, transaction: Invoke) =>
	world.get(
		`${toHex(isPaidInWei(transaction) ? ETH : STRK)}/${getBalanceKey(transaction.sender)}`,
	) ?? 0n;
