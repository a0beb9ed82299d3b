import { RpcFailure } from '../../jsonRpc/calls.mts';
import { PUBLIC_KEY, VALIDATE } from './contracts/account.mts';
import { formatError, formatEstimate, formatTrace } from './formats.mts';
import {
	computeHighestFee,
	executeInvoke,
	getFeeBalance,
	LEAST_RESOURCES,
	type Prices,
} from './invoke.mts';
import { getClassKey, getNonceKey, Panic, panicWith, type World } from './machine/execution.mts';
import { encodeShortString, toHex } from './machine/felts.mts';
import { hashInvoke, isSignatureOf } from './machine/hashes.mts';
import {
	getBaseVersion,
	type Invoke,
	type InvokeJson,
	parseInvoke,
	QUERY_BIT,
} from './machine/transaction.mts';
import { addBlock, findTransaction, include, type Room } from './room.mts';
import { getPrices, type StarkSettings } from './settings.mts';
import { isFrom } from './versions.mts';
import { type BlockId, chooseBlock, getWorld, type View } from './views.mts';

/** Takes a transaction, if the account that it names could have sent it now. */
export function addInvoke(json: InvokeJson, { room, settings }: View) {
	const transaction = parseInvoke(json);
	checkVersion(transaction, settings, { takesQueries: false });
	const hash = hashInvoke(transaction, encodeShortString(settings.chainId));
	const prices = getPrices(settings);
	const { world } = room.making;
	checkSender(transaction, world);
	if (room.received.some((one) => one.hash === hash)) {
		throw new RpcFailure(59, 'A transaction with the same hash already exists in the mempool');
	}
	checkNonce(transaction, room, settings);
	if (!isSigned(transaction, hash, world)) {
		throw new RpcFailure(55, 'Account validation failed', 'Account: invalid signature');
	}
	checkBounds(transaction, prices, settings);
	if (computeHighestFee(transaction) > getFeeBalance(world, transaction)) {
		throw new RpcFailure(54, "Account balance is smaller than the transaction's max_fee");
	}
	if (settings.inclusion === 'received') room.received.push({ hash, transaction });
	else include(room, { hash, transaction }, prices);
	if (settings.inclusion === 'block') addBlock(room, prices);
	return { transaction_hash: toHex(hash) };
}

function checkVersion(
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

function checkSender({ sender }: Invoke, world: World): void {
	if (isAccount(sender, world)) return;
	throw new RpcFailure(58, 'Sender address is not an account contract');
}

export const isAccount = (address: bigint, world: World) =>
	world.has(getClassKey(address)) && world.has(`${toHex(address)}/${PUBLIC_KEY}`);

/** What waits counts as well, so that several can be sent in a row. */
function checkNonce({ sender, nonce }: Invoke, room: Room, { version }: StarkSettings): void {
	const waiting = room.received.filter(({ transaction }) => transaction.sender === sender).length;
	const next = getNonce(sender, room.making.world) + BigInt(waiting);
	if (nonce === next) return;
	const words = `Invalid transaction nonce of contract at address ${toHex(sender)}. Account nonce: ${toHex(next)}; got: ${toHex(nonce)}.`;
	const data = isFrom(version, '0.9') ? words : undefined;
	throw new RpcFailure(52, 'Invalid transaction nonce', data);
}

export const getNonce = (address: bigint, world: World) => world.get(getNonceKey(address)) ?? 0n;

function isSigned({ sender, signature }: Invoke, hash: bigint, world: World): boolean {
	return isSignatureOf(world.get(`${toHex(sender)}/${PUBLIC_KEY}`)!, hash, signature);
}

function checkBounds(transaction: Invoke, prices: Prices, { version }: StarkSettings): void {
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

/** Tries transactions one after another, each on the world that the one before has left. */
function tryAll(jsons: readonly InvokeJson[], flags: readonly string[], id: BlockId, view: View) {
	const { room, settings } = view;
	const prices = getPrices(settings);
	const validates = !flags.includes('SKIP_VALIDATE');
	let world = getWorld(chooseBlock(id, view), view);
	return jsons.map((json, index) => {
		const transaction = parseInvoke(json);
		checkVersion(transaction, settings, { takesQueries: true });
		const hash = hashInvoke(transaction, encodeShortString(settings.chainId));
		const refusal = findRefusal(transaction, hash, world, validates);
		if (refusal) throw failedAt(index, refusal, view);
		const charges = flags.includes('CHARGE');
		if (charges) checkCharge(transaction, prices, world, index, view);
		const options = { hash, classes: room.classes, prices, validates, charges };
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
		const words = `Invalid transaction nonce of contract at address ${toHex(sender)}. Account nonce: ${toHex(next)}; got: ${toHex(nonce)}.`;
		return new Panic([], { words });
	}
	if (!validates || isSigned(transaction, hash, world)) return undefined;
	const classHash = world.get(getClassKey(sender))!;
	const frames = [{ contract: sender, classHash, selector: VALIDATE }];
	return new Panic(panicWith('Account: invalid signature').felts, { frames });
}

function checkCharge(transaction: Invoke, prices: Prices, world: World, index: number, view: View) {
	const low = findLowBound(transaction, prices);
	const isPoor = computeHighestFee(transaction) > getFeeBalance(world, transaction);
	const words = low ?? (isPoor ? 'Resource bounds exceed the balance.' : undefined);
	if (words) throw failedAt(index, new Panic([], { words }), view);
}

const failedAt = (transaction_index: number, panic: Panic, { settings }: View) =>
	new RpcFailure(41, 'Transaction execution error', {
		transaction_index,
		execution_error: formatError(panic, settings.version),
	});

/** A revert makes an estimate fail. */
export function estimateFee(jsons: InvokeJson[], flags: string[], id: BlockId, view: View) {
	return tryAll(jsons, flags, id, view).map(({ executed, fee }, index) => {
		if (executed.panic) throw failedAt(index, executed.panic, view);
		return formatEstimate(executed, fee, view.settings.version);
	});
}

/** A revert is part of what a simulation answers. */
export function simulate(id: BlockId, jsons: InvokeJson[], flags: string[], view: View) {
	const skipsFee = flags.includes('SKIP_FEE_CHARGE');
	const { version } = view.settings;
	const tried = tryAll(jsons, skipsFee ? flags : [...flags, 'CHARGE'], id, view);
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

/** Whether a hash is known but not carried out yet. */
export const isReceived = (hash: string, room: Room) =>
	room.received.some((one) => one.hash === BigInt(hash)) && !findTransaction(room, BigInt(hash));
