import type { Place } from '../../chain/purse';
import type { RestReader } from '../../chain/reader';
import { InvalidInput } from '../../errors/invalidInput';
import { formatUnits, NANOCOIN_DECIMALS } from '../../values/units';
import { formatTonAddresses, type TonAccount } from '../address';
import { formatSeconds } from '../answer';
import { formatBag } from '../bag/serialize';
import { formatCoins, type PlannedMessage } from '../payments';
import {
	computeFeeReserve,
	getMaxMessages,
	getUnusualWalletId,
	readTransferFee,
	DEFAULT_SEND_MODE,
	type Sender,
} from '../sender';
import { IGNORE_ERRORS } from '../transfer';
import { getUsualWalletId } from '../wallets';
import { takeSeqno, type Payer } from './purse';

/** The effects of a transfer. */
export interface Plan {
	readonly messages: readonly PlannedMessage[];
	/** The beginning of a sentence that describes the transfer. */
	readonly sentence: string;
	/** Whether the single message sends the whole balance of the wallet. */
	readonly isAll?: boolean;
}

export function buildPlan(message: PlannedMessage): Plan {
	return { messages: [message], sentence: message.sentence };
}

interface Wanted {
	readonly from: TonAccount;
	readonly plan: Plan;
	/** The send mode of the wallet. If undefined, it is the default mode, or the mode that sends the whole balance. */
	readonly sendMode?: number;
	/** How many seconds from now the transfer is valid. */
	readonly validFor: number;
}

const CARRY_ALL = 128;

/** Makes a transfer ready to be signed, with its messages, its fee and its sequence number (seqno). */
export async function prepareTransfer(
	reader: RestReader,
	place: Place<Payer>,
	{ from, plan, sendMode, validFor }: Wanted,
) {
	const { messages } = plan;
	const sender = await place.account;
	checkCount(plan, sender);
	const mode = sendMode ?? (plan.isAll ? CARRY_ALL | IGNORE_ERRORS : DEFAULT_SEND_MODE);
	const fee = await readTransferFee(reader, sender, messages, mode);
	const spending = { cost: computeCost(plan, mode, fee), fee: fee ?? 0n, messages };
	const { seqno, cost } = await takeSeqno(place, spending);
	const validUntil = Math.floor(Date.now() / 1000) + validFor;
	return formatPrepared(sender, from, { plan, mode, fee, seqno, cost, validUntil });
}

function checkCount({ messages }: Plan, sender: Sender): void {
	const most = getMaxMessages(sender);
	if (messages.length <= most) return;
	throw new InvalidInput(
		`'Payments' must hold at most ${most} payments for a wallet of kind ${sender.walletType}; got ${messages.length}`,
		'Split the list, and prepare one item for each part.',
	);
}

function computeCost({ messages }: Plan, mode: number, fee: bigint | null): bigint | 'all' {
	if (mode & CARRY_ALL) return 'all';
	const sent = messages.reduce((sum, { amount }) => sum + amount, 0n);
	return sent + (fee ?? computeFeeReserve(messages));
}

interface Prepared {
	readonly plan: Plan;
	readonly mode: number;
	readonly fee: bigint | null;
	readonly seqno: number;
	readonly cost: bigint;
	readonly validUntil: number;
}

function formatPrepared(sender: Sender, payerAccount: TonAccount, prepared: Prepared) {
	const { plan, mode, fee, seqno, cost, validUntil } = prepared;
	const walletId = getUnusualWalletId(sender);
	return {
		summary: formatSummary(prepared),
		fee: fee === null ? null : formatUnits(fee, NANOCOIN_DECIMALS),
		maxCost: formatUnits(cost, NANOCOIN_DECIMALS),
		transfer: {
			from: formatTonAddresses(payerAccount).nonBounceable,
			walletType: sender.walletType,
			...(walletId !== null && { walletId }),
			seqno,
			validUntil,
			sendMode: mode,
			messages: plan.messages.map((one) =>
				formatMessage(plan.isAll ? { ...one, amount: cost } : one),
			),
		},
	};
}

function formatMessage({ address, amount, bounce, body, stateInit, sentence }: PlannedMessage) {
	return {
		to: address,
		amount: String(amount),
		bounce,
		body: body && formatBag(body),
		stateInit: stateInit && formatBag(stateInit),
		says: `${sentence}.`,
	};
}

/** Formats a sentence that describes the transfer to the person who approves it. */
function formatSummary({ plan, fee, cost, seqno, validUntil }: Prepared): string {
	const feeWords = fee === null ? 'an unknown fee' : `a fee of about ${formatCoins(fee)}`;
	return `${plan.sentence}, for ${feeWords}, at a cost of at most ${formatCoins(cost)}, seqno ${seqno}, valid until ${formatSeconds(validUntil)}.`;
}

const TEST_NETWORK_HINT =
	'The wallet or an address is that of a test network: payments there are worth nothing.';

/**
 * Finds a hint that a payment is for the test network: a wallet of version 5 has the network in its ID, and an
 * address may have a flag.
 */
export function findTestNetworkHint(
	{ account, walletType, walletId }: Sender,
	addresses: readonly TonAccount[],
): string | undefined {
	const isOfTest =
		walletType === 'v5r1' && walletId === getUsualWalletId(walletType, account.workchain, true);
	return isOfTest || addresses.some(({ isTestOnly }) => isTestOnly) ? TEST_NETWORK_HINT : undefined;
}

/** A wallet makes one transfer after another. Between two transfers pass about this many seconds. */
const SECONDS_APART = 10;
const LATE_HINT =
	"The transfers of a wallet are made one after another, some ten seconds apart: the last ones may expire before their turn. 'Valid For' gives them more time, and the kind Several Payments makes many in one.";

/** Returns a hint if earlier transfers of the same run may take longer than the time for which this transfer is valid. */
export function findLateHint(
	{ seqno: first }: Sender,
	seqno: number,
	validFor: number,
): string | undefined {
	return (seqno - first) * SECONDS_APART >= validFor ? LATE_HINT : undefined;
}
