import { InvalidInput } from '../../../core/errors/invalidInput';
import type { Field } from '../../../core/operation/field';
import { choiceFields } from '../../../core/operation/panel';
import { restOptions } from '../../../core/operation/transportOptions';
import { formatTonAddresses, type TonAccount } from '../../../core/ton/address';
import { formatSeconds } from '../../../core/ton/answer';
import { formatBag } from '../../../core/ton/encodeBag';
import { formatCoins, type PlannedMessage } from '../../../core/ton/payments';
import { reserveSeqno, takeSeqno } from '../../../core/ton/purse';
import {
	computeFeeReserve,
	getMaxMessages,
	getUnusualWalletId,
	readTransferFee,
	USUAL_SEND_MODE,
	type Sender,
} from '../../../core/ton/sender';
import { MAX_ADDRESSES_PER_REQUEST } from '../../../core/ton/service';
import { rest } from '../../../core/protocols/rest';
import { optionalParser } from '../../../core/values/numbers';
import { NANOCOIN_DECIMALS, formatUnits } from '../../../core/values/units';
import { wholeNumberParser } from '../../../core/values/parse';
import { payer } from '../../../fields/tonPaymentFields';
import type { AnyTransferKind, Plan } from './transferKind';
import { transferKinds } from './transferKinds';

const KIND_MENU = {
	displayName: 'Kind',
	name: 'kind',
	description: 'What the transfer does',
} as const;
const [kindMenu, ...kindFields] = choiceFields(KIND_MENU, transferKinds, 'coinTransfer');
const kindField = kindMenu as Field & { readonly name: 'kind' };
/** The types of these fields are known to their kinds alone. */
const untypedKindFields = kindFields as readonly Field[] as readonly [];

const MAX_UINT32 = 2 ** 32 - 1;
const USUAL_VALID_SECONDS = 300;
const MAX_VALID_SECONDS = 604_800;
const IGNORE_ERRORS = 2;
const CARRY_ALL = 128;

const options = restOptions(
	{
		displayName: 'Bounce',
		name: 'bounce',
		type: 'boolean',
		default: true,
		description:
			'Whether what is sent comes back when the receiver fails. Without this option it does from what has code, and stays with what has none yet.',
	},
	{
		displayName: 'Send Mode',
		name: 'sendMode',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 255 },
		default: USUAL_SEND_MODE,
		description: 'How the wallet sends its messages, in the numbers of the chain',
		parse: wholeNumberParser(0, 255),
	},
	{
		displayName: 'Seqno',
		name: 'seqno',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7',
		description:
			'How many transfers the wallet has made before this one. Without it, it is read, and the items of a run follow each other.',
		parse: optionalParser(wholeNumberParser(0, MAX_UINT32)),
	},
	{
		displayName: 'Valid For',
		name: 'validFor',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_VALID_SECONDS },
		default: USUAL_VALID_SECONDS,
		description:
			'How many seconds the chain may take it from now on. The items of a run are sent one after another, some ten seconds apart.',
		parse: wholeNumberParser(1, MAX_VALID_SECONDS),
	},
);

export const prepare = rest({
	name: 'Prepare',
	action: 'Prepare to pay coins, jettons (USDT) or NFTs',
	description:
		'Make a transfer of a wallet ready to be signed, and see what it will cost. Nothing is written to the chain.',
	fields: [payer, kindField, ...untypedKindFields, options],
	itemsPerRequest: MAX_ADDRESSES_PER_REQUEST,
	reserve: (p, context) => reserveSeqno(context, p.from, p.options.seqno),
	async *run(p, context, place) {
		const { from } = p;
		const { validFor = USUAL_VALID_SECONDS, bounce, sendMode } = p.options;
		const kind: AnyTransferKind = transferKinds[p.kind as keyof typeof transferKinds];
		const plan = await kind.plan(p as never, { from, service: context, bounce });
		const sender = await place.account;
		checkCount(plan, sender);
		const mode = sendMode ?? (plan.isAll ? CARRY_ALL | IGNORE_ERRORS : USUAL_SEND_MODE);
		const fee = await readTransferFee(context, sender, plan.messages, mode);
		const { messages } = plan;
		const spending = { cost: computeCost(plan, mode, fee), fee: fee ?? 0n, messages };
		const { seqno, cost } = await takeSeqno(place, spending);
		const validUntil = Math.floor(Date.now() / 1000) + validFor;
		yield formatPrepared(sender, from, { plan, mode, fee, seqno, cost, validUntil });
	},
});

function checkCount({ messages }: Plan, sender: Sender): void {
	const most = getMaxMessages(sender);
	if (messages.length <= most) return;
	throw new InvalidInput(
		`'Payments' must be at most ${most} for a wallet of kind ${sender.walletType}; got ${messages.length}`,
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
		fee: fee === null ? null : formatUnits(fee, NANOCOIN_DECIMALS),
		maxCost: formatUnits(cost, NANOCOIN_DECIMALS),
		summary: formatSummary(prepared),
	};
}

function formatMessage({ address, amount, bounce, body, stateInit, says }: PlannedMessage) {
	return {
		to: address,
		amount: String(amount),
		bounce,
		body: body && formatBag(body),
		stateInit: stateInit && formatBag(stateInit),
		says: `${says}.`,
	};
}

/** This sentence is for the person who is to approve the transfer. */
function formatSummary({ plan, fee, cost, seqno, validUntil }: Prepared): string {
	const feeWords = fee === null ? 'an unknown fee' : `a fee of about ${formatCoins(fee)}`;
	return `${plan.says}, for ${feeWords}, at a cost of at most ${formatCoins(cost)}, seqno ${seqno}, valid until ${formatSeconds(validUntil)}.`;
}
