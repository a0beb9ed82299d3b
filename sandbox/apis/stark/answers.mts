import { RpcFailure } from '../../jsonRpc/calls.mts';
import { getEvents } from './events.mts';
import {
	formatBlock,
	formatBlockBeingMade,
	formatExecutionStatus,
	formatReceipt,
	formatTrace,
	formatTransaction,
	getFinality,
} from './formats.mts';
import type { Executed } from './invoke.mts';
import { getClassKey, Panic, runCall, type World } from './machine/execution.mts';
import { encodeShortString, toHex } from './machine/felts.mts';
import { formatError } from './reasons.mts';
import { addInvoke, estimateFee, getNonce, isReceived, simulate } from './sending.mts';
import { isFrom, SPEC_VERSIONS } from './versions.mts';
import {
	type BlockId,
	chooseBlock,
	type Chosen,
	getLatest,
	getTransaction,
	getTransactions,
	getWorld,
	type View,
} from './views.mts';

interface CallRequest {
	contract_address: string;
	entry_point_selector: string;
	calldata: string[];
}

function getClassHash(address: string, world: World): bigint {
	const hash = world.get(getClassKey(BigInt(address)));
	if (hash === undefined) throw new RpcFailure(20, 'Contract not found');
	return hash;
}

function getClass(hash: bigint, { rollup }: View): object {
	const found = rollup.classes.get(hash);
	if (!found) throw new RpcFailure(28, 'Class hash not found');
	return found.json;
}

const chooseWorld = (id: BlockId, view: View) => getWorld(chooseBlock(id, view), view);

function call(request: CallRequest, id: BlockId, view: View): string[] {
	const world = chooseWorld(id, view);
	getClassHash(request.contract_address, world);
	const to = BigInt(request.contract_address);
	const selector = BigInt(request.entry_point_selector);
	try {
		const run = runCall(
			{ to, selector, calldata: request.calldata.map(BigInt) },
			world,
			view.rollup.classes,
		);
		return run.invocation.result.map(toHex);
	} catch (error) {
		if (error instanceof Panic) throw buildCallError(error, view);
		throw error;
	}
}

function buildCallError(panic: Panic, { settings: { version } }: View): RpcFailure {
	if (panic.isMissing && panic.frames.length === 1 && isFrom(version, '0.8')) {
		const noun = isFrom(version, '0.10') ? 'entry point' : 'entrypoint';
		return new RpcFailure(21, `Requested ${noun} does not exist in the contract`);
	}
	return new RpcFailure(40, 'Contract error', { revert_error: formatError(panic, version) });
}

/** Returns a block. The given function decides the form of each transaction in it. */
function getBlock(id: BlockId, view: View, format: (executed: Executed, block: Chosen) => unknown) {
	const block = chooseBlock(id, view);
	const { version } = view.settings;
	const header = block
		? formatBlock(block, view.rollup, version)
		: formatBlockBeingMade(getLatest(view), version);
	const transactions = getTransactions(block, view).map((executed) => format(executed, block));
	return { ...header, transactions };
}

function getStatus(hash: string, view: View) {
	if (isReceived(hash, view.rollup)) return { finality_status: 'RECEIVED' };
	const { executed, block } = getTransaction(hash, view);
	const { version } = view.settings;
	return {
		finality_status: getFinality(block, view.rollup, version),
		...formatExecutionStatus(executed.panic, version, 'failure_reason'),
	};
}

/**
 * Formats a transaction together with its receipt. The hash stays out of the transaction, because the receipt has it.
 */
function formatWithReceipt(executed: Executed, block: Chosen, { rollup, settings }: View) {
	const { transaction_hash: _hash, ...transaction } = formatTransaction(executed);
	const receipt: Record<string, unknown> = formatReceipt(executed, block, rollup, settings.version);
	delete receipt.block_hash;
	delete receipt.block_number;
	return { transaction, receipt };
}

function getReceived(hash: string, { rollup }: View) {
	return rollup.received.find((one) => one.hash === BigInt(hash));
}

/** Returns the state update of a block. The state updates of this chain list only nonces. */
function getStateUpdate(id: BlockId, view: View) {
	const block = chooseBlock(id, view);
	const { rollup } = view;
	const number = block?.number ?? rollup.blocks.length;
	const nonces = new Map(
		getTransactions(block, view).map(({ transaction: { sender, nonce } }) => [sender, nonce + 1n]),
	);
	return {
		...(block && { block_hash: toHex(block.hash), new_root: toHex(block.root) }),
		old_root: toHex(rollup.blocks[number - 1]?.root ?? 0n),
		state_diff: {
			storage_diffs: [],
			deprecated_declared_classes: [],
			declared_classes: [],
			deployed_contracts: [],
			replaced_classes: [],
			nonces: [...nonces].map(([address, nonce]) => ({
				contract_address: toHex(address),
				nonce: toHex(nonce),
			})),
		},
	};
}

function getTransactionAt(id: BlockId, index: number, view: View) {
	const executed = getTransactions(chooseBlock(id, view), view)[index];
	if (!executed) throw new RpcFailure(27, 'Invalid transaction index in a block');
	return formatTransaction(executed);
}

function trace(hash: string, view: View) {
	if (isReceived(hash, view.rollup)) {
		throw new RpcFailure(10, 'No trace available for transaction', { status: 'RECEIVED' });
	}
	return formatTrace(getTransaction(hash, view).executed, view.settings.version);
}

type Answer = (view: View, ...params: never[]) => unknown;

/** The answers of the chain, by the names of its methods. */
export const answers = {
	specVersion: ({ settings }) => SPEC_VERSIONS[settings.version],
	chainId: ({ settings }) => toHex(encodeShortString(settings.chainId)),
	blockNumber: (view) => getLatest(view).number,
	blockHashAndNumber: (view) => {
		const { hash, number } = getLatest(view);
		return { block_hash: toHex(hash), block_number: number };
	},
	syncing: () => false,
	getBlockWithTxHashes: (view, id: BlockId) => getBlock(id, view, ({ hash }) => toHex(hash)),
	getBlockWithTxs: (view, id: BlockId) => getBlock(id, view, formatTransaction),
	getBlockWithReceipts: (view, id: BlockId) =>
		getBlock(id, view, (executed, block) => formatWithReceipt(executed, block, view)),
	getBlockTransactionCount: (view, id: BlockId) =>
		getTransactions(chooseBlock(id, view), view).length,
	getStateUpdate: (view, id: BlockId) => getStateUpdate(id, view),
	getClass: (view, id: BlockId, hash: string) => {
		chooseBlock(id, view);
		return getClass(BigInt(hash), view);
	},
	getClassAt: (view, id: BlockId, address: string) =>
		getClass(getClassHash(address, chooseWorld(id, view)), view),
	getClassHashAt: (view, id: BlockId, address: string) =>
		toHex(getClassHash(address, chooseWorld(id, view))),
	getNonce: (view, id: BlockId, address: string) => {
		const world = chooseWorld(id, view);
		getClassHash(address, world);
		return toHex(getNonce(BigInt(address), world));
	},
	call: (view, request: CallRequest, id: BlockId) => call(request, id, view),
	getEvents: (view, filter: Parameters<typeof getEvents>[0]) => getEvents(filter, view),
	getTransactionByHash: (view, hash: string) =>
		formatTransaction(getReceived(hash, view) ?? getTransaction(hash, view).executed),
	getTransactionByBlockIdAndIndex: (view, id: BlockId, index: number) =>
		getTransactionAt(id, index, view),
	getTransactionReceipt: (view, hash: string) => {
		const { executed, block } = getTransaction(hash, view);
		return formatReceipt(executed, block, view.rollup, view.settings.version);
	},
	getTransactionStatus: (view, hash: string) => getStatus(hash, view),
	traceTransaction: (view, hash: string) => trace(hash, view),
	estimateFee: (view, ...[jsons, flags, id]: EstimateParams) => estimateFee(jsons, flags, id, view),
	simulateTransactions: (view, ...[id, jsons, flags]: SimulateParams) =>
		simulate(id, jsons, flags, view),
	addInvokeTransaction: (view, json: Parameters<typeof addInvoke>[0]) => addInvoke(json, view),
} satisfies Record<string, Answer>;

type Jsons = Parameters<typeof estimateFee>[0];
type EstimateParams = [jsons: Jsons, flags: string[], id: BlockId];
type SimulateParams = [id: BlockId, jsons: Jsons, flags: string[]];

export type AnswerName = keyof typeof answers;

export const answer = (name: AnswerName, view: View, params: unknown[]): unknown =>
	(answers[name] as (view: View, ...params: unknown[]) => unknown)(view, ...params);
