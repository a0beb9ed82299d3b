import { RpcFailure } from '../../jsonRpc/calls.mts';
import { PUBLIC_KEY, VALIDATE } from './contracts/account.mts';
import { formatEstimate, formatTrace } from './formats.mts';
import {
	computeHighestFee,
	executeInvoke,
	getFeeBalance,
	LEAST_RESOURCES,
	type Prices,
} from './invoke.mts';
import {
	getClassKey,
	getNonceKey,
	Panic,
	createPanicError,
	type World,
} from './machine/execution.mts';
import { encodeShortString, toHex } from './machine/felts.mts';
import { hashInvoke, isSignatureOf } from './machine/hashes.mts';
import {
	getBaseVersion,
	type Invoke,
	type InvokeJson,
	parseInvoke,
	QUERY_BIT,
} from './machine/transaction.mts';
import { formatError } from './reasons.mts';
import { addBlock, findTransaction, include, type Rollup } from './rollup.mts';
import { getPrices, type StarkSettings } from './settings.mts';
import { isFrom } from './versions.mts';
import { type BlockId, chooseBlock, getWorld, type View } from './views.mts';

/** Accepts a transaction if its account could send it now. */
export function addInvoke(json: InvokeJson, { rollup, settings }: View) {
	const transaction = parseInvoke(json);
	throwIfVersionUnsupported(transaction, settings, { takesQueries: false });
	const hash = hashInvoke(transaction, encodeShortString(settings.chainId));
	const prices = getPrices(settings);
	const { world } = rollup.making;
	throwIfNoAccount(transaction, world, settings);
	if (rollup.received.some((one) => one.hash === hash)) {
		throw new RpcFailure(59, 'A transaction with the same hash already exists in the mempool');
	}
	throwIfNonceWrong(transaction, rollup, settings);
	if (!isSigned(transaction, hash, world)) {
		throw new RpcFailure(55, 'Account validation failed', 'Account: invalid signature');
	}
	throwIfBoundsLow(transaction, prices, settings);
	if (computeHighestFee(transaction) > getFeeBalance(world, transaction)) {
		throw new RpcFailure(54, "Account balance is smaller than the transaction's max_fee");
	}
	if (settings.inclusion === 'received') rollup.received.push({ hash, transaction });
	else include(rollup, { hash, transaction }, prices);
	if (settings.inclusion === 'block') addBlock(rollup, prices);
	return { transaction_hash: toHex(hash) };
}

function throwIfVersionUnsupported(
	transaction: Invoke,
	{ version }: StarkSettings,
	{ takesQueries }: { takesQueries: boolean },
): void {
	const base = getBaseVersion(transaction);
	const isTaken = base === 3n || (base === 1n && !isFrom(version, '0.8'));
	const isQuery = transaction.version >= QUERY_BIT;
	if (!isTaken || (isQuery && !takesQueries)) {
		throw new RpcFailure(61, 'the transaction version is not supported');
	}
}

function throwIfNoAccount({ sender }: Invoke, world: World, { version }: StarkSettings): void {
	if (isAccount(sender, world)) return;
	// The documents of versions before 0.9 have the misprint `in`.
	const word = isFrom(version, '0.9') ? 'is' : 'in';
	throw new RpcFailure(58, `Sender address ${word} not an account contract`);
}

export const isAccount = (address: bigint, world: World) =>
	world.has(getClassKey(address)) && world.has(`${toHex(address)}/${PUBLIC_KEY}`);

/**
 * Refuses a wrong nonce. Received transactions count as well, so that an account can send several transactions in a
 * row.
 */
function throwIfNonceWrong(
	{ sender, nonce }: Invoke,
	rollup: Rollup,
	{ version }: StarkSettings,
): void {
	const waiting = rollup.received.filter(({ transaction }) => transaction.sender === sender).length;
	const next = getNonce(sender, rollup.making.world) + BigInt(waiting);
	if (nonce === next) return;
	const words = formatNonceRefusal(sender, next, nonce);
	const data = isFrom(version, '0.9') ? words : undefined;
	throw new RpcFailure(52, 'Invalid transaction nonce', data);
}

const formatNonceRefusal = (sender: bigint, next: bigint, got: bigint) =>
	`Invalid transaction nonce of contract at address ${toHex(sender)}. Account nonce: ${toHex(next)}; got: ${toHex(got)}.`;

export const getNonce = (address: bigint, world: World) => world.get(getNonceKey(address)) ?? 0n;

function isSigned({ sender, signature }: Invoke, hash: bigint, world: World): boolean {
	return isSignatureOf(world.get(`${toHex(sender)}/${PUBLIC_KEY}`)!, hash, signature);
}

function throwIfBoundsLow(transaction: Invoke, prices: Prices, { version }: StarkSettings): void {
	const problem = findLowBound(transaction, prices);
	if (!problem) return;
	const data = isFrom(version, '0.9') ? problem : undefined;
	const message =
		"The transaction's resources don't cover validation or the minimal transaction fee";
	throw new RpcFailure(53, message, data);
}

function findLowBound(transaction: Invoke, prices: Prices): string | undefined {
	const { bounds, maxFee } = transaction;
	if (!bounds) return maxFee > 0n ? undefined : 'max_fee is 0';
	const least = LEAST_RESOURCES;
	const pairs = bounds.l1Data
		? ([
				['L2Gas', bounds.l2, least.l2, prices.l2],
				['L1DataGas', bounds.l1Data, least.l1Data, prices.l1Data],
			] as const)
		: ([['L1Gas', bounds.l1, 1n, prices.l1]] as const);
	for (const [name, bound, amount, price] of pairs) {
		if (bound.price < price) {
			return `Max ${name} price (${bound.price}) is lower than the actual gas price: ${price}.`;
		}
		if (bound.amount < amount) {
			return `Max ${name} amount (${bound.amount}) is lower than the minimal gas amount: ${amount}.`;
		}
	}
	return undefined;
}

interface Trial {
	transactions: readonly InvokeJson[];
	block: BlockId;
	validates: boolean;
	charges: boolean;
}

/** Tries transactions one after another. Each transaction starts from the state that the previous transaction left. */
function tryAll({ transactions, block, validates, charges }: Trial, view: View) {
	const { rollup, settings } = view;
	const prices = getPrices(settings);
	let world = getWorld(chooseBlock(block, view), view);
	return transactions.map((json, index) => {
		const transaction = parseInvoke(json);
		throwIfVersionUnsupported(transaction, settings, { takesQueries: true });
		const hash = hashInvoke(transaction, encodeShortString(settings.chainId));
		const refusal =
			findRefusal(transaction, hash, world, validates) ??
			(charges ? findChargeRefusal(transaction, prices, world) : undefined);
		if (refusal) throw buildTrialError(index, refusal, view);
		const options = { hash, classes: rollup.classes, prices, validates, charges };
		const tried = executeInvoke(transaction, world, options);
		world = new Map([...world, ...tried.changes]);
		return tried;
	});
}

function findRefusal(
	transaction: Invoke,
	hash: bigint,
	world: World,
	validates: boolean,
): Panic | undefined {
	const { sender, nonce } = transaction;
	if (!isAccount(sender, world)) {
		return new Panic([], { words: `Requested contract address ${toHex(sender)} is not deployed.` });
	}
	const next = getNonce(sender, world);
	if (validates ? nonce !== next : nonce < next) {
		return new Panic([], { words: formatNonceRefusal(sender, next, nonce) });
	}
	if (!validates || isSigned(transaction, hash, world)) return undefined;
	const classHash = world.get(getClassKey(sender))!;
	const frames = [{ contract: sender, classHash, selector: VALIDATE }];
	return new Panic(createPanicError('Account: invalid signature').felts, { frames });
}

function findChargeRefusal(transaction: Invoke, prices: Prices, world: World): Panic | undefined {
	const low = findLowBound(transaction, prices);
	const isPoor = computeHighestFee(transaction) > getFeeBalance(world, transaction);
	const words = low ?? (isPoor ? 'Resource bounds exceed the balance.' : undefined);
	return words === undefined ? undefined : new Panic([], { words });
}

const buildTrialError = (transaction_index: number, panic: Panic, { settings }: View) =>
	new RpcFailure(41, 'Transaction execution error', {
		transaction_index,
		execution_error: formatError(panic, settings.version),
	});

/** Estimates the fees of transactions. A transaction that reverts makes the estimate fail. */
export function estimateFee(
	transactions: InvokeJson[],
	flags: string[],
	block: BlockId,
	view: View,
) {
	const validates = !flags.includes('SKIP_VALIDATE');
	const tried = tryAll({ transactions, block, validates, charges: false }, view);
	return tried.map(({ executed, fee }, index) => {
		if (executed.panic) throw buildTrialError(index, executed.panic, view);
		return formatEstimate(executed, fee, view.settings.version);
	});
}

/** Simulates transactions. If a transaction reverts, the revert is a part of the answer. */
export function simulate(block: BlockId, transactions: InvokeJson[], flags: string[], view: View) {
	const validates = !flags.includes('SKIP_VALIDATE');
	const charges = !flags.includes('SKIP_FEE_CHARGE');
	const { version } = view.settings;
	const tried = tryAll({ transactions, block, validates, charges }, view);
	const results = tried.map(({ executed, fee }) => ({
		transaction_trace: formatTrace(executed, version),
		fee_estimation: formatEstimate(executed, fee, version),
	}));
	if (!flags.includes('RETURN_INITIAL_READS')) return results;
	const nonces = tried.map(({ executed: { transaction } }) => ({
		contract_address: toHex(transaction.sender),
		nonce: toHex(transaction.nonce),
	}));
	const initial_reads = { storage: [], nonces, class_hashes: [], declared_contracts: [] };
	return { simulated_transactions: results, initial_reads };
}

/** Returns whether a transaction was received but not carried out yet. */
export const isReceived = (hash: string, rollup: Rollup) =>
	rollup.received.some((one) => one.hash === BigInt(hash)) &&
	!findTransaction(rollup, BigInt(hash));
