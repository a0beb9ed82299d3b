import { abiParser } from '../abi/abi';
import { parseFunction } from '../abi/call';
import { decodeEventLog } from '../abi/event';
import type { Approval } from './assets';
import type { SimulatedLog } from './outcome';
import { buildQuestion, type Answers, type Question, getQuestionKey } from './reads';

// An account approves a token to the contract Permit2 once. Permit2 then keeps a list of who may spend how much of
// which token, and until when. Any contract may write the same events. An approval in the result names its contract, so
// a contract with false events can misreport only its own approvals.

export const PERMIT2_EVENTS = [
	'Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)',
	'Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)',
	'Lockdown(address indexed owner, address token, address spender)',
	'NonceInvalidation(address indexed owner, address indexed token, address indexed spender, uint48 newNonce, uint48 oldNonce)',
] as const;
const { events } = abiParser('event')(PERMIT2_EVENTS);

/**
 * Decodes the approval that an event of Permit2 reports; undefined for another event. An event that only makes
 * signatures invalid has no amount.
 */
export function decodePermit2Approval(log: SimulatedLog): Approval | undefined {
	const { event, args } = decodeEventLog(events, log);
	if (!args) return undefined;
	const { owner, token, spender, amount = null, expiration } = args;
	return {
		kind: 'permit2',
		token: String(token).toLowerCase(),
		owner: String(owner).toLowerCase(),
		spender: String(spender).toLowerCase(),
		value: event === 'Lockdown' ? 0n : amount === null ? null : BigInt(String(amount)),
		id: null,
		contract: log.address,
		...(expiration !== undefined && { expiration: BigInt(String(expiration)) }),
	};
}

const ALLOWANCE = parseFunction('allowance(address owner, address token, address spender)');

export function askPermit2Approval({ contract = '', owner, token, spender }: Approval): Question {
	return buildQuestion(contract, ALLOWANCE, [owner, token, spender]);
}

/** Matches the answer of Permit2: the amount, the time when the approval ends, and a number that counts signatures. */
const ANSWER_PATTERN = /^0x0{24}([0-9a-f]{40})0{52}([0-9a-f]{12})0{52}[0-9a-f]{12}$/i;

/** The approval after the transaction, by the contract's answer, or else by the event. */
export function computePermit2Approval(approval: Approval, answers: Answers): Approval {
	const { after = '' } = answers.get(getQuestionKey(askPermit2Approval(approval))) ?? {};
	const [, amount, expiration] = ANSWER_PATTERN.exec(after) ?? [];
	if (amount === undefined || expiration === undefined) return approval;
	return { ...approval, value: BigInt(`0x${amount}`), expiration: BigInt(`0x${expiration}`) };
}
