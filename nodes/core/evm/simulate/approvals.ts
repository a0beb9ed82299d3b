import { formatTokenAmount } from '../../chain/tokens';
import { mapWithPauses, Pauses } from '../../net/pacing/slices';
import { MAX_UINT256 } from '../../values/numbers';
import { checksumAddress, ZERO_ADDRESS } from '../address';
import { quantityToIsoDate } from '../chainObjects';
import type { FactsOf } from './changes';
import type { Approval } from './assets';
import { getApprovalKey } from './effects';
import { askPermit2Approval, computePermit2Approval } from './permit2';
import {
	buildQuestion,
	findAddresses,
	findNumbers,
	HOLDING_FUNCTIONS,
	type Answers,
	type Question,
} from './reads';

/** What a spender may spend of an account's tokens after the transaction. */
export interface ApprovalAfterwards {
	readonly token: string;
	readonly owner: string;
	readonly spender: string;
	readonly value: string | null;
	readonly amount: string | null;
	readonly isUnlimited: boolean;
	/** The ID of the token, if the approval is for a single ERC-721 token. */
	readonly id?: string;
	/** The contract like Permit2 that holds the approval, if it is not the token itself. */
	readonly contract?: string;
	/** When the approval ends; null if it never ends, or if the node does not tell its end. */
	readonly expiration?: string | null;
}

export function askApproval(approval: Approval): Question {
	const { kind, token, owner, spender, id } = approval;
	if (kind === 'permit2') return askPermit2Approval(approval);
	if (kind === 'erc721') return buildQuestion(token, HOLDING_FUNCTIONS.getApproved, [id ?? '0']);
	const called = kind === 'all' ? HOLDING_FUNCTIONS.isApprovedForAll : HOLDING_FUNCTIONS.allowance;
	return buildQuestion(token, called, [owner, spender]);
}

/** Computes how much may be spent after the transaction, by the contract's answer, or else by its event. */
export async function computeApprovals(
	approvals: readonly Approval[],
	candidates: readonly Approval[],
	answers: Answers,
): Promise<Approval[]> {
	const pauses = new Pauses();
	const known = new Set(approvals.map(getApprovalKey));
	// Most tokens have no event for spending an allowance, so the contract's answers before and after the transaction are
	// compared.
	const spent = new Map<string, Approval>();
	for (const one of candidates) {
		const key = getApprovalKey(one);
		if (!known.has(key) && isOther(one, answers)) spent.set(key, one);
		await pauses.takeIfDue();
	}
	return await mapWithPauses([...approvals, ...spent.values()], (one) =>
		computeApproval(one, answers),
	);
}

/** Whether the transaction changed the approval, by the contract's answers before and after it. */
function isOther(approval: Approval, answers: Answers): boolean {
	const find = approval.kind === 'erc721' ? findAddresses : findNumbers;
	const found = find(answers, askApproval(approval));
	return found !== undefined && found.before !== found.after;
}

function computeApproval(approval: Approval, answers: Answers): Approval {
	if (approval.kind === 'permit2') return computePermit2Approval(approval, answers);
	const question = askApproval(approval);
	if (approval.kind !== 'erc721') {
		const found = findNumbers(answers, question);
		return found ? { ...approval, value: found.after } : approval;
	}
	const spenders = findAddresses(answers, question);
	if (!spenders) return approval;
	const { before, after } = spenders;
	return after === ZERO_ADDRESS
		? { ...approval, spender: before, value: 0n }
		: { ...approval, spender: after, value: 1n };
}

/**
 * Values that some tokens treat as unlimited, because they keep amounts in fewer bits. Other tokens count down from the
 * largest value.
 */
const UNLIMITED_VALUES: readonly bigint[] = [96n, 128n, 160n].map((bits) => 2n ** bits - 1n);
const LEAST_UNLIMITED = MAX_UINT256 / 2n;

export function formatApproval(approval: Approval, factsOf: FactsOf): ApprovalAfterwards {
	const { kind, token, owner, spender, value, id, contract, expiration } = approval;
	const whose = {
		token: checksumAddress(token),
		owner: checksumAddress(owner),
		spender: checksumAddress(spender),
	};
	if (kind === 'erc20' || kind === 'permit2') {
		return {
			...whose,
			value: value?.toString() ?? null,
			amount: value === null ? null : formatTokenAmount(value, factsOf(token)),
			isUnlimited: value !== null && isUnlimited(value),
			...(contract !== undefined && {
				contract: checksumAddress(contract),
				expiration: quantityToIsoDate(expiration?.toString()),
			}),
		};
	}
	const isForAll = kind === 'all' && value !== 0n;
	const said = isForAll ? null : String(value);
	return {
		...whose,
		value: said,
		amount: said,
		isUnlimited: isForAll,
		...(id !== null && { id }),
	};
}

function isUnlimited(value: bigint): boolean {
	return value >= LEAST_UNLIMITED || UNLIMITED_VALUES.includes(value);
}
