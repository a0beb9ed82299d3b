import {
	type AccountStatus,
	beginCell,
	type Cell,
	type CommonMessageInfo,
	type ComputeSkipReason,
	loadMessage,
	type TransactionActionPhase,
	type TransactionBouncePhase,
	type TransactionComputePhase,
	type TransactionDescription,
} from '@ton/core';
import { WHOLE_SHARD } from './chainState.mts';
import type { Row } from './ledger.mts';
import { getIncoming, listOutgoing } from './machine.mts';
import {
	formatAddress,
	formatBytes,
	formatCell,
	formatCellHash,
	formatNumberHash,
	formatOpcode,
	formatRaw,
	omitAbsent,
} from './formats.mts';

const STATUSES: Readonly<Record<AccountStatus, string>> = {
	uninitialized: 'uninit',
	active: 'active',
	frozen: 'frozen',
	'non-existing': 'nonexist',
};

export function formatTransaction(row: Row): object {
	const { transaction, hash, account, traceId, externalHash, block } = row;
	const incoming = getIncoming(transaction);
	return {
		account: formatRaw(account),
		hash,
		lt: String(transaction.lt),
		now: transaction.now,
		mc_block_seqno: block,
		trace_id: traceId,
		trace_external_hash: externalHash,
		prev_trans_hash: formatNumberHash(transaction.prevTransactionHash),
		prev_trans_lt: String(transaction.prevTransactionLt),
		orig_status: STATUSES[transaction.oldStatus],
		end_status: STATUSES[transaction.endStatus],
		total_fees: String(transaction.totalFees.coins),
		total_fees_extra_currencies: {},
		description: formatDescription(transaction.description),
		block_ref: { workchain: Number(account.split(':')[0]), shard: WHOLE_SHARD, seqno: block },
		in_msg: incoming && formatMessage(incoming),
		out_msgs: listOutgoing(transaction).map(formatMessage),
		account_state_before: { hash: formatBytes(transaction.stateUpdate.oldHash) },
		account_state_after: {
			hash: formatBytes(transaction.stateUpdate.newHash),
			balance: String(row.after.account?.storage.balance.coins ?? 0n),
			account_status: STATUSES[transaction.endStatus],
		},
		emulated: false,
		finality: 'finalized',
	};
}

function formatDescription(description: TransactionDescription): object {
	if (description.type !== 'generic') return { type: description.type.replace('-', '_') };
	const { storagePhase, creditPhase, computePhase, actionPhase, bouncePhase } = description;
	return omitAbsent({
		type: 'ord',
		aborted: description.aborted,
		destroyed: description.destroyed,
		credit_first: description.creditFirst,
		storage_ph: storagePhase
			? omitAbsent({
					storage_fees_collected: String(storagePhase.storageFeesCollected),
					storage_fees_due: formatWhole(storagePhase.storageFeesDue),
					status_change: storagePhase.statusChange,
				})
			: undefined,
		credit_ph: creditPhase
			? omitAbsent({
					due_fees_collected: formatWhole(creditPhase.dueFeesColelcted),
					credit: String(creditPhase.credit.coins),
				})
			: undefined,
		compute_ph: formatCompute(computePhase),
		action: actionPhase ? formatAction(actionPhase) : undefined,
		bounce: bouncePhase ? formatBounce(bouncePhase) : undefined,
	});
}

const formatWhole = (value: bigint | null | undefined) =>
	typeof value === 'bigint' ? String(value) : undefined;

const SKIPPED: Readonly<Record<ComputeSkipReason, string>> = {
	'no-state': 'no_state',
	'bad-state': 'bad_state',
	'no-gas': 'no_gas',
};

function formatCompute(phase: TransactionComputePhase): object {
	if (phase.type === 'skipped') return { skipped: true, reason: SKIPPED[phase.reason] };
	return omitAbsent({
		skipped: false,
		success: phase.success,
		msg_state_used: phase.messageStateUsed,
		account_activated: phase.accountActivated,
		gas_fees: String(phase.gasFees),
		gas_used: String(phase.gasUsed),
		gas_limit: String(phase.gasLimit),
		gas_credit: formatWhole(phase.gasCredit),
		mode: phase.mode,
		exit_code: phase.exitCode,
		exit_arg: phase.exitArg ?? undefined,
		vm_steps: phase.vmSteps,
		vm_init_state_hash: formatNumberHash(phase.vmInitStateHash),
		vm_final_state_hash: formatNumberHash(phase.vmFinalStateHash),
	});
}

function formatAction(phase: TransactionActionPhase): object {
	return omitAbsent({
		success: phase.success,
		valid: phase.valid,
		no_funds: phase.noFunds,
		status_change: phase.statusChange,
		total_fwd_fees: formatWhole(phase.totalFwdFees),
		total_action_fees: formatWhole(phase.totalActionFees),
		result_code: phase.resultCode,
		result_arg: phase.resultArg ?? undefined,
		tot_actions: phase.totalActions,
		spec_actions: phase.specActions,
		skipped_actions: phase.skippedActions,
		msgs_created: phase.messagesCreated,
		action_list_hash: formatNumberHash(phase.actionListHash),
		tot_msg_size: formatSize(phase.totalMessageSize),
	});
}

function formatBounce(phase: TransactionBouncePhase): object {
	if (phase.type === 'negative-funds') return { type: 'negfunds' };
	const msg_size = formatSize(phase.messageSize);
	if (phase.type === 'no-funds') {
		return { type: 'no_funds', msg_size, req_fwd_fees: String(phase.requiredForwardFees) };
	}
	const fees = { msg_fees: String(phase.messageFees), fwd_fees: String(phase.forwardFees) };
	return { type: 'ok', msg_size, ...fees };
}

const formatSize = ({ cells, bits }: { cells: bigint; bits: bigint }) => ({
	cells: String(cells),
	bits: String(bits),
});

export function formatMessage(cell: Cell) {
	const { info, init, body } = loadMessage(cell.beginParse());
	const hash = formatCellHash(cell);
	const normalized = computeNormalizedHash(cell);
	const initCell = init && beginCell().storeMaybeRef(init.code).storeMaybeRef(init.data).endCell();
	return {
		hash,
		...(normalized && normalized !== hash && { hash_norm: normalized }),
		...formatInfo(info),
		opcode: formatOpcode(body),
		message_content: {
			hash: formatCellHash(body),
			body: formatCell(body),
			decoded: decodeComment(body),
		},
		init_state: initCell ? { hash: formatCellHash(initCell), body: formatCell(initCell) } : null,
	};
}

const OUTSIDE = {
	value: null,
	value_extra_currencies: null,
	fwd_fee: null,
	ihr_fee: null,
	ihr_disabled: null,
	bounce: null,
	bounced: null,
};

function formatInfo(info: CommonMessageInfo) {
	if (info.type === 'external-in') {
		return {
			...OUTSIDE,
			source: null,
			destination: formatAddress(info.dest),
			created_lt: null,
			created_at: null,
			import_fee: String(info.importFee),
		};
	}
	const made = { created_lt: String(info.createdLt), created_at: String(info.createdAt) };
	if (info.type === 'external-out') {
		return {
			...OUTSIDE,
			source: formatAddress(info.src),
			destination: null,
			...made,
			import_fee: null,
		};
	}
	return {
		source: formatAddress(info.src),
		destination: formatAddress(info.dest),
		value: String(info.value.coins),
		value_extra_currencies: {},
		fwd_fee: String(info.forwardFee),
		ihr_fee: String(info.ihrFee),
		...made,
		ihr_disabled: info.ihrDisabled,
		bounce: info.bounce,
		bounced: info.bounced,
		import_fee: null,
	};
}

/**
 * Computes the normalized hash of TEP-467, which is the same for all forms of one message.
 * Returns undefined for a message that does not come from outside.
 */
export function computeNormalizedHash(cell: Cell): string | undefined {
	const { info, body } = loadMessage(cell.beginParse());
	if (info.type !== 'external-in') return undefined;
	const normalized = beginCell()
		.storeUint(0b1000, 4)
		.storeAddress(info.dest)
		.storeCoins(0)
		.storeUint(0b01, 2)
		.storeRef(body);
	return normalized.endCell().hash().toString('base64');
}

export function decodeComment(body: Cell): object | null {
	const slice = body.beginParse(true);
	if (body.isExotic || slice.remainingBits < 32 || slice.loadUint(32) !== 0) return null;
	try {
		const comment = slice.loadStringTail();
		return { type: 'text_comment', '@type': 'text_comment', comment };
	} catch {
		return null;
	}
}
