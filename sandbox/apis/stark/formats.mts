import {
	type Executed,
	FRI_IN_WEI,
	isPaidInWei,
	type Prices,
	type Resources,
	SEQUENCER,
} from './invoke.mts';
import type { Event, Invocation, Panic } from './machine/execution.mts';
import { toHex } from './machine/felts.mts';
import { inventFelt } from './machine/hashes.mts';
import { formatRevertText } from './reasons.mts';
import type { Block, Rollup } from './rollup.mts';
import { isFrom, type Version } from './versions.mts';

const toHexes = (felts: readonly bigint[]) => felts.map(toHex);

const CHAIN_VERSION = '0.14.1';

const formatPrice = (fri: bigint) => ({
	price_in_fri: toHex(fri),
	price_in_wei: toHex(fri / FRI_IN_WEI || 1n),
});

const formatPrices = ({ l1, l2, l1Data }: Prices, version: Version) => ({
	l1_gas_price: formatPrice(l1),
	...(isFrom(version, '0.8') && { l2_gas_price: formatPrice(l2) }),
	l1_data_gas_price: formatPrice(l1Data),
});

const formatCommon = (timestamp: number, prices: Prices, version: Version) => ({
	timestamp,
	sequencer_address: toHex(SEQUENCER),
	...formatPrices(prices, version),
	l1_da_mode: 'BLOB',
	starknet_version: CHAIN_VERSION,
});

export const getFinality = (block: Block | undefined, { l1Head }: Rollup, version: Version) => {
	if (!block) return isFrom(version, '0.9') ? 'PRE_CONFIRMED' : 'ACCEPTED_ON_L2';
	return block.number <= l1Head ? 'ACCEPTED_ON_L1' : 'ACCEPTED_ON_L2';
};

/** A block without its transactions. */
export function formatBlock(block: Block, rollup: Rollup, version: Version) {
	const events = block.transactions.flatMap((one) => one.events);
	const invent = (name: string) => toHex(inventFelt([name, toHex(block.hash)]));
	return {
		status: getFinality(block, rollup, version),
		block_hash: toHex(block.hash),
		parent_hash: toHex(block.parentHash),
		block_number: block.number,
		new_root: toHex(block.root),
		...formatCommon(block.timestamp, block.prices, version),
		...(isFrom(version, '0.10') && {
			event_commitment: invent('events'),
			transaction_commitment: invent('transactions'),
			receipt_commitment: invent('receipts'),
			state_diff_commitment: invent('state'),
			event_count: events.length,
			transaction_count: block.transactions.length,
			state_diff_length: block.transactions.length * 2,
		}),
	};
}

/** Formats the pending block. It has neither a hash nor a root, and before version 0.8 it has no number. */
export function formatBlockBeingMade(parent: Block, version: Version) {
	const common = formatCommon(parent.timestamp + 1, parent.prices, version);
	if (isFrom(version, '0.9')) return { block_number: parent.number + 1, ...common };
	return { parent_hash: toHex(parent.hash), ...common };
}

export const formatTransaction = ({
	transaction,
	hash,
}: Pick<Executed, 'transaction' | 'hash'>) => {
	const { proof: _proof, ...fields } = transaction.json;
	return { transaction_hash: toHex(hash), ...fields };
};

export const formatContent = ({ keys, data }: Pick<Event, 'keys' | 'data'>) => ({
	keys: toHexes(keys),
	data: toHexes(data),
});

export function formatReceipt(
	executed: Executed,
	block: Block | undefined,
	rollup: Rollup,
	version: Version,
) {
	const { transaction, panic, events, fee } = executed;
	const being = isFrom(version, '0.9') ? { block_number: rollup.blocks.length } : {};
	return {
		type: 'INVOKE',
		transaction_hash: toHex(executed.hash),
		actual_fee: { amount: toHex(fee), unit: isPaidInWei(transaction) ? 'WEI' : 'FRI' },
		finality_status: getFinality(block, rollup, version),
		...formatExecutionStatus(panic, version, 'revert_reason'),
		messages_sent: [],
		events: events.map((event) => ({ from_address: toHex(event.from), ...formatContent(event) })),
		execution_resources: formatResources(executed.resources, version),
		...(block ? { block_hash: toHex(block.hash), block_number: block.number } : being),
	};
}

/**
 * Formats the outcome of a transaction. A receipt calls the reason of a failure `revert_reason`. A status calls it
 * `failure_reason`, and has it only from version 0.8 on.
 */
export function formatExecutionStatus(
	panic: Panic | undefined,
	version: Version,
	reasonName: 'revert_reason' | 'failure_reason',
) {
	if (!panic) return { execution_status: 'SUCCEEDED' };
	const isNamed = reasonName === 'revert_reason' || isFrom(version, '0.8');
	return {
		execution_status: 'REVERTED',
		...(isNamed && { [reasonName]: formatRevertText(panic, version) }),
	};
}

function formatResources({ l1, l2, l1Data }: Resources, version: Version) {
	if (isFrom(version, '0.8')) {
		return { l1_gas: Number(l1), l1_data_gas: Number(l1Data), l2_gas: Number(l2) };
	}
	return {
		...formatSteps(l2 + l1 * 40_000n),
		data_availability: { l1_gas: 0, l1_data_gas: Number(l1Data) },
	};
}

const formatSteps = (l2: bigint) => ({
	steps: Number(l2 / 100n),
	range_check_builtin_applications: Number(l2 / 5_000n),
	pedersen_builtin_applications: Number(l2 / 40_000n),
});

/** Formats the price of gas and the resulting fee as the given version does. */
export function formatEstimate(
	{ transaction, resources, prices }: Executed,
	fee: bigint,
	version: Version,
) {
	const isInWei = isPaidInWei(transaction);
	const toPrice = (fri: bigint) => toHex(isInWei ? fri / FRI_IN_WEI || 1n : fri);
	const total = { overall_fee: toHex(fee), unit: isInWei ? 'WEI' : 'FRI' };
	if (!isFrom(version, '0.8')) {
		return {
			gas_consumed: toHex(resources.l1),
			gas_price: toPrice(prices.l1),
			data_gas_consumed: toHex(resources.l1Data),
			data_gas_price: toPrice(prices.l1Data),
			...total,
		};
	}
	return {
		l1_gas_consumed: toHex(resources.l1),
		l1_gas_price: toPrice(prices.l1),
		l2_gas_consumed: toHex(resources.l2),
		l2_gas_price: toPrice(prices.l2),
		l1_data_gas_consumed: toHex(resources.l1Data),
		l1_data_gas_price: toPrice(prices.l1Data),
		...total,
	};
}

export function formatTrace(executed: Executed, version: Version) {
	const { validation, execution, feeTransfer, panic } = executed;
	const format = (invocation: Invocation) => formatInvocation(invocation, version);
	return {
		type: 'INVOKE',
		...(validation && { validate_invocation: format(validation) }),
		execute_invocation:
			execution && !panic
				? format(execution)
				: { revert_reason: panic ? formatRevertText(panic, version) : '' },
		...(feeTransfer && { fee_transfer_invocation: format(feeTransfer) }),
		state_diff: {
			storage_diffs: [],
			deprecated_declared_classes: [],
			declared_classes: [],
			deployed_contracts: [],
			replaced_classes: [],
			nonces: [
				{
					contract_address: toHex(executed.transaction.sender),
					nonce: toHex(executed.transaction.nonce + 1n),
				},
			],
		},
		execution_resources: formatResources(executed.resources, version),
	};
}

function formatInvocation(invocation: Invocation, version: Version): object {
	const gas = BigInt(invocation.calldata.length * 5_000 + 40_000);
	return {
		contract_address: toHex(invocation.contract),
		entry_point_selector: toHex(invocation.selector),
		calldata: toHexes(invocation.calldata),
		caller_address: toHex(invocation.caller),
		class_hash: toHex(invocation.classHash),
		entry_point_type: 'EXTERNAL',
		call_type: invocation.callType,
		result: toHexes(invocation.result),
		calls: invocation.calls.map((call) => formatInvocation(call, version)),
		events: invocation.events.map((event) => ({ order: event.order, ...formatContent(event) })),
		messages: [],
		execution_resources: isFrom(version, '0.8')
			? { l1_gas: 0, l2_gas: Number(gas) }
			: formatSteps(gas),
		...(isFrom(version, '0.8') && { is_reverted: invocation.isReverted }),
	};
}
