import type { Field } from '../core/operation/field';
import { rest } from '../core/protocols/rest';
import { parseAmountText, unitsParser } from '../core/values/units';
import { stringifyExactJson } from '../core/values/json';
import { parseField } from '../core/values/parse';
import { checkNotOwnContract, checkNotZeroAddress } from '../core/values/receiver';
import { verifyBuilt, parseBuiltAnswer } from './builtTransaction';
import { ZERO_ADDRESS } from '../core/witness/constantCall';
import { buildCheckedCall } from './contractCall';
import {
	amountField,
	feeLimit,
	options,
	ownerAddress,
	parseAddress,
	tokenContract,
	UNSIGNED_TEXT,
	visible,
} from './fields';
import { encodeTokenCall, readDecimalsOnce, TRANSFER_FUNCTION } from './tokens';

const toAddress = {
	displayName: 'To Address',
	name: 'toAddress',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
	description: 'The account that receives the amount',
} as const satisfies Field;

/** The two accounts of a transfer. */
function parseParties(p: { ownerAddress: string; toAddress: string; visible: boolean }) {
	const to = parseAddress('To Address', p.toAddress, p.visible);
	checkNotZeroAddress('To Address', to.hex, { zeroAddress: ZERO_ADDRESS });
	return { owner: parseAddress('Owner Address', p.ownerAddress, p.visible), to };
}

export const buildTransfer = rest({
	name: 'Build Transfer',
	action: 'Build a transfer of coins (TRX)',
	description: `Build a transaction that sends coins to another account. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, toAddress, amountField('How much to send'), visible, options],
	plan: (p) => ({ ...parseParties(p), amount: p.amount, visible: p.visible }),
	request: ({ owner, to, amount, visible }) => ({
		path: '/wallet/createtransaction',
		body: stringifyExactJson({
			owner_address: owner.written,
			to_address: to.written,
			amount,
			visible,
		}),
	}),
	answer: parseBuiltAnswer,
	items: (built, { owner, to, amount }) => {
		const parameters = { owner_address: owner.hex, to_address: to.hex, amount };
		return [verifyBuilt(built, { contract: 'TransferContract', parameters })];
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
	hint: 'In whole tokens, by their decimals',
	parse: parseAmountText,
} as const satisfies Field;

export const buildTokenTransfer = rest({
	name: 'Build Token Transfer',
	action: 'Build a token transfer (TRC-20, USDT)',
	description: `Build a transaction that sends a TRC-20 token to another account. One that would fail is refused. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, tokenContract, toAddress, tokenAmount, feeLimit, visible, options],
	async *run(p, context) {
		const { owner, to } = parseParties(p);
		const contract = parseAddress('Token', p.token, p.visible);
		checkNotOwnContract('To Address', to.hex, contract.hex);
		const decimals = await readDecimalsOnce(context, contract.hex);
		const amount = parseField('Amount', p.amount, unitsParser(decimals));
		yield await buildCheckedCall(context, {
			owner,
			contract,
			called: TRANSFER_FUNCTION,
			data: encodeTokenCall(TRANSFER_FUNCTION, to.hex, amount),
			feeLimit: p.feeLimit,
			visible: p.visible,
		});
	},
});
