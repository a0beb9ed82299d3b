import type { Field } from '../core/operation/field';
import { restOperation } from '../core/protocols/rest';
import { formatUnits, parseAmountText, unitsParser } from '../core/values/units';
import { parseField } from '../core/values/parse';
import { checkNotOwnContract, checkNotZeroAddress } from '../core/values/receiver';
import { ZERO_ADDRESS } from '../core/witness/constantCall';
import { buildCheckedCall } from '../core/witness/prepare/contractCall';
import { draftCoinTransfer } from '../core/witness/prepare/draft';
import { formatCoins } from '../core/witness/prepare/purse';
import { formatBase58, formatBuilt, formatFeeLimit } from '../core/witness/prepare/summary';
import {
	encodeTokenCall,
	readDecimalsOnce,
	TRANSFER_FUNCTION,
} from '../core/witness/prepare/tokenCalls';
import { buildOperation } from './buildOperation';
import {
	amountField,
	feeLimit,
	ownerAddress,
	parseAddress,
	tokenContract,
	UNSIGNED_TEXT,
	visible,
} from './fields';

const toAddress = {
	displayName: 'To',
	name: 'toAddress',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
	description: 'The account that receives the amount',
} as const satisfies Field;

/** Parses the sender and the receiver of a transfer. */
function parseParties(p: { ownerAddress: string; toAddress: string; visible: boolean }) {
	const to = parseAddress('To', p.toAddress, p.visible);
	checkNotZeroAddress('To', to, { zeroAddress: ZERO_ADDRESS });
	return { owner: parseAddress('From', p.ownerAddress, p.visible), to };
}

export const buildTransfer = buildOperation({
	name: 'Build Transfer',
	action: 'Build transfer of coins (TRX)',
	description: `Build a transaction that sends coins to another account. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, toAddress, amountField('How much to send'), visible],
	draft: (p) => {
		const parties = parseParties(p);
		return {
			...draftCoinTransfer({ ...parties, amount: p.amount, visible: p.visible }),
			sentence: `Send ${formatCoins(p.amount)} to ${formatBase58(parties.to)}`,
		};
	},
});

const tokenAmount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 25.5',
	description: 'How much to send',
	hint: 'In tokens, such as 1.5',
	parse: parseAmountText,
} as const satisfies Field;

export const buildTokenTransfer = restOperation({
	name: 'Build Token Transfer',
	action: 'Build token transfer (TRC-20, USDT)',
	description: `Build a transaction that sends a TRC-20 token to another account. A transaction that would fail is refused. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, toAddress, tokenAmount, tokenContract, feeLimit, visible],
	async *run(p, context) {
		const { owner, to } = parseParties(p);
		const contract = parseAddress('Token', p.token, p.visible);
		checkNotOwnContract('To', to, contract);
		const decimals = await readDecimalsOnce(context, contract);
		const amount = parseField('Amount', p.amount, unitsParser(decimals));
		const built = await buildCheckedCall(context, {
			owner,
			contract,
			errors: [],
			called: TRANSFER_FUNCTION,
			data: encodeTokenCall(TRANSFER_FUNCTION, to, amount),
			feeLimit: p.feeLimit,
			visible: p.visible,
		});
		const sent = `${formatUnits(amount, decimals)} of the token ${formatBase58(contract)}`;
		yield formatBuilt(built, `Send ${sent} to ${formatBase58(to)}, ${formatFeeLimit(p.feeLimit)}`);
	},
});
